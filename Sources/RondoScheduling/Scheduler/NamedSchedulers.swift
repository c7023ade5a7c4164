// Short names for schedulers that stand in for queues and loops: `DispatchQueue.test`, `.immediate`.

import Dispatch
import Foundation

/// The instants of a scheduler whose virtual time has a beginning.
public protocol VirtualInstant {
  /// The instant at which virtual time starts.
  static var virtualStart: Self { get }
}

extension DispatchQueue.SchedulerTimeType: VirtualInstant {
  /// The first nanosecond. For Dispatch zero is no instant, but means "now".
  public static var virtualStart: Self { Self(nanoseconds: 1) }
}

extension SchedulerDate: VirtualInstant {
  /// The first instant of 1970 (UTC).
  public static var virtualStart: Self { Self(Date(timeIntervalSince1970: 0)) }
}

// MARK: - By the name of what they stand in for

/// A queue or a loop that has schedulers of virtual time to stand in for it.
public protocol NamedScheduler: SchedulerTypes where SchedulerTimeType: VirtualInstant {}

extension DispatchQueue: NamedScheduler {}
extension RunLoop: NamedScheduler {}
extension UIScheduler: NamedScheduler {}

extension NamedScheduler {
  /// A scheduler with the times of this one, on which none passes. See ``ImmediateScheduler``.
  public static var immediate: ImmediateSchedulerOf<Self> { ImmediateScheduler(now: .virtualStart) }

  /// A new test scheduler with the times of this one. They start with the year 1970 (UTC), and those of
  /// Dispatch at 1 ns.
  public static var test: TestSchedulerOf<Self> { TestScheduler(now: .virtualStart) }

  /// A scheduler with the times of this one that must not be used. See ``UnimplementedScheduler``.
  ///
  /// - Parameter name: The name in the issues; the name of this one unless it is given.
  public static func unimplemented(
    _ name: String = "\(Self.self)",
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> UnimplementedSchedulerOf<Self> {
    UnimplementedScheduler(
      name, now: .virtualStart, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

// MARK: - As a scheduler whose type is erased

extension Scheduler where Self == AnySchedulerOf<DispatchQueue> {
  /// The main queue.
  public static var main: Self { DispatchQueue.main.eraseToAnyScheduler() }

  /// Runs all work at once. See ``ImmediateScheduler``.
  public static var immediate: Self { DispatchQueue.immediate.eraseToAnyScheduler() }
}

extension AnyScheduler where SchedulerTimeType: VirtualInstant {
  /// Must not be used. See ``UnimplementedScheduler``.
  ///
  /// - Parameter name: The name in the issues.
  public static func unimplemented(
    _ name: String = "AnyScheduler",
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    UnimplementedScheduler(
      name, now: .virtualStart, fileID: fileID, filePath: filePath, line: line, column: column
    ).eraseToAnyScheduler()
  }
}
