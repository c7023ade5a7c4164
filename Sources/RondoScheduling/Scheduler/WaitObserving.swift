// The notice that an effect gives of its waits, for recordings.

import Synchronization

/// The kinds of waits that recordings know.
package enum WaitKind: Sendable {
  case clock, scheduler
  /// The end of other effects under the same cancellation id.
  case turn
}

/// An effect whose closure waits: the value of ``WaitOrigin/current`` around it.
package protocol WaitObserver: Sendable {
  /// Called before the closure waits.
  func willWait(on kind: WaitKind, for duration: Duration?)

  /// Called when the closure goes on, also after a cancellation.
  func didWait()
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
