// Short names for schedulers of operation queues and run loops.

import Dispatch
import Foundation
import RondoScheduling

extension OperationQueue: NamedScheduler {}

extension AnyScheduler
where SchedulerTimeType == SchedulerDate, SchedulerOptions == OperationQueue.SchedulerOptions {
  /// The main operation queue.
  public static var main: Self { OperationQueue.main.eraseToAnyScheduler() }
}

extension AnyScheduler
where SchedulerTimeType == SchedulerDate, SchedulerOptions == RunLoop.SchedulerOptions {
  /// The main run loop.
  public static var main: Self { RunLoop.main.scheduler.eraseToAnyScheduler() }
}

extension AnyScheduler
where SchedulerTimeType == UIScheduler.SchedulerTimeType, SchedulerOptions == Never {
  /// The main queue, at once when already there. See `UIScheduler`.
  public static var shared: Self { UIScheduler.shared.eraseToAnyScheduler() }
}

extension Scheduler where Self == AnySchedulerOf<DispatchQueue> {
  /// The queue of the system that serves a quality of service with all cores.
  public static func global(qos: DispatchQoS.QoSClass = .default) -> Self {
    DispatchQueue.global(qos: qos).eraseToAnyScheduler()
  }
}

extension AnyScheduler where SchedulerTimeType: VirtualInstant {
  /// Runs all work at once. See `ImmediateScheduler`.
  public static var immediate: Self {
    ImmediateScheduler(now: .virtualStart).eraseToAnyScheduler()
  }
}

extension TestTimeline {
  /// A scheduler with the times of an operation queue that goes by this timeline. Its instants are
  /// those of `date`.
  public var operationQueueScheduler: TestSchedulerOf<OperationQueue> {
    TestScheduler(timeline: self, startingAt: SchedulerDate(startDate))
  }
}
