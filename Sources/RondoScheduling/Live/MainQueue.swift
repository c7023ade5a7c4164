// Whether this code runs on the main queue.

import RondoAnimation

/// Whether the caller runs on the main queue: top-level code, a block of the main queue, the main
/// actor.
///
/// `Thread.isMainThread` does not tell on Linux: after the first suspension of an asynchronous main
/// program the main actor is served by another thread. Dispatch knows. The answer costs some 10 ns.
package func isOnMainQueue() -> Bool {
  MainThread.isCurrent
}
