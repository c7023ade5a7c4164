// Tasks that sleep on virtual time.

import Rondo
import Synchronization

/// The heap of the floor, which its sleepers reach from their tasks.
private final class SharedHeap: Sendable {
  private let heap = Mutex(Heap())

  func sleep(until date: Int) async {
    await withUnsafeContinuation { continuation in
      heap.withLock { $0.push(date) { continuation.resume() } }
    }
  }

  func runAll() {
    while let work = heap.withLock({ $0.pop() }) { work() }
  }
}

let clockWorkloads = [
  Workload(
    "test_clock", sizes: [1_000, 100_000], reach: "< 3 us, n log n",
    body: { size, stopwatch in
      let clock = TestClock()
      let queue = JobQueue()
      for index in 0..<size {
        Task(executorPreference: queue) {
          try await clock.sleep(for: .nanoseconds(1 + date(index, of: size)))
        }
      }
      stopwatch.measure {
        queue.drain()
        clock.advance(by: .nanoseconds(size))
        queue.drain()
      }
    },
    floor: { size, stopwatch in
      let heap = SharedHeap()
      let queue = JobQueue()
      for index in 0..<size {
        Task(executorPreference: queue) {
          await heap.sleep(until: 1 + date(index, of: size))
        }
      }
      stopwatch.measure {
        queue.drain()
        heap.runAll()
        queue.drain()
      }
    })
]
