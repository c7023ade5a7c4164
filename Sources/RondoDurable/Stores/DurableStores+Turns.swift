// Turns: reduced in memory, and made into rows; and the work that they start.

import Foundation
import Rondo
import RondoScheduling

/// The cause of a turn, with what the turn removes besides.
struct TurnCause {
  enum Kind: String {
    case message, effect, timer, run, end
  }

  var kind: Kind
  var message: String?
  var inboxRow: Int64?
  /// The ids of the work whose end it is.
  var ended: [String]
  /// The answer to an ask whose message is handled by nobody.
  var answer: JournalAnswer?

  init(_ kind: Kind, message: String? = nil, inboxRow: Int64? = nil, ended: [String] = []) {
    self.kind = kind
    self.message = message
    self.inboxRow = inboxRow
    self.ended = ended
  }
}

extension DurableStores {
  /// A turn that waits to be written, with what is to be done then.
  struct PendingTurn {
    let store: ActiveStore<State, Action>
    var number: Int64
    /// The rows; `nil` where closures only wait for the turns before.
    var turn: Turn?
    var held: HeldWork
    /// The work that starts, by ids and keys.
    var starts: [WorkRecord] = []
    var cancels: [Task<Void, Never>] = []
    /// Whether the store leaves memory then.
    var leaves = false
  }

  // MARK: One turn

  /// Runs work that the machine of a store has asked for.
  func run(_ name: String, _ activation: Int, _ work: () -> Void) {
    let isTurn = beginRun(name, activation)
    work()
    if isTurn { endRun(name, activation) }
  }

  /// Begins a turn, unless one is in progress that what comes is a part of. Returns whether it did.
  func beginRun(_ name: String, _ activation: Int) -> Bool {
    guard let store = active[name], store.activation == activation, !store.isInTurn else {
      return false
    }
    begin(store)
    return true
  }

  func endRun(_ name: String, _ activation: Int) {
    guard let store = active[name], store.activation == activation else { return }
    try? end(store, TurnCause(.run))
  }

  /// Lets the machine of a store do something, and has it written.
  ///
  /// - Throws: A ``DurableError`` if it cannot be written. The store is forgotten then.
  func inTurn(
    _ store: ActiveStore<State, Action>, _ cause: TurnCause, _ body: () -> Void
  ) throws(DurableError) {
    // Part of a turn in progress, which will be written as a whole.
    guard !store.isInTurn else { return body() }
    begin(store)
    // The reducer, and what it starts, see nothing of what a sender has overridden.
    DependencyValues().whileInForce(body)
    try end(store, cause)
  }

  private func begin(_ store: ActiveStore<State, Action>) {
    store.isInTurn = true
    store.turnTime = time.upcoming
    store.source.begin(at: store.turnTime, number: store.number + 1)
  }

  private func end(
    _ store: ActiveStore<State, Action>, _ cause: TurnCause
  ) throws(DurableError) {
    store.isInTurn = false
    store.lastUse = time.elapsed()
    guard !store.isClosed, !store.isEnding else { return }
    do {
      try finishTurn(store, cause, store.turnTime)
    } catch let reason {
      let error = DurableError.cannotEncode(store: store.key, reason: "\(reason)")
      // An action of a sender in this process is refused. Other causes would come again.
      let isFromSender = cause.kind == .message && cause.inboxRow == nil
      if !isFromSender {
        fail(store.key.name, store.lease, error.ofMessage(cause.message))
      }
      // The turns before are written. Memory is ahead of them, so it is forgotten then.
      endWhenWritten(store)
      throw error
    }
  }

  /// Forgets a store when its turns so far are written.
  func endWhenWritten(_ store: ActiveStore<State, Action>) {
    store.isEnding = true
    if store.committed == store.number { forget(store, NotOwned()) }
  }

  /// Gives a store up, until its shard has another owner or this process is started again.
  ///
  /// - Parameter version: The version of the feature that can go on with it, where one is known.
  func fail(_ name: String, _ lease: Lease, _ error: DurableError, needs version: Int? = nil) {
    failed[name] = StoreInFailure(error, lease, needs: version)
    tellWatchers(of: name)
  }

