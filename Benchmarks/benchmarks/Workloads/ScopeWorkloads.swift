// Stores of children, nine deep: made, found again, read, and sent to.

import Rondo

/// The store nine scopes below. Every step asks the store above it.
@MainActor
private func leaf(of store: StoreOf<Part0>) -> StoreOf<Part9> {
  store
    .scope(state: \.child, action: \.child)
    .scope(state: \.child, action: \.child)
    .scope(state: \.child, action: \.child)
    .scope(state: \.child, action: \.child)
    .scope(state: \.child, action: \.child)
    .scope(state: \.child, action: \.child)
    .scope(state: \.child, action: \.child)
    .scope(state: \.child, action: \.child)
    .scope(state: \.child, action: \.child)
}

/// The least that can be done to find a child by its name: nine key paths are followed.
@MainActor
private func floor(_ size: Int, _ stopwatch: Stopwatch) {
  let keyPath = someKeyPath()
  let state = Part0.State()
  var sum = 0
  stopwatch.measure {
    for _ in 0..<size { sum += state[keyPath: keyPath] }
  }
  precondition(sum == 0)
}

/// A key path that the compiler cannot know.
private func someKeyPath() -> KeyPath<Part0.State, Int> {
  let tail: KeyPath<Part4.State, Int> =
    CommandLine.argc > 1_000 ? \.count : \.child.child.child.child.child.count
  return (\Part0.State.child.child.child.child).appending(path: tail)
}

let scopeWorkloads = [
  Workload(
    "scope_nested10_created", sizes: [10_000], counted: [100, 1_000], isSingleThreaded: true,
    reach: "< 3000 ns",
    body: { size, stopwatch in
      let stores = (0..<size).map { _ in Store(initialState: Part0.State()) { Part0() } }
      stopwatch.measure {
        for store in stores { _ = leaf(of: store) }
      }
    },
    floor: floor),
  Workload(
    "scope_nested10_cached", sizes: [100_000], counted: [1_000, 10_000], isSingleThreaded: true,
    reach: "< 600 ns",
    body: { size, stopwatch in
      let store = Store(initialState: Part0.State()) { Part0() }
      _ = leaf(of: store)
      stopwatch.measure {
        for _ in 0..<size { _ = leaf(of: store) }
      }
    },
    floor: floor),
  Workload(
    "scope_nested10_read", sizes: [100_000], counted: [1_000, 10_000], isSingleThreaded: true,
    reach: "< 150 ns",
    body: { size, stopwatch in
      let store = Store(initialState: Part0.State()) { Part0() }
      let leaf = leaf(of: store)
      var sum = 0
      stopwatch.measure {
        for _ in 0..<size { sum += leaf.count }
      }
      precondition(sum == 0)
    },
    floor: floor),
  Workload(
    "scope_nested10_send", sizes: [100_000], counted: [1_000, 10_000], isSingleThreaded: true,
    reach: "< 1500 ns",
    body: { size, stopwatch in
      let store = Store(initialState: Part0.State()) { Part0() }
      let leaf = leaf(of: store)
      stopwatch.measure {
        for _ in 0..<size { leaf.send(.tick) }
      }
      precondition(leaf.count == size)
    },
    floor: { size, stopwatch in
      var state = Part0.State()
      stopwatch.measure {
        for _ in 0..<size { Part0.byHand(&state, deepPartAction) }
      }
      precondition(state.count == size)
    }),
]

private let deepPartAction: Part0.Action =
  .child(.child(.child(.child(.child(.child(.child(.child(.child(.tick)))))))))
