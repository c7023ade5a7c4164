// One effect with a task, awaited.

import Rondo
import Synchronization

struct Runner: Reducer {
  enum Action {
    case run
    case runElsewhere
    case answered
  }

  func reduce(into state: inout Int, action: Action) -> Effect<Action> {
    switch action {
    case .run:
      return .run { send in await send(.answered) }
    case .runElsewhere:
      return .run { send in
        await elsewhere()
        await send(.answered)
      }
    case .answered:
      state += 1
      return .none
    }
  }
}

/// As many tasks that begin at once, each with a closure that sends into an array.
@MainActor
func tasksAtOnce(_ size: Int, _ stopwatch: Stopwatch) async {
  let answers = Answers()
  let closure: nonisolated(nonsending) @Sendable (Answers) async -> Void = { await $0.send(1) }
  stopwatch.measure {
    for _ in 0..<size { Task.immediate { await closure(answers) } }
  }
  precondition(answers.numbers.count == size)
}

/// A function that the optimizer knows nothing of, and that leaves its caller's isolation.
@inline(never) @concurrent
private func elsewhere() async { theCalls.add(1, ordering: .relaxed) }
private let theCalls = Atomic(0)

private final class Answers: @unchecked Sendable {
  // @unchecked: used on the main actor only.
  private(set) var numbers: [Int] = []

  @inline(never)
  nonisolated(nonsending) func send(_ number: Int) async { numbers.append(number) }
}

let effectWorkloads = [
  Workload(
    "effect_run", sizes: [10_000], counted: [1_000, 10_000], reach: "<= 2.5 x floor",
    body: { size, stopwatch in
      let store = Store(initialState: 0) { Runner() }
      await stopwatch.measure {
        for _ in 0..<size { await store.send(.run).finish() }
      }
      precondition(store.state == size)
    },
    floor: tasksAtOnce),
  // The closure calls a function that is marked '@concurrent'.
  Workload(
    "effect_run_elsewhere", sizes: [1_000], counted: [1_000], reach: "<= 1.3 x floor",
    body: { size, stopwatch in
      let store = Store(initialState: 0) { Runner() }
      await stopwatch.measure {
        for _ in 0..<size { await store.send(.runElsewhere).finish() }
      }
      precondition(store.state == size)
    },
    floor: { size, stopwatch in
      let answers = Answers()
      let closure: nonisolated(nonsending) @Sendable (Answers) async -> Void = {
        await elsewhere()
        await $0.send(1)
      }
      await stopwatch.measure {
        for _ in 0..<size { await Task.immediate { await closure(answers) }.value }
      }
      precondition(answers.numbers.count == size)
    }),
  // The machine under a test store, on an executor that one thread empties.
  Workload(
    "effect_run_pumped", sizes: [10_000], counted: [1_000, 10_000], reach: "< 3 us",
    body: { size, stopwatch in
      let host = PumpedHost()
      let machine = Cell(initialState: 0, reducer: Runner(), isolation: host)
      var observer = MachineObserver<Int, Runner.Action>()
      observer.didReduce = { _ in }
      machine.observeForGood(observer)
      stopwatch.measure {
        for _ in 0..<size {
          let root = machine.send(.run, Transaction())
          host.queue.drain()
          precondition(root!.isEnded)
        }
      }
      precondition(machine.state == size)
    },
    floor: { size, stopwatch in
      let count = SharedCount()
      let queue = JobQueue()
      stopwatch.measure {
        for _ in 0..<size {
          Task(executorPreference: queue) { count.value.add(1, ordering: .relaxed) }
          queue.drain()
        }
      }
      precondition(count.value.load(ordering: .relaxed) == size)
    }),
]

/// The isolation of a machine that lives on one thread, as its effects do.
private struct PumpedHost: HostIsolation {
  let queue = JobQueue()

  var taskExecutor: (any TaskExecutor)? { queue }

  func runIfCurrent(_ work: () -> Void) -> Bool {
    work()
    return true
  }

  func hop(_ work: @escaping @Sendable () -> Void) {
    preconditionFailure("Nothing is emitted on another thread.")
  }
}

private final class SharedCount: Sendable {
  let value = Atomic(0)
}
