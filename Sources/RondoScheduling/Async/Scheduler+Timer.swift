// The ticks of a scheduler as an asynchronous sequence.

extension Scheduler {
  /// A sequence of the current instant, again and again at an interval.
  ///
  /// ```swift
  /// for await instant in mainQueue.timer(interval: .seconds(1)) {
  ///   elapsed = start.distance(to: instant)
  /// }
  /// ```
  ///
  /// The timer starts now and ticks first when one interval has passed. It ends when the task that
  /// iterates is cancelled, or when the sequence and its iterators are released. No tick is lost: one
  /// that nobody waits for yet is kept.
  ///
  /// - Parameters:
  ///   - interval: The time between two ticks; positive. A timer that cannot be is reported and has
  ///     no ticks.
  ///   - tolerance: How much later than its instant a tick is still in order; by default the
  ///     scheduler's least.
  ///   - options: Options of this scheduler.
  public func timer(
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride? = nil,
    options: SchedulerOptions? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> AsyncStream<SchedulerTimeType> {
    let position = SourcePosition(fileID, filePath, line, column)
    guard isUsable(interval: interval, of: "A timer", position) else {
      return AsyncStream { $0.finish() }
    }
    return AsyncStream { continuation in
      let start = now
      let observer = RecordingsInProgress.waitObserver
      observer?.willWait(
        on: .scheduler(name: nameForRecordings), for: interval.duration, since: nil)
      let ticks = schedule(
        after: start.advanced(by: interval),
        interval: interval,
        tolerance: tolerance ?? minimumTolerance,
        options: options
      ) {
        if let observer {
          observer.didWait()
          // A timer keeps its pace: the next wait began when this tick was due, however late it is.
          observer.willWait(
            on: .scheduler(name: nameForRecordings), for: interval.duration,
            since: {
              start.distance(to: now).duration.rest(of: interval.duration)
            })
        }
        continuation.yield(now)
      }
      continuation.onTermination = { _ in
        ticks.cancel()
        observer?.didWait()
      }
    }
  }
}

extension Duration {
  /// The rest when the duration is divided into whole intervals.
  fileprivate func rest(of interval: Duration) -> Duration {
    self - interval * (self / interval).rounded(.down)
  }
}