  // MARK: Deletion

  /// Deletes a store: it is in its initial state then, with nothing in flight.
  ///
  /// The ids of its messages stay in the journal for the retention, so that none is handled again.
  ///
  /// - Returns: The number of the turn.
  func delete(
    _ store: ActiveStore<State, Action>, _ message: String, inboxRow: Int64? = nil
  ) throws(DurableError) -> Int64 {
    let (number, now) = (store.number + 1, time.now.timeIntervalSinceReferenceDate)
    let state = DependencyValues().whileInForce { feature.initialState(store.key.name) }
    // A mark of its own: the ids of all messages so far are kept for the retention from now on.
    var history = StoreHistory(deleted: store.history.deleted, deletion: number)
    _ = history.noteSnapshot(number, at: now, retention: options.retention.timeInterval)
    var turn = Turn(
      store: store.key, lease: store.lease, emptiedThrough: number - 1, inboxRow: inboxRow)
    do {
      let digest = try StateDigest.of(state).hexadecimal
      let body = TurnBody<Action>(cause: .deletion, at: now, actions: [], digest: digest)
      let snapshot = SnapshotBody<State, Action>(
        state: state, digest: digest, work: [], runs: [], history: history)
      turn.row = TurnRow(
        number: number, message: message, version: feature.version,
        body: try DurableCoding.encode(body))
      turn.snapshot = Snapshot(
        number: number, version: feature.version, body: try DurableCoding.encode(snapshot))
    } catch {
      throw .cannotEncode(store: store.key, reason: "\(error)")
    }
    if let date = history.nextDeletion(retention: options.retention.timeInterval) {
      turn.wake = .noLater(than: date)
    }
    store.number = number
    store.handled[message] = number
    store.isEnding = true
    add(
      PendingTurn(
        store: store, number: number, turn: turn, held: store.machine.takeHeldWork()))
    return number
  }

  /// Ends a timer or an effect, by its id or key.
  ///
  /// - Returns: The number of the turn.
  func abandon(
    _ work: String, of store: ActiveStore<State, Action>, _ cause: TurnCause
  ) throws(DurableError) -> Int64 {
    let found = store.work.values.first { $0.record.id == work || $0.record.key == work }
    try inTurn(store, cause) {
      guard let id = found?.record.id else { return }
      store.machine.takeRequest?(DurableRequest(kind: .cancel, name: "", id: id, input: Data()))
    }
    return store.number
  }

  private func finishTurn(
    _ store: ActiveStore<State, Action>, _ cause: TurnCause, _ now: Date
  ) throws {
    let done = store.takeTurn()
    let held = store.machine.takeHeldWork()
    let number = store.number + 1
    var change = WorkChange(ended: cause.ended)
    for id in cause.ended { store.work[id] = nil }
    for request in done.requests { try apply(request, to: store, &change, number, now) }
    let answers = change.answers + (cause.answer.map { [$0] } ?? [])
    if !change.started.isEmpty { listDue(store) }

    // Closures, because a key path of a generic type is made anew each time.
    let stopped =
      store.runs.isEmpty ? [] : store.runs.filter { !$0.isInFlight }.map { $0.record.key }
    if !stopped.isEmpty { store.runs.removeAll { !$0.isInFlight } }
    var runs: [Int] = []
    for (index, frame) in done.frames where frame.isAttached && index >= 0 {
      let action = done.actions[index]
      let record = RunRecord(
        key: "\(number).\(index)", action: action.action, state: action.oldState)
      store.runs.append(.init(record: record, frame: frame))
      runs.append(index)
    }

    let isEmpty =
      done.actions.isEmpty && stopped.isEmpty && change.started.isEmpty && change.ended.isEmpty
      && cause.inboxRow == nil && cause.message == nil && answers.isEmpty
    guard !isEmpty else {
      guard !held.isEmpty else { return }
      return add(PendingTurn(store: store, number: store.number, turn: nil, held: held))
    }
    let digest = try store.isDigestDue ? store.digest() : nil
    if digest == nil { store.turnsSinceDigest += 1 }
    let body = TurnBody(
      cause: .init(rawValue: cause.kind.rawValue)!, at: now.timeIntervalSinceReferenceDate,
      actions: done.actions.map { $0.action }, digest: digest,
      started: change.started.isEmpty ? nil : change.started,
      ended: change.ended.isEmpty ? nil : change.ended,
      runs: runs.isEmpty ? nil : runs, stopped: stopped.isEmpty ? nil : stopped,
      chance: store.source.key, revision: feature.revision == 0 ? nil : feature.revision)
    var turn = Turn(store: store.key, lease: store.lease)
    turn.row = TurnRow(
      number: number, message: cause.message, version: feature.version,
      body: try body.encoded())
    turn.inboxRow = cause.inboxRow
    turn.answers = answers
    store.rowsSize += turn.row?.body.count ?? 0
    if store.isSnapshotDue(number, options.snapshotInterval) {
      do {
        try addSnapshot(of: store, number, digest, to: &turn)
      } catch  where !store.needsSnapshot {
        // The turns before are acknowledged, and the rows lead to this state without it.
        noteNotStored(store, number, error)
      }
    }
    store.number = number
    if let message = cause.message { store.handled[message] = number }
    addWake(of: store, to: &turn)
    options.onTrace?(
      .reduced(
        store: store.key, turn: number, cause: cause.kind.rawValue, message: cause.message))
    add(
      PendingTurn(
        store: store, number: number, turn: turn, held: held, starts: change.started,
        cancels: change.cancels))
  }

