// Operation queues as schedulers.

import RondoScheduling
import Dispatch
import Foundation

extension OperationQueue: Scheduler {
  public typealias SchedulerTimeType = SchedulerDate

  /// Options of work on an operation queue.
  public struct SchedulerOptions: Sendable {
    /// The rank of the work among the operations that are ready.
    public var priority: Operation.QueuePriority

    /// Creates options.
    public init(priority: Operation.QueuePriority = .normal) {
      self.priority = priority
    }
  }

  public var now: SchedulerTimeType { SchedulerDate(Date()) }

  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  public func schedule(options: SchedulerOptions?, _ work: @escaping @Sendable () -> Void) {
    let operation = BlockOperation { runUntagged(work) }
    if let options { operation.queuePriority = options.priority }
    addOperation(operation)
  }

  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) {
    DispatchQueue.global().schedule(after: dispatchTime(of: date)) { [self] in
      schedule(options: options, work)
    }
  }

  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    guard isUsable(interval: interval, of: "Work on an operation queue") else {
      return AnyCancellable {}
    }
    let work = CancellableWork(work)
    let timer = DispatchTimer.start(
      on: .global(),
      at: dispatchTime(of: date),
      interval: DispatchQueue.SchedulerTimeType.Stride(interval.duration),
      tolerance: DispatchQueue.SchedulerTimeType.Stride(tolerance.duration)
    ) { [self] in
      schedule(options: options) { work.run() }
    }
    return AnyCancellable(stop: work.cancel) { timer.cancel() }
  }

  /// Calendar time is told by `Date`, but waited for by the clock that no one sets.
  private func dispatchTime(of date: SchedulerTimeType) -> DispatchQueue.SchedulerTimeType {
    // In this order: what passes between the two readings makes the work late, never early.
    let distance = now.distance(to: date).duration
    return DispatchQueue.global().now
      .advanced(by: DispatchQueue.SchedulerTimeType.Stride(distance))
  }
}
