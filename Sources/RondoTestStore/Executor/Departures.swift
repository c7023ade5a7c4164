// Bookkeeping of tasks that were last seen going where the executor does not see them.

import Rondo
import RondoScheduling

/// What a test store knows about tasks that are not in its queue.
///
/// After every job there are few things that its task can have done: it has put itself in the queue
/// again, it has fallen asleep on the store's timeline, it was the last of its effect. Otherwise it
/// is *out of sight*: it waits for a continuation, a stream or another task, which may be nobody's
/// business but that of other effects; or it has left.
struct Departures {
  /// Whether a task has gone out of sight since nothing was in flight.
  private(set) var isAnyOutOfSight = false

  /// Whether one has since the last ``settled()``.
  private(set) var isAnyNew = false

  /// What other threads had done when something was put in flight.
  private(set) var activity: ProcessActivity?

  /// To be called before an effect is started.
  mutating func willStart() {
    if activity == nil { activity = .current }
  }

  mutating func didGoOutOfSight() {
    isAnyOutOfSight = true
    isAnyNew = true
  }

  mutating func settled() {
    isAnyNew = false
  }

  /// To be called when nothing is in flight.
  mutating func didBecomeIdle() {
    self = Departures()
  }
}
