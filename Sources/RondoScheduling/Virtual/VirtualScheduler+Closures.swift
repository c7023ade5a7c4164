// Work for virtual schedulers that belongs to the test.

/// A scheduler whose work runs where a test moves its time, or at once.
///
/// Such work may use what belongs to the test: it runs in the test's own calls.
public protocol VirtualScheduler: Scheduler {}

extension TestScheduler: VirtualScheduler {}
extension ImmediateScheduler: VirtualScheduler {}

extension VirtualScheduler {
  /// Runs work at the next possible opportunity.
  public func schedule(options: SchedulerOptions? = nil, _ work: @escaping () -> Void) {
    schedule(options: options, ofTest(work))
  }

  /// Runs work at some time after an instant.
  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride? = nil,
    options: SchedulerOptions? = nil,
    _ work: @escaping () -> Void
  ) {
    schedule(
      after: date, tolerance: tolerance ?? minimumTolerance, options: options, ofTest(work))
  }

  /// Runs work at some time after an instant, and then again at every interval.
  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride? = nil,
    options: SchedulerOptions? = nil,
    _ work: @escaping () -> Void
  ) -> any Cancellable {
    schedule(
      after: date, interval: interval, tolerance: tolerance ?? minimumTolerance, options: options,
      ofTest(work))
  }
}

private func ofTest(_ work: @escaping () -> Void) -> @Sendable () -> Void {
  // nonisolated(unsafe): the test runs it, in its own calls of the scheduler.
  nonisolated(unsafe) let work = work
  return { work() }
}
