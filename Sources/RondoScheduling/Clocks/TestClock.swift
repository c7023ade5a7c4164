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
  /// An instant, as the time since the timeline's beginning.
  public typealias Instant = TestInstant

  /// The timeline that this clock is a view of.
  public let timeline: TestTimeline

  /// The current instant of the timeline.
  public var now: Instant { timeline.now }

  /// Virtual time has no grain: zero.
  public var minimumResolution: Duration { .zero }

  /// Suspends the task until the clock is advanced to an instant. One that is now, or has passed, is
  /// reached when the clock is next advanced, by zero if need be.
  ///
  /// - Throws: `CancellationError`, at once, when the task is cancelled. Nothing is left behind.
  public nonisolated(nonsending) func sleep(
    until deadline: Instant,
    tolerance: Duration? = nil
  ) async throws {
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

/// An instant of virtual time, as the time since its beginning.
public struct TestInstant: InstantProtocol {
  /// The time since the beginning.
  public var offset: Duration

  /// Creates an instant.
  public init(offset: Duration = .zero) {
    self.offset = offset
  }

  /// The instant that a duration leads to. It stops at the ends of time.
  public func advanced(by duration: Duration) -> Self {
    Self(offset: offset.addingSaturating(duration))
  }

  /// The duration from this instant to another; negative if the other is earlier.
  public func duration(to other: Self) -> Duration {
    other.offset.subtractingSaturating(offset)
  }

  public static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.offset < rhs.offset
  }
}
