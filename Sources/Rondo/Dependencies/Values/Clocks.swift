// The clocks and queues that features wait on.

import Dispatch
import Foundation
import RondoScheduling

extension DependencyValues {
  /// The clock that goes on while the machine sleeps. In a test store it gives the store's time; in
  /// other tests it is unimplemented.
  public var continuousClock: any Clock<Duration> {
    get { self[ContinuousClockKey.self] }
    set { self[ContinuousClockKey.self] = newValue }
  }

  /// The clock that stops while the machine sleeps. In a test store it gives the store's time; in
  /// other tests it is unimplemented.
  public var suspendingClock: any Clock<Duration> {
    get { self[SuspendingClockKey.self] }
    set { self[SuspendingClockKey.self] = newValue }
  }

  /// The main queue. In a test store it gives the store's time; in other tests it is unimplemented.
  public var mainQueue: AnySchedulerOf<DispatchQueue> {
    get { self[MainQueueKey.self] }
    set { self[MainQueueKey.self] = newValue }
  }

  /// The main run loop. In a test store it gives the store's time; in other tests it is
  /// unimplemented.
  public var mainRunLoop: AnySchedulerOf<RunLoop> {
    get { self[MainRunLoopKey.self] }
    set { self[MainRunLoopKey.self] = newValue }
  }
}

private enum ContinuousClockKey: DependencyKey {
  static let liveValue: any Clock<Duration> = ContinuousClock()
  static var testValue: any Clock<Duration> { unimplementedClock("continuousClock") }
}

private enum SuspendingClockKey: DependencyKey {
  static let liveValue: any Clock<Duration> = SuspendingClock()
  static var testValue: any Clock<Duration> { unimplementedClock("suspendingClock") }
}

private enum MainQueueKey: DependencyKey {
  static let liveValue = AnySchedulerOf<DispatchQueue>.main
  static var testValue: AnySchedulerOf<DispatchQueue> {
    let use = DependencyAccess.declaration ?? SourcePosition()
    return .unimplemented(
      "@Dependency(\\.mainQueue)",
      fileID: use.fileID, filePath: use.filePath, line: use.line, column: use.column)
  }
}

private enum MainRunLoopKey: DependencyKey {
  static let liveValue = RunLoop.main.scheduler.eraseToAnyScheduler()
  static var testValue: AnySchedulerOf<RunLoop> {
    let use = DependencyAccess.declaration ?? SourcePosition()
    return .unimplemented(
      "@Dependency(\\.mainRunLoop)",
      fileID: use.fileID, filePath: use.filePath, line: use.line, column: use.column)
  }
}

private func unimplementedClock(_ name: String) -> any Clock<Duration> {
  let use = DependencyAccess.declaration ?? SourcePosition()
  return UnimplementedClock(
    "@Dependency(\\.\(name))",
    fileID: use.fileID, filePath: use.filePath, line: use.line, column: use.column)
}
