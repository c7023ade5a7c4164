// Tells a closure that it is not to be called any more.

import Synchronization

/// A flag that is set once, from anywhere, and read before each call of a closure.
///
/// A subscription ends on the isolation of its source, which may be later than the call of `cancel`. The
/// flag ends it for its closure at once. A call that has begun on another thread goes on.
final class CancellationFlag: Sendable {
  private let isSet = Atomic(false)

  var isCancelled: Bool { isSet.load(ordering: .acquiring) }

  func cancel() { isSet.store(true, ordering: .releasing) }
}
