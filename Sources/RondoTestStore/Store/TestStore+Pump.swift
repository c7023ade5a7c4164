// Running the effects of a test store, on the thread of the test.

import Dispatch
import Rondo
import RondoAnimation
import RondoScheduling

extension TestStore {
  /// Runs what can run now: all of it, or ``turnLimit`` jobs. The rest goes on at the next call.
  func pump() {
    isolation.noteUser()
    context.whileInForce { isolation.whileCurrent(drain) }
    if machine.isIdle { outOfSightTasks.didBecomeIdle() }
  }

  /// Runs a change, and then everything that can run after it.
  func pump<Result>(after change: () -> Result) -> Result {
    let result = context.whileInForce {
      isolation.whileCurrent {
        defer { drain() }
        return change()
      }
    }
    if machine.isIdle { outOfSightTasks.didBecomeIdle() }
    return result
  }

  /// Empties the queue. Call it on the store's isolation.
  func drain() {
    if let chooser = isolation.chooser { return drain(chooser) }
    isolation.noteInsertions()
    _ = isolation.takeInsertionsElsewhere()
    var lastEnd = machine.endedCount
    let limit = min(turnLimit, jobLimit - busyCount)
    let (count, isEmpty) = withAmbientTransaction(Transaction()) {
      isolation.executor.drain(limit: limit) { isOutOfQueue in
        let end = machine.endedCount
        let isInSight = isolation.noteInsertions() || end != lastEnd
        let isAsleepElsewhere = isolation.takeInsertionsElsewhere()
        if isOutOfQueue, !isInSight { outOfSightTasks.didGoOutOfSight(isAsleep: isAsleepElsewhere) }
        lastEnd = end
      }
    }
    busyCount = isEmpty ? 0 : busyCount + count
    guard busyCount >= jobLimit else { return }
    busyCount = 0
    reportEndlessRun()
  }

  // MARK: Immediate clocks

  /// Lets the task go on that has slept on an immediate clock for longest, and runs what is ready then.
  ///
  /// - Returns: Whether there was one.
  private func runImmediateSleep() -> Bool {
    guard isolation.immediateSleeps.nextDueInstant != nil else { return false }
    return pump { isolation.immediateSleeps.runNext(dueBy: .zero) }
  }

  /// Lets tasks that sleep on immediate clocks go on, as far as they get by a number of sleeps that no
  /// test waits for one by one. Endless timers are left where they are then.
  func runImmediateSleeps() {
    for _ in 0..<100 {
      guard runImmediateSleep() else { return }
    }
  }

  /// Reports work that runs for ever without time moving, and cancels all effects. If no effect is
  /// in flight any more, the items in the queue are dropped.
  func reportEndlessRun() {
    guard !machine.isIdle else {
      isolation.executor.giveUp()
      return report(
        Messages.endlessRunOfNoEffect(limit: jobLimit),
        at: log.current?.position ?? position)
    }
    let effects = pendingEffects(reason: .isRunning)
    report(
      Messages.endlessRun(effects, limit: jobLimit), at: effects.last?.start?.position ?? .init())
    machine.cancelAll()
  }

  // MARK: Work that has left

  /// Lets work that has gone to the main actor run, as far as it gets without waiting.
  ///
  /// Called before time moves. Otherwise it would depend on chance whether an effect that runs on
  /// the main actor goes to sleep before or after that.
  nonisolated(nonsending) func settle() async {
    pump()
    runImmediateSleeps()
    // The main queue may be busy with other tests. The wait is given up only if the main queue
    // never gets to this work.
    let deadline = DispatchTime.now() + patience.timeInterval
    while outOfSightTasks.isAnyNew || timeline.wakingCount > 0, DispatchTime.now() < deadline {
      outOfSightTasks.settled()
      if isOnMainActor(#isolation), timeline.wakingCount == 0 {
        await MainQueueLine.shared.passThrough()
      } else {
        await isolation.executor.waitForArrival(until: deadline, behind: .mainQueue)
      }
      pump()
      runImmediateSleeps()
    }
  }

  /// Runs effects until a condition holds, for as long as it can still become true.
  ///
  /// - Returns: The reason why the condition does not hold; `nil` if it holds.
  nonisolated(nonsending) func pump(
    timeout: Duration?, until isSatisfied: () -> Bool
  ) async -> StallReason? {
    let timeout = timeout ?? self.timeout
    var deadline: DispatchTime?
    var isLastChance = false
    while let reason = pumpWithoutWaiting(until: isSatisfied) {
      guard case .isWaiting = reason, !machine.isIdle, mayArrive else { return reason }
      let end = deadline ?? .now() + timeout.timeInterval
      deadline = end
      willWait?()
      if DispatchTime.now() < end {
        await isolation.executor.waitForArrival(until: end)
      } else if !isLastChance {
        // On a busy machine, the time may have passed before the waiting work got a turn.
        isLastChance = true
        await isolation.executor.waitForArrival(
          until: .now() + patience.timeInterval, behind: .everybody)
      } else {
        return .hasLeft(timeout)
      }
    }
    return nil
  }

  /// Runs effects until a condition holds, for as long as something is ready.
  ///
  /// - Returns: The reason why the condition does not hold; `nil` if it holds.
  func pumpWithoutWaiting(until isSatisfied: () -> Bool) -> StallReason? {
    pumpUnlessBusy()
    var sleepCount = 0
    while !isSatisfied() {
      if busyCount > 0 {
        pump()
      } else if sleepCount == sleepLimit {
        return .isRunning
      } else if runImmediateSleep() {
        sleepCount += 1
      } else {
        return .isWaiting
      }
    }
    return nil
  }

  /// Runs what can run now, unless the call before has left work that does not stop: that goes on only
  /// where somebody needs it.
  func pumpUnlessBusy() {
    if busyCount == 0 { pump() }
  }

  /// Whether an effect is in flight that waits for something unknown.
  private var mayArrive: Bool {
    if timeline.wakingCount > 0 { return true }
    let waiting = timeline.waiting
    // An item that runs at once does not name its effect. So each such item accounts for one
    // operator.
    var dueNowCount = waiting.count { $0.origin == nil && $0.due == timeline.now }
    let origins = WaitOrigins(waiting.lazy.map(\.origin))
    return machine.effectsInFlight.contains { effect in
      switch effect.work {
      case .task: return outOfSightTasks.isAnyOutOfSight
      case .callback: return !origins.contains(effect)
      case .operation:
        guard !effect.isWaitingForItsTurn, !origins.contains(effect) else { return false }
        dueNowCount -= 1
        return dueNowCount < 0
      }
    }
  }
}

/// The number of sleeps on immediate clocks after which an effect that a test waits for does not end.
private let sleepLimit = 10_000

/// The time to wait for work that has not got a thread yet, on a busy machine. It does not depend
/// on the timeout: only the load of the machine decides how long that takes.
private let patience = Duration.seconds(300)

extension Duration {
  /// The duration as an interval of Dispatch.
  var timeInterval: DispatchTimeInterval {
    let (seconds, attoseconds) = components
    guard seconds < 1_000_000_000 else { return .never }
    return .nanoseconds(Int(max(0, seconds)) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }
}
