// Running the effects of a test store in an order that somebody chooses.

import Rondo
import RondoAnimation
import RondoScheduling

extension TestStore {
  /// Runs what is ready until nothing is, each time what the chooser picks.
  func drain(_ chooser: OrderChooser) {
    if !runAll(dueBy: nil, chooser) { reportEndlessRun() }
  }

  /// Goes to an instant and runs what is due then, and what is ready meanwhile, in the order that the
  /// chooser picks.
  ///
  /// - Returns: Whether it comes to an end.
  func runAll(dueAt instant: TestInstant, _ chooser: OrderChooser) -> Bool {
    context.whileInForce {
      isolation.whileCurrent {
        guard !runAll(dueBy: instant, chooser) else { return true }
        reportEndlessRun()
        return timeline.nextDueInstant != instant
      }
    }
  }

  private func runAll(dueBy instant: TestInstant?, _ chooser: OrderChooser) -> Bool {
    isolation.setMayOthersRun { [timeline] in
      instant.map { !timeline.nextItems(dueBy: $0).isEmpty } ?? false
    }
    for _ in 0..<jobLimit {
      let due = instant.map(timeline.nextItems(dueBy:)) ?? []
      let ready = readyItems(mayOthersRun: !due.isEmpty)
      let count = ready.count + due.count
      guard count > 0 else { return true }
      let taken = chooser.choose(among: count) { option in
        ready.count > option ? taskNumber(at: ready.lowerBound + option) : 0
      }
      if taken < ready.count {
        runReady(ready.lowerBound + taken)
      } else {
        runDue(due[taken - ready.count])
      }
    }
    return false
  }
}

// MARK: - What is told of actions

extension TestStore {
  /// The closure that is told of every action with all that is known of it, where somebody wants that.
  static func didRecord(
    _ chooser: OrderChooser?, _ timeline: TestTimeline, _ log: Log
  ) -> ((RecordedAction<State, Action>) -> Void)? {
    guard let chooser else { return log.append }
    if chooser.isForSteps, !chooser.keepsSteps { return nil }
    return { record in
      // The first action of each call of 'send'; an effect that answers at once comes behind it.
      chooser.note(OrderStep(record, timeline.now, isSent: log.isSendBeginning))
      log.isSendBeginning = false
      if !chooser.isForSteps { log.append(record) }
    }
  }

  /// The closure that is told of every action where the owner of the store takes its steps.
  static func didHandle(
    _ chooser: OrderChooser?, _ log: Log
  ) -> ((_ action: Action, _ state: UnsafePointer<State>) -> Void)? {
    guard let chooser, chooser.isForSteps else { return nil }
    return { action, state in log.didHandle?(action, state) }
  }
}

extension TestStore {
  /// Takes note that the effect at work lets others go first, which no action shows.
  func noteOvertaking() {
    guard let chooser = isolation.chooser, chooser.keepsSteps else { return }
    let effect = closuresInFlight.first { $0.isOrigin(WaitOrigin.current) }
    let action = effect?.action.map { " of \(summary(of: $0))" } ?? ""
    chooser.noteOvertaking(
      OrderStep(
        instant: timeline.now, text: "\(effect?.label ?? "an effect")\(action)",
        origin: "is overtaken before it sends, cancels or ends"))
  }
}

// MARK: - Step by step

extension TestStore {
  /// Runs a piece of code that makes the store's steps itself, by the methods below.
  ///
  /// - Parameter mayOthersRun: Whether anything that is not ready could happen next.
  package func whileStepping<Result>(
    mayOthersRun: @escaping () -> Bool, _ body: () -> Result
  ) -> Result {
    isolation.noteUser()
    isolation.setMayOthersRun(mayOthersRun)
    defer { isolation.setMayOthersRun { false } }
    return context.whileInForce { isolation.whileCurrent(body) }
  }

  /// Follows the run from now on, so that its moments can be compared with others.
  ///
  /// - Parameter history: The history that is written, in place of the run before.
  package func follow(in history: RunHistory) {
    machine.followsEffects = true
    history.begin(isolation.executor, timeline) { [machine] in machine.takeStarted() }
    isolation.history = history
  }

