// A flag that several threads or closures share.

import Synchronization

/// A flag that is set once, from anywhere.
///
/// Where it says that a closure is not to be called any more, it is read before each call: a subscription ends on the
/// isolation of its source, which may be later than the call of `cancel`. A call that has begun on another thread goes on.
@usableFromInline
final class SharedFlag: Sendable {
  private let flag = Atomic(false)

  @usableFromInline
  init() {}

  @usableFromInline var isSet: Bool { flag.load(ordering: .acquiring) }

  @usableFromInline
  func set() { flag.store(true, ordering: .releasing) }
}
