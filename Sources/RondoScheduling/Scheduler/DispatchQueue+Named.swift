// Short names for schedulers with the times of a dispatch queue.

import Dispatch

extension Scheduler where Self == AnySchedulerOf<DispatchQueue> {
  /// The main queue.
  public static var main: Self { DispatchQueue.main.eraseToAnyScheduler() }

  /// The queue of the system that serves a quality of service with all cores.
  public static func global(qos: DispatchQoS.QoSClass = .default) -> Self {
    DispatchQueue.global(qos: qos).eraseToAnyScheduler()
  }

  /// Runs all work at once. See ``ImmediateScheduler``.
  public static var immediate: Self { DispatchQueue.immediate.eraseToAnyScheduler() }
}

extension DispatchQueue {
  /// A scheduler with the times of a dispatch queue, on which none passes.
  public static var immediate: ImmediateSchedulerOf<DispatchQueue> {
    ImmediateScheduler(now: SchedulerTimeType(nanoseconds: 0))
  }

  /// A new test scheduler with the times of a dispatch queue, which start at zero.
  public static var test: TestSchedulerOf<DispatchQueue> {
    TestScheduler(now: SchedulerTimeType(nanoseconds: 0))
  }
}

extension TestTimeline {
  /// A scheduler with the times of a dispatch queue that is a view of this timeline.
  public var scheduler: TestSchedulerOf<DispatchQueue> {
    TestScheduler(
      timeline: self,
      startingAt: DispatchQueue.SchedulerTimeType(nanoseconds: 0)
    )
  }

  /// A clock that is a view of this timeline.
  public var clock: TestClock { TestClock(timeline: self) }
}
