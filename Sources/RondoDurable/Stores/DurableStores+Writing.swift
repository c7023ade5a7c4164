// Writing: turns of many stores in one transaction, and what follows when it is done.

import Foundation
import Rondo

extension DurableStores {
  func add(_ turn: PendingTurn) {
    pending.append(turn)
    addedCount += 1
    // A sender writes its own turn, if nothing else is being written.
    guard !isCommitting, !isSending else { return }
    isCommitting = true
    start { await $0.commitAll() }
  }

  /// Handles an action, and writes its turn in the task of the sender where nothing else is being
  /// written: another task would have to be woken for it, and would have to wake the sender.
  ///
  /// Turns that come meanwhile are written by a task of their own, so the sender does not wait for them.
  ///
  /// - Returns: The number of the turn.
  func handleAndWrite(
    _ action: Action, _ message: String, _ store: ActiveStore<State, Action>
  ) async throws(DurableError) -> Int64 {
    try reduceForSender(action, message, store)
    let number = store.number
    guard !isCommitting, !pending.isEmpty else { return number }
    isCommitting = true
    await commitBatch()
    if pending.isEmpty {
      isCommitting = false
    } else {
      start { await $0.commitAll() }
    }
    return number
  }

  private func reduceForSender(
    _ action: Action, _ message: String, _ store: ActiveStore<State, Action>
  ) throws(DurableError) {
    // Several senders at once share a transaction, so this one does not hurry.
    isSending = lastBatch <= 1
    defer { isSending = false }
    try inTurn(store, TurnCause(.message, message: message)) {
      _ = store.machine.send(action, Transaction())
    }
  }

  /// Removes a row of the inbox whose message was handled before.
  func removeRow(_ row: Int64, of store: ActiveStore<State, Action>) {
    let turn = Turn(store: store.key, lease: store.lease, inboxRow: row)
    add(
      PendingTurn(
        store: store, number: store.number, turn: turn, held: store.machine.takeHeldWork()))
  }

  /// Writes what there is to write, as much as there is in one transaction, until there is nothing left.
  private func commitAll() async {
    while !pending.isEmpty {
      await gather()
      await commitBatch()
    }
    isCommitting = false
  }

  /// Lets the senders of the last transaction that send again share the next one. They are back at once, or they
  /// have something else to do: it is enough to look a few times.
  private func gather() async {
    var (count, quietLooks) = (addedCount, 0)
    while quietLooks < 64, addedCount < returnCount, pending.count < options.batch {
      await Task.yield()
      quietLooks = addedCount == count ? quietLooks + 1 : 0
      count = addedCount
    }
  }

  /// Writes one transaction.
  private func commitBatch() async {
    let batch = Array(pending.prefix(options.batch))
    pending.removeFirst(batch.count)
    lastBatch = batch.count { !$0.store.isClosed && $0.turn != nil }
    await write(batch)
    returnCount = addedCount + lastBatch
    doneCount += batch.count
    let ready = flushWaiters.prefix { $0.count <= doneCount }
    flushWaiters.removeFirst(ready.count)
    for (_, waiter) in ready { waiter.resume() }
    // Behind those who wait for the transaction: a closure that blocks keeps none of them from hearing of it.
    if !toBegin.isEmpty { start { $0.beginHeldWork() } }
  }

  /// Lets closures begin that have waited for their turns.
  func beginHeldWork() {
    let ready = toBegin
    toBegin = []
    for pending in ready where !pending.store.isClosed {
      let store = pending.store
      try? inTurn(store, TurnCause(.run)) { store.machine.begin(pending.held) }
    }
  }

