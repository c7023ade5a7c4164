// Renews the leases of a process whose actor is held up, by a closure that blocks, for example.

import Synchronization

/// The last claim of a process, known outside of its actor.
final class LeaseKeeper: Sendable {
  private let last = Mutex(Last())

  private struct Last {
    var request: ClaimRequest?
    /// The moment of the last request that has renewed the leases, as the time since the stores were made.
    var renewed = Duration.zero
    /// The moment of the last request that the actor has made.
    var askedByActor = Duration.zero
    /// The number of requests that were not answered yet.
    var open = 0
  }

  /// The moment of the last request that has renewed the leases, as the time since the stores were made.
  var renewed: Duration { last.withLock(\.renewed) }

  /// Claims shards, and remembers the request.
  ///
  /// - Parameter asked: The moment, as the time since the stores were made.
  @concurrent func claim(
    _ request: ClaimRequest, of journal: any Journal, asked: Duration
  ) async throws -> Claim {
    last.withLock { ($0.request, $0.askedByActor) = (request, asked) }
    return try await ask(request, of: journal, asked: asked)
  }

  private nonisolated(nonsending) func ask(
    _ request: ClaimRequest, of journal: any Journal, asked: Duration
  ) async throws -> Claim {
    last.withLock { $0.open += 1 }
    defer { last.withLock { $0.open -= 1 } }
    let claim = try await journal.claim(request)
    last.withLock { $0.renewed = max($0.renewed, asked) }
    return claim
  }

  /// Renews the leases of the last claim, if half of their time is over and nobody else has. The actor makes a claim in
  /// each third.
  ///
  /// No shard is taken that the process has not: nobody would serve it meanwhile. The answer is not used: the next one
  /// that the actor gets says the same.
  /// A process that has been held up for ``patience`` leases is taken for one that does not come back: its leases end,
  /// and others go on with its stores.
  @concurrent func renewIfLate(_ now: Duration, of journal: any Journal) async {
    let request = last.withLock { last -> ClaimRequest? in
      guard var request = last.request, last.open == 0, now - last.renewed >= request.duration / 2,
        now - last.askedByActor < request.duration * Self.patience
      else { return nil }
      request.except = Set(0..<request.shards)
      return request
    }
    if let request { _ = try? await ask(request, of: journal, asked: now) }
  }

  /// The number of leases for which an actor that is held up keeps its shards.
  static let patience = 12

  /// Renews nothing until the next claim.
  func rest() {
    last.withLock { $0.request = nil }
  }
}
