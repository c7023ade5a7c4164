// Any scheduler whose times and options are of the given types.

/// A scheduler of which only the types of its times and options are known.
///
/// It is what a feature declares when it wants a queue in production and virtual time in tests:
///
/// ```swift
/// struct Search {
///   var mainQueue: AnySchedulerOf<DispatchQueue> = .main
/// }
/// Search(mainQueue: .immediate)
/// Search(mainQueue: DispatchQueue.test.eraseToAnyScheduler())
/// ```
///
/// It is five closures, and can be made from any five: that is how a transform such as
/// ``Scheduler/animation(_:)`` is written. A copy costs one retain, a call one indirection.
public struct AnyScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler
where
  SchedulerTimeType: Strideable & Sendable,
  SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible,
  SchedulerOptions: Sendable
{
  private let endpoints: Endpoints

  /// Creates a scheduler from its five endpoints.
  ///
  /// - Parameters:
  ///   - minimumTolerance: Gives the least tolerance that makes a difference.
  ///   - now: Gives the current instant.
  ///   - scheduleImmediately: Runs work at the next possible opportunity.
  ///   - delayed: Runs work at some time after an instant.
  ///   - interval: Runs work at some time after an instant and then at every interval.
  public init(
    minimumTolerance: @escaping @Sendable () -> SchedulerTimeType.Stride,
    now: @escaping @Sendable () -> SchedulerTimeType,
    scheduleImmediately: @escaping ScheduleImmediately,
    delayed: @escaping ScheduleDelayed,
    interval: @escaping ScheduleInterval
  ) {
    endpoints = Endpoints(
      minimumTolerance: minimumTolerance,
      now: now,
      scheduleImmediately: scheduleImmediately,
      delayed: delayed,
      interval: interval
    )
  }

  /// Creates a scheduler that is the given one, with its type forgotten.
  public init<Base: Scheduler<SchedulerTimeType, SchedulerOptions>>(_ base: Base) {
    if let erased = base as? Self {
      self = erased
      return
    }
    self.init(
      minimumTolerance: { base.minimumTolerance },
      now: { base.now },
      scheduleImmediately: { base.schedule(options: $0, $1) },
      delayed: { base.schedule(after: $0, tolerance: $1, options: $2, $3) },
      interval: { base.schedule(after: $0, interval: $1, tolerance: $2, options: $3, $4) }
    )
  }

  public var minimumTolerance: SchedulerTimeType.Stride { endpoints.minimumTolerance() }

  public var now: SchedulerTimeType { endpoints.now() }

  public func schedule(options: SchedulerOptions?, _ work: @escaping @Sendable () -> Void) {
    endpoints.scheduleImmediately(options, work)
  }

  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) {
    endpoints.delayed(date, tolerance, options, work)
  }

  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    endpoints.interval(date, interval, tolerance, options, work)
  }
}

extension AnyScheduler {
  /// The endpoint that runs work at the next possible opportunity.
  public typealias ScheduleImmediately =
    @Sendable (_ options: SchedulerOptions?, _ work: @escaping @Sendable () -> Void) -> Void

  /// The endpoint that runs work at some time after an instant.
  public typealias ScheduleDelayed =
    @Sendable (
      _ date: SchedulerTimeType,
      _ tolerance: SchedulerTimeType.Stride,
      _ options: SchedulerOptions?,
      _ work: @escaping @Sendable () -> Void
    ) -> Void

  /// The endpoint that runs work at some time after an instant and then at every interval.
  public typealias ScheduleInterval =
    @Sendable (
      _ date: SchedulerTimeType,
      _ interval: SchedulerTimeType.Stride,
      _ tolerance: SchedulerTimeType.Stride,
      _ options: SchedulerOptions?,
      _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable

  /// The five closures in one object, so that a scheduler is one word.
  private final class Endpoints: Sendable {
    let minimumTolerance: @Sendable () -> SchedulerTimeType.Stride
    let now: @Sendable () -> SchedulerTimeType
    let scheduleImmediately: ScheduleImmediately
    let delayed: ScheduleDelayed
    let interval: ScheduleInterval

    init(
      minimumTolerance: @escaping @Sendable () -> SchedulerTimeType.Stride,
      now: @escaping @Sendable () -> SchedulerTimeType,
      scheduleImmediately: @escaping ScheduleImmediately,
      delayed: @escaping ScheduleDelayed,
      interval: @escaping ScheduleInterval
    ) {
      self.minimumTolerance = minimumTolerance
      self.now = now
      self.scheduleImmediately = scheduleImmediately
      self.delayed = delayed
      self.interval = interval
    }
  }
}

/// An erased scheduler named by the scheduler whose types it has: `AnySchedulerOf<DispatchQueue>`.
public typealias AnySchedulerOf<Base: SchedulerTypes> =
  AnyScheduler<Base.SchedulerTimeType, Base.SchedulerOptions>

extension Scheduler {
  /// This scheduler with its type forgotten. Erasing an erased one gives it back unchanged.
  public func eraseToAnyScheduler() -> AnyScheduler<SchedulerTimeType, SchedulerOptions> {
    AnyScheduler(self)
  }
}
