// The jobs that code on the current thread gives to the concurrent pool.

import RondoAnimation
import Synchronization

/// The current thread, as the place at which jobs are given to the concurrent pool.
enum PoolThread {
  private static let runningJob = ThreadSlot()
  private static let taker = ThreadSlot()
  private static let waiter = ThreadSlot()

  /// The job of the pool that runs on the thread.
  static var job: PoolJob? {
    runningJob.pointer.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  static func run(_ job: PoolJob) {
    runningJob.pointer = Unmanaged.passUnretained(job).toOpaque()
    defer { runningJob.pointer = nil }
    job.run()
  }

  /// The cause of what code on this thread gives to the pool.
  private static var cause: PoolJobs.Ledger.Cause {
    if isResumingWaiter { return .unknown }
    if let job { return .job(job) }
    return isOnMainQueue() ? .mainActor : .unknown
  }

  /// Whether the thread is about to resume a task that has waited for the jobs of others.
  private static var isResumingWaiter: Bool { waiter.pointer != nil }

  static func resumeWaiter(_ continuation: UnsafeContinuation<Void, Never>) {
    waiter.pointer = UnsafeMutableRawPointer(bitPattern: 1)
    defer { waiter.pointer = nil }
    continuation.resume()
  }

  private static var takenJobs: TakenJobs? {
    taker.pointer.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  static func taking<Result>(_ jobs: TakenJobs, _ body: () -> Result) -> Result {
    let outer = taker.pointer
    taker.pointer = Unmanaged.passUnretained(jobs).toOpaque()
    defer { taker.pointer = outer }
    return body()
  }

  /// Called with a job that code on this thread gives to the pool.
  static func enqueue(_ job: UnownedJob) {
    if let takenJobs, takenJobs.take(job) { return }
    PoolJobs.enqueue(job, cause)
  }
}

/// Jobs that are taken away from the pool, to be run at once on the thread that has caused them.
final class TakenJobs {
  /// The jobs that have not been run yet.
  private var jobs: [UnownedJob] = []
  private let limit: Int

  /// The number of jobs that were taken.
  private(set) var count = 0

  private init(limit: Int) {
    self.limit = limit
  }

  /// Whether the limit is reached, and the pool may have been given more jobs.
  var isFull: Bool { count == limit }

  /// Takes a job, unless it has taken too many.
  func take(_ job: UnownedJob) -> Bool {
    guard count < limit else { return false }
    count += 1
    jobs.append(job)
    return true
  }

  /// Runs a piece of code. Then runs the jobs that it has given to the pool, on this thread and in
  /// their order, and the jobs that they add. So the tasks are suspended or over when this returns,
  /// unless they have gone to another executor.
  ///
  /// - Parameter limit: The number of jobs to run here. The pool gets the others: a task that yields
  ///   until something happens would never end here.
  static func run(limit: Int = 1_000, _ body: () -> Void) -> TakenJobs {
    let taken = TakenJobs(limit: limit)
    PoolThread.taking(taken) {
      body()
      taken.runAll()
    }
    return taken
  }

  private func runAll() {
    while !jobs.isEmpty {
      for job in exchange(&jobs, with: []) {
        job.runSynchronously(on: .pool)
      }
    }
  }
}

extension UnownedSerialExecutor {
  /// No executor in particular: the pool.
  static var pool: Self {
    // The concurrency library writes it as two empty words.
    unsafeBitCast((UInt(0), UInt(0)), to: Self.self)
  }
}
