// Serving: leases, the inbox, timers, and stores that leave memory.

import Foundation
import Rondo
import RondoScheduling

extension DurableStores {
  /// Owns shards, handles what others send, and fires timers, until the task is cancelled. Then it takes no work any
  /// more, lets effects end for ``DurableOptions/drainTime``, stores the states, and gives the shards to others. What
  /// is sent here meanwhile waits in the inbox for these.
  ///
  /// One task calls it. Without it, every action waits in the inbox for another process. Until the journal has answered
  /// what it was asked before the cancellation, the shards stay here.
  ///
  /// Who waits here for the answer of another process then gets ``DurableError/unknown(store:reason:)``.
  public func run() async {
    isServing = true
    listen()
    // Each has a task of its own: a poll that takes long, or never ends, keeps no lease from being renewed.
    let renewing = startRepeating { await $0.claimIfDue() }
    let waking = startRepeating { $0.lookAtStores() }
    // Not on the actor, which a closure may hold up, and before other work of the pool.
    let keeping = Task.detached(executorPreference: executor, priority: .high) {
      [keeper, time, journal, options, executor] in
      while !Task.isCancelled {
        await time.sleep(options.lease / 6)
        await Task.detached(executorPreference: executor, priority: .high) {
          await keeper.renewIfLate(time.elapsed(), of: journal)
        }.value
      }
    }
    let polling = startRepeating {
      await $0.poll()
      await $0.tellFailures()
    }
    await withTaskCancellationHandler {
      try? await polling.value
    } onCancel: {
      polling.cancel()
    }
    isDraining = true
    await whole { stores in
      await stores.drain()
      for task in [waking, renewing] {
        task.cancel()
        try? await task.value
      }
      keeping.cancel()
      await keeping.value
      stores.keeper.rest()
      await stores.end()
    }
  }

  /// Gives all shards back, and ends the waiting of those here who wait for other processes.
  private func end() async {
    await tellFailures()
    await leasesAreSettled()
    await giveAway(Array(leases.values))
    _ = await releaseDoubtful()
    isServing = false
    isDraining = false
    for message in awaited.keys {
      let error = DurableError.unknown(
        store: message.store, reason: "this process has ended before another has answered")
      endWaiting(for: message, .failure(error))
    }
    endAskers { message in
      .unknown(store: message.store, reason: "this process has ended before the answer came")
    }
    // From now on, watchers look for the turns of other processes.
    for name in watchers.keys { tellWatchers(of: name) }
  }

  /// Lets effects end for some time, and stores the states of those that have not.
  private func drain() async {
    let end = time.elapsed() + options.drainTime
    while time.elapsed() < end, active.values.contains(where: { $0.isBusy }) {
      await time.sleep(min(options.pollInterval, end - time.elapsed()))
    }
    for store in Array(active.values) { storeState(of: store) }
  }

  /// Starts a task that does something in each poll interval, until it is cancelled.
  private func startRepeating(
    _ body: @escaping @Sendable (isolated DurableStores) async -> Void
  ) -> Task<Void, any Error> {
    start { stores in
      while !Task.isCancelled {
        await stores.whole(body)
        await stores.time.sleep(stores.pause)
      }
    }
  }

  /// Does something as a whole, also where this task is cancelled: a journal may give up what a cancelled task asks for.
  private func whole(_ body: @escaping @Sendable (isolated DurableStores) async -> Void) async {
    try? await start(body).value
  }

  /// Does what is due: claims and renews leases, reads the inbox, fires timers.
  package func tick() async {
    await claimIfDue()
    await poll()
    await tellFailures()
    lookAtStores()
  }

