// A clock on which every sleep is over at once.

import Synchronization

/// A clock on which waiting takes no time.
///
/// A sleep moves the clock to its deadline and is over. The task gives up its thread for a moment all
/// the same, so that one which sleeps for ever leaves room for others.
///
/// ```swift
/// let model = Model(clock: ImmediateClock())
/// await model.countDown()  // Ten seconds that take no time.
/// ```
public struct ImmediateClock: Clock {
  /// The instants are those of a test clock.
  public typealias Instant = TestClock.Instant

  private let current = Current()

  /// Creates a clock at the beginning of its time.
  public init() {}

  public var now: Instant { current.instant.withLock { $0 } }

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
    current.instant.withLock { $0 = max($0, deadline) }
    await Task.yield()
    try Task.checkCancellation()
  }

  private final class Current: Sendable {
    let instant = Mutex(Instant())
  }
}

extension Clock where Self == ImmediateClock {
  /// A clock on which waiting takes no time.
  public static var immediate: Self { ImmediateClock() }
}
