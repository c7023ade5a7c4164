// An executor on which a test runs everything, in an order that a seed decides.

import Rondo
import RondoSeededRandomness
import Synchronization

/// Keeps the jobs of all tasks, and runs them on the thread of the test, one at a time. Which ready job is
/// next is decided by chance, so other seeds show other orders.
final class Pump: TaskExecutor {
  private let state: Mutex<State>

  private struct State {
    var jobs: [UnownedJob] = []
    var random: Randomness
  }

  init(_ random: Randomness) {
    state = Mutex(State(random: random))
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
  }

  /// Runs jobs until there are none.
  func drain() {
    while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func next() -> UnownedJob? {
    state.withLock { state in
      guard !state.jobs.isEmpty else { return nil }
      let index = Int(state.random.next() % UInt64(state.jobs.count))
      return state.jobs.remove(at: index)
    }
  }

  /// Starts a task, without running it.
  func start(_ body: @escaping @Sendable () async -> Void) {
    Task(executorPreference: self) { await body() }
  }

  /// Runs a task, and everything else, until nothing can go on. Returns the result of the task; `nil`
  /// if it waits for something.
  @discardableResult
  func run<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) -> Result<Value, any Error>? {
    let box = LockIsolated<Result<Value, any Error>?>(nil)
    Task(executorPreference: self) {
      do {
        let value = try await body()
        box.withValue { $0 = .success(value) }
      } catch {
        box.withValue { $0 = .failure(error) }
      }
    }
    drain()
    return box.value
  }

  /// The result of a task that waits for nothing.
  func value<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    guard let result = run(body) else { throw CancellationError() }
    return try result.get()
  }
}