  /// Fires timers that are due, and stores away what is idle.
  private func lookAtStores() {
    let now = time.now
    var looked: [ActiveStore<State, Action>] = []
    while let (store, _, _) = dueStores.popFirst(dueBy: now.sinceReference, keeping: { _ in false })
    {
      looked.append(store)
    }
    // Each once: a timer may set itself again, and be due at once.
    for store in looked {
      guard owned.serves(store.lease), store.firstDue(feature) <= now else { continue }
      fireTimers(of: store, now)
    }
    // Behind the look: a timer whose attempt is being counted is due until that is done.
    for store in looked { listDue(store) }
    let elapsed = time.elapsed()
    guard elapsed >= nextIdleLook else { return }
    nextIdleLook = elapsed + options.idleTime / 16
    for store in Array(active.values) where store.lastUse + options.idleTime <= elapsed {
      putAway(store)
    }
  }

  /// Notes the moment at which a store is due, while it is in memory.
  func listDue(_ store: ActiveStore<State, Action>) {
    if let ticket = store.dueTicket.take() { dueStores.remove(ticket) }
    let due = store.firstDue(feature)
    guard due < .distantFuture, active[store.key.name] === store else { return }
    store.dueTicket = dueStores.insert(store, due: due.sinceReference)
  }

  // MARK: Leases

  private func claimIfDue() async {
    let isDue = lastClaim.map { time.elapsed() - $0 >= options.lease / 3 } ?? true
    guard isDue || !owned.doubtful.isEmpty, !isClaiming else { return }
    let isFirst = lastClaim == nil
    await claim()
    // Messages for the new shards are looked for at once, not only after the usual interval.
    guard isFirst, isServing else { return }
    looksForWakes = true
    pollSoon()
  }

  private func claim() async {
    isClaiming = true
    leaseChanges += 1
    defer {
      isClaiming = false
      didChangeLeases()
    }
    guard await releaseDoubtful() else { return }
    let asked = time.elapsed()
    let except = isDraining ? Set(0..<options.shards) : Set(owned.yielded.keys)
    let claim: Claim
    do {
      claim = try await keeper.claim(
        ClaimRequest(
          kind: feature.kind, worker: worker, shards: options.shards, duration: options.lease,
          version: feature.version, except: except),
        of: journal, asked: asked)
    } catch {
      return journalFailed("\(error)", .renewingLeases)
    }
    journalAnswered(.renewingLeases)
    lastClaim = time.elapsed()
    leaseEnd = asked + options.lease
    time.set(claim.now, asked: asked)
    var (lost, new, surplus) = owned.take(claim)
    for shard in lost { didLose(shard) }
    for lease in new { options.onEvent(.tookShard(lease.shard, epoch: lease.epoch)) }
    // Watchers have not heard of turns that were written before the claim.
    let shards = Set(new.map(\.shard))
    for name in watchers.keys where shards.contains(shard(name)) { tellWatchers(of: name) }
    // A worker has come that can go on with what this one cannot.
    for failure in failed.values {
      guard let version = failure.version, version <= owned.newestVersion,
        owned.serves(failure.lease)
      else { continue }
      leave(failure.lease, to: version)
      surplus.append(failure.lease)
    }
    if !surplus.isEmpty { await giveAway(surplus) }
  }

