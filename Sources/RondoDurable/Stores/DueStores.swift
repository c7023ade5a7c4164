// The stores in memory that have a timer, in the order of the moments at which they are due.

import Foundation

/// The stores in memory that have a timer: a heap, with the one that is due first at the top.
///
/// A store is here at a moment that is no later than that of its first timer. It may be here more than once, and stay
/// after its timer or itself is gone, so who takes it out asks the store.
struct DueStores {
  struct Entry {
    var due: Date
    var name: String
    /// The number of the activation of the store.
    var activation: Int
  }

  private var heap: [Entry] = []

  var count: Int { heap.count }

  /// The first moment at which a store is due; never comes where there is none.
  var first: Date { heap.first?.due ?? .distantFuture }

  /// Adds a store.
  ///
  /// Complexity: O(log *n*).
  mutating func add(_ entry: Entry) {
    var index = heap.count
    heap.append(entry)
    while index > 0, heap[index].due < heap[(index - 1) / 2].due {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Takes the first store out, if it is due.
  ///
  /// Complexity: O(log *n*).
  mutating func takeFirst(dueAt now: Date) -> Entry? {
    guard first <= now, let last = heap.popLast() else { return nil }
    guard let taken = heap.first else { return last }
    heap[0] = last
    var index = 0
    while true {
      let (left, right) = (2 * index + 1, 2 * index + 2)
      guard left < heap.count else { return taken }
      let least = right < heap.count && heap[right].due < heap[left].due ? right : left
      guard heap[least].due < heap[index].due else { return taken }
      heap.swapAt(index, least)
      index = least
    }
  }

  /// Removes all stores.
  mutating func removeAll() {
    heap.removeAll(keepingCapacity: true)
  }
}
