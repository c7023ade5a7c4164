// Short names for schedulers with the times of an operation queue.

import Foundation

extension AnyScheduler
where SchedulerTimeType == SchedulerDate, SchedulerOptions == OperationQueue.SchedulerOptions {
  /// The main operation queue.
  public static var main: Self { OperationQueue.main.eraseToAnyScheduler() }

  /// Runs all work at once. See ``ImmediateScheduler``.
  public static var immediate: Self { OperationQueue.immediate.eraseToAnyScheduler() }

  /// Must not be used. See ``UnimplementedScheduler``.
  public static func unimplemented(
    _ name: String = "OperationQueue",
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

extension OperationQueue {
  /// A scheduler with the times of an operation queue, on which none passes.
  public static var immediate: ImmediateSchedulerOf<OperationQueue> {
    ImmediateScheduler(now: .virtualStart)
  }

  /// A new test scheduler with the times of an operation queue; they start with the year 1970 (UTC).
  public static var test: TestSchedulerOf<OperationQueue> {
    TestScheduler(now: .virtualStart)
  }
}
