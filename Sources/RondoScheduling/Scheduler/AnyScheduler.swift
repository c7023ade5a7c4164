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
/// It can be made from any five closures: that is how a transform of schedulers can be written. A scheduler that is one reference, such as a queue, is
/// erased without an allocation.
public struct AnyScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler
where
  SchedulerTimeType: Strideable & Sendable,
  SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible,
  SchedulerOptions: Sendable
{
  private let base: any Scheduler<SchedulerTimeType, SchedulerOptions>

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
    scheduleImmediately:
      @escaping @Sendable (
        _ options: SchedulerOptions?, _ work: @escaping @Sendable () -> Void
      ) -> Void,
    delayed:
      @escaping @Sendable (
        _ date: SchedulerTimeType, _ tolerance: SchedulerTimeType.Stride,
        _ options: SchedulerOptions?,
        _ work: @escaping @Sendable () -> Void
      ) -> Void,
    interval:
      @escaping @Sendable (
        _ date: SchedulerTimeType, _ interval: SchedulerTimeType.Stride,
        _ tolerance: SchedulerTimeType.Stride, _ options: SchedulerOptions?,
        _ work: @escaping @Sendable () -> Void
      ) -> any Cancellable
  ) {
    base = ClosureScheduler(
      getMinimumTolerance: minimumTolerance,
      getNow: now,
      scheduleImmediately: scheduleImmediately,
      delayed: delayed,
      interval: interval
    )
  }

  /// Creates a scheduler that is the given one, with its type forgotten.
  public init<Base: Scheduler<SchedulerTimeType, SchedulerOptions>>(_ base: Base) {
    // Comparing the types first spares all others the cast.
    if Base.self == Self.self, let erased = base as? Self {
      self = erased
    } else {
      self.base = base
    }
  }

  /// The name of the scheduler inside, for recordings.
  var nameOfBase: String? { base.nameForRecordings }

  public var minimumTolerance: SchedulerTimeType.Stride { base.minimumTolerance }

  public var now: SchedulerTimeType { base.now }

  public func schedule(options: SchedulerOptions?, _ work: @escaping @Sendable () -> Void) {
    base.schedule(options: options, work)
  }

  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) {
    base.schedule(after: date, tolerance: tolerance, options: options, work)
  }

  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    base.schedule(
      after: date, interval: interval, tolerance: tolerance, options: options, work
    )
  }
}

extension AnyScheduler {
  /// The endpoint that runs work at the next possible opportunity.
  fileprivate typealias ScheduleImmediately =
    @Sendable (_ options: SchedulerOptions?, _ work: @escaping @Sendable () -> Void) -> Void

  /// The endpoint that runs work at some time after an instant.
  fileprivate typealias ScheduleDelayed =
    @Sendable (
      _ date: SchedulerTimeType,
      _ tolerance: SchedulerTimeType.Stride,
      _ options: SchedulerOptions?,
      _ work: @escaping @Sendable () -> Void
    ) -> Void

  /// The endpoint that runs work at some time after an instant and then at every interval.
  fileprivate typealias ScheduleInterval =
    @Sendable (
      _ date: SchedulerTimeType,
      _ interval: SchedulerTimeType.Stride,
      _ tolerance: SchedulerTimeType.Stride,
      _ options: SchedulerOptions?,
      _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable
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

/// A scheduler that is its five endpoints.
private struct ClosureScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler
where
  SchedulerTimeType: Strideable & Sendable,
  SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible,
  SchedulerOptions: Sendable
{
  typealias Erased = AnyScheduler<SchedulerTimeType, SchedulerOptions>

  let getMinimumTolerance: @Sendable () -> SchedulerTimeType.Stride
  let getNow: @Sendable () -> SchedulerTimeType
  let scheduleImmediately: Erased.ScheduleImmediately
  let delayed: Erased.ScheduleDelayed
  let interval: Erased.ScheduleInterval

  var minimumTolerance: SchedulerTimeType.Stride { getMinimumTolerance() }

  var now: SchedulerTimeType { getNow() }

  func schedule(options: SchedulerOptions?, _ work: @escaping @Sendable () -> Void) {
    scheduleImmediately(options, work)
  }

  func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) {
    delayed(date, tolerance, options, work)
  }

  func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    self.interval(date, interval, tolerance, options, work)
  }
}
