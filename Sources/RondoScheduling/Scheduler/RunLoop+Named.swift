// Short names for schedulers with the times of a run loop.

import Foundation

extension AnyScheduler
where SchedulerTimeType == SchedulerDate, SchedulerOptions == RunLoop.SchedulerOptions {
  /// The main run loop.
  public static var main: Self { RunLoop.main.scheduler.eraseToAnyScheduler() }

  /// Runs all work at once. See ``ImmediateScheduler``.
  public static var immediate: Self { RunLoop.immediate.eraseToAnyScheduler() }

  /// Must not be used. See ``UnimplementedScheduler``.
  public static func unimplemented(
    _ name: String = "RunLoop",
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    UnimplementedScheduler(
      name,
      now: .virtualStart,
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    ).eraseToAnyScheduler()
  }
}

extension RunLoop {
  /// A scheduler with the times of a run loop, on which none passes.
  public static var immediate: ImmediateSchedulerOf<RunLoop> {
    ImmediateScheduler(now: .virtualStart)
  }

  /// A new test scheduler with the times of a run loop; they start with the year 1970 (UTC).
  public static var test: TestSchedulerOf<RunLoop> {
    TestScheduler(now: .virtualStart)
  }
}
