// Running the effects of a test store, on the thread of the test.

import Dispatch
import Rondo
import RondoAnimation
import RondoScheduling

extension TestStore {
  /// Runs everything that can run now.
  func pump() {
    isolation.whileCurrent(drain)
    if machine.isIdle { departures.didBecomeIdle() }
  }

  /// Runs a change, and everything that can run then.
  func pump<Result>(after change: () -> Result) -> Result {
    departures.willStart()
    let result = isolation.whileCurrent {
      defer { drain() }
      return change()
    }
    if machine.isIdle { departures.didBecomeIdle() }
    return result
  }

  /// Empties the queue. To be called on the store's isolation.
  func drain() {
    var lastInsertion = timeline.insertionCount
    var lastEnd = machine.endedCount
    let isEmpty = withAmbientTransaction(Transaction()) {
      isolation.executor.drain(limit: jobLimit) { hasYielded in
        let insertion = timeline.insertionCount
        let end = machine.endedCount
        if !hasYielded, insertion == lastInsertion, end == lastEnd {
          departures.didGoOutOfSight()
        }
        lastInsertion = insertion
        lastEnd = end
      }
    }.isEmpty
    if !isEmpty { reportEndlessRun() }
  }

  private func reportEndlessRun() {
    let effects = ledger(verdict: .isRunning)
    report(Messages.endlessRun(effects, limit: jobLimit), at: effects.last?.start?.position ?? .init())
    machine.cancelAll()
  }

  // MARK: What has left

  /// Lets what has gone to the main actor do its part, as far as it goes without waiting itself.
  ///
  /// Called before time is moved on: otherwise it would depend on chance whether an effect that takes
  /// a turn on the main actor sleeps before or after that.
  nonisolated(nonsending) func settle() async {
    pump()
    let deadline = DispatchTime.now() + timeout.timeInterval
    while departures.isAnyNew || timeline.wakingCount > 0, DispatchTime.now() < deadline {
      departures.settled()
      await isolation.executor.waitForArrival(until: deadline, throughMainQueue: true)
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
    while !isSatisfied() {
      guard !machine.isIdle, mayArrive else { return .isWaiting }
      guard !isQuiet() else {
        // All the same the main queue may have something for this very thread.
        guard isOnMainQueue() else { return .isWaiting }
        departures.settled()
        await isolation.executor.waitForArrival(until: .now() + 1, throughMainQueue: true)
        let wasQuiet = isQuiet()
        pump()
        guard isSatisfied() || departures.isAnyNew || !wasQuiet else { return .isWaiting }
        continue
      }
      let end = deadline ?? .now() + timeout.timeInterval
      deadline = end
      guard DispatchTime.now() < end else { return .hasLeft(timeout) }
      await isolation.executor.waitForArrival(until: end)
      pump()
    }
    return nil
  }

  private func isQuiet() -> Bool {
    isQuietOutside?() ?? departures.isQuietOutside()
  }

  /// Whether an effect is in flight of which it is not known what it waits for.
  private var mayArrive: Bool {
    if timeline.wakingCount > 0 { return true }
    let isDueNow = timeline.nextDueInstant == timeline.now
    let waiting = timeline.waiting
    return machine.effectsInFlight.contains { effect in
      switch effect.work {
      case .task: departures.isAnyOutOfSight
      case .callback: !waiting.contains { effect.isOrigin($0.origin) }
      case .operation:
        !isDueNow && !effect.isWaitingForItsTurn
          && !waiting.contains { effect.isOrigin($0.origin) }
      }
    }
  }
}

extension Duration {
  /// The duration as Dispatch has it.
  var timeInterval: DispatchTimeInterval {
    let (seconds, attoseconds) = components
    guard seconds < 1_000_000_000 else { return .never }
    return .nanoseconds(Int(max(0, seconds)) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }
}
