// Short names for schedulers with the types of the one for user interfaces.

import Dispatch

extension AnyScheduler
where SchedulerTimeType == UIScheduler.SchedulerTimeType, SchedulerOptions == Never {
  /// The main queue, at once when already there. See ``UIScheduler``.
  public static var shared: Self { UIScheduler.shared.eraseToAnyScheduler() }

  /// Runs all work at once. See ``ImmediateScheduler``.
  public static var immediate: Self { UIScheduler.immediate.eraseToAnyScheduler() }

  /// Must not be used. See ``UnimplementedScheduler``.
  public static func unimplemented(
    _ name: String = "UIScheduler",
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

extension UIScheduler {
  /// A scheduler with the types of the one for user interfaces, on which no time passes.
  public static var immediate: ImmediateSchedulerOf<UIScheduler> {
    ImmediateScheduler(now: .virtualStart)
  }

  /// A new test scheduler with the types of the one for user interfaces; its time starts at zero.
  public static var test: TestSchedulerOf<UIScheduler> {
    TestScheduler(now: .virtualStart)
  }
}
