// The turns that another version or revision of a feature has reduced again, and a check for them before a
// deployment.

import Foundation
import Rondo

/// The turns of a store, since its last snapshot, that another version or revision of the feature has written, and that
/// this one has reduced again.
public struct DurableReplay: Equatable, Sendable {
  /// The version that has written the first of them.
  public var version: Int
  /// The revision that has written the first of them.
  public var revision: Int
  /// The number of the first one.
  public var first: Int64
  /// The number of the last one.
  public var last: Int64
  /// The first turn that leads to another state now, if the versions can be compared and there is one.
  public var changed: Int64?

  init(version: Int, revision: Int, first: Int64) {
    (self.version, self.revision, self.first, last) = (version, revision, first, first)
  }
}

/// The result of ``DurableStores/check(limit:)``.
public struct DurableCheck: Sendable {
  /// The number of stores that were read.
  public var stores = 0
  /// The stores that cannot be read, or that would wait.
  public var errors: [DurableError] = []
  /// The stores of which turns were reduced again that another version or revision has written.
  public var replays: [(store: StoreKey, replay: DurableReplay)] = []
}

extension DurableStores {
  /// Reads stores under this version and revision of the feature, and writes nothing: what a deployment would find.
  ///
  /// ```swift
  /// let check = try await DurableStores(journal: journal, feature: order).check(limit: 10_000)
  /// for error in check.errors { print(error) }
  /// ```
  ///
  /// Other processes may go on meanwhile. This one owns nothing, unless ``run()`` was called.
  ///
  /// - Parameter limit: The largest number of stores, in the order of names; `nil` reads all.
  /// - Throws: ``DurableError/unavailable(store:reason:)`` if the journal cannot be read.
  public func check(limit: Int? = nil) async throws -> DurableCheck {
    var check = DurableCheck()
    var last = ""
    while limit.map({ check.stores < $0 }) ?? true {
      let most = min(500, limit.map { $0 - check.stores } ?? 500)
      let names = try await key("*").askingJournal {
        try await journal.names(of: feature.kind, after: last, limit: most)
      }
      guard let end = names.last else { break }
      last = end
      for name in names {
        check.stores += 1
        let stored = try await key(name).askingJournal { try await journal.load(key(name)) }
        do {
          let state = try DependencyValues().whileInForce {
            try StoredState(stored, of: key(name), feature, source(name))
          }
          if let replay = state.replay { check.replays.append((key(name), replay)) }
        } catch let error as DurableError {
          check.errors.append(error)
        }
      }
    }
    return check
  }
}
