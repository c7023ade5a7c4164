// An executor for the floors of workloads that run on one thread.

import Synchronization

/// An executor without a thread: the caller of `drain` runs its jobs, first in, first out.
final class JobQueue: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  func drain() {
    while let waiting = takeAll() {
      for job in waiting { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }

  private func takeAll() -> [UnownedJob]? {
    jobs.withLock { jobs in
      guard !jobs.isEmpty else { return nil }
      defer { jobs = [] }
      return jobs
    }
  }
}
