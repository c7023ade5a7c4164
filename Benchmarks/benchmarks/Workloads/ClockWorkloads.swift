// Tasks that sleep on virtual time.

import Rondo
import RondoTesting
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
    }),
  // Tasks that anybody starts, on the concurrent pool, and a test that moves their clock.
  Workload(
    "test_clock_tasks", sizes: [500, 2_000], reach: "< 20 us, none missed",
    body: { size, stopwatch in
      let clock = TestClock()
      let woken = WokenCount()
      await withDiscardingTaskGroup { group in
        for index in 0..<size {
          group.addTask {
            try? await clock.sleep(for: .milliseconds(1 + index))
            woken.value.add(1, ordering: .relaxed)
          }
        }
        await stopwatch.measure { await clock.advance(by: .milliseconds(size)) }
        precondition(woken.value.load(ordering: .relaxed) == size)
      }
    }),
]

private final class WokenCount: Sendable {
  let value = Atomic(0)
}

#if RONDO_MACROS
  let testStoreClockWorkloads = [
    // So many effects of a test store sleep at the same time.
    Workload(
      "teststore_clock", sizes: [1, 10, 100], reach: "< 10 us, flat",
      body: { size, stopwatch in
        let clock = TestClock()
        let store = TestStore(initialState: Sleeping.State()) {
          Sleeping()
        } withDependencies: {
          $0.continuousClock = clock
        }
        await stopwatch.measure {
          for _ in 0..<size { await store.send(.sleep) }
          await clock.advance(by: .seconds(1))
          for count in 1...size { await store.receive(\.woke) { $0.count = count } }
        }
        await store.finish()
      })
  ]

  @Reducer
  private struct Sleeping {
    @ObservableState
    struct State: Equatable {
      var count = 0
    }

    enum Action {
      case sleep
      case woke
    }

    @Dependency(\.continuousClock) var clock

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .sleep:
          return .run { [clock] send in
            try await clock.sleep(for: .seconds(1))
            await send(.woke)
          }
        case .woke:
          state.count += 1
          return .none
        }
      }
    }
  }
#else
  let testStoreClockWorkloads: [Workload] = []
#endif
