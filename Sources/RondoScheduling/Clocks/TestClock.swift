// A clock whose time a test moves.

/// A clock whose time stands still until a test advances it.
///
/// ```swift
/// let clock = TestClock()
/// let model = Model(clock: clock)
/// model.start()
/// await clock.advance(by: .seconds(1))
/// #expect(model.ticks == 1)
/// ```
///
/// It is a view of a ``TestTimeline``, which it may share with test schedulers. It may be used from
/// any thread; copies are the same clock.
///
/// `DurationType` is the type of its durations, and always `Duration`: `TestClock<Duration>`.
public struct TestClock<DurationType>: Clock {
  /// The timeline that this clock is a view of.
  public let timeline: TestTimeline

  /// The current instant of the timeline.
  public var now: Instant { Instant(since: timeline.now.offset) }

  /// Virtual time has no grain: zero.
  public var minimumResolution: Duration { .zero }

  /// Suspends the task until the clock is advanced to an instant. One that is now is reached when the
  /// clock is next advanced, by zero if need be. A sleep until an instant that has passed is over at
  /// once.
  ///
  /// - Throws: `CancellationError`, at once, when the task is cancelled. Nothing is left behind.
  public nonisolated(nonsending) func sleep(
    until deadline: Instant,
    tolerance: Duration? = nil
  ) async throws {
    guard deadline.offset >= timeline.now.offset else { return try Task.checkCancellation() }
    try await timeline.sleep(until: deadline.offset)
  }
}

extension TestClock where DurationType == Duration {
  /// Creates a clock that is a view of a timeline, by default of one of its own.
  public init(timeline: TestTimeline = TestTimeline()) {
    self.timeline = timeline
  }

  /// Creates a clock at an instant.
  public init(now: Instant) {
    timeline = TestTimeline()
    timeline.arrive(at: now.offset)
  }
}

extension TestClock {
  /// An instant of virtual time, as the time since its beginning.
  ///
  /// It is a type of the clock, so that `TestClock.Instant()` says what the durations are.
  public struct Instant: InstantProtocol {
    /// The time since the beginning.
    public var offset: Duration

    init(since offset: Duration) {
      self.offset = offset
    }

    /// Creates an instant.
    public init(offset: Duration = .zero) where DurationType == Duration {
      self.offset = offset
    }

    /// The instant that a duration leads to. It stops at the ends of time.
    public func advanced(by duration: Duration) -> Self {
      Self(since: offset.addingSaturating(duration))
    }

    /// The duration from this instant to another; negative if the other is earlier.
    public func duration(to other: Self) -> Duration {
      other.offset.subtractingSaturating(offset)
    }

    public static func < (lhs: Self, rhs: Self) -> Bool {
      lhs.offset < rhs.offset
    }
  }
}

/// An instant of virtual time, as the time since its beginning.
public typealias TestInstant = TestClock<Duration>.Instant
