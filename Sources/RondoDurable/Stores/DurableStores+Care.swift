// Care: what a process may end in is counted before it is handled, and set aside after some attempts.

import Foundation
import Rondo

/// Something to handle that the process may end in, such as a message that traps the reducer.
struct CarefulWork: Sendable {
  /// The key of its attempts.
  var key: String
  /// The words for it in messages.
  var words: String
  /// The action or input, encoded.
  var data: @Sendable () throws -> Data

  static func message(_ id: String, _ data: @escaping @Sendable () throws -> Data) -> Self {
    Self(key: "message \(id)", words: "the message '\(id)'", data: data)
  }

  /// The end of a timer or an effect.
  static func end(of record: WorkRecord) -> Self {
    let what = record.timer == nil ? "outcome of the work" : "timer"
    return Self(
      key: "work \(record.key)", words: "the \(what) \(record.key) ('\(record.name)')"
    ) { Data(record.input.utf8) }
  }

  static let loading = Self(key: "store", words: "the store itself, while it was loaded,") {
    Data()
  }
}

extension DurableStores {
  /// All that stores of this kind go on without, because processes have ended when they handled it, by stores.
  public var setAside: [SetAside] {
    get async throws {
      try await key("*").askingJournal { try await journal.setAside(of: feature.kind) }
    }
  }

  /// Whether owners of a shard have ended one soon after the other, so that what is handled is counted before.
  func isCareful(_ lease: Lease) -> Bool {
    lease.carefulUntil.map { time.now < $0 } ?? false
  }

  /// Whether an attempt is to be counted: there is reason to be careful, or a process has ended in one before.
  func isCareful(_ store: ActiveStore<State, Action>, _ key: @autoclosure () -> String) -> Bool {
    isCareful(store.lease) || !store.attempts.isEmpty && store.attempts.contains(key())
  }

  /// Does something alone, after the attempt was counted: nothing else is counted at that time, so that only what the
  /// process ends in is counted often. Waits until all turns of the store are written.
  ///
  /// - Returns: Whether it was done; `false` after too many attempts.
  func carefully(
    _ work: CarefulWork, _ store: ActiveStore<State, Action>,
    _ body: (isolated DurableStores, ActiveStore<State, Action>) async throws -> Void
  ) async throws -> Bool {
    guard try await beginAttempt(work.key, of: store.key, store.lease) else {
      store.attempts.insert(work.key)
      return false
    }
    do {
      try await body(self, store)
      try await written(store.number, of: store)
    } catch {
      await endAttempt()
      throw error
    }
    await endAttempt()
    store.attempts.remove(work.key)
    return true
  }

  /// Waits until nothing else is counted, and counts an attempt. Returns `false` after too many, and waits for
  /// nothing then.
  ///
  /// - Throws: ``NotOwned`` where the lease was given back or lost while it has waited.
  func beginAttempt(_ key: String, of store: StoreKey, _ lease: Lease) async throws -> Bool {
    if isAlone {
      await withCheckedContinuation { aloneWaiters.append($0) }
    } else {
      isAlone = true
    }
    var isCounted = false
    defer { if !isCounted { letNextBeAlone() } }
    do {
      try await forgetAttempts()
      guard owned.serves(lease) else { throw NotOwned() }
      let attempt = Attempt(store: store, key: key)
      let task = Task.detached(executorPreference: executor) {
        try await self.count(attempt, lease)
      }
      counting = (task, lease)
      isCounted = try await task.value
    } catch  where !(error is NotOwned) {
      throw DurableError.unavailable(store: store, reason: "\(error)")
    }
    return isCounted
  }

  /// Counts an attempt. Returns whether it may be made.
  private func count(_ attempt: Attempt, _ lease: Lease) async throws -> Bool {
    // It may be counted, although nobody hears of that. Forgetting it forgets those of owners that have ended, too.
    counted[attempt] = lease
    // The owners that have ended before anybody was careful count, too: one, and the one soon after it.
    let limit = max(1, options.attempts - 2)
    let before = try await journal.begin(attempt, under: lease, limit: limit)
    if let before, before < limit { return true }
    counted[attempt] = nil
    guard before == nil else { return false }
    if owned.serves(lease) { lose(lease.shard) }
    throw NotOwned()
  }

  /// Forgets the attempt that was begun last, which the process has not ended in.
  func endAttempt() async {
    do {
      try await forgetAttempts()
    } catch {
      journalFailed("\(error)", .writing)
    }
    letNextBeAlone()
  }

  /// Gives leases back, under which nothing is served any more, when the attempts are forgotten that were begun there.
  func release(_ leases: [Lease]) async throws {
    if let counting, leases.contains(counting.lease) { _ = await counting.task.result }
    // An attempt that cannot be forgotten keeps no shard for longer than its lease.
    if time.elapsed() - keeper.renewed < options.lease {
      try await forgetAttempts { leases.contains($0) }
    }
    counted = counted.filter { !leases.contains($0.value) }
    try await journal.release(leases, of: feature.kind, worker: worker)
  }

  /// Forgets the attempts that were begun under some leases, which the process has not ended in.
  private func forgetAttempts(under isMeant: (Lease) -> Bool = { _ in true }) async throws {
    for (attempt, lease) in counted where isMeant(lease) {
      try await journal.end(attempt, under: lease)
      if counted[attempt] == lease { counted[attempt] = nil }
    }
  }

  private func letNextBeAlone() {
    if let next = aloneWaiters.popFirst() { next.resume() } else { isAlone = false }
  }

  /// The error of something after too many attempts.
  func tooManyAttempts(_ work: CarefulWork, _ store: StoreKey) -> DurableError {
    .setAside(store: store, what: work.words, attempts: options.attempts)
  }

  /// Sets something aside that would come again: the store stops, or goes on with a turn in which it is handled and
  /// changes nothing, as the feature says.
  func setAside(
    _ work: CarefulWork, _ store: ActiveStore<State, Action>, _ cause: TurnCause,
    of record: WorkRecord? = nil
  ) async throws {
    try await waitUntilOpen(store)
    // Work may have been cancelled or replaced.
    func isThere() -> Bool { record.map { store.work[$0.id]?.record.key == $0.key } ?? true }
    guard isThere() else { return }
    let error = tooManyAttempts(work, store.key)
    guard feature.setAsideDecision == .goOn else {
      fail(store.key.name, store.lease, error)
      endWhenWritten(store)
      throw error
    }
    let entry = SetAside(
      Attempt(store: store.key, key: work.key), reason: "\(error)",
      data: (try? work.data()) ?? Data())
    try await store.key.askingJournal { try await journal.setAside(entry, under: store.lease) }
    try await waitUntilOpen(store)
    guard isThere() else { return }
    var cause = cause
    cause.answer = cause.message.map { JournalAnswer(message: $0, content: .refusal("\(error)")) }
    try inTurn(store, cause) {}
    try await written(store.number, of: store)
    options.onEvent(.setAside(error))
    do {
      try await journal.end(entry.attempt, under: store.lease)
    } catch {
      // The row is in nobody's way.
      journalFailed("\(error)", .writing)
    }
    store.attempts.remove(work.key)
  }
}

extension StoreKey {
  /// Asks the journal about the store, or about all of its kind where the name is `*`.
  ///
  /// - Throws: ``DurableError/unavailable(store:reason:)`` with the error of the journal.
  nonisolated(nonsending) func askingJournal<Value>(
    _ body: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch {
      throw DurableError.unavailable(store: self, reason: "\(error)")
    }
  }
}
