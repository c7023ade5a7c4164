// Any clock whose durations are of a given type.

/// A clock of which only the type of its durations is known.
///
/// `any Clock<Duration>` can sleep, but has no instants that could be used. This one has: they are
/// the time that has passed on the clock underneath since it was erased.
///
/// ```swift
/// let clock: AnyClock<Duration> = AnyClock(ContinuousClock())
/// let deadline = clock.now.advanced(by: .seconds(1))
/// try await clock.sleep(until: deadline)
/// ```
public struct AnyClock<Duration: DurationProtocol & Hashable>: Clock {
  /// An instant, as the time since the clock underneath was erased.
  public struct Instant: InstantProtocol {
    /// The time since the clock was erased.
    public var offset: Duration
    /// The reading of the clock that the instant was reckoned from.
    let origin: Duration

    /// The instant that a duration leads to. With the durations of Swift it stops at the ends of time.
    public func advanced(by duration: Duration) -> Self {
      Self(offset: offset.sum(duration), origin: origin)
    }

    /// The duration from this instant to another; negative if the other is earlier.
    public func duration(to other: Self) -> Duration {
      other.offset.difference(offset)
    }

    public static func < (lhs: Self, rhs: Self) -> Bool {
      lhs.offset < rhs.offset
    }

    public static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.offset == rhs.offset
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(offset)
    }
  }

  private let elapsed: @Sendable () -> Duration
  private let resolution: @Sendable () -> Duration
  private let sleepUntil:
    nonisolated(nonsending) @Sendable (_ deadline: Instant, _ tolerance: Duration?) async throws
      -> Void

  /// Creates a clock that is the given one, with its type forgotten.
  public init<Base: Clock>(_ base: Base) where Base.Duration == Duration {
    let start = base.now
    elapsed = { start.duration(to: base.now) }
    resolution = { base.minimumResolution }
    sleepUntil = { deadline, tolerance in
      let origin = start.advanced(by: deadline.origin)
      let reading = (origin as? any ReckonedInstant)?.asReading as? Base.Instant ?? origin
      try await base.sleep(
        until: reading.advanced(by: deadline.offset.difference(deadline.origin)),
        tolerance: tolerance)
    }
  }

  /// The current instant of the clock inside.
  public var now: Instant {
    let now = elapsed()
    return Instant(offset: now, origin: now)
  }

  /// The resolution of the clock inside.
  public var minimumResolution: Duration { resolution() }

  /// Suspends the task until an instant.
  ///
  /// - Throws: What the clock underneath throws, which is `CancellationError` when the task is
  ///   cancelled.
  public nonisolated(nonsending) func sleep(
    until deadline: Instant,
    tolerance: Duration? = nil
  ) async throws {
    try await sleepUntil(deadline, tolerance)
  }
}

extension DurationProtocol {
  /// The sum. That of durations of Swift stops at the ends of the range.
  fileprivate func sum(_ other: Self) -> Self {
    guard let lhs = self as? Duration, let rhs = other as? Duration else { return self + other }
    return lhs.addingSaturating(rhs) as! Self
  }

  /// The difference. That of durations of Swift stops at the ends of the range.
  fileprivate func difference(_ other: Self) -> Self {
    guard let lhs = self as? Duration, let rhs = other as? Duration else { return self - other }
    return lhs.subtractingSaturating(rhs) as! Self
  }
}

/// An instant that knows the reading of a clock that it was reckoned from.
package protocol ReckonedInstant: InstantProtocol {
  /// The same instant, as if the clock had just been read.
  var asReading: Self { get }
}
