// Run loops as schedulers.

import Foundation

extension RunLoop: SchedulerTypes {
  public typealias SchedulerTimeType = SchedulerDate

  /// Options of work on a run loop.
  public struct SchedulerOptions: Sendable {
    /// In which modes of the loop the work may run.
    public var modes: [RunLoop.Mode]

    /// Creates options.
    public init(modes: [RunLoop.Mode] = [.common]) {
      self.modes = modes
    }
  }

  /// This run loop as a scheduler.
  ///
  /// ```swift
  /// let ticks = RunLoop.main.scheduler.timer(interval: .seconds(1))
  /// ```
  public var scheduler: RunLoopScheduler { RunLoopScheduler(self) }
}

/// Runs work on the thread of a run loop, when the loop runs in one of the modes of the work.
///
/// It stands between a run loop and ``Scheduler`` because Foundation declares that run loops are not
/// `Sendable`. What is used of the loop here, adding blocks and timers, may be done from any thread.
public struct RunLoopScheduler: Scheduler, @unchecked Sendable {
  // @unchecked: the loop is used only for what it does under a lock of its own.
  public typealias SchedulerTimeType = RunLoop.SchedulerTimeType
  public typealias SchedulerOptions = RunLoop.SchedulerOptions

  /// The run loop that does the work.
  public let runLoop: RunLoop

  /// Creates a scheduler for a run loop.
  public init(_ runLoop: RunLoop) {
    self.runLoop = runLoop
  }

  public var now: SchedulerTimeType { SchedulerDate(Date()) }

  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  public func schedule(options: SchedulerOptions?, _ work: @escaping @Sendable () -> Void) {
    let options = options ?? SchedulerOptions()
    runLoop.perform(inModes: options.modes) { runUntagged(work) }
    // A block does not wake a loop that sleeps. A timer does.
    add(Timer(fire: Date(), interval: 0, repeats: false) { _ in }, options)
  }

  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) {
    let timer = Timer(fire: date.date, interval: 0, repeats: false) { _ in runUntagged(work) }
    timer.tolerance = max(tolerance, .zero).timeInterval
    add(timer, options ?? SchedulerOptions())
  }

  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    guard isUsable(interval: interval, of: "Work on a run loop") else { return AnyCancellable {} }
    let work = CancellableWork(work)
    // nonisolated(unsafe): the timer is used from elsewhere only to invalidate it, under a lock of
    // its own.
    nonisolated(unsafe) let timer = Timer(
      fire: date.date,
      interval: interval.timeInterval,
      repeats: true
    ) { _ in
      work.run()
    }
    timer.tolerance = max(tolerance, .zero).timeInterval
    add(timer, options ?? SchedulerOptions())
    return AnyCancellable(stop: work.cancel) { timer.invalidate() }
  }

  private func add(_ timer: Timer, _ options: SchedulerOptions) {
    for mode in options.modes { runLoop.add(timer, forMode: mode) }
  }
}
