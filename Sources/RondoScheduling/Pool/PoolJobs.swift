// The jobs of the concurrent pool, on queues that know when they are done.

import Dispatch
import Foundation
import Synchronization

/// The jobs that the concurrency library has given to its pool while somebody followed.
///
/// A task runs in pieces, called jobs: each lasts until the task is suspended. The concurrency
/// library does not tell when a job ends. So the jobs run on queues of this type, at the same priorities
/// as in the library's own pool, and by the same threads.
enum PoolJobs {
  typealias Ledger = JobLedger<PoolJob, Waiter>

  private static let ledger = Mutex(Ledger())

  private static func queue(_ qos: DispatchQoS) -> DispatchQueue {
    DispatchQueue(label: "Rondo: pool of a test that moves time", qos: qos, attributes: .concurrent)
  }

  private static let userInteractive = queue(.userInteractive)
  private static let userInitiated = queue(.userInitiated)
  private static let `default` = queue(.default)
  private static let utility = queue(.utility)
  private static let background = queue(.background)

  /// The queue of a priority, whose number is that of a quality of service.
  private static func queue(_ priority: JobPriority) -> DispatchQueue {
    switch priority.rawValue {
    case 33...: userInteractive
    case 25...: userInitiated
    case 1..<17: background
    case 17..<21: utility
    default: `default`
    }
  }

  /// Gives a job to the pool.
  static func enqueue(_ job: UnownedJob, _ cause: Ledger.Cause) {
    let poolJob = PoolJob(job)
    ledger.withLock { $0.add(poolJob, cause) }
    queue(job.priority).async {
      PoolThread.run(poolJob)
      end(poolJob)
    }
  }

  private static func end(_ job: PoolJob) {
    let ready = ledger.withLock { $0.remove(job) }
    ready.forEach { $0.resume() }
  }

  /// Waits until the jobs of the pool and of the main actor have ended, and the jobs that they have
  /// added as well. Their tasks are suspended or over then.
  ///
  /// A job that takes too long is not waited for: see ``PoolJob/isLong()`` and ``MainTurn``.
  ///
  /// - Parameter need: The chance that work of the main actor matters.
  nonisolated(nonsending) static func settle(mainActor need: MainTurn.Need) async {
    let own = PoolThread.job
    let wait = ledger.withLock { $0.beginWait(own: own) }
    // The limit is for tasks that go back and forth for ever.
    for _ in 0..<100 {
      await waitForJobs(wait)
      let before = ledger.withLock { ($0.isBusy(wait), $0.addedCount(wait)) }
      guard before.0 == false else { continue }
      await MainTurn.pass(need)
      // A job that had ended before has put its work for the main actor ahead of the turn. A job
      // that ran during the turn may have put it behind the turn.
      let after = ledger.withLock { ($0.isBusy(wait), $0.addedCount(wait)) }
      guard after != before else { break }
    }
    ledger.withLock { $0.endWait(wait) }
  }

  private nonisolated(nonsending) static func waitForJobs(_ wait: Int) async {
    guard ledger.withLock({ $0.isBusy(wait) }) else { return }
    await withUnsafeContinuation { continuation in
      let waiter = Waiter(continuation)
      if ledger.withLock({ $0.suspend(wait, waiter) }) { lookAgain() } else { waiter.resume() }
    }
  }

  // MARK: Jobs that take too long

  /// Looks from time to time for jobs that take too long, while somebody waits.
  private static func lookAgain() {
    DispatchQueue.global(qos: .userInteractive).asyncAfter(deadline: .now() + .milliseconds(10)) {
      let (ready, isAnyoneSuspended) = ledger.withLock { ledger in
        // The threads of these jobs live: a job leaves the list before its thread goes on.
        let long = ledger.jobs.filter { $0.isLong() }
        return (long.flatMap { ledger.setLong($0) }, ledger.isAnyoneSuspended)
      }
      ready.forEach { $0.resume() }
      if isAnyoneSuspended { lookAgain() }
    }
  }

  /// A task that waits for jobs. It goes on once it is resumed.
  final class Waiter: Sendable {
    private let continuation: UnsafeContinuation<Void, Never>

    init(_ continuation: UnsafeContinuation<Void, Never>) {
      self.continuation = continuation
    }

    func resume() { PoolThread.resumeWaiter(continuation) }
  }
}

/// A job on its way through the pool.
final class PoolJob: Sendable {
  private let job: UnownedJob
  private let progress = Mutex(Progress())

  private struct Progress {
    /// The thread that the job runs on.
    var thread: pthread_t?
    /// The moment of the first look at the job, and the time that its thread had computed until it.
    var firstLook: (moment: ContinuousClock.Instant, computed: Duration)?
  }

  init(_ job: UnownedJob) {
    self.job = job
  }

  func run() {
    progress.withLock { $0.thread = pthread_self() }
    job.runSynchronously(on: .pool)
  }

  /// Whether the job has computed for 20 ms, or been blocked for a second, since somebody first
  /// looked. Time without a thread, or without a processor, does not count: a busy machine does not
  /// make a job long.
  func isLong() -> Bool {
    progress.withLock { progress in
      guard let thread = progress.thread else { return false }
      let computed = timeComputed(by: thread)
      guard let firstLook = progress.firstLook else {
        progress.firstLook = (.now, computed)
        return false
      }
      return computed - firstLook.computed > .milliseconds(20)
        || .now - firstLook.moment > .seconds(1)
    }
  }
}

/// The processor time that a thread has used.
private func timeComputed(by thread: pthread_t) -> Duration {
  #if os(Linux)
    var clock = clockid_t()
    var time = timespec()
    guard pthread_getcpuclockid(thread, &clock) == 0, clock_gettime(clock, &time) == 0 else {
      return .zero
    }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  #else
    return .zero
  #endif
}
