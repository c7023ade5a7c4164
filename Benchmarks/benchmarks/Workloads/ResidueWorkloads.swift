// The memory that a million finished effects leave behind: see the column `kept KiB`.

import Rondo

let residueWorkloads = [
  Workload(
    "residue", sizes: [1_000, 1_000_000], counted: [1_000, 10_000],
    reach: "kept: equal within 1 MiB",
    body: { size, stopwatch in
      let store = Store(initialState: 0) { Runner() }
      await stopwatch.measure {
        for _ in 0..<(size / 100) {
          let tasks = (0..<100).map { _ in store.send(.run) }
          for task in tasks { await task.finish() }
        }
      }
      precondition(store.state == size)
    })
]
