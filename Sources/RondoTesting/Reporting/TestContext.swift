// Reports on account of the test that made a store, from wherever the store is.

import RondoScheduling
import Synchronization

/// The task locals of the code that made a store: with them a report reaches the test that it
/// belongs to, and the known issues around it.
///
/// Usually a report is made in the test's own task, which has them. But a store may be released, or
/// used, where they are not. So when it is made, a task is started on an executor of its own, which
/// inherits them and goes no further. Running its job, synchronously and on whichever thread, is
/// running code with the task locals of the test.
final class TestContext: Sendable {
  private let executor: ParkedExecutor?

  /// Keeps the task locals of the caller, if it is a test of Swift Testing.
  init() {
    executor = isSwiftTestCurrent ? ParkedExecutor() : nil
  }

  deinit {
    executor?.end()
  }

  /// Reports an issue: directly where the test is current, or where it is not one that could be,
  /// else with the task locals that were kept.
  func report(_ message: String, at position: SourcePosition) {
    if let executor, !isSwiftTestCurrent {
      executor.run { reportIssue(message, at: position) }
    } else {
      reportIssue(message, at: position)
    }
  }
}

/// Runs one task, a piece at a time, when it is told to.
private final class ParkedExecutor: TaskExecutor {
  private let state = Mutex(State())

  private struct State {
    var job: UnownedJob?
    var work: (@Sendable () -> Void)?
    var continuation: UnsafeContinuation<Void, Never>?
  }

  init() {
    Task(executorPreference: self) { [self] in
      while let work = takeWork() {
        work()
        await withUnsafeContinuation { continuation in
          state.withLock { $0.continuation = continuation }
        }
      }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.job = job }
  }

  func run(_ work: @escaping @Sendable () -> Void) {
    state.withLock { $0.work = work }
    goOn()
  }

  /// Lets the task end.
  func end() {
    goOn()
  }

  private func takeWork() -> (@Sendable () -> Void)? {
    state.withLock { $0.work.take() }
  }

  private func goOn() {
    state.withLock { $0.continuation.take() }?.resume()
    let job = state.withLock { $0.job.take() }
    job?.runSynchronously(on: asUnownedTaskExecutor())
  }
}
