// A store in memory: its machine, its work in flight, and how much of it is in the journal.

import Foundation
import Rondo
import RondoScheduling

/// A store that is in memory. It is used on the actor of its ``DurableStores`` only.
///
/// Its machine may be ahead of the journal: `number` is that of the last turn that was reduced,
/// `committed` that of the last one that was written. Nothing outside of the process learns of a turn before
/// it is written. Closures of effects are held back until then.
final class ActiveStore<State: Codable & Sendable, Action: Codable & Sendable> {
  let key: StoreKey
  let lease: Lease
  /// A number that no other activation of this process has.
  let activation: Int
  let source: TurnSource
  let machine: Cell<State, Action>
  private let turn: TurnInProgress<State, Action>

  var number: Int64
  var committed: Int64
  var snapshotNumber: Int64
  /// The size of the last snapshot, and that of the rows behind it, in bytes.
  var snapshotSize = 0
  var rowsSize = 0
  /// Whether the next turn stores the state, because its turns were reduced again by another revision.
  var needsSnapshot = false
  /// The number of the last turn whose state could not be encoded, if none was stored since.
  var notStored: Int64?
  /// The amount of data that the last digest was made of, and the number of turns since then.
  var digestSize = 0
  var turnsSinceDigest = 0
  var history: StoreHistory
  /// The messages that are known to be handled, with the numbers of their turns.
  var handled: [String: Int64]
  /// The keys of what processes have ended in, which is counted when it is handled.
  var attempts: Set<String> = []
  /// Whether there may be handled messages that `handled` does not have.
  var hasOlderMessages: Bool
  var work: [String: Work] = [:] {
    didSet { knownDue = nil }
  }
  /// The moment at which the first timer is due that this process knows, until the work changes.
  private var knownDue: Date?
  /// Its place among the stores in memory that have timers.
  var dueTicket: DueQueue<ActiveStore>.Ticket?
  /// The tasks of work that was replaced or cancelled in turns that are not written yet.
  var replaced: Set<Task<Void, Never>> = []
  var runs: [Run] = []
  var wake: Turn.Wake
  var waiters: [(number: Int64, waiter: CheckedContinuation<Void, any Error>)] = []
  /// The moment of the last turn or activation, as the time since the stores were made.
  var lastUse: Duration
  var isInTurn = false
  /// The time of the turn in progress, or of the last one.
  var turnTime = Date(timeIntervalSinceReferenceDate: 0)
  /// The error of those who wait for what was not written, once the store was forgotten.
  private(set) var closed: (any Error)?
  var isClosed: Bool { closed != nil }
  /// The turn that the database has refused, with the error of its sender.
  var refused: (number: Int64, error: DurableError)?
  /// Whether no turn is added any more. When the turns so far are written, the store is forgotten.
  var isEnding = false
  /// Whether its state is being stored so that it can leave memory.
  var isLeaving = false

  /// Durable work in flight.
  struct Work {
    var record: WorkRecord
    var task: Task<Void, Never>?
  }

  /// An action whose ordinary effects are in flight.
  struct Run {
    var record: RunRecord<State, Action>
    var frame: ActionFrame?
    var isOver = false

    var isInFlight: Bool { !isOver && frame?.isAttached ?? true }
  }

  init(
    _ stored: StoredState<State, Action>, key: StoreKey, lease: Lease, activation: Int,
    wake: Date?, source: TurnSource, feature: DurableFeature<State, Action>,
    isolation: any HostIsolation, now: Duration
  ) {
    self.key = key
    self.lease = lease
    self.activation = activation
    self.source = source
    number = stored.number
    committed = stored.number
    snapshotNumber = stored.snapshotNumber
    snapshotSize = stored.snapshotSize
    rowsSize = stored.rowsSize
    needsSnapshot = stored.replay != nil
    history = stored.history
    handled = stored.messages
    hasOlderMessages = stored.snapshotNumber > 0
    self.wake = wake.map { .at($0) } ?? .never
    lastUse = now
    let turn = TurnInProgress<State, Action>()
    self.turn = turn
    machine = withDependencies {
      source.install(in: &$0)
      feature.prepareDependencies(&$0)
    } operation: {
      Cell(
        initialState: stored.state,
        reducer: feature.makeReducer().reportingLongActions(at: feature.position),
        isolation: isolation, position: feature.position,
        home: "all stores of the kind '\(key.kind)'")
    }
    var observer = MachineObserver<State, Action>()
    observer.willReduce = { _, _, _ in source.willReduce(turn.actions.count) }
    if feature.onInterruption != nil {
      // Effects may be started again, in the state that their action was handled in.
      observer.didReduce = {
        source.didReduce()
        turn.actions.append((action: $0.action, oldState: $0.oldState))
      }
    } else {
      // No state is kept: while a copy of it is there, a change of it copies what it changes.
      observer.didHandle = { action, _ in
        source.didReduce()
        turn.actions.append((action: action, oldState: nil))
      }
    }
    observer.willStart = { turn.frames.append((turn.actions.count - 1, $0)) }
    machine.observeForGood(observer)
    machine.holdWork()
    machine.takeRequest = { request in
      guard let request = request as? DurableRequest else { return request.wasNotTaken() }
      turn.requests.append(request)
    }
    for record in stored.work.values { work[record.id] = Work(record: record) }
    runs = stored.runs.map { Run(record: $0) }
  }

