// The clocks and queues that features wait on.

import Dispatch
import Foundation
import RondoScheduling

extension DependencyValues {
  /// The clock that goes on while the machine sleeps. In a test store it goes by the store's time; in other tests it is
  /// unimplemented.
  public var continuousClock: any Clock<Duration> {
    get { self[ContinuousClockKey.self] }
    set { self[ContinuousClockKey.self] = newValue }
  }

  /// The clock that stops while the machine sleeps. In a test store it goes by the store's time; in other tests it is
  /// unimplemented.
  public var suspendingClock: any Clock<Duration> {
    get { self[SuspendingClockKey.self] }
    set { self[SuspendingClockKey.self] = newValue }
  }

  /// The main queue. In a test store it goes by the store's time; in other tests it is
  /// unimplemented.
  public var mainQueue: AnySchedulerOf<DispatchQueue> {
    get { self[MainQueueKey.self] }
    set { self[MainQueueKey.self] = newValue }
  }

  /// The main run loop. In a test store it goes by the store's time; in other tests it is
  /// unimplemented.
  public var mainRunLoop: AnySchedulerOf<RunLoop> {
    get { self[MainRunLoopKey.self] }
    set { self[MainRunLoopKey.self] = newValue }
  }
}

private enum ContinuousClockKey: DependencyKey {
  static let liveValue: any Clock<Duration> = ContinuousClock()
  static let testValue: any Clock<Duration> = UnimplementedClock("@Dependency(\\.continuousClock)")
}

private enum SuspendingClockKey: DependencyKey {
  static let liveValue: any Clock<Duration> = SuspendingClock()
  static let testValue: any Clock<Duration> = UnimplementedClock("@Dependency(\\.suspendingClock)")
}

private enum MainQueueKey: DependencyKey {
  static let liveValue = AnySchedulerOf<DispatchQueue>.main
  static let testValue = AnySchedulerOf<DispatchQueue>.unimplemented("@Dependency(\\.mainQueue)")
}

private enum MainRunLoopKey: DependencyKey {
  static let liveValue = AnySchedulerOf<RunLoop>.main
  static let testValue = AnySchedulerOf<RunLoop>.unimplemented("@Dependency(\\.mainRunLoop)")
}
