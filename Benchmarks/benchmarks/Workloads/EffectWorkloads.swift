// One effect with a task, awaited.

import Rondo

struct Runner: Reducer {
  enum Action {
    case run
    case answered
  }

  func reduce(into state: inout Int, action: Action) -> Effect<Action> {
    switch action {
    case .run:
      return .run { send in await send(.answered) }
    case .answered:
      state += 1
      return .none
    }
  }
}

@MainActor
final class Tally {
  var count = 0
}

let effectWorkloads = [
  Workload(
    "effect_run", sizes: [10_000], counted: [1_000, 10_000], reach: "<= 1.3 x floor",
    body: { size, stopwatch in
      let store = Store(initialState: 0) { Runner() }
      await stopwatch.measure {
        for _ in 0..<size { await store.send(.run).finish() }
      }
      precondition(store.state == size)
    },
    floor: { size, stopwatch in
      let tally = Tally()
      await stopwatch.measure {
        for _ in 0..<size {
          await Task.detached { await MainActor.run { tally.count += 1 } }.value
        }
      }
      precondition(tally.count == size)
    })
]
