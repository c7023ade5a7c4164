// Many machines in one process.

import Rondo

private actor BareCounter {
  private var count = 0

  func increment() { count += 1 }
}

let hostWorkloads = [
  // Both are called from the main actor, in one run.
  Workload(
    // A call allocates nothing where two threads take turns, and twice where they do not: no two sizes can be compared.
    "store_actor_send", sizes: [10_000], counted: [10_000], reach: "<= 1.2 x floor",
    body: { size, stopwatch in
      let store = StoreActor(initialState: Counter.State()) { Counter() }
      await stopwatch.measure {
        for _ in 0..<size { await store.send(.increment) }
      }
    },
    floor: awaitedCalls),
  Workload(
    "store_actor_run", sizes: [10_000], counted: [1_000, 10_000], reach: "<= 1.3 x floor",
    body: { size, stopwatch in
      let store = StoreActor(initialState: 0) { Runner() }
      await stopwatch.measure {
        for _ in 0..<size { await store.send(.run).finish() }
      }
    },
    floor: awaitedCalls),
  Workload(
    "store_actor", sizes: [100_000], counted: [1_000, 10_000],
    reach: "<= 1.5 x floor, < 2 KiB each",
    body: { size, stopwatch in
      await stopwatch.measure {
        let stores = (0..<size).map { _ in
          StoreActor(initialState: Counter.State()) { Counter() }
        }
        await fromTwoThreads { half in
          for index in stride(from: half, to: size, by: 2) {
            for _ in 0..<10 { await stores[index].send(.increment) }
          }
        }
      }
    },
    floor: { size, stopwatch in
      await stopwatch.measure {
        let actors = (0..<size).map { _ in BareCounter() }
        await fromTwoThreads { half in
          for index in stride(from: half, to: size, by: 2) {
            for _ in 0..<10 { await actors[index].increment() }
          }
        }
      }
    }),
]

/// As many calls of an actor's method, each awaited on the main actor.
@MainActor
private func awaitedCalls(_ size: Int, _ stopwatch: Stopwatch) async {
  let counter = BareCounter()
  await stopwatch.measure {
    for _ in 0..<size { await counter.increment() }
  }
}

private func fromTwoThreads(_ body: @escaping @Sendable (_ half: Int) async -> Void) async {
  await withTaskGroup(of: Void.self) { group in
    for half in 0..<2 { group.addTask { await body(half) } }
  }
}
