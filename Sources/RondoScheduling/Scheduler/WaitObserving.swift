// The notice that an effect gives of its waits, for recordings.

import Synchronization

/// The kinds of waits that recordings know.
package enum WaitKind: Sendable {
  case clock
  /// A scheduler, with its name where it has one.
  case scheduler(name: String?)
  /// The end of other effects under the same cancellation id.
  case turn
}

/// The effect in which something waits, for recordings, and for a test that explains why nothing happens.
package enum WaitOrigin {
  /// Set around the body of an effect; sleepers and repetitions that begin inside carry it.
  // An object: a value of any type takes a task longer to keep than all else that it does for a closure.
  @TaskLocal package static var current: (any AnyObject & Sendable)?
}

/// An effect whose closure waits: the value of ``WaitOrigin/current`` around it.
package protocol WaitObserver: Sendable {
  /// Called before the closure waits.
  ///
  /// - Parameters:
  ///   - duration: The time that was asked for; `nil` for as long as it takes.
  ///   - age: Reads how long ago that time began; `nil` for now. A clock is asked for a time that
  ///     begins when the clock was read last.
  func willWait(on kind: WaitKind, for duration: Duration?, since age: (() -> Duration)?)

  /// Called when the closure goes on, also after a cancellation.
  func didWait()
}

/// A clock of somebody who records. It is read where and when something happens, since the machine is
/// told of that a little later.
package final class ObserverClock: Sendable {
  private let elapsed: @Sendable () -> Duration

  /// - Parameter elapsed: The time since the beginning of the recording.
  package init(_ elapsed: @escaping @Sendable () -> Duration) {
    self.elapsed = elapsed
  }

  /// The time since the beginning of the recording.
  package var now: Duration { elapsed() }
}

/// The time of an event, by the clock of everybody who records.
package struct EventTime: Sendable {
  private let times: [(clock: ObjectIdentifier, time: Duration)]

  /// The present, as the clocks say, or a time before it.
  ///
  /// - Parameter age: Reads how long ago the time was. A thread may lose its core between a reading of
  ///   the clock and one of the age, and the age is then too great. So both are read four times.
  package init(_ clocks: [ObserverClock], ago age: (() -> Duration)? = nil) {
    self.times = clocks.map { clock in
      let times = age.map { age in (0..<4).map { _ in clock.now - age() } }
      let time = times?.max() ?? clock.now
      return (ObjectIdentifier(clock), max(.zero, time))
    }
  }

  /// The time by a clock; `nil` by one that did not run yet.
  package func callAsFunction(by clock: ObserverClock) -> Duration? {
    times.first { $0.clock == ObjectIdentifier(clock) }?.time
  }
}

/// The recordings in progress in the process.
package enum RecordingsInProgress {
  private static let count = Atomic(0)

  private static let issueHandler = Mutex<(@Sendable (ReportedIssue) -> Void)?>(nil)

  /// Whether there are any. Code that only recordings need asks this first.
  package static var isAny: Bool { count.load(ordering: .relaxed) > 0 }

  /// Counts a recording that begins.
  ///
  /// - Parameter handler: Takes the issues that are reported in the process from now on.
  package static func begin(handler: @escaping @Sendable (ReportedIssue) -> Void) {
    issueHandler.withLock { $0 = handler }
    count.add(1, ordering: .relaxed)
  }

  /// Counts a recording that has ended.
  package static func end() {
    count.subtract(1, ordering: .relaxed)
  }

  static func note(_ issue: ReportedIssue) {
    guard isAny else { return }
    issueHandler.withLock { $0 }?(issue)
  }

  /// The effect whose closure runs here, if it wants to know of waits.
  package static var waitObserver: (any WaitObserver)? {
    isAny ? WaitOrigin.current as? any WaitObserver : nil
  }
}
