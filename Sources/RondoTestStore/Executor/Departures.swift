// A record of tasks that have gone where the executor does not see them.

import Rondo
import RondoScheduling

/// A record of tasks that are not in the queue of a test store.
///
/// After every job, its task has done one of a few things: it has put itself in the queue again, it
/// has gone to sleep on the store's timeline, or it was the last task of its effect. Otherwise it
/// is *out of sight*: it waits for a continuation, a stream or another task, which perhaps only
/// other effects can wake; or it has left.
struct Departures {
  /// Whether a task has gone out of sight since nothing was in flight.
  private(set) var isAnyOutOfSight = false

  /// Whether a task has gone out of sight, and not to sleep, since the last ``settled()``.
  private(set) var isAnyNew = false

  /// Whether a task that has gone out of sight was not seen to fall asleep on any timeline.
  private(set) var isAnyAwake = false

  /// - Parameter elsewhere: The last thing that the task put on a timeline other than the store's.
  ///   After work it has probably gone to sleep, and may have gone to the main actor.
  mutating func didGoOutOfSight(_ elsewhere: PutElsewhere) {
    isAnyOutOfSight = true
    if elsewhere != .sleeper { isAnyNew = true }
    if elsewhere == .nothing { isAnyAwake = true }
  }

  mutating func settled() {
    isAnyNew = false
  }

  /// Call this when nothing is in flight.
  mutating func didBecomeIdle() {
    self = Departures()
  }
}

/// A thing that a task of a test store has put on a timeline other than the store's.
enum PutElsewhere {
  case nothing
  /// Work of a scheduler.
  case work
  /// The task itself, which sleeps now.
  case sleeper
}
