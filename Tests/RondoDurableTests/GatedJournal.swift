// A journal whose operations a test delays, counts or lets fail.

import Rondo
import RondoDurable
import Synchronization

/// Lets a test do something around the operations of a journal in memory.
final class GatedJournal: Journal {
  private let journal: InMemoryJournal
  private let hook: Hook

  /// An operation that was called.
  enum Call: Sendable {
    case claim, release, arrivals, load, waiting, fail, setAside
    case begin(Attempt), end(Attempt)
    case takeAnswers([AskKey])
    case commit([Turn])
  }

  /// The code of a test around the operations. What it throws is the error of the operation.
  struct Hook: Sendable {
    typealias Operation = @Sendable () async throws -> Void

    fileprivate let body: @Sendable (Call, Operation) async throws -> Void
    fileprivate var read: @Sendable (inout Arrivals) async -> Void = { _ in }

    /// - Parameter body: Calls the operation.
    init(
      _ body: @escaping @Sendable (Call, Operation) async throws -> Void
    ) {
      self.body = body
    }

    static func before(
      _ body: @escaping @Sendable (Call) async throws -> Void
    ) -> Self {
      Self { call, operation in
        try await body(call)
        try await operation()
      }
    }

    static func after(
      _ body: @escaping @Sendable (Call) async throws -> Void
    ) -> Self {
      Self { call, operation in
        try await operation()
        try await body(call)
      }
    }

    /// Changes what was read of the inbox, too.
    func reading(_ body: @escaping @Sendable (inout Arrivals) async -> Void) -> Self {
      var hook = self
      hook.read = body
      return hook
    }

    /// Lets each commit wait at a gate.
    static func gate(_ gate: Gate) -> Self {
      .before { if case .commit = $0 { await gate.pass() } }
    }
  }

  struct Away: Error, CustomStringConvertible {
    let description = "it is away"
  }

  init(_ journal: InMemoryJournal, _ hook: Hook) {
    self.journal = journal
    self.hook = hook
  }

  private nonisolated(nonsending) func perform<Result: Sendable>(
    _ call: Call, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let result = LockIsolated<Result?>(nil)
    try await hook.body(call) {
      let value = try await body()
      result.withValue { $0 = value }
    }
    return result.value!
  }

  nonisolated(nonsending) func claim(_ request: ClaimRequest) async throws -> Claim {
    try await perform(.claim) { [journal] in try await journal.claim(request) }
  }

  nonisolated(nonsending) func release(
    _ leases: [Lease], of kind: String, worker: String
  ) async throws {
    try await perform(.release) { [journal] in
      try await journal.release(leases, of: kind, worker: worker)
    }
  }

  nonisolated(nonsending) func post(_ message: JournalMessage) async throws -> Bool {
    try await journal.post(message)
  }

  nonisolated(nonsending) func arrivals(_ request: ArrivalsRequest) async throws -> Arrivals {
    try await perform(.arrivals) { [journal, hook] in
      var arrivals = try await journal.arrivals(request)
      await hook.read(&arrivals)
      return arrivals
    }
  }

  nonisolated(nonsending) func names(
    of kind: String, after: String, limit: Int
  ) async throws -> [String] {
    try await journal.names(of: kind, after: after, limit: limit)
  }

  nonisolated(nonsending) func load(
    _ stores: [StoreKey]
  ) async throws -> [StoreKey: StoredStore] {
    try await perform(.load) { [journal] in try await journal.load(stores) }
  }

  nonisolated(nonsending) func handled(
    _ messages: [MessageKey]
  ) async throws -> Set<MessageKey> {
    try await journal.handled(messages)
  }

  nonisolated(nonsending) func waiting(
    _ messages: [MessageKey]
  ) async throws -> Set<MessageKey> {
    try await perform(.waiting) { [journal] in try await journal.waiting(messages) }
  }

  nonisolated(nonsending) func fail(
    _ store: StoreKey, under lease: Lease, reason: String
  ) async throws {
    try await perform(.fail) { [journal] in
      try await journal.fail(store, under: lease, reason: reason)
    }
  }

  nonisolated(nonsending) func failures(
    of stores: [StoreKey]
  ) async throws -> [StoreKey: String] {
    try await journal.failures(of: stores)
  }

  nonisolated(nonsending) func retry(
    _ store: StoreKey, discarding message: String?
  ) async throws -> Bool {
    try await journal.retry(store, discarding: message)
  }

  nonisolated(nonsending) func begin(
    _ attempt: Attempt, under lease: Lease, limit: Int
  ) async throws -> Int? {
    try await perform(.begin(attempt)) { [journal] in
      try await journal.begin(attempt, under: lease, limit: limit)
    }
  }

  nonisolated(nonsending) func end(_ attempt: Attempt, under lease: Lease) async throws {
    try await perform(.end(attempt)) { [journal] in try await journal.end(attempt, under: lease) }
  }

  nonisolated(nonsending) func setAside(_ entry: SetAside, under lease: Lease) async throws {
    try await perform(.setAside) { [journal] in try await journal.setAside(entry, under: lease) }
  }

  nonisolated(nonsending) func setAside(of kind: String) async throws -> [SetAside] {
    try await journal.setAside(of: kind)
  }

  nonisolated(nonsending) func takeAnswers(
    _ asks: [AskKey]
  ) async throws -> [AskKey: JournalAnswer.Content] {
    try await perform(.takeAnswers(asks)) { [journal] in try await journal.takeAnswers(asks) }
  }

  nonisolated(nonsending) func lastTurns(
    of stores: [StoreKey]
  ) async throws -> [StoreKey: Int64] {
    try await journal.lastTurns(of: stores)
  }

  nonisolated(nonsending) func commit(_ turns: [Turn]) async throws -> CommitConflicts {
    try await perform(.commit(turns)) { [journal] in try await journal.commit(turns) }
  }
}
