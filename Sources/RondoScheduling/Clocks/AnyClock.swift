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

    public func advanced(by duration: Duration) -> Self {
      Self(offset: offset + duration)
    }

    public func duration(to other: Self) -> Duration {
      other.offset - offset
    }

    public static func < (lhs: Self, rhs: Self) -> Bool {
      lhs.offset < rhs.offset
    }
  }

  private let elapsed: @Sendable () -> Duration
  private let resolution: @Sendable () -> Duration
  private let sleepUntil:
    nonisolated(nonsending) @Sendable (_ deadline: Duration, _ tolerance: Duration?) async throws
      -> Void

  /// Creates a clock that is the given one, with its type forgotten.
  public init<Base: Clock>(_ base: Base) where Base.Duration == Duration {
    let start = base.now
    elapsed = { start.duration(to: base.now) }
    resolution = { base.minimumResolution }
    sleepUntil = { try await base.sleep(until: start.advanced(by: $0), tolerance: $1) }
  }

  public var now: Instant { Instant(offset: elapsed()) }

  public var minimumResolution: Duration { resolution() }

  /// Suspends the task until an instant.
  ///
  /// - Throws: What the clock underneath throws, which is `CancellationError` when the task is
  ///   cancelled.
  public nonisolated(nonsending) func sleep(
    until deadline: Instant,
    tolerance: Duration? = nil
  ) async throws {
    try await sleepUntil(deadline.offset, tolerance)
  }
}
