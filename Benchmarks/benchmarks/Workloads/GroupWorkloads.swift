// Many effects at once, one after another, and deep trees.

import Rondo

struct Starter: Reducer {
  enum Action {
    case start(Effect<Action>)
    case answered
  }

  func reduce(into state: inout Int, action: Action) -> Effect<Action> {
    switch action {
    case .start(let effect):
      return effect
    case .answered:
      state += 1
      return .none
    }
  }
}

private typealias Answer = Effect<Starter.Action>

@MainActor
private func start(_ effect: Effect<Starter.Action>, _ size: Int, _ stopwatch: Stopwatch) async {
  let store = Store(initialState: 0) { Starter() }
  await stopwatch.measure { await store.send(.start(effect)).finish() }
  precondition(store.state == size)
}

/// Starts what is answered before `send` returns.
@MainActor
private func settle(_ effect: Effect<Starter.Action>, _ size: Int, _ stopwatch: Stopwatch) {
  let store = Store(initialState: 0) { Starter() }
  stopwatch.measure { _ = store.send(.start(effect)) }
  precondition(store.state == size)
}

let groupWorkloads = [
  Workload(
    "effect_merge", sizes: [10, 1_000, 100_000], counted: [100, 1_000, 10_000],
    reach: "<= 2 x floor, linear",
    body: { size, stopwatch in
      let one = Answer.run { send in await send(.answered) }
      await start(.merge(repeatElement(one, count: size)), size, stopwatch)
    },
    floor: tasksAtOnce),
  Workload(
    "effect_concat", sizes: [10, 1_000, 100_000], counted: [100, 1_000, 10_000],
    reach: "<= 2.5 x floor, linear",
    body: { size, stopwatch in
      let one = Answer.run { send in await send(.answered) }
      await start(.concatenate(repeatElement(one, count: size)), size, stopwatch)
    },
    floor: tasksAtOnce),
  Workload(
    "effect_tree_left", sizes: [1_000, 10_000, 100_000], counted: [1_000, 10_000],
    isSingleThreaded: true, reach: "<= 20 x floor, linear",
    body: { size, stopwatch in
      var tree = Answer.none
      for _ in 0..<size { tree = tree.concatenate(with: .send(.answered)) }
      settle(tree, size, stopwatch)
    },
    floor: arrayOfSends),
  Workload(
    "effect_tree_right", sizes: [1_000, 10_000, 100_000], counted: [1_000, 10_000],
    isSingleThreaded: true, reach: "<= 20 x floor, linear",
    body: { size, stopwatch in
      var tree = Answer.none
      for _ in 0..<size { tree = Answer.send(.answered).concatenate(with: tree) }
      settle(tree, size, stopwatch)
    },
    floor: arrayOfSends),
]

/// As many sends in one flat merge.
@MainActor
private func arrayOfSends(_ size: Int, _ stopwatch: Stopwatch) async {
  let sends = Answer.merge((0..<size).map { _ in .send(.answered) })
  settle(sends, size, stopwatch)
}
