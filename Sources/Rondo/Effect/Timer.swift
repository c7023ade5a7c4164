// `timer`: an effect that answers at every interval.

import RondoAnimation
import RondoScheduling

extension Effect {
  /// An effect that answers with the scheduler's time at every interval, until it is cancelled.
  ///
  /// Starting a timer cancels the one that runs under the same id.
  ///
  /// ```swift
  /// return Effect.timer(id: CancelID.clock, every: .seconds(1), on: mainQueue)
  ///   .map { _ in .ticked }
  /// ```
  ///
  /// - Parameters:
  ///   - id: The id that the timer runs under, also for `cancel(id:)`.
  ///   - interval: The interval. One that is not positive is reported, and the effect does nothing.
  ///   - tolerance: The time that a tick may be late; `nil` takes the scheduler's minimum.
  ///   - scheduler: The scheduler that ticks.
  ///   - options: Options of the scheduler; `nil` takes its own.
  public static func timer<S: Scheduler>(
    id: some Hashable & Sendable,
    every interval: S.SchedulerTimeType.Stride,
    tolerance: S.SchedulerTimeType.Stride? = nil,
    on scheduler: S,
    options: S.SchedulerOptions? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self where Output == S.SchedulerTimeType {
    guard interval > .zero else {
      reportIssue(
        """
        A timer was made with an interval of \(interval.duration), at which it would never stop to tick. \
        Use an interval greater than zero. The timer does nothing.
        """,
        fileID: fileID, filePath: filePath, line: line, column: column)
      return .none
    }
    let position = SourcePosition(fileID, filePath, line, column)
    let node = SourceNode(
      "timer", at: position,
      .callback { frame in
        frame.willWait(
          on: .scheduler(name: scheduler.nameForRecordings), for: interval.duration, since: nil)
        return scheduler.schedule(
          after: scheduler.now.advanced(by: interval), interval: interval,
          tolerance: tolerance ?? scheduler.minimumTolerance, options: options
        ) {
          frame.emit(SendNode(scheduler.now))
          frame.willWait(
            on: .scheduler(name: scheduler.nameForRecordings), for: interval.duration, since: nil)
        }
      })
    return Self(node: node).cancellable(id: id, cancelInFlight: true)
  }
}
