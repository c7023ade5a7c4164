// A record of tasks that have gone where the executor does not see them.

import Rondo
import RondoScheduling

/// A record of tasks that are not in the queue of a test store.
///
/// After every job, its task has done one of a few things: it has put itself in the queue again, it
/// has gone to sleep on the store's timeline, or it was the last task of its effect. Otherwise it
/// is *out of sight*: it waits for a continuation, a stream or another task, which perhaps only
/// other effects can wake; or it has left.
struct OutOfSightTasks {
  /// Whether a task has gone out of sight since nothing was in flight.
  private(set) var isAnyOutOfSight = false

  /// Whether a task has gone out of sight since the last ``settled()``.
  private(set) var isAnyNew = false

  /// Whether a task that has gone out of sight was not seen to fall asleep on any timeline.
  private(set) var isAnyAwake = false

  /// - Parameter isAsleep: Whether the task sleeps on a timeline other than the store's.
  mutating func didGoOutOfSight(isAsleep: Bool) {
    isAnyOutOfSight = true
    isAnyNew = true
    if !isAsleep { isAnyAwake = true }
  }

  mutating func settled() {
    isAnyNew = false
  }

  /// Call this when nothing is in flight.
  mutating func didBecomeIdle() {
    self = OutOfSightTasks()
  }
}
