// Live clocks that tell recordings of the waits of effects.

import RondoScheduling

/// A clock whose sleepers tell what they wait for, while somebody records.
struct ObservedClock<Base: Clock>: Clock where Base.Duration == Swift.Duration {
  let base: Base

  var now: Base.Instant { base.now }
  var minimumResolution: Swift.Duration { base.minimumResolution }

  func sleep(until deadline: Base.Instant, tolerance: Swift.Duration?) async throws {
    let observer = RecordingsInProgress.waitObserver
    observer?.willWait(on: .clock, for: now.duration(to: deadline))
    defer { observer?.didWait() }
    try await base.sleep(until: deadline, tolerance: tolerance)
  }
}

extension DependencyValues {
  /// Puts clocks that tell of waits in place of the live ones. Those of tests do that themselves.
  mutating func observeClocks() {
    if let clock = continuousClock as? ContinuousClock {
      continuousClock = ObservedClock(base: clock)
    }
    if let clock = suspendingClock as? SuspendingClock {
      suspendingClock = ObservedClock(base: clock)
    }
  }

  /// Puts the live clocks back.
  mutating func leaveClocks() {
    if let clock = continuousClock as? ObservedClock<ContinuousClock> {
      continuousClock = clock.base
    }
    if let clock = suspendingClock as? ObservedClock<SuspendingClock> {
      suspendingClock = clock.base
    }
  }
}
