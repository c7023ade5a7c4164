// Work of a repetition on a live scheduler, which may be cancelled while a run is on its way.

import Synchronization

/// Runs its work until it is cancelled: no run begins after that but one that another thread is
/// beginning, and the work is released.
package final class CancellableWork: Sendable {
  // In a struct: a closure that is itself the value of generic code gets one thunk longer each time
  // it is read in place, and a repetition reads it for ever.
  private struct Work {
    let run: @Sendable () -> Void
  }

  private let work: Mutex<Work?>

  package init(_ work: @escaping @Sendable () -> Void) {
    self.work = Mutex(Work(run: work))
  }

  package func run() {
    guard let work = work.withLock({ $0 }) else { return }
    runUntagged(work.run)
  }

  package func cancel() {
    // Taken out under the lock and released after it: what the work holds may do anything then.
    let released = work.withLock { $0.take() }
    withExtendedLifetime(released) {}
  }
}
