// Virtual time.

import Dispatch
import Rondo

/// The floor of virtual time: a binary heap of closures, by date, then by order of scheduling.
struct Heap {
  private var items: [(date: Int, order: Int, work: @Sendable () -> Void)] = []
  private var order = 0

  mutating func push(_ date: Int, _ work: @escaping @Sendable () -> Void) {
    order += 1
    items.append((date, order, work))
    var child = items.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard precedes(child, parent) else { break }
      items.swapAt(child, parent)
      child = parent
    }
  }

  mutating func pop() -> (@Sendable () -> Void)? {
    guard !items.isEmpty else { return nil }
    items.swapAt(0, items.count - 1)
    let work = items.removeLast().work
    var parent = 0
    while true {
      var first = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < items.count {
        if precedes(child, first) { first = child }
      }
      guard first != parent else { return work }
      items.swapAt(parent, first)
      parent = first
    }
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    (items[left].date, items[left].order) < (items[right].date, items[right].order)
  }
}

/// Dates that are neither sorted nor equal.
func date(_ index: Int, of size: Int) -> Int {
  (index &* 7_919) % size
}

let timeWorkloads = [
  Workload(
    "test_scheduler", sizes: [1_000, 100_000, 1_000_000], counted: [1_000, 10_000],
    isSingleThreaded: true, reach: "<= 2 x floor, n log n",
    body: { size, stopwatch in
      let scheduler = DispatchQueue.test
      let start = scheduler.now
      stopwatch.measure {
        for index in 0..<size {
          scheduler.schedule(
            after: start.advanced(by: .nanoseconds(date(index, of: size)))
          ) {}
        }
        scheduler.advance(by: .nanoseconds(size))
      }
    },
    floor: { size, stopwatch in
      stopwatch.measure {
        var heap = Heap()
        for index in 0..<size { heap.push(date(index, of: size)) {} }
        while let work = heap.pop() { work() }
      }
    })
]
