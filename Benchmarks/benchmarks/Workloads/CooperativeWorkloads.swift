// Effects whose closures run on their store's isolation, as users write them.

import Rondo
import Synchronization

#if RONDO_MACROS
  @Reducer
  private struct Cooperative {
    @ObservableState
    struct State: Equatable {
      var answers = 0
    }

    enum Action {
      case run
      case merge(Int)
      case concatenate(Int)
      case wait(id: Int)
      case cancel(id: Int)
      case answered
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .run:
          return .run { send in await send(.answered) }
        case .merge(let count):
          return .merge((0..<count).map { _ in .run { send in await send(.answered) } })
        case .concatenate(let count):
          return .concatenate((0..<count).map { _ in .run { send in await send(.answered) } })
        case .wait(let id):
          return .run { _ in try await Task.never() }.cancellable(id: id)
        case .cancel(let id):
          return .cancel(id: id)
        case .answered:
          state.answers += 1
          return .none
        }
      }
    }
  }

  @MainActor
  private func makeStore() -> StoreOf<Cooperative> {
    Store(
      initialState: Cooperative.State(), reducer: { Cooperative() }, effects: .cooperative)
  }

  let cooperativeWorkloads = [
    Workload(
      "cooperative_run", sizes: [10_000], reach: "< 1 us",
      body: { size, stopwatch in
        let store = makeStore()
        await stopwatch.measure {
          for _ in 0..<size { await store.send(.run).finish() }
        }
        precondition(store.answers == size)
      }, floor: tasksOnAQueue),
    Workload(
      "cooperative_merge", sizes: [1_000], reach: "< 0.8 us",
      body: { size, stopwatch in
        let store = makeStore()
        await stopwatch.measure { await store.send(.merge(size)).finish() }
        precondition(store.answers == size)
      }, floor: tasksOnAQueue),
    Workload(
      "cooperative_concat", sizes: [1_000], reach: "< 1 us",
      body: { size, stopwatch in
        let store = makeStore()
        await stopwatch.measure { await store.send(.concatenate(size)).finish() }
        precondition(store.answers == size)
      }, floor: tasksOnAQueue),
    Workload(
      "cooperative_cancel", sizes: [1_000], reach: "< 1.5 us",
      body: { size, stopwatch in
        let store = makeStore()
        var tasks: [StoreTask] = []
        tasks.reserveCapacity(size)
        await stopwatch.measure {
          for id in 0..<size { tasks.append(store.send(.wait(id: id))) }
          for id in 0..<size { store.send(.cancel(id: id)) }
          for task in tasks { await task.finish() }
        }
      }),
  ]
#else
  let cooperativeWorkloads: [Workload] = []
#endif

/// As many bare tasks on an executor that the same thread empties.
@MainActor
private func tasksOnAQueue(_ size: Int, _ stopwatch: Stopwatch) async {
  let count = TaskCount()
  let queue = JobQueue()
  stopwatch.measure {
    for _ in 0..<size {
      Task(executorPreference: queue) { count.value.add(1, ordering: .relaxed) }
      queue.drain()
    }
  }
  precondition(count.value.load(ordering: .relaxed) == size)
}

private final class TaskCount: Sendable {
  let value = Atomic(0)
}
