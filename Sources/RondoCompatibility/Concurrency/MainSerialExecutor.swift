// Running all tasks one after another, on the main thread, for tests of code without a test store.

import Rondo
import RondoScheduling
import Synchronization

/// Runs an asynchronous piece of code while all tasks of the process run one after another on the
/// main thread, in the order in which they are started and resumed. The piece itself runs on the main
/// actor, so that it does not start tasks while others run.
///
/// It is for tests of asynchronous code that has no `TestStore`, whose effects have a definite
/// order anyway. It holds for the whole process: do not run such tests at the same time as others,
/// and do not block the main thread meanwhile. Tasks that prefer an executor of their own, as the
/// effects of a test store do, stay there. If the concurrency library has no hook for this, nothing
/// changes, and that is reported.
@MainActor
public func withMainSerialExecutor<Result: Sendable>(
  operation: @MainActor @Sendable () async throws -> Result
) async rethrows -> Result {
  MainSerialExecutor.begin()
  defer { MainSerialExecutor.end() }
  return try await operation()
}

/// Runs a piece of code while all tasks of the process run one after another on the main thread, in
/// the order in which they are started and resumed:
///
/// ```swift
/// override func invokeTest() {
///   withMainSerialExecutor { super.invokeTest() }
/// }
/// ```
public func withMainSerialExecutor<Result>(
  operation: () throws -> Result
) rethrows -> Result {
  MainSerialExecutor.begin()
  defer { MainSerialExecutor.end() }
  return try operation()
}

/// Whether all tasks of the process run one after another on the main thread, until it is set to
/// `false` again. `withMainSerialExecutor(operation:)` does the same for a piece of code.
public var uncheckedUseMainSerialExecutor: Bool {
  get { MainSerialExecutor.isInUse }
  set { MainSerialExecutor.isAlwaysInUse = newValue }
}

/// Sends the jobs of the concurrent pool to the main actor.
private enum MainSerialExecutor {
  private struct Uses {
    var isAlways = false
    var count = 0
    var isInUse: Bool { isAlways || count > 0 }
  }

  private static let uses = Mutex(Uses())

  static var isInUse: Bool { uses.withLock { $0.isInUse } }

  static var isAlwaysInUse: Bool {
    get { uses.withLock { $0.isAlways } }
    set { change { $0.isAlways = newValue } }
  }

  static func begin() { change { $0.count += 1 } }
  static func end() { change { $0.count -= 1 } }

  private static func change(_ update: (inout Uses) -> Void) {
    let isDone = uses.withLock { uses in
      let wasInUse = uses.isInUse
      update(&uses)
      return uses.isInUse == wasInUse
        || ConcurrentPool.sendJobs(toMainActor: uses.isInUse)
    }
    guard !isDone else { return }
    reportIssue(
      """
      Tasks cannot be run on the main thread: this platform's concurrency library has no \
      'swift_task_enqueueGlobal_hook'. Their order is as always.
      """)
  }
}