  /// Notes that a state cannot be encoded, and reports it where the one before could be.
  private func noteNotStored(
    _ store: ActiveStore<State, Action>, _ number: Int64, _ error: any Error
  ) {
    if store.notStored == nil {
      options.onEvent(.stateNotStored(store: store.key, turn: number, reason: "\(error)"))
    }
    store.notStored = number
  }

  private struct WorkChange {
    var started: [WorkRecord] = []
    var ended: [String]
    var cancels: [Task<Void, Never>] = []
    var answers: [JournalAnswer] = []
    /// The number of requests so far. Keys are made of it, so it never goes down.
    var requests = 0
  }

  private func apply(
    _ request: DurableRequest, to store: ActiveStore<State, Action>, _ change: inout WorkChange,
    _ number: Int64, _ now: Date
  ) throws(UnreadableInput) {
    let key = "\(store.key)/\(number).\(change.requests)"
    change.requests += 1
    if request.kind == .reply {
      change.answers.append(
        JournalAnswer(message: request.id ?? "", content: .value(request.input)))
      return
    }
    try feature.check(request)
    let id = request.id ?? key
    if let replaced = store.work.removeValue(forKey: id) {
      if let task = replaced.task {
        change.cancels.append(task)
        store.replaced.insert(task)
      }
      if change.started.contains(where: { $0.id == id }) {
        change.started.removeAll { $0.id == id }
      } else {
        change.ended.append(id)
      }
    }
    guard request.kind != .cancel else { return }
    var record = WorkRecord(
      id: id, key: key, name: request.name, input: String(decoding: request.input, as: UTF8.self))
    if case .timer(let duration) = request.kind {
      let seconds = duration.timeInterval
      record.timer = .init(
        due: now.timeIntervalSinceReferenceDate + seconds, duration: seconds,
        epoch: store.lease.epoch, downtime: store.lease.downtime)
    }
    store.work[id] = .init(record: record)
    change.started.append(record)
  }

  /// Adds the state after a turn, and the deletion of turns that are old enough.
  private func addSnapshot(
    of store: ActiveStore<State, Action>, _ number: Int64, _ digest: String? = nil,
    to turn: inout Turn
  ) throws {
    var history = store.history
    let deleted = history.noteSnapshot(
      number, at: time.now.timeIntervalSinceReferenceDate,
      retention: options.retention.timeInterval)
    let body = SnapshotBody(
      state: store.machine.state, digest: try digest ?? store.digest(),
      // Key paths into generic types would be made again each time.
      work: store.work.values.map { $0.record }.sorted { $0.id < $1.id },
      runs: store.runs.map { $0.record }, history: history)
    let data = try DurableCoding.encode(body)
    turn.snapshot = Snapshot(number: number, version: feature.version, body: data)
    (store.snapshotSize, store.rowsSize, store.needsSnapshot) = (data.count, 0, false)
    turn.deletedThrough = deleted
    store.history = history
    (store.snapshotNumber, store.notStored) = (number, nil)
    if let deleted { store.handled = store.handled.filter { $0.value > deleted } }
    // The journal knows them. A few are kept, because those may be sent again soon.
    if store.handled.count > 1000 {
      let oldest = min(number - 500, store.committed)
      store.handled = store.handled.filter { $0.value > oldest }
    }
    store.hasOlderMessages = true
  }

