// Test stores and differences.

import Rondo
import RondoTesting

private struct Feature: Reducer {
  struct State: Equatable {
    var count = 0
  }
  enum Action: Equatable {
    case increment, run
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .increment:
      state.count += 1
      return .none
    case .run:
      return .run { send in await send(.increment) }
    }
  }
}

private struct Row: Equatable, Identifiable {
  var id: Int
  var title = "a title"
  var isDone = false
}

@inline(never)
private func increment(_ state: inout Feature.State) {
  state.count += 1
}

@inline(never)
private func areEqual(_ lhs: Feature.State, _ rhs: Feature.State) -> Bool {
  lhs == rhs
}

let testingWorkloads = [
  Workload(
    "teststore_send", sizes: [10_000], counted: [100, 1_000], reach: "< 5 us",
    body: { size, stopwatch in
      let store = TestStore(initialState: Feature.State()) { Feature() }
      await stopwatch.measure {
        for index in 1...size {
          await store.send(.increment) { $0.count = index }
        }
      }
    },
    floor: { size, stopwatch in
      var state = Feature.State()
      stopwatch.measure {
        for index in 1...size {
          let before = state
          increment(&state)
          var expected = before
          expected.count = index
          precondition(areEqual(expected, state))
        }
      }
    }),
  Workload(
    "teststore_receive", sizes: [10_000], counted: [100, 1_000], reach: "< 15 us",
    body: { size, stopwatch in
      let store = TestStore(initialState: Feature.State()) { Feature() }
      await stopwatch.measure {
        for index in 1...size {
          await store.send(.run)
          await store.receive(.increment) { $0.count = index }
        }
      }
    }),
  Workload(
    "diff", sizes: [10_000], counted: [1_000, 10_000], isSingleThreaded: true,
    reach: "< 5 us per row: 50 ms",
    body: { size, stopwatch in
      let old = (0..<size).map { Row(id: $0) }
      var new = old
      new[size / 2].isDone = true
      stopwatch.measure {
        precondition(difference(from: old, to: new)!.count < 1_000)
      }
    }),
]
