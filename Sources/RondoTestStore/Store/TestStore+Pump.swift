// Running the effects of a test store, on the thread of the test.

import Dispatch
import Rondo
import RondoAnimation
import RondoScheduling

extension TestStore {
  /// Runs everything that can run now.
  func pump() {
    isolation.noteUser()
    context.whileInForce { isolation.whileCurrent(drain) }
    if machine.isIdle { departures.didBecomeIdle() }
  }

  /// Runs a change, and everything that can run then.
  func pump<Result>(after change: () -> Result) -> Result {
    let result = context.whileInForce {
      isolation.whileCurrent {
        defer { drain() }
        return change()
      }
    }
    if machine.isIdle { departures.didBecomeIdle() }
    return result
  }

  /// Empties the queue. To be called on the store's isolation.
  func drain() {
    if let chooser = isolation.chooser { return drain(chooser) }
    isolation.noteInsertions()
    var lastEnd = machine.endedCount
    let isEmpty = withAmbientTransaction(Transaction()) {
      isolation.executor.drain(limit: jobLimit) { isOutOfQueue in
        let end = machine.endedCount
        let isInSight = isolation.noteInsertions() || end != lastEnd
        if isOutOfQueue, !isInSight { departures.didGoOutOfSight() }
        lastEnd = end
      }
    }.isEmpty
    if !isEmpty { reportEndlessRun() }
  }

  /// Cancels what goes on for ever without time moving. What is not impressed by that is given up.
  func reportEndlessRun() {
    guard !machine.isIdle else {
      isolation.executor.giveUp()
      return report(
        Messages.endlessRunOfNoEffect(limit: jobLimit),
        at: log.current?.position ?? position)
    }
    let effects = ledger(verdict: .isRunning)
    report(
      Messages.endlessRun(effects, limit: jobLimit), at: effects.last?.start?.position ?? .init())
    machine.cancelAll()
  }

  // MARK: What has left

  /// Lets what has gone to the main actor do its part, as far as it goes without waiting itself.
  ///
  /// Called before time is moved on: otherwise it would depend on chance whether an effect that takes
  /// a turn on the main actor sleeps before or after that.
  nonisolated(nonsending) func settle() async {
    pump()
    // The main queue may be busy with other tests; it is given up only if it never gets to it.
    let deadline = DispatchTime.now() + patience.timeInterval
    while departures.isAnyNew || timeline.wakingCount > 0, DispatchTime.now() < deadline {
      departures.settled()
      await isolation.executor.waitForArrival(until: deadline, behind: .mainQueue)
      pump()
    }
  }

  /// Pumps until a condition holds, for as long as it can still become true.
  ///
  /// - Returns: Why it has not; `nil` when it has.
  nonisolated(nonsending) func pump(
    timeout: Duration?, until isSatisfied: () -> Bool
  ) async -> Verdict? {
    pump()
    let timeout = timeout ?? self.timeout
    var deadline: DispatchTime?
    var isLastChance = false
    while !isSatisfied() {
      guard !machine.isIdle, mayArrive else { return .isWaiting }
      if await isQuietOutside() {
        pump()
        return isSatisfied() ? nil : .isWaiting
      }
      pump()
      guard !isSatisfied() else { break }
      let end = deadline ?? .now() + timeout.timeInterval
      deadline = end
      rehearsal.willWait?()
      if DispatchTime.now() < end {
        await isolation.executor.waitForArrival(until: end)
      } else if !isLastChance {
        // On a machine that is busy, the time may have passed without anybody having had a turn.
        isLastChance = true
        await isolation.executor.waitForArrival(
          until: .now() + patience.timeInterval, behind: .everybody)
      } else {
        return .hasLeft(timeout)
      }
      pump()
    }
    return nil
  }

  /// Whether nobody outside has been given anything to do, by what is in flight.
  private nonisolated(nonsending) func isQuietOutside() async -> Bool {
    if let isQuiet = rehearsal.isQuietOutside { return isQuiet }
    guard let activity = departures.activity, activity.isQuietSince() else { return false }
    return await isolation.executor.waitForArrival(whileQuietSince: activity)
  }

  /// Whether an effect is in flight of which it is not known what it waits for.
  private var mayArrive: Bool {
    if timeline.wakingCount > 0 { return true }
    let waiting = timeline.waiting
    // What is to run at once does not say for whom. So each piece of it answers for one operator.
    var dueNowCount = waiting.count { $0.origin == nil && $0.due == timeline.now }
    return machine.effectsInFlight.contains { effect in
      switch effect.work {
      case .task: return departures.isAnyOutOfSight
      case .callback: return !waiting.contains { effect.isOrigin($0.origin) }
      case .operation:
        guard !effect.isWaitingForItsTurn, !waiting.contains(where: { effect.isOrigin($0.origin) })
        else { return false }
        dueNowCount -= 1
        return dueNowCount < 0
      }
    }
  }
}

/// The world outside of a store, as a test of the store wants it to be.
struct Rehearsal {
  /// Replaces the look at the other threads of the process.
  var isQuietOutside: Bool?
  /// Called before the store waits for what has left.
  var willWait: (() -> Void)?
}

/// How long those are waited for who are in line for a thread, on a machine that is busy, rather than
/// at work. It has nothing to do with the timeout: the line is as long as it is.
private let patience = Duration.seconds(300)

extension Duration {
  /// The duration as Dispatch has it.
  var timeInterval: DispatchTimeInterval {
    let (seconds, attoseconds) = components
    guard seconds < 1_000_000_000 else { return .never }
    return .nanoseconds(Int(max(0, seconds)) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }
}