  private func addWake(of store: ActiveStore<State, Action>, to turn: inout Turn) {
    let wake = store.wantedWake(feature, retention: options.retention.timeInterval)
    guard wake != store.wake else { return }
    store.wake = wake
    turn.wake = wake
  }

  /// Stores the state of a store as it is, with what is in flight.
  func storeState(of store: ActiveStore<State, Action>) {
    guard !store.isClosed, !store.isEnding, !store.isLeaving, !store.isInTurn,
      store.number > store.snapshotNumber
    else { return }
    var turn = Turn(store: store.key, lease: store.lease)
    // A state that cannot be encoded is left to the turns, which name the error.
    guard (try? addSnapshot(of: store, store.number, to: &turn)) != nil else { return }
    addWake(of: store, to: &turn)
    add(
      PendingTurn(
        store: store, number: store.number, turn: turn, held: store.machine.takeHeldWork()))
  }

  /// Stores the state of an idle store, so that it can leave memory.
  func putAway(_ store: ActiveStore<State, Action>) {
    // A state that cannot be encoded is tried again after another turn.
    guard !store.isLeaving, !store.isEnding, store.isIdle, store.notStored != store.number
    else { return }
    store.isLeaving = true
    var turn = Turn(store: store.key, lease: store.lease)
    let deletion = store.history.nextDeletion(retention: options.retention.timeInterval)
    if store.number > store.snapshotNumber || deletion.map({ $0 <= time.now }) == true {
      do {
        try addSnapshot(of: store, store.number, to: &turn)
      } catch {
        noteNotStored(store, store.number, error)
        store.isLeaving = false
        return
      }
    }
    addWake(of: store, to: &turn)
    let isEmpty = turn.snapshot == nil && turn.wake == .unchanged
    add(
      PendingTurn(
        store: store, number: store.number, turn: isEmpty ? nil : turn,
        held: store.machine.takeHeldWork(), leaves: true))
  }

  // MARK: Work

  /// Starts durable work, which is in the journal.
  func startWork(_ id: String, of store: ActiveStore<State, Action>) {
    guard let record = store.work[id]?.record, record.timer == nil, store.work[id]?.task == nil
    else {
      if let name = store.work[id]?.record.name, feature.timers[name] == nil {
        options.onEvent(.unknownWork(store: store.key, name: name))
      }
      return
    }
    guard let effect = feature.effects[record.name] else {
      return options.onEvent(.unknownWork(store: store.key, name: record.name))
    }
    let (name, activation) = (store.key.name, store.activation)
    let (key, time, onEvent, onTrace) = (store.key, time, options.onEvent, options.onTrace)
    let prepare = feature.prepareDependencies
    // Detached: the work may have been started by a sender, whose values are not for it.
    store.work[id]?.task = Task.detached(executorPreference: executor) { [weak self] in
      let (retry, input) = (effect.retry, Data(record.input.utf8))
      var wait = max(retry.firstPause, .milliseconds(1))
      var attempt = 1
      // A failure is an answer, too, where the feature has an action for it.
      var answer: Action?
      while answer == nil, !Task.isCancelled {
        onTrace?(.workBegan(store: key, key: record.key, name: record.name, attempt: attempt))
        do {
          answer = try await time.within(retry.timeout) {
            try await withDependencies {
              prepare(&$0)
            } operation: {
              try await effect.perform(input, record.key)
            }
          }
        } catch is CancellationError where Task.isCancelled {
          return
        } catch {
          let isLast = retry.attempts.map { attempt >= $0 } ?? false
          if isLast || retry.isFinal(error), let failure = effect.failure {
            answer = try? failure(input, error)
            if answer != nil { continue }
          }
          attempt += 1
          let pause = wait * Double.random(in: 0.5...1)
          onEvent(.workFailed(store: key, key: record.key, error: "\(error)", again: pause))
          await time.sleep(pause)
          wait = min(wait * 2, max(retry.longestPause, .milliseconds(1)))
        }
      }
      guard let action = answer else { return }
      onTrace?(.workEnded(store: key, key: record.key, name: record.name))
      // The work is done: what fails from here on is the journal.
      while !Task.isCancelled, let self {
        do {
          return try await self.didPerform(record, name, activation, action)
        } catch {
          await time.sleep(await self.pause)
        }
      }
    }
  }

