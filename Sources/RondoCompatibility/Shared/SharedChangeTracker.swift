// Changes of shared values that a test asserts without a test store.

import Rondo
import RondoScheduling

/// A record of changes of shared values, which are asserted afterwards.
///
/// ```swift
/// let tracker = SharedChangeTracker()
/// tracker.track { model.increment() }
/// tracker.assert { model.$count.withLock { $0 = 1 } }
/// ```
///
/// In ``assert(_:)``, shared values are what they were before the changes. Setting one says what it
/// is expected to be, and comparing it with itself, `$count == $count`, compares the expected value
/// with the present one. Changes that are neither set nor compared before the tracker is released
/// are reported.
public struct SharedChangeTracker: Hashable, Sendable {
  private final class Record: Sendable {
    let ledger = SharedLedger()
    let reports: Bool
    let position: SourcePosition

    init(_ reports: Bool, _ position: SourcePosition) {
      self.reports = reports
      self.position = position
    }

    deinit {
      guard reports else { return }
      for change in ledger.takeChanges() where change.isChange {
        reportIssue(
          """
          Tracked unasserted changes to '\(change.description)': \
          \(String(reflecting: change.before)) → \(String(reflecting: change.value))
          """,
          at: position)
      }
    }
  }

  private let record: Record

  /// A tracker that has seen no changes.
  ///
  /// - Parameter reportUnassertedChanges: Whether changes that nobody asserts are reported, here,
  ///   when the tracker is released.
  public init(
    reportUnassertedChanges: Bool = isTesting,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    record = Record(reportUnassertedChanges, SourcePosition(fileID, filePath, line, column))
  }

  /// Whether there are changes that are not asserted yet.
  public var hasChanges: Bool {
    let changes = record.ledger.takeChanges()
    record.ledger.putBack(changes)
    return changes.contains { $0.isChange }
  }

  /// Tracks the changes that are made with some dependencies.
  public func track(_ dependencies: inout DependencyValues) {
    dependencies.sharedLedger = record.ledger
  }

  /// Tracks the changes that a closure makes.
  public func track<Result>(_ body: () throws -> Result) rethrows -> Result {
    try withDependencies(track) { try body() }
  }

  /// Tracks the changes that an asynchronous closure makes.
  public nonisolated(nonsending) func track<Result>(
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    try await withDependencies(track) { try await body() }
  }

  /// Runs a closure in which shared values are what they were before the changes, until it sets
  /// them.
  public func assert<Result>(_ body: () throws -> Result) rethrows -> Result {
    let changes = record.ledger.takeChanges()
    let comparison = SharedComparison()
    comparison.begin(
      expected: Dictionary(uniqueKeysWithValues: changes.map { ($0.id, $0.before) }),
      actual: Dictionary(uniqueKeysWithValues: changes.map { ($0.id, $0.value) }))
    defer { record.ledger.putBack(changes.filter { !comparison.isAsserted($0) }) }
    return try comparison.whileInForce(body)
  }

  /// Forgets the changes.
  public func reset() {
    _ = record.ledger.takeChanges()
  }

  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.record === rhs.record
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(record))
  }
}

/// Runs a closure whose changes of shared values a tracker sees. Changes that it does not assert
/// are not reported.
public func withSharedChangeTracking<Result>(
  _ body: (_ tracker: SharedChangeTracker) throws -> Result
) rethrows -> Result {
  let tracker = SharedChangeTracker(reportUnassertedChanges: false)
  return try tracker.track { try body(tracker) }
}