  /// Follows the run no longer.
  package func stopFollowing() {
    machine.followsEffects = false
    isolation.history?.end()
    isolation.history = nil
  }

  /// Whether anything of the store's own is in use that ``RunHistory`` knows nothing of.
  package var hasMemoryBesideHistory: Bool {
    machine.hasMemory || !isolation.foreignTimelines.isEmpty
  }

  /// A number for what the store remembers beside its state.
  package var numberOfMemory: UInt64 {
    UInt64(truncatingIfNeeded: log.stackNumbers.next) << 1 | (isDismissed ? 1 : 0)
  }

  /// Takes the changes of shared values since they were taken last.
  package func takeSharedChanges() -> [SharedChange] { log.shared.takeLooseChanges() }

  /// Sends an action, and runs nothing of what it starts.
  package func begin(_ action: Action) {
    isolation.executor.forgetPreemption()
    let start = SendCall(action: action, position: position)
    log.current = start
    if let root = machine.send(action, Transaction()) { log.remember(root, start) }
  }

  /// The indices of what is ready and may run next.
  ///
  /// - Parameter mayOthersRun: Whether anything else could happen next.
  package func readyItems(mayOthersRun: Bool) -> Range<Int> {
    isolation.executor.candidates(mayOthersRun: mayOthersRun)
  }

  /// The number of the task that an item is a piece of.
  package func taskNumber(at index: Int) -> UInt64 {
    isolation.executor.taskNumber(at: index)
  }

  /// Takes note of something that has come before what is ready, and is no step of the store: what has
  /// let others go first may be next.
  package func didLetSomethingGoFirst() {
    isolation.executor.forgetPreemption()
  }

  /// Runs something that is ready.
  package func runReady(_ index: Int) {
    isolation.history?.beginItem(at: index)
    isolation.noteInsertions()
    _ = isolation.takeInsertionsElsewhere()
    let end = machine.endedCount
    let isOutOfQueue = withAmbientTransaction(Transaction()) {
      isolation.executor.run(at: index) { isolation.history?.noteDelayedMessage() }
    }
    let isInSight = isolation.noteInsertions() || end != machine.endedCount
    let isAsleepElsewhere = isolation.takeInsertionsElsewhere()
    if isOutOfQueue, !isInSight { outOfSightTasks.didGoOutOfSight(isAsleep: isAsleepElsewhere) }
  }

  /// Runs something that is due, at its instant.
  package func runDue(_ item: TestTimeline.DueItem) {
    isolation.executor.forgetPreemption()
    isolation.history?.beginDue(item.number, at: timeline.nextDueInstant ?? timeline.now)
    timeline.run(item)
    isolation.noteInsertions()
  }

  // MARK: Work that leaves

  /// Whether something has come to the queue from another thread: an effect had left it.
  package var hasWorkComeFromElsewhere: Bool { isolation.executor.hasForeignItem }

  /// Waits for something to come to the queue from another thread.
  ///
  /// - Returns: Whether anything has come.
  package nonisolated(nonsending) func waitForWorkFromElsewhere(
    for duration: Duration
  ) async -> Bool {
    await isolation.executor.waitForArrival(until: .now() + duration.timeInterval)
    return hasWorkComeFromElsewhere
  }

  /// The closures of effects in flight that wait for nothing that the store, or its owner, knows.
  ///
  /// - Parameter origins: The effects that wait for the owner, as `WaitOrigin` has named them.
  package func effectsOutOfSight(besides origins: [any Sendable]) -> [EffectInFlight] {
    guard !machine.isIdle else { return [] }
    let waiting = timeline.waiting
    return closuresInFlight.filter { effect in
      !waiting.contains { effect.isOrigin($0.origin) } && !origins.contains(where: effect.isOrigin)
    }
  }

  /// The closures of effects that are in flight.
  package var closuresInFlight: [EffectInFlight] {
    machine.effectsInFlight.filter { $0.work == .task }
  }

  /// All effects that are in flight: closures, and those that wait for time.
  package var allInFlight: [EffectInFlight] { machine.effectsInFlight }

  /// Cancels an effect.
  package func cancel(_ effect: EffectInFlight) {
    isolation.executor.forgetPreemption()
    machine.cancel(effect)
  }
}