  /// Notes that a claim or a release has ended.
  private func didChangeLeases() {
    leaseChanges -= 1
    guard leaseChanges == 0 else { return }
    let waiters = leaseWaiters
    leaseWaiters = []
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until no leases are being claimed or given back.
  private func leasesAreSettled() async {
    while leaseChanges > 0 { await withCheckedContinuation { leaseWaiters.append($0) } }
  }

  /// Gives a shard to workers of a newer version, if there is one. Returns whether it is not
  /// served here any more.
  func yield(_ lease: Lease, to version: Int) async -> Bool {
    // A worker of the newer version may have started since the last claim, and have written the store.
    if owned.newestVersion < version {
      await leasesAreSettled()
      // Another one that has waited may have claimed.
      if owned.newestVersion < version, owned.serves(lease), !isDraining { await claim() }
    }
    // A process that ends gives the shard to others anyway.
    guard owned.newestVersion >= version || isDraining else { return !owned.serves(lease) }
    if leave(lease, to: version), owned.serves(lease) { start { await $0.giveAway([lease]) } }
    return true
  }

  /// Leaves a shard to workers of a newer version. Returns whether that is new.
  @discardableResult
  private func leave(_ lease: Lease, to version: Int) -> Bool {
    guard owned.yield(lease.shard, to: version) else { return false }
    options.onEvent(.yieldedShard(lease.shard, version: version))
    return true
  }

  /// Gives back the leases under which a transaction of unknown outcome was written. Returns whether there
  /// is none left.
  private func releaseDoubtful() async -> Bool {
    let doubtful = owned.doubtful
    guard !doubtful.isEmpty else { return true }
    do {
      try await release(doubtful)
    } catch {
      journalFailed("\(error)", .writing)
      return false
    }
    owned.didRelease(doubtful)
    return true
  }

  /// Gives shards to others, when what their stores have done is written.
  private func giveAway(_ surplus: [Lease]) async {
    let surplus = surplus.filter { owned.leave($0) }
    // A process that ends leaves, also where it has no shards: it is counted no more, and others claim its share.
    guard !surplus.isEmpty || isDraining else { return }
    leaseChanges += 1
    defer { didChangeLeases() }
    let shards = Set(surplus.map(\.shard))
    await finishTurns(in: shards)
    for store in active.values where shards.contains(store.lease.shard) { putAway(store) }
    await finishTurns(in: shards)
    for lease in surplus {
      forgetStores(of: lease.shard)
      options.onEvent(.gaveShard(lease.shard))
    }
    do {
      try await release(surplus)
    } catch {
      journalFailed("\(error)", .writing)
      // It may still happen, so nothing is claimed before it has.
      for lease in surplus { owned.doubt(lease) }
    }
  }

  /// Writes the turns of the stores of some shards, and lets the closures begin that wait for that: they would not begin
  /// anywhere else. What they send may lead to others. Effects that send without end are not waited for.
  private func finishTurns(in shards: Set<Int>) async {
    for _ in 0..<32 {
      await flush()
      beginHeldWork()
      let isWritten = active.values.allSatisfy {
        !shards.contains($0.lease.shard) || $0.committed == $0.number
      }
      let mayBegin = (pending + toBegin).contains { shards.contains($0.store.lease.shard) }
      if isWritten, !mayBegin { return }
    }
  }

  // MARK: Inbox

  /// A message that was read, and how much was known then.
  struct Arrival {
    var message: JournalMessage
    /// The number of activations, and that of turns, before it was read.
    var activations: Int
    var turns: Int
  }

  /// Takes a hint of the journal, as soon as it is there.
  func take(_ hint: JournalHint?) {
    if hint?.event != .handled {
      let isMine = hint.map { leases[$0.shard] != nil } ?? true
      if isMine, isServing { pollSoon() }
    }
    guard hint?.event != .arrived else { return }
    if !awaited.isEmpty || !askers.isEmpty { tellSendersSoon() }
    if !watchers.isEmpty { start { await $0.lookForChanges() } }
  }

  /// Tells senders and askers in a task of its own, or once more where it is being done.
  func tellSendersSoon() {
    if isTellingSenders { tellsSendersAgain = true } else { start { await $0.tellSenders() } }
  }

  /// Reads the inbox in a task of its own, or once more where it is being read.
  private func pollSoon() {
    pollsAgain = true
    guard !isPolling, !isDraining else { return }
    isPolling = true
    goOnPolling()
  }

  private func goOnPolling() {
    start { stores in
      while stores.pollsAgain { await stores.pollOnce() }
      stores.isPolling = false
    }
  }

  /// Looks for what has arrived, for stores to wake, and for answers. What arrives during this look, or another one
  /// that is under way, is left to a task of its own, so this one ends.
  func poll() async {
    await tellSenders()
    looksForWakes = true
    pollsAgain = true
    guard !isPolling else { return }
    isPolling = true
    await pollOnce()
    if pollsAgain { goOnPolling() } else { isPolling = false }
  }

  private func pollOnce() async {
    pollsAgain = false
    let withWakes = looksForWakes
    looksForWakes = false
    guard !leases.isEmpty, !isDraining else { return }
    let rows = taken.values.flatMap { $0 }
    // Messages wait in memory once they are read. More than the next transactions can take are of no use there.
    let room = min(max(2 * options.batch - rows.count, 0), options.batch)
    // Nor are stores of use that wait to be written.
    let wakeRoom = min(max(2 * options.batch - waking, 0), options.batch)
    guard withWakes || room > 0 else { return }
    unsettled = []
    let (asked, activations, turns) = (time.elapsed(), lastActivation, addedCount)
    let arrivals: Arrivals
    do {
      arrivals = try await journal.arrivals(
        ArrivalsRequest(
          kind: feature.kind, shards: leases.keys.sorted(), except: Array(failed.keys),
          wakesAfter: lastWake, limit: room, taken: rows,
          wakeLimit: withWakes ? wakeRoom : 0))
    } catch {
      return journalFailed("\(error)", .reading)
    }
    journalAnswered(.reading)
    if let now = arrivals.now { time.set(now, asked: asked) }
    leftMessages = arrivals.messages.count >= room
    if withWakes, wakeRoom > 0 {
      leftWakes = arrivals.wakes.count >= wakeRoom
      lastWake = leftWakes ? arrivals.wakes.last : nil
    }
    wake(arrivals.wakes)
    for message in arrivals.messages {
      let name = message.key.store.name
      guard !unsettled.contains(name) else {
        pollsAgain = true
        continue
      }
      guard failed[name] == nil, taken[name, default: []].insert(message.row).inserted else {
        continue
      }
      if arrived[name] == nil { start { await $0.handleArrived(of: name) } }
      arrived[name, default: []].append(
        Arrival(message: message, activations: activations, turns: turns))
    }
  }

  /// Wakes stores, which are read some at a time.
  private func wake(_ wakes: [StoreWake]) {
    let due = wakes.compactMap { wake -> (name: String, lease: Lease)? in
      let name = wake.name
      guard active[name] == nil, loading[name] == nil, failed[name] == nil,
        let lease = leases[shard(name)]
      else { return nil }
      if let moment = resting[name], moment > time.now { return nil }
      return (name, lease)
    }
    waking += due.count
    // Those whose attempts are counted wait for each other, and keep no other one waiting.
    let careful = due.filter { isCareful($0.lease) }
    let others = due.filter { !isCareful($0.lease) }
    let groups = stride(from: 0, to: others.count, by: 64).map { first in
      Array(others[first..<min(first + 64, others.count)])
    }
    for group in groups + careful.map({ [$0] }) {
      let loading = startLoading(group)
      start { stores in
        _ = await loading.value
        await stores.wake(group.map(\.name))
        stores.waking -= group.count
        stores.wakeMore()
      }
    }
  }

  /// Looks for more stores to wake as soon as there is room for a transaction's worth.
  private func wakeMore() {
    guard leftWakes, isServing, waking <= options.batch else { return }
    leftWakes = false
    looksForWakes = true
    pollSoon()
  }

  /// Wakes stores that were loaded, in their order, and waits until what they do at once is written.
  private func wake(_ names: [String]) async {
    var woken: [ActiveStore<State, Action>] = []
    for (index, name) in names.enumerated() {
      // Others are let in: a store takes some of a tenth of a millisecond.
      if index % 16 == 15 { await Task.yield() }
      guard let store = active[name] else { continue }
      wake(store)
      woken.append(store)
    }
    for store in woken { try? await written(store.number, of: store) }
  }

  private func wake(_ store: ActiveStore<State, Action>) {
    let number = store.number
    let waits = fireTimers(of: store, time.now)
    guard store.number == number, store.isIdle, !waits else { return }
    // It was woken to delete its old turns, or before its timer is due, and leaves at once.
    let name = store.key.name
    resting[name] = store.resting(feature, time.now, retention: options.retention) ?? resting[name]
    store.lastUse = time.elapsed() - options.idleTime
    putAway(store)
  }

  /// Handles the messages of one store that have arrived, in their order. Those that arrive meanwhile come
  /// behind them.
  private func handleArrived(of name: String) async {
    while let arrival = arrived[name]?.popFirst() {
      do {
        try await handle(arrival, of: name)
      } catch {
        // It stays in the inbox, with those behind it, which are read again.
        if case .unavailable(_, let reason) = error as? DurableError {
          journalFailed(reason, .reading)
        }
        putBack(arrival)
        arrived[name]?.forEach(putBack)
        // A look that is under way leaves those out, and not the ones behind them.
        unsettled.insert(name)
        break
      }
    }
    arrived[name] = nil
  }

  private func putBack(_ arrival: Arrival) {
    release(arrival.message.row, of: arrival.message.key.store.name)
  }

  /// Reads more of the inbox as soon as there is room for a transaction's worth, where messages were left there. So a
  /// backlog is not read at the pace of polls.
  func readWhatWasLeft() {
    guard leftMessages, isServing else { return }
    let count = taken.values.reduce(0) { $0 + $1.count }
    guard count <= options.batch else { return }
    leftMessages = false
    pollSoon()
  }

  /// Lets a row of the inbox be read again, if it is still there.
  func release(_ row: Int64, of name: String) {
    taken[name]?.remove(row)
    if taken[name]?.isEmpty == true { taken[name] = nil }
  }

  private func handle(_ arrival: Arrival, of name: String) async throws {
    let message = arrival.message
    guard let lease = leases[shard(name)] else { throw NotOwned() }
    let store = try await activate(name, lease)
    let work = CarefulWork.message(message.key.id) { message.action }
    guard isCareful(store, work.key) else { return try await handle(arrival, store) }
    let isDone = try await carefully(work, store) { try await $0.handle(arrival, $1) }
    guard !isDone else { return }
    // It was handled, and the process has ended before it could forget the attempts.
    let isHandled = try await findHandled(message.key, in: store) != nil
    if message.isHandled || isHandled { return removeRow(message.row, of: store) }
    try await setAside(
      work, store, TurnCause(.message, message: message.key.id, inboxRow: message.row))
  }

  private func handle(
    _ arrival: Arrival, _ store: ActiveStore<State, Action>
  ) async throws {
    let message = arrival.message
    var isHandled = message.isHandled || store.handled[message.key.id] != nil
    // The journal was asked when the message was read, and the store knows its last turns since then.
    let isKnown = store.activation <= arrival.activations && addedCount - arrival.turns < 400
    if !isHandled, !isKnown { isHandled = try await findHandled(message.key, in: store) != nil }
    try await waitUntilOpen(store)
    guard !isHandled else { return removeRow(message.row, of: store) }
    let cause = TurnCause(.message, message: message.key.id, inboxRow: message.row)
    switch message.action {
    case JournalMessage.deletion:
      do {
        _ = try delete(store, message.key.id, inboxRow: message.row)
      } catch {
        throw giveUp(store, error.ofMessage(message.key.id))
      }
    case JournalMessage.discarded:
      var cause = cause
      cause.answer = JournalAnswer(
        message: message.key.id, content: .refusal("somebody has discarded the message"))
      try inTurn(store, cause) {}
    default:
      if let work = message.abandonedWork {
        _ = try abandon(work, of: store, cause)
        return
      }
      let action: Action
      do {
        action = try decode(message)
      } catch {
        let needed = message.version > feature.version ? message.version : nil
        if let needed, await yield(store.lease, to: needed) { throw NotOwned() }
        try await waitUntilOpen(store)
        throw giveUp(store, error, needs: needed)
      }
      try inTurn(store, cause) { _ = store.machine.send(action, Transaction()) }
    }
  }

  /// Gives a store up for a message that comes again. The turns before it are written.
  private func giveUp(
    _ store: ActiveStore<State, Action>, _ error: DurableError, needs version: Int? = nil
  ) -> DurableError {
    fail(store.key.name, store.lease, error, needs: version)
    endWhenWritten(store)
    return error
  }

  private func decode(_ message: JournalMessage) throws(DurableError) -> Action {
    guard message.version <= feature.version else {
      throw .cannotHandle(
        message.key,
        reason: "version \(message.version) of the feature has sent it, and this is version "
          + "\(feature.version)")
    }
    do {
      var json = message.action
      if message.version < feature.version, let migration = feature.migration {
        json = try migration(DurableData(kind: .action, version: message.version, json: json))
      }
      return try DurableCoding.decode(Action.self, from: json)
    } catch {
      throw .cannotHandle(message.key, reason: "it cannot be read: \(error)")
    }
  }

  /// Lets those go on whose messages another process has handled. What is answered meanwhile is left to a task of its
  /// own, so this one ends.
  func tellSenders() async {
    guard !isTellingSenders else {
      tellsSendersAgain = true
      return
    }
    isTellingSenders = true
    tellsSendersAgain = false
    await tellSendersOnce()
    isTellingSenders = false
    if tellsSendersAgain { start { await $0.tellSenders() } }
  }

  private func tellSendersOnce() async {
    await tellAwaited()
    // After that, so that an answer is there which was written with the turn of its message.
    await tellAskers()
  }

  private func tellAwaited() async {
    guard !awaited.isEmpty else { return }
    do {
      let messages = Array(awaited.keys)
      let waiting = try await journal.waiting(messages)
      if !isServing { journalAnswered(.reading) }
      for message in messages where !waiting.contains(message) {
        endWaiting(for: message, .success(()))
      }
    } catch {
      journalFailed("\(error)", .reading)
    }
  }

  /// See ``DurableStore/retry(discarding:)``.
  func retry(_ name: String, discarding id: String?) async throws -> Bool {
    try check(name, "the name of a store")
    if let id { try check(id, "the id of a message") }
    let wasWaiting: Bool
    do {
      wasWaiting = try await journal.retry(key(name), discarding: id)
    } catch {
      throw DurableError.unknown(store: key(name), reason: "\(error)")
    }
    tryAgain(name)
    return wasWaiting
  }

  /// Notes in the journal which stores this process cannot go on with, and learns which it is to try again.
  private func tellFailures() async {
    for (name, failure) in failed where !failure.isTold {
      do {
        try await journal.fail(key(name), under: failure.lease, reason: "\(failure.error)")
        failure.isTold = true
      } catch {
        journalFailed("\(error)", .writing)
        report(failure)
      }
    }
    do {
      let told = failed.filter { $0.value.isTold }
      let known = told.isEmpty ? [:] : try await journal.failures(of: told.keys.map(key))
      // A store that was tried again meanwhile, and has failed again, has a new failure.
      for (name, failure) in told where failed[name] === failure {
        if known[key(name)] == nil {
          // Somebody has said that it is to be tried again.
          tryAgain(name)
        } else {
          report(failure)
        }
      }
    } catch {
      journalFailed("\(error)", .reading)
    }
    await tellSendersOfFailures()
  }

  private func tryAgain(_ name: String) {
    failed[name] = nil
    unsettled.insert(name)
  }

  private func report(_ failure: StoreInFailure) {
    guard !failure.isReported else { return }
    failure.isReported = true
    options.onEvent(.cannotActivate(failure.error))
  }

  /// Gives an error to those here who wait for a store that its owner cannot go on with.
  func tellSendersOfFailures() async {
    do {
      guard !awaited.isEmpty || !askers.isEmpty else { return }
      let stores = Set(awaited.keys.map(\.store)).union(askers.keys.map(\.store))
      for (store, reason) in try await journal.failures(of: Array(stores)) {
        refuseAskers(of: store, reason)
        for message in awaited.keys where message.store == store {
          endWaiting(for: message, .failure(DurableError.refused(store: store, reason: reason)))
        }
      }
    } catch {
      journalFailed("\(error)", .reading)
    }
  }
}

extension Date {
  /// The time since 2001.
  var sinceReference: Duration { .seconds(timeIntervalSinceReferenceDate) }
}