  /// Writes turns in one transaction, or in several where the database refuses one of them.
  private func write(_ batch: [PendingTurn]) async {
    let turns = batch.compactMap { $0.store.isClosed ? nil : $0.turn }
    do {
      let began = time.elapsed()
      let conflicts = turns.isEmpty ? .init() : try await journal.commit(turns)
      if !turns.isEmpty {
        journalAnswered(.writing)
        let (count, time) = (turns.count { $0.row != nil }, time.elapsed() - began)
        commits.note(turns: count, time)
        options.onTrace?(.wrote(turns: count, in: time))
      }
      for shard in conflicts.shards {
        lose(shard)
        // Stores of a shard that is being given away, too.
        forgetStores(of: shard)
      }
      // Someone else has taken a message. What the store has done since is forgotten.
      for turn in batch where conflicts.stores.contains(turn.store.key) {
        forget(turn.store, NotOwned())
      }
      for turn in batch { didWrite(turn) }
      readWhatWasLeft()
    } catch let refusal as JournalRefusal {
      guard batch.count > 1 else { return refuse(batch[0], refusal) }
      let half = batch.count / 2
      await write(Array(batch[..<half]))
      await write(Array(batch[half...]))
    } catch {
      journalFailed("\(error)", .writing)
      for turn in batch {
        forget(turn.store, DurableError.unknown(store: turn.store.key, reason: "\(error)"))
      }
      // The transaction may still be written. Nobody reads or writes these shards under the same epoch.
      for lease in Set(turns.map(\.lease)) {
        if owned.doubt(lease) { forgetStores(of: lease.shard) }
      }
    }
  }

  /// Forgets a store with a turn that the database refuses. An action of a sender in this process is refused;
  /// anything else would come again, so the store is given up.
  private func refuse(_ pending: PendingTurn, _ refusal: JournalRefusal) {
    let (store, message) = (pending.store, pending.turn?.row?.message)
    // A state that is refused is refused with each turn that stores it.
    let reason =
      pending.turn?.snapshot.map { _ in
        "; the turn stores the state as well, which may be what was refused"
      } ?? ""
    var error = DurableError.cannotWrite(store: store.key, reason: refusal.description + reason)
    if pending.turn?.inboxRow != nil { error = error.ofMessage(message) }
    let isFromSender = message != nil && pending.turn?.inboxRow == nil
    if !store.isClosed, !isFromSender { fail(store.key.name, store.lease, error) }
    store.refused = (pending.number, error)
    forget(store, NotOwned())
  }

  private func didWrite(_ pending: PendingTurn) {
    let store = pending.store
    guard !store.isClosed else { return }
    if let row = pending.turn?.inboxRow { release(row, of: store.key.name) }
    store.committed = pending.number
    if let turn = pending.turn {
      if !turn.answers.isEmpty { didAnswer(turn) }
      if turn.row != nil { tellWatchers(of: store.key.name) }
    }
    if store.isEnding, store.committed == store.number {
      store.resumeWaiters()
      return forget(store, NotOwned())
    }
    for task in pending.cancels {
      task.cancel()
      store.replaced.remove(task)
    }
    if !pending.held.isEmpty { toBegin.append(pending) }
    for record in pending.starts where store.work[record.id]?.record.key == record.key {
      startWork(record.id, of: store)
    }
    store.resumeWaiters()
    if pending.leaves {
      store.isLeaving = false
      if store.isIdle, store.lastUse + options.idleTime <= time.elapsed() || isLeaving(store) {
        removeFromMemory(store)
        store.close(NotOwned())
      }
    }
  }

  private func isLeaving(_ store: ActiveStore<State, Action>) -> Bool {
    leases[store.lease.shard] == nil
  }

  /// Waits until the turns are written that are to be written now. Those that come meanwhile are not
  /// waited for: under load there is always one more.
  func flush() async {
    let count = addedCount
    guard doneCount < count else { return }
    await withCheckedContinuation { flushWaiters.append((count, $0)) }
  }

  // MARK: Forgetting

  private func removeFromMemory(_ store: ActiveStore<State, Action>) {
    active[store.key.name] = nil
    listDue(store)
  }

  /// Forgets a store of which it is not known whether its last turns were written.
  func forget(_ store: ActiveStore<State, Action>, _ error: any Error) {
    let name = store.key.name
    if active[name] === store {
      removeFromMemory(store)
      // Its messages that are not written are read again. So they keep their order.
      taken[name] = nil
      arrived[name]?.removeAll()
      unsettled.insert(name)
    }
    store.close(error)
  }

  /// Forgets a shard that another worker owns.
  func lose(_ shard: Int) {
    if owned.lose(shard) { didLose(shard) }
  }

  func didLose(_ shard: Int) {
    options.onEvent(.lostShard(shard))
    counted = counted.filter { $0.value.shard != shard }
    forgetStores(of: shard)
  }

  func forgetStores(of shard: Int) {
    for store in active.values where store.lease.shard == shard { forget(store, NotOwned()) }
    failed = failed.filter { self.shard($0.key) != shard }
    resting = resting.filter { self.shard($0.key) != shard }
  }
}