  deinit {
    // Stores that nobody serves any more are released as they are, with their effects in flight.
    if !isClosed { machine.hostWasReleased() }
    for work in work.values { work.task?.cancel() }
  }

  /// Takes what the turn in progress has done so far.
  @discardableResult
  func takeTurn() -> TurnInProgress<State, Action>.Content { turn.take() }

  /// The moment at which the next timer is due. One that this process does not know counts, too: another
  /// process may know it.
  private func nextDue(_ feature: DurableFeature<State, Action>) -> Date? {
    work.values.compactMap { work in
      work.record.timer?.due(feature.timers[work.record.name]?.resume ?? .deadline, lease)
    }.min()
  }

  func due(_ record: WorkRecord, _ feature: DurableFeature<State, Action>) -> Date? {
    guard let timer = record.timer, let registered = feature.timers[record.name] else { return nil }
    return timer.due(registered.resume, lease)
  }

  /// The moment at which the first timer is due that this process knows; never comes where there is none.
  func firstDue(_ feature: DurableFeature<State, Action>) -> Date {
    if let knownDue { return knownDue }
    let due = work.isEmpty ? nil : work.values.compactMap { self.due($0.record, feature) }.min()
    knownDue = due ?? .distantFuture
    return due ?? .distantFuture
  }

  /// The moment from which on the store has something to do without being asked, if its owner ends.
  ///
  /// - Parameter retention: The seconds for which turns behind a snapshot are kept.
  func wantedWake(_ feature: DurableFeature<State, Action>, retention: Double) -> Turn.Wake {
    if !runs.isEmpty || work.values.contains(where: { $0.record.timer == nil }) {
      return .at(Date(timeIntervalSinceReferenceDate: 0))
    }
    guard !work.isEmpty || !history.marks.isEmpty else { return .never }
    let moments = [nextDue(feature), history.nextDeletion(retention: retention)]
    return moments.compactMap { $0 }.min().map { .noLater(than: $0) } ?? .never
  }

  /// The moment of the next thing to do that this process knows, where a timer is due that it does not know;
  /// `nil` where there is no such timer.
  func resting(
    _ feature: DurableFeature<State, Action>, _ now: Date, retention: Duration
  ) -> Date? {
    let hasUnknown = work.values.contains { work in
      guard let timer = work.record.timer, feature.timers[work.record.name] == nil else {
        return false
      }
      return timer.due(.deadline, lease) <= now
    }
    guard hasUnknown else { return nil }
    let known = work.values.compactMap { due($0.record, feature) }
    let deletion = history.nextDeletion(retention: retention.timeInterval)
    return (known + [deletion].compactMap { $0 }).min() ?? .distantFuture
  }

  /// Whether the next turn has the digest of the state. Over many turns, a turn pays for no more than 64 values.
  var isDigestDue: Bool { (turnsSinceDigest + 1) * 64 >= digestSize }

  /// The digest of the state.
  func digest() throws -> String {
    let (digest, size) = try StateDigest.measured(machine.state)
    (digestSize, turnsSinceDigest) = (size, 0)
    return digest.hexadecimal
  }

  /// Whether the state is to be stored with a turn: after so many turns, and where the state is large, when their rows
  /// have a quarter of its size.
  func isSnapshotDue(_ number: Int64, _ interval: Int) -> Bool {
    needsSnapshot
      || number - max(snapshotNumber, notStored ?? 0) >= Int64(interval)
        && rowsSize >= snapshotSize / 4
  }

  /// Whether nothing but timers would be lost if the store left memory.
  var isIdle: Bool {
    number == committed && runs.isEmpty && waiters.isEmpty && !isInTurn
      && !work.values.contains { $0.record.timer == nil }
  }

  /// Whether effects are in flight that end by themselves.
  var isBusy: Bool {
    !isClosed && !isEnding
      && (runs.contains { $0.isInFlight } || work.values.contains { $0.task != nil })
  }

  /// Lets those go on who wait for turns that are written.
  func resumeWaiters() {
    guard !waiters.isEmpty else { return }
    let waiting = waiters
    waiters = waiting.filter { $0.number > committed }
    for (number, waiter) in waiting where number <= committed { waiter.resume() }
  }

  /// Ends it. What was not written is forgotten.
  func close(_ error: any Error) {
    guard !isClosed else { return }
    closed = error
    machine.hostWasReleased()
    for work in work.values { work.task?.cancel() }
    for task in replaced { task.cancel() }
    let waiters = waiters
    self.waiters = []
    for (_, waiter) in waiters { waiter.resume(throwing: error) }
  }
}

/// A record of one turn of a machine.
final class TurnInProgress<State, Action> {
  struct Content {
    var actions: [(action: Action, oldState: State?)] = []
    var frames: [(index: Int, frame: ActionFrame)] = []
    var requests: [DurableRequest] = []
  }

  private var content = Content()

  var actions: [(action: Action, oldState: State?)] {
    _read { yield content.actions }
    _modify { yield &content.actions }
  }
  var frames: [(index: Int, frame: ActionFrame)] {
    _read { yield content.frames }
    _modify { yield &content.frames }
  }
  var requests: [DurableRequest] {
    _read { yield content.requests }
    _modify { yield &content.requests }
  }

  func take() -> Content {
    let taken = content
    content = Content()
    return taken
  }
}
