// A scheduler on which no time passes.

/// Runs all work at once, in the caller, as though every wait had been zero.
///
/// It is for previews and for tests of *what* happens when *when* does not matter. A repetition
/// runs once: it has no end that could be waited for.
///
/// ```swift
/// let scheduler = DispatchQueue.immediate
/// scheduler.schedule(after: scheduler.now.advanced(by: .seconds(60))) { print("now") }
/// ```
public struct ImmediateScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler
where
  SchedulerTimeType: Strideable & Sendable,
  SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible,
  SchedulerOptions: Sendable
{
  /// The instant at which this scheduler stands still.
  public let now: SchedulerTimeType

  public let minimumTolerance: SchedulerTimeType.Stride = .zero

  /// Creates a scheduler that stands still at an instant.
  public init(now: SchedulerTimeType) {
    self.now = now
  }

  public func schedule(options: SchedulerOptions?, _ work: @escaping @Sendable () -> Void) {
    runUntagged(work)
  }

  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) {
    runUntagged(work)
  }

  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    guard isUsable(interval: interval, of: "Work on an immediate scheduler") else {
      return AnyCancellable {}
    }
    runUntagged(work)
    return AnyCancellable {}
  }
}

/// An immediate scheduler named by the scheduler that it stands in for.
public typealias ImmediateSchedulerOf<Base: SchedulerTypes> =
  ImmediateScheduler<Base.SchedulerTimeType, Base.SchedulerOptions>
