// A scheduler whose time a test moves.

import Synchronization

/// A scheduler whose time stands still until a test advances it.
///
/// ```swift
/// let scheduler = DispatchQueue.test
/// scheduler.schedule(after: scheduler.now.advanced(by: 1)) { print("one second") }
/// scheduler.advance(by: .milliseconds(999))  // Prints nothing.
/// scheduler.advance(by: .milliseconds(1))    // one second
/// ```
///
/// - Work for the same instant runs in the order in which it was scheduled. A repetition keeps the
///   place that it got when it was scheduled.
/// - Work that is scheduled for the current instant by running work runs in the same advance; work
///   for an instant that has passed counts as work for the current one.
/// - While work runs, ``now`` is the instant at which it was due.
/// - Cancelled work is released at once.
///
/// Scheduling is O(log *n*); advancing O(*k* log *n*) for *k* pieces of work that fall due. It may
/// be used from any thread; copies are the same scheduler.
public struct TestScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler
where
  SchedulerTimeType: Strideable & Sendable,
  SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible,
  SchedulerOptions: Sendable
{
  /// The timeline that this scheduler is a view of.
  public let timeline: TestTimeline

  /// The least tolerance that it was made with. Virtual time is exact, so no work is ever late.
  public let minimumTolerance: SchedulerTimeType.Stride

  let start: SchedulerTimeType
  let exactInstant = ExactInstant<SchedulerTimeType>()

  /// Creates a scheduler with a timeline of its own.
  ///
  /// - Parameters:
  ///   - now: The current instant.
  ///   - minimumTolerance: The value of ``minimumTolerance``.
  public init(now: SchedulerTimeType, minimumTolerance: SchedulerTimeType.Stride = .zero) {
    self.init(
      timeline: TestTimeline(),
      startingAt: now,
      minimumTolerance: minimumTolerance
    )
  }

  /// Creates a scheduler that is a view of a timeline.
  ///
  /// - Parameters:
  ///   - timeline: The timeline, which may be shared with a clock and other schedulers.
  ///   - start: The scheduler's instant at the beginning of the timeline.
  ///   - minimumTolerance: The value of ``minimumTolerance``.
  public init(
    timeline: TestTimeline,
    startingAt start: SchedulerTimeType,
    minimumTolerance: SchedulerTimeType.Stride = .zero
  ) {
    self.timeline = timeline
    self.start = start
    self.minimumTolerance = minimumTolerance
  }

  public var now: SchedulerTimeType {
    let elapsed = timeline.elapsed
    return exactInstant.instant(at: elapsed) ?? instant(at: elapsed)
  }

  public func schedule(options: SchedulerOptions?, _ work: @escaping @Sendable () -> Void) {
    timeline.insertNow(.soon(work))
  }

  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) {
    let due = _elapsed(at: date)
    guard instant(at: due) != date else {
      timeline.insert(.once(work), due: due)
      return
    }
    let exactWork: @Sendable () -> Void = {
      _reached(date, at: due)
      work()
    }
    timeline.insert(.once(exactWork), due: due)
  }

  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    guard isUsable(interval: interval, of: "Work on a test scheduler") else {
      return AnyCancellable {}
    }
    let repetition = repetition(from: date, interval: interval, work)
    let ticket = timeline.insert(.repeating(repetition), due: _elapsed(at: date))
    return AnyCancellable(stop: { [weak timeline] in _ = timeline?.remove(ticket) }) {}
  }
}

// MARK: - Instants of the timeline

extension TestScheduler {
  private func instant(at elapsed: Duration) -> SchedulerTimeType {
    start.advanced(by: SchedulerTimeType.Stride(elapsed))
  }

  private func repetition(
    from date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    _ work: @escaping @Sendable () -> Void
  ) -> Repetition {
    // The instants of this run and the next, in the scheduler's own time and with its rounding.
    let runs = Mutex((current: date, next: date))
    return Repetition(
      work: {
        let date = runs.withLock { $0.current }
        _reached(date, at: _elapsed(at: date))
        work()
      },
      nextDue: {
        let next: SchedulerTimeType? = runs.withLock { runs in
          runs = (current: runs.next, next: runs.next.advanced(by: interval))
          return runs.next > runs.current ? runs.next : nil
        }
        return next.map(_elapsed(at:))
      }
    )
  }
}

/// The last instant of a scheduler that `Duration` does not give back exactly.
final class ExactInstant<SchedulerTimeType: Strideable & Sendable>: Sendable {
  private let last = Mutex<(elapsed: Duration, instant: SchedulerTimeType)?>(nil)

  func set(_ instant: SchedulerTimeType, at elapsed: Duration) {
    last.withLock { $0 = (elapsed, instant) }
  }

  /// The instant that was set, if the timeline is still at its time.
  func instant(at elapsed: Duration) -> SchedulerTimeType? {
    last.withLock { last in
      guard let last, last.elapsed == elapsed else { return nil }
      return last.instant
    }
  }
}

/// A test scheduler named by the scheduler that it stands in for: `TestSchedulerOf<DispatchQueue>`.
public typealias TestSchedulerOf<Base: SchedulerTypes> =
  TestScheduler<Base.SchedulerTimeType, Base.SchedulerOptions>
