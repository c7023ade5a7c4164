// Live clocks that tell recordings of the waits of effects.

import RondoScheduling

/// A clock whose sleepers tell what they wait for, while somebody records.
struct ObservedClock<Base: Clock>: Clock where Base.Duration == Swift.Duration {
  /// An instant, with the reading of the clock that it was counted from. Some time passes between the
  /// reading and the sleep, so the instant alone does not tell how long the effect wanted to sleep.
  struct Instant: ReckonedInstant {
    let base: Base.Instant
    /// The reading of the clock that it was counted from, and the time since then.
    let origin: Base.Instant
    let offset: Swift.Duration

    var asReading: Self { Self(base: base, origin: base, offset: .zero) }

    func advanced(by duration: Swift.Duration) -> Self {
      Self(base: base.advanced(by: duration), origin: origin, offset: offset + duration)
    }

    func duration(to other: Self) -> Swift.Duration { base.duration(to: other.base) }

    static func < (lhs: Self, rhs: Self) -> Bool { lhs.base < rhs.base }
    static func == (lhs: Self, rhs: Self) -> Bool { lhs.base == rhs.base }
    func hash(into hasher: inout Hasher) { hasher.combine(base) }
  }

  let base: Base

  var now: Instant {
    let now = base.now
    return Instant(base: now, origin: now, offset: .zero)
  }

  var minimumResolution: Swift.Duration { base.minimumResolution }

  func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    let observer = RecordingsInProgress.waitObserver
    observer?.willWait(
      on: .clock, for: deadline.offset, since: { deadline.origin.duration(to: base.now) })
    defer { observer?.didWait() }
    try await base.sleep(until: deadline.base, tolerance: tolerance)
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
