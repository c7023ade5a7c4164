// Writing: turns of many stores in one transaction, and what follows when it is done.

import Foundation
import Rondo

extension DurableStores {
  /// The turns of some shards that are to be written, one transaction after the other. The lanes write at the same
  /// time: while the database works for one, the turns of another are made.
  struct Lane {
    var pending: [PendingTurn] = []
    var isCommitting = false
    /// Whether a sender is in its turn, which it will write itself.
    var isSending = false
    /// The number of turns in the last transaction.
    var lastBatch = 0
    /// The number of turns that there will be when each sender of the last transaction has sent again.
    var returnCount = 0
    /// The numbers of turns that were ever added to those to be written, and of those that were taken care of.
    var addedCount = 0
    var doneCount = 0
    /// The tasks that wait until so many turns were taken care of, in order.
    var flushWaiters: [(count: Int, waiter: CheckedContinuation<Void, Never>)] = []
  }

  private func lane(of store: ActiveStore<State, Action>) -> Int {
    store.lease.shard % lanes.count
  }

  func add(_ turn: PendingTurn) {
    let lane = lane(of: turn.store)
    lanes[lane].pending.append(turn)
    lanes[lane].addedCount += 1
    // A sender writes its own turn, if nothing else is being written.
    guard !lanes[lane].isCommitting, !lanes[lane].isSending else { return }
    lanes[lane].isCommitting = true
    start { await $0.commitAll(lane) }
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
    let lane = lane(of: store)
    try reduceForSender(action, message, store, lane)
    let number = store.number
    guard !lanes[lane].isCommitting, !lanes[lane].pending.isEmpty else { return number }
    lanes[lane].isCommitting = true
    await commitBatch(lane)
    if lanes[lane].pending.isEmpty {
      lanes[lane].isCommitting = false
    } else {
      start { await $0.commitAll(lane) }
    }
    return number
  }

  private func reduceForSender(
    _ action: Action, _ message: String, _ store: ActiveStore<State, Action>, _ lane: Int
  ) throws(DurableError) {
    // Several senders at once share a transaction, so this one does not hurry.
    lanes[lane].isSending = lanes[lane].lastBatch <= 1
    defer { lanes[lane].isSending = false }
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
  private func commitAll(_ lane: Int) async {
    while !lanes[lane].pending.isEmpty {
      await gather(lane)
      await commitBatch(lane)
    }
    lanes[lane].isCommitting = false
  }

  /// Lets the senders of the last transaction that send again share the next one. They are back at once, or they
  /// have something else to do: it is enough to look a few times.
  private func gather(_ lane: Int) async {
    var (count, quietLooks) = (lanes[lane].addedCount, 0)
    while quietLooks < 64, lanes[lane].addedCount < lanes[lane].returnCount,
      lanes[lane].pending.count < options.batch
    {
      await Task.yield()
      quietLooks = lanes[lane].addedCount == count ? quietLooks + 1 : 0
      count = lanes[lane].addedCount
    }
  }

  /// Writes one transaction.
  private func commitBatch(_ lane: Int) async {
    let batch = Array(lanes[lane].pending.prefix(options.batch))
    lanes[lane].pending.removeFirst(batch.count)
    let count = batch.count { !$0.store.isClosed && $0.turn != nil }
    lanes[lane].lastBatch = count
    await write(batch)
    lanes[lane].returnCount = lanes[lane].addedCount + count
    lanes[lane].doneCount += batch.count
    let done = lanes[lane].doneCount
    let ready = lanes[lane].flushWaiters.prefix { $0.count <= done }
    lanes[lane].flushWaiters.removeFirst(ready.count)
    for (_, waiter) in ready { waiter.resume() }
  }

  /// Writes turns in one transaction, or in several where the database refuses one of them.
  private func write(_ batch: [PendingTurn]) async {
    let turns = batch.compactMap { $0.store.isClosed ? nil : $0.turn }
    do {
      let conflicts = turns.isEmpty ? .init() : try await journal.commit(turns)
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
    } catch let refusal as JournalRefusal {
      guard batch.count > 1 else { return refuse(batch[0], refusal) }
      let half = batch.count / 2
      await write(Array(batch[..<half]))
      await write(Array(batch[half...]))
    } catch {
      options.onEvent(.journalFailed("\(error)"))
      for turn in batch {
        forget(turn.store, DurableError.unknown(store: turn.store.key, reason: "\(error)"))
      }
      // The transaction may still be written. Nobody reads or writes these shards under the same epoch.
      for lease in Set(turns.map(\.lease)) {
        doubtful.insert(lease)
        if leases[lease.shard] == lease {
          leases[lease.shard] = nil
          forgetStores(of: lease.shard)
        }
      }
    }
  }

  /// Forgets a store with a turn that the database refuses. An action of a sender in this process is refused;
  /// anything else would come again, so the store is given up.
  private func refuse(_ pending: PendingTurn, _ refusal: JournalRefusal) {
    let (store, message) = (pending.store, pending.turn?.row?.message)
    var error = DurableError.cannotWrite(store: store.key, reason: refusal.description)
    if pending.turn?.inboxRow != nil { error = error.ofMessage(message) }
    let isFromSender = message != nil && pending.turn?.inboxRow == nil
    if !store.isClosed, !isFromSender { fail(store.key.name, store.lease, error) }
    forget(store, error)
  }

  private func didWrite(_ pending: PendingTurn) {
    let store = pending.store
    guard !store.isClosed else { return }
    if let row = pending.turn?.inboxRow { release(row, of: store.key.name) }
    store.committed = pending.number
    if store.isEnding, store.committed == store.number {
      store.resumeWaiters()
      return forget(store, NotOwned())
    }
    for task in pending.cancels {
      task.cancel()
      store.replaced.remove(task)
    }
    if !pending.held.isEmpty {
      try? inTurn(store, TurnCause(.run)) { store.machine.begin(pending.held) }
    }
    for record in pending.starts where store.work[record.id]?.record.key == record.key {
      startWork(record.id, of: store)
    }
    store.resumeWaiters()
    if pending.leaves {
      store.isLeaving = false
      if store.isIdle, store.lastUse + options.idleTime <= time.elapsed() || isLeaving(store) {
        active[store.key.name] = nil
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
    for (lane, count) in lanes.map(\.addedCount).enumerated()
    where lanes[lane].doneCount < count {
      await withCheckedContinuation { lanes[lane].flushWaiters.append((count, $0)) }
    }
  }

  // MARK: Forgetting

  /// Forgets a store of which it is not known whether its last turns were written.
  func forget(_ store: ActiveStore<State, Action>, _ error: any Error) {
    let name = store.key.name
    if active[name] === store {
      active[name] = nil
      // Its messages that are not written are read again. So they keep their order.
      taken[name] = nil
      arrived[name]?.removeAll()
      unsettled.insert(name)
    }
    store.close(error)
  }

  /// Forgets a shard that another worker owns.
  func lose(_ shard: Int) {
    guard leases.removeValue(forKey: shard) != nil else { return }
    options.onEvent(.lostShard(shard))
    forgetStores(of: shard)
  }

  func forgetStores(of shard: Int) {
    for store in active.values where store.lease.shard == shard { forget(store, NotOwned()) }
    failed = failed.filter { self.shard($0.key) != shard }
    resting = resting.filter { self.shard($0.key) != shard }
  }
}
