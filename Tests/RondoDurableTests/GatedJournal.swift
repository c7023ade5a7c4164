// A journal whose commits wait for a test.

import RondoDurable
import Synchronization

/// Lets each commit wait at a gate before it is written, or does something else instead.
final class GatedJournal: Journal {
  private let journal: InMemoryJournal
  private let gate: Gate
  private let writing: Writing

  /// The way in which some operations are done.
  struct Writing: Sendable {
    var write: @Sendable (InMemoryJournal, [Turn]) async throws -> CommitConflicts = {
      try await $0.commit($1)
    }
    var fail: @Sendable (InMemoryJournal, StoreFailure) async throws -> Void = {
      try await $0.fail($1)
    }
    var read: @Sendable (InMemoryJournal, ArrivalsRequest) async throws -> Arrivals = {
      try await $0.arrivals($1)
    }
    var take:
      @Sendable (InMemoryJournal, [AskKey]) async throws -> [AskKey: JournalAnswer.Content] = {
        try await $0.takeAnswers($1)
      }
    var claim: @Sendable (InMemoryJournal, ClaimRequest) async throws -> Claim = {
      try await $0.claim($1)
    }
    var release: @Sendable (InMemoryJournal, [Lease], String, String) async throws -> Void = {
      try await $0.release($1, of: $2, worker: $3)
    }
    var load: @Sendable (InMemoryJournal, StoreKey) async throws -> StoredStore? = {
      try await $0.load($1)
    }
    var begin: @Sendable (InMemoryJournal, Attempt, Lease, Int) async throws -> Int? = {
      try await $0.begin($1, under: $2, limit: $3)
    }
    var end: @Sendable (InMemoryJournal, Attempt, Lease) async throws -> Void = {
      try await $0.end($1, under: $2)
    }
    var setAside: @Sendable (InMemoryJournal, SetAside, Lease) async throws -> Void = {
      try await $0.setAside($1, under: $2)
    }
    /// Called before it is asked which messages still wait.
    var ask: @Sendable () async -> Void = {}
    /// Whether claims, reads and writes fail.
    var isAway: @Sendable () -> Bool = { false }
  }

  private func throwIfAway() throws {
    if writing.isAway() { throw Away() }
  }

  struct Away: Error, CustomStringConvertible {
    let description = "it is away"
  }

  init(_ journal: InMemoryJournal, _ gate: Gate, _ writing: Writing = Writing()) {
    self.journal = journal
    self.gate = gate
    self.writing = writing
  }

  nonisolated(nonsending) func claim(_ request: ClaimRequest) async throws -> Claim {
    try throwIfAway()
    return try await writing.claim(journal, request)
  }

  nonisolated(nonsending) func release(
    _ leases: [Lease], of kind: String, worker: String
  ) async throws {
    try await writing.release(journal, leases, kind, worker)
  }

  nonisolated(nonsending) func post(_ message: JournalMessage) async throws -> Bool {
    try await journal.post(message)
  }

  nonisolated(nonsending) func arrivals(_ request: ArrivalsRequest) async throws -> Arrivals {
    try throwIfAway()
    return try await writing.read(journal, request)
  }

  nonisolated(nonsending) func names(
    of kind: String, after: String, limit: Int
  ) async throws -> [String] {
    try await journal.names(of: kind, after: after, limit: limit)
  }

  nonisolated(nonsending) func load(_ store: StoreKey) async throws -> StoredStore? {
    try await writing.load(journal, store)
  }

  nonisolated(nonsending) func handled(
    _ messages: [MessageKey]
  ) async throws -> Set<MessageKey> {
    try await journal.handled(messages)
  }

  nonisolated(nonsending) func waiting(
    _ messages: [MessageKey]
  ) async throws -> Set<MessageKey> {
    await writing.ask()
    return try await journal.waiting(messages)
  }

  nonisolated(nonsending) func fail(_ failure: StoreFailure) async throws {
    try await writing.fail(journal, failure)
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
    try await writing.begin(journal, attempt, lease, limit)
  }

  nonisolated(nonsending) func end(_ attempt: Attempt, under lease: Lease) async throws {
    try await writing.end(journal, attempt, lease)
  }

  nonisolated(nonsending) func setAside(_ entry: SetAside, under lease: Lease) async throws {
    try await writing.setAside(journal, entry, lease)
  }

  nonisolated(nonsending) func setAside(of kind: String) async throws -> [SetAside] {
    try await journal.setAside(of: kind)
  }

  nonisolated(nonsending) func takeAnswers(
    _ asks: [AskKey]
  ) async throws -> [AskKey: JournalAnswer.Content] {
    try await writing.take(journal, asks)
  }

  nonisolated(nonsending) func commit(_ turns: [Turn]) async throws -> CommitConflicts {
    await gate.pass()
    try throwIfAway()
    return try await writing.write(journal, turns)
  }
}
