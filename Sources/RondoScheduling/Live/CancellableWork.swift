// Work of a repetition on a live scheduler, which may be cancelled while a run is on its way.

import Synchronization

/// Runs its work until it is cancelled: no run begins after that, and the work is released.
final class CancellableWork: Sendable {
  private let work: Mutex<(@Sendable () -> Void)?>

  init(_ work: @escaping @Sendable () -> Void) {
    self.work = Mutex(work)
  }

  func run() {
    guard let work = work.withLock({ $0 }) else { return }
    runUntagged(work)
  }

  func cancel() {
    // Taken out under the lock and released after it: what the work holds may do anything then.
    let released = work.withLock { work in
      defer { work = nil }
      return work
    }
    withExtendedLifetime(released) {}
  }
}
