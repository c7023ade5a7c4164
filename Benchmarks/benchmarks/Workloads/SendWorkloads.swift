// Sending actions that start nothing, or answer at once.

import Foundation
import Observation
import Rondo
import RondoRecording

struct Counter: Reducer {
  struct State: Equatable {
    var count = 0
  }

  enum Action {
    case increment
    case answered
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .increment:
      state.count += 1
      return .none
    case .answered:
      return .send(.increment)
    }
  }
}

/// The least that a store with one observed property must do.
@MainActor
private final class Box: Observable {
  let registrar = ObservationRegistrar()
  var state = Counter.State()

  var count: Int {
    registrar.access(self, keyPath: \.count)
    return state.count
  }

  func send(_ action: Counter.Action, _ reducer: any Reducer<Counter.State, Counter.Action>) {
    registrar.withMutation(of: self, keyPath: \.count) {
      _ = reducer.reduce(into: &state, action: action)
    }
  }
}

/// A reducer that the compiler cannot know, as a store's.
private func someReducer() -> any Reducer<Counter.State, Counter.Action> {
  CommandLine.argc > 1_000 ? EmptyReducer() : Counter()
}

/// A recording of a store that is not kept.
@MainActor
private func recorded<State, Action>(_ store: Store<State, Action>) -> Recording? {
  try? store.record(to: URL(filePath: "/dev/null"))
}

let sendWorkloads = [
  Workload(
    "send_flat", sizes: [1_000_000], counted: [1_000, 10_000], isSingleThreaded: true,
    reach: "< 40 ns, no allocation",
    body: { size, stopwatch in
      let store = Store(initialState: Counter.State()) { Counter() }
      stopwatch.measure {
        for _ in 0..<size { store.send(.increment) }
      }
      precondition(store.count == size)
    },
    floor: { size, stopwatch in
      let reducer = someReducer()
      var state = Counter.State()
      stopwatch.measure {
        for _ in 0..<size { _ = reducer.reduce(into: &state, action: .increment) }
      }
      precondition(state.count == size)
    }),
  Workload(
    "send_observed", sizes: [100_000], counted: [1_000, 10_000], reach: "< 150 ns",
    body: { size, stopwatch in
      let store = Store(initialState: Counter.State()) { Counter() }
      for _ in 0..<size {
        withObservationTracking {
          _ = store.count
        } onChange: {
        }
        stopwatch.measure { _ = store.send(.increment) }
      }
    },
    floor: { size, stopwatch in
      let box = Box()
      let reducer = someReducer()
      for _ in 0..<size {
        withObservationTracking {
          _ = box.count
        } onChange: {
        }
        stopwatch.measure { box.send(.increment, reducer) }
      }
    }),
  Workload(
    "send_recorded", sizes: [10_000], counted: [100, 1_000], isSingleThreaded: true,
    reach: "< 100 us",
    body: { size, stopwatch in
      let store = Store(initialState: Counter.State()) { Counter() }
      let recording = recorded(store)
      stopwatch.measure {
        for _ in 0..<size { store.send(.increment) }
      }
      recording?.end()
      precondition(store.count == size && recording?.failure == nil)
    }),
  Workload(
    "effect_send_recorded", sizes: [10_000], counted: [100, 1_000], isSingleThreaded: true,
    reach: "< 200 us",
    body: { size, stopwatch in
      let store = Store(initialState: Counter.State()) { Counter() }
      let recording = recorded(store)
      stopwatch.measure {
        for _ in 0..<size { store.send(.answered) }
      }
      recording?.end()
      precondition(store.count == size && recording?.failure == nil)
    }),
  Workload(
    "effect_send", sizes: [1_000_000], counted: [1_000, 10_000], isSingleThreaded: true,
    reach: "< 150 ns",
    body: { size, stopwatch in
      let store = Store(initialState: Counter.State()) { Counter() }
      stopwatch.measure {
        for _ in 0..<size { store.send(.answered) }
      }
      precondition(store.count == size)
    },
    floor: { size, stopwatch in
      let store = Store(initialState: Counter.State()) { Counter() }
      stopwatch.measure {
        for _ in 0..<size {
          store.send(.increment)
          store.send(.increment)
        }
      }
    }),
]
