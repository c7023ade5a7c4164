// A watch over memory that pieces of a feature share beside its state.

import RondoAnimation

/// Says whether code has used memory that neither a state nor the tree of running effects shows: a
/// ``LockIsolated``, a counter, a shared value that changes.
///
/// Two moments of a feature that look equal may differ in such memory. A test that compares moments
/// has to know.
package enum HiddenMemory {
  // The slot holds no pointer: its values are the two below, or none.
  private static let slot = ThreadSlot()
  private static var watched: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: 1) }
  private static var used: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: 2) }

  /// Notes that such memory was read or changed.
  package static func noteUse() {
    if slot.pointer == watched { slot.pointer = used }
  }

  /// Runs a piece of code.
  ///
  /// - Returns: Whether it has used such memory, on this thread.
  package static func isUsed(by body: () -> Void) -> Bool {
    let outer = slot.pointer
    slot.pointer = watched
    body()
    defer { slot.pointer = outer }
    return slot.pointer == used
  }
}
