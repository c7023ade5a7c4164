// Short names for schedulers with the times of a dispatch queue.

import Dispatch

extension Scheduler where Self == AnySchedulerOf<DispatchQueue> {
  /// The main queue.
  public static var main: Self { DispatchQueue.main.eraseToAnyScheduler() }

  /// The queue of the system that serves a quality of service with all cores.
  public static func global(qos: DispatchQoS.QoSClass = .default) -> Self {
    DispatchQueue.global(qos: qos).eraseToAnyScheduler()
  }

  /// Runs all work at once. See ``ImmediateScheduler``.
  public static var immediate: Self { DispatchQueue.immediate.eraseToAnyScheduler() }

  /// Must not be used. See ``UnimplementedScheduler``.
  public static func unimplemented(
    _ name: String = "DispatchQueue",
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    DispatchQueue.unimplemented(
      name,
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    ).eraseToAnyScheduler()
  }
}

extension DispatchQueue {
  /// A scheduler with the times of a dispatch queue, on which none passes.
  public static var immediate: ImmediateSchedulerOf<DispatchQueue> {
    ImmediateScheduler(now: .virtualStart)
  }

  /// A new test scheduler with the times of a dispatch queue, which start at 1 ns.
  public static var test: TestSchedulerOf<DispatchQueue> {
    TestScheduler(now: .virtualStart)
  }

  /// A scheduler with the times of a dispatch queue that must not be used.
  public static func unimplemented(
    _ name: String = "DispatchQueue",
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> UnimplementedSchedulerOf<DispatchQueue> {
    UnimplementedScheduler(
      name,
      now: .virtualStart,
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
  }
}

extension DispatchQueue.SchedulerTimeType {
  /// The instant at which virtual time starts. For Dispatch zero is no instant, but means "now".
  static var virtualStart: Self { Self(nanoseconds: 1) }
}
