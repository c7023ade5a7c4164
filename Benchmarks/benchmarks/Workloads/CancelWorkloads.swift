// Starting effects and cancelling each by its id.

import Rondo
import Synchronization

private struct Canceller: Reducer {
  enum Action {
    case start(Int)
    case cancel(Int)
  }

  let countdown: Countdown

  func reduce(into state: inout Int, action: Action) -> Effect<Action> {
    switch action {
    case .start(let id):
      return .run { _ in
        await untilCancelled()
        countdown.count()
      }
      .cancellable(id: id)
    case .cancel(let id):
      return .cancel(id: id)
    }
  }
}

/// The least that cancels tasks by ids and forgets those that end by themselves.
@MainActor
private final class Tasks {
  private var running: [Int: Task<Void, Never>] = [:]

  func start(_ id: Int, _ countdown: Countdown) -> Task<Void, Never> {
    let task = Task.detached {
      await untilCancelled()
      countdown.count()
      if !Task.isCancelled { await self.end(id) }
    }
    running[id] = task
    return task
  }

  func cancel(_ id: Int) {
    running.removeValue(forKey: id)?.cancel()
  }

  private func end(_ id: Int) {
    running[id] = nil
  }
}

/// Waits until so many have counted.
private final class Countdown: Sendable {
  private let remaining: Atomic<Int>
  private let end = AsyncStream.makeStream(of: Never.self)

  init(_ count: Int) {
    remaining = Atomic(count)
  }

  func count() {
    let (_, left) = remaining.subtract(1, ordering: .acquiringAndReleasing)
    if left == 0 { end.continuation.finish() }
  }

  func wait() async {
    for await _ in end.stream {}
  }
}

let cancelWorkloads = [
  // Until the last closure has come to its end: what the threads of the pool do counts as well, and
  // how far they have got by the time the last one is cancelled is a matter of chance.
  Workload(
    "cancel", sizes: [1, 1_000, 100_000], counted: [1_000, 10_000], reach: "<= 2 x floor, linear",
    body: { size, stopwatch in
      let countdown = Countdown(size)
      let store = Store(initialState: 0) { Canceller(countdown: countdown) }
      var tasks: [StoreTask] = []
      tasks.reserveCapacity(size)
      await stopwatch.measure {
        for id in 0..<size { tasks.append(store.send(.start(id))) }
        for id in 0..<size { store.send(.cancel(id)) }
        await countdown.wait()
      }
      for task in tasks { await task.finish() }
    },
    floor: { size, stopwatch in
      let countdown = Countdown(size)
      let tasks = Tasks()
      var handles: [Task<Void, Never>] = []
      handles.reserveCapacity(size)
      await stopwatch.measure {
        for id in 0..<size { handles.append(tasks.start(id, countdown)) }
        for id in 0..<size { tasks.cancel(id) }
        await countdown.wait()
      }
      for task in handles { await task.value }
    })
]
