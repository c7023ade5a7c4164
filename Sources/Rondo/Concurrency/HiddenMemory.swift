// A watch over memory that pieces of a feature share beside its state.

import RondoAnimation

/// Says whether code has used memory that neither a state nor the tree of running effects shows: a
/// ``LockIsolated``, a counter, a shared value that changes.
///
/// Two moments of a feature that look equal may differ in such memory. A test that compares moments
/// has to know.
package enum HiddenMemory {
  private static var isUsed: ThreadLocal<Bool> { ThreadLocal(\.hasUsedHiddenMemory) }

  /// Notes that such memory was read or changed.
  package static func noteUse() {
    isUsed.current = true
  }

  /// Runs a piece of code.
  ///
  /// - Returns: Whether it has used such memory, on this thread.
  package static func isUsed(by body: () -> Void) -> Bool {
    isUsed.with(false) {
      body()
      return isUsed.current
    }
  }
}
