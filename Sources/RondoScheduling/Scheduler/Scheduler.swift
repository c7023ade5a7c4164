// The protocol of everything that runs work now, later, or again and again.

/// The types with which a scheduler tells time and takes its options.
///
/// It stands apart from ``Scheduler`` for one reason: `RunLoop` has these types, and so
/// `AnySchedulerOf<RunLoop>` has a meaning, but Foundation declares that a run loop is not
/// `Sendable`, which a scheduler must be. `RunLoop.main.scheduler` is the scheduler of a run loop.
public protocol SchedulerTypes {
  /// An instant on this scheduler's time line.
  associatedtype SchedulerTimeType: Strideable & Sendable
  where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible

  /// The options for a piece of work, such as a quality of service or run loop modes.
  associatedtype SchedulerOptions: Sendable
}

/// Says when and where work runs: at once, after an instant, or repeatedly.
///
/// A queue runs work in real time, a ``TestScheduler`` when a test says so, an
/// ``ImmediateScheduler`` at once. A feature that is handed its scheduler does not know which:
///
/// ```swift
/// func poll(on scheduler: some Scheduler) -> any Cancellable {
///   scheduler.schedule(after: scheduler.now, interval: .seconds(5)) { refresh() }
/// }
/// ```
///
/// Conforming types promise that:
/// - all members may be used from any thread;
/// - work for the same instant runs in the order in which it was scheduled, if it is serial at all;
/// - the result of the repeating endpoint cancels: after `cancel()` has returned no run begins but one that
///   another thread is beginning, and the work is released. The schedulers of this package also cancel when the result is released.
public protocol Scheduler<SchedulerTimeType, SchedulerOptions>: SchedulerTypes, Sendable {
  /// The current instant.
  var now: SchedulerTimeType { get }

  /// The least tolerance that makes a difference to this scheduler.
  var minimumTolerance: SchedulerTimeType.Stride { get }

  /// Runs work at the next possible opportunity.
  func schedule(options: SchedulerOptions?, _ work: @escaping @Sendable () -> Void)

  /// Runs work at some time after an instant.
  ///
  /// - Parameters:
  ///   - date: The earliest instant; one that has passed means the next possible opportunity.
  ///   - tolerance: The delay after `date` that is still allowed.
  ///   - options: Options of this scheduler.
  ///   - work: The work to run, once.
  func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  )

  /// Runs work at some time after an instant, and then again at every interval.
  ///
  /// - Parameters:
  ///   - date: The earliest instant of the first run.
  ///   - interval: The time from one run to the next; positive.
  ///   - tolerance: The delay after its instant that is still allowed for a run.
  ///   - options: Options of this scheduler.
  ///   - work: The work to run.
  /// - Returns: A handle that ends the repetition.
  func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable
}

// MARK: - Shorter spellings

extension Scheduler {
  /// Runs work at the next possible opportunity, without options.
  public func schedule(_ work: @escaping @Sendable () -> Void) {
    schedule(options: nil, work)
  }

  /// Runs work at some time after an instant, with the least tolerance.
  public func schedule(
    after date: SchedulerTimeType,
    options: SchedulerOptions? = nil,
    _ work: @escaping @Sendable () -> Void
  ) {
    schedule(after: date, tolerance: minimumTolerance, options: options, work)
  }

  /// Runs work at some time after an instant, without options.
  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    _ work: @escaping @Sendable () -> Void
  ) {
    schedule(after: date, tolerance: tolerance, options: nil, work)
  }

  /// Runs work at some time after an instant and then at every interval, with the least tolerance.
  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    options: SchedulerOptions? = nil,
    _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    schedule(
      after: date,
      interval: interval,
      tolerance: minimumTolerance,
      options: options,
      work
    )
  }

  /// Runs work at some time after an instant and then at every interval, without options.
  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    schedule(after: date, interval: interval, tolerance: tolerance, options: nil, work)
  }
}
