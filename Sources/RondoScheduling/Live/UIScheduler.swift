// The main queue without the hop when already there.

import Dispatch

/// Runs work on the main queue: at once when the caller is on it already, else as soon as it can.
///
/// A state change that starts on the main queue is then shown in the same turn, not in the next.
/// Work for later goes to the main queue in any case.
///
/// ```swift
/// user.answers.receive(on: UIScheduler.shared)
/// ```
public struct UIScheduler: Scheduler {
  public typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
  public typealias SchedulerOptions = Never

  /// The one of the process.
  public static let shared = UIScheduler()

  private init() {}

  public var now: SchedulerTimeType { DispatchQueue.main.now }

  public var minimumTolerance: SchedulerTimeType.Stride { DispatchQueue.main.minimumTolerance }

  public func schedule(options: Never?, _ work: @escaping @Sendable () -> Void) {
    guard isOnMainQueue() else { return DispatchQueue.main.schedule(work) }
    runUntagged(work)
  }

  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: Never?,
    _ work: @escaping @Sendable () -> Void
  ) {
    DispatchQueue.main.schedule(after: date, tolerance: tolerance, work)
  }

  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: Never?,
    _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    DispatchQueue.main.schedule(after: date, interval: interval, tolerance: tolerance, work)
  }
}
