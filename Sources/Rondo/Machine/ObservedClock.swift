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
  /// The pace of the clock, where somebody may slow it down.
  var pace: ClockPace?

  var now: Instant {
    let now = baseNow
    return Instant(base: now, origin: now, offset: .zero)
  }

  /// The present on the base's line of time, behind the real one by as much as the clock was slowed down.
  private var baseNow: Base.Instant {
    guard let pace else { return base.now }
    return base.now.advanced(by: .zero - pace.lag)
  }

  var minimumResolution: Swift.Duration { base.minimumResolution }

  func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    let observer = RecordingsInProgress.waitObserver
    observer?.willWait(
      on: .clock, for: deadline.offset, since: { deadline.origin.duration(to: baseNow) })
    defer { observer?.didWait() }
    guard let pace else {
      return try await base.sleep(until: deadline.base, tolerance: tolerance)
    }
    // The pace may change while it sleeps.
    repeat {
      let rest = baseNow.duration(to: deadline.base)
      try await base.sleep(
        until: base.now.advanced(by: pace.nap(rest)), tolerance: tolerance)
    } while baseNow < deadline.base
  }
}

extension DependencyValues {
  /// Puts clocks that tell of waits in place of the live ones. Those of tests do that themselves.
  ///
  /// - Parameter pace: The pace of the clocks; `nil` leaves them the one that they have.
  mutating func observeClocks(_ pace: ClockPace?) {
    if let clock: ObservedClock<ContinuousClock> = observed(continuousClock, pace) {
      continuousClock = clock
    }
    if let clock: ObservedClock<SuspendingClock> = observed(suspendingClock, pace) {
      suspendingClock = clock
    }
  }

  /// A clock that tells of waits; `nil` where one is in its place already, or one of a test.
  private func observed<Base>(
    _ clock: any Clock<Duration>, _ pace: ClockPace?
  ) -> ObservedClock<Base>? {
    if let clock = clock as? Base { return ObservedClock(base: clock, pace: pace) }
    guard let pace, let clock = clock as? ObservedClock<Base> else { return nil }
    return ObservedClock(base: clock.base, pace: pace)
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
