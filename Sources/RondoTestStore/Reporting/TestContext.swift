// Reports on behalf of the test that made a store, from any place where the store is.

import RondoScheduling
import Synchronization

/// The task locals of the code that made a store: with them a report reaches the test that it
/// belongs to, and the known issues around it.
///
/// Usually a report is made in the test's own task, which has them. But a store may be released, or
/// used, in a task that does not have them. So when the store is made, a task is started on an
/// executor of its own. This task inherits the task locals, and then waits. To run code with the
/// task locals of the test, its job is run, synchronously, on any thread.
final class TestContext: IssueReporter {
  /// The executor for work of the store, which is used by one thread at a time.
  private let work: ParkedExecutor?
  /// The executor for reports, which may come from any thread, also while the store is at work.
  private let reports: Mutex<ParkedExecutor?>

  /// Keeps the task locals of the caller, if it is a test of Swift Testing.
  init() {
    work = isSwiftTestCurrent ? ParkedExecutor() : nil
    reports = Mutex(work == nil ? nil : ParkedExecutor())
  }

  deinit {
    work?.end()
    reports.withLock { $0?.end() }
  }

  /// Whether a test made the store. If none did, issues are reported as anywhere.
  var isOfTest: Bool { work != nil }

  /// Reports an issue. It reports directly if a test is current, or if no test of Swift Testing
  /// made the store. Otherwise it uses the task locals that were kept.
  func report(_ message: String, at position: SourcePosition) {
    let issue = ReportedIssue(message: message, position: position)
    if !report(issue) { RondoScheduling.reportIssue(message, at: position) }
  }

  /// Takes an issue if no test is current and a test made the store. Otherwise it returns `false`,
  /// for the next reporter.
  func report(_ issue: ReportedIssue) -> Bool {
    guard work != nil, !isSwiftTestCurrent else { return false }
    reports.withLock { executor in
      executor?.run { RondoScheduling.reportIssue(issue.message, at: issue.position) }
    }
    return true
  }

  /// Runs code with the task locals of the test, unless those of a test are in force already. The
  /// code may report issues and start tasks, which need them.
  func whileInForce<Result>(_ body: () -> Result) -> Result {
    guard let work, !isSwiftTestCurrent else { return body() }
    return run(body, on: work)
  }

  /// Runs code with the task locals of the test that made the store, even if another test is
  /// current. Finding out which test is current takes some microseconds more.
  func whileItsTestIsCurrent(_ body: () -> Void) {
    guard let work, currentSwiftTest != run({ currentSwiftTest }, on: work) else { return body() }
    run(body, on: work)
  }

  private func run<Result>(_ body: () -> Result, on work: ParkedExecutor) -> Result {
    withoutActuallyEscaping(body) { body in
      // nonisolated(unsafe): it is run on this thread, before `run` returns.
      nonisolated(unsafe) let body = body
      nonisolated(unsafe) var result: Result?
      work.run { result = body() }
      return result!
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
      while runWork() {
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

  /// Runs the work, if there is any, and releases it. Returns whether there was any.
  private func runWork() -> Bool {
    guard let work = state.withLock({ $0.work.take() }) else { return false }
    work()
    return true
  }

  private func goOn() {
    state.withLock { $0.continuation.take() }?.resume()
    let job = state.withLock { $0.job.take() }
    job?.runSynchronously(on: asUnownedTaskExecutor())
  }
}
