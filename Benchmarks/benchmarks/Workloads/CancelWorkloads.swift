// Starting effects and cancelling each by its id.

import Rondo

private struct Canceller: Reducer {
  enum Action {
    case start(Int)
    case cancel(Int)
  }

  func reduce(into state: inout Int, action: Action) -> Effect<Action> {
    switch action {
    case .start(let id):
      return .run { _ in await untilCancelled() }.cancellable(id: id)
    case .cancel(let id):
      return .cancel(id: id)
    }
  }
}

let cancelWorkloads = [
  Workload(
    "cancel", sizes: [1, 1_000, 100_000], counted: [1_000, 10_000], reach: "<= 2 x floor, linear",
    body: { size, stopwatch in
      let store = Store(initialState: 0) { Canceller() }
      var tasks: [StoreTask] = []
      tasks.reserveCapacity(size)
      stopwatch.measure {
        for id in 0..<size { tasks.append(store.send(.start(id))) }
        for id in 0..<size { store.send(.cancel(id)) }
      }
      for task in tasks { await task.finish() }
    },
    floor: { size, stopwatch in
      var tasks: [Int: Task<Void, Never>] = [:]
      var ended: [Task<Void, Never>] = []
      stopwatch.measure {
        for id in 0..<size {
          tasks[id] = Task.detached { await untilCancelled() }
        }
        for id in 0..<size {
          guard let task = tasks.removeValue(forKey: id) else { continue }
          task.cancel()
          ended.append(task)
        }
      }
      for task in ended { await task.value }
    })
]