  /// Handles the answer of an effect.
  ///
  /// - Throws: A ``DurableError`` if the journal cannot be asked how often that was tried.
  private func didPerform(
    _ record: WorkRecord, _ name: String, _ activation: Int, _ action: Action
  ) async throws {
    guard let store = active[name], store.activation == activation else { return }
    let work = CarefulWork.end(of: record)
    let cause = TurnCause(.effect, ended: [record.id])
    guard isCareful(store, work.key) else { return handle(action, of: record, store, cause) }
    try await handleCarefully(work, record, action, store, cause)
  }

  /// Handles the action of work that has ended, unless it was cancelled.
  private func handle(
    _ action: Action, of record: WorkRecord, _ store: ActiveStore<State, Action>,
    _ cause: TurnCause
  ) {
    guard store.work[record.id]?.record.key == record.key, !store.isClosed else { return }
    try? inTurn(store, cause) { _ = store.machine.send(action, Transaction()) }
  }

  /// Handles the end of work after the attempt was counted, or sets it aside.
  private func handleCarefully(
    _ work: CarefulWork, _ record: WorkRecord, _ action: Action,
    _ store: ActiveStore<State, Action>, _ cause: TurnCause
  ) async throws {
    do {
      let isDone = try await carefully(work, store) { $0.handle(action, of: record, $1, cause) }
      guard !isDone else { return }
      try await setAside(work, store, cause, of: record)
    } catch let error as DurableError {
      guard case .unavailable(_, let reason) = error else { return }
      journalFailed(reason, .writing)
      throw error
    } catch {
      // The store was forgotten: it does this again.
    }
  }

  /// Handles a timer that is due in a task of its own, after the attempt was counted.
  private func fireCarefully(
    _ record: WorkRecord, _ action: Action, of name: String, _ activation: Int
  ) {
    guard firing.insert(record.key).inserted else { return }
    start { stores in
      defer { stores.firing.remove(record.key) }
      guard let store = stores.active[name], store.activation == activation else { return }
      let cause = TurnCause(.timer, ended: [record.id])
      try? await stores.handleCarefully(.end(of: record), record, action, store, cause)
    }
  }

  /// Handles the timers of a store that are due. Returns whether some are still to be handled, after their attempts
  /// were counted.
  @discardableResult
  func fireTimers(of store: ActiveStore<State, Action>, _ now: Date) -> Bool {
    var waits = false
    let due = store.work.values.compactMap { work in
      store.due(work.record, feature).map { (date: $0, record: work.record) }
    }
    let ready = due.filter { $0.date <= now }.sorted {
      ($0.date, $0.record.key) < ($1.date, $1.record.key)
    }
    for (_, record) in ready where !store.isClosed {
      // One before it may have cancelled it.
      // Its input was read when the store was loaded, or the timer started.
      guard store.work[record.id]?.record.key == record.key,
        let action = try? feature.timers[record.name]?.action(Data(record.input.utf8))
      else { continue }
      if isCareful(store, CarefulWork.end(of: record).key) {
        waits = true
        fireCarefully(record, action, of: store.key.name, store.activation)
        continue
      }
      let cause = TurnCause(.timer, ended: [record.id])
      do {
        try inTurn(store, cause) { _ = store.machine.send(action, Transaction()) }
      } catch {
        // The store was given up with that error.
        return waits
      }
    }
    return waits
  }
}
