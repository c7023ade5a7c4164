// A clock on which every sleep is over at once.

import Synchronization

/// A clock on which waiting takes no time.
///
/// A sleep moves the clock to its deadline and is over. The task gives up its thread for a moment all
/// the same, so that one which sleeps for ever leaves room for others. In an effect of a test store it goes
/// on when the test needs its next action, or asks for the end of effects: an endless timer ticks as often
/// as the test receives a tick.
///
/// ```swift
/// let model = Model(clock: ImmediateClock())
/// await model.countDown()  // Ten seconds that take no time.
/// ```
///
/// `DurationType` is the type of its durations, and always `Duration`: `ImmediateClock<Duration>`.
public struct ImmediateClock<DurationType>: Clock {
  /// The instants are those of a test clock.
  public typealias Instant = TestClock<DurationType>.Instant

  private let current: CurrentInstant

  /// The current instant: the latest one that something was to sleep until.
  public var now: Instant { Instant(since: current.offset.withLock { $0 }) }

  /// Virtual time has no grain: zero.
  public var minimumResolution: Duration { .zero }

  /// Moves the clock to the deadline, unless that has passed.
  ///
  /// - Throws: `CancellationError` when the task has been cancelled.
  public nonisolated(nonsending) func sleep(
    until deadline: Instant,
    tolerance: Duration? = nil
  ) async throws {
    try Task.checkCancellation()
    current.offset.withLock { $0 = max($0, deadline.offset) }
    if let timeline = TimelineHosts.timelineOfImmediateSleeps {
      return try await timeline.sleepInLine()
    }
    await Task.yield()
    try Task.checkCancellation()
  }
}

extension ImmediateClock where DurationType == Duration {
  /// Creates a clock at an instant, by default at the beginning of its time.
  public init(now: Instant = Instant()) {
    current = CurrentInstant(now.offset)
  }
}

private final class CurrentInstant: Sendable {
  /// The time since the beginning.
  let offset: Mutex<Duration>

  init(_ offset: Duration) {
    self.offset = Mutex(offset)
  }
}

extension Clock where Self == ImmediateClock<Duration> {
  /// A clock on which waiting takes no time.
  public static var immediate: Self { ImmediateClock() }
}
