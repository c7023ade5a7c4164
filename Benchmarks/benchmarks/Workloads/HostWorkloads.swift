// Many machines in one process.

import Rondo

private actor BareCounter {
  private var count = 0

  func increment() { count += 1 }
}

let hostWorkloads = [
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
    })
]

private func fromTwoThreads(_ body: @escaping @Sendable (_ half: Int) async -> Void) async {
  await withTaskGroup(of: Void.self) { group in
    for half in 0..<2 { group.addTask { await body(half) } }
  }
}
