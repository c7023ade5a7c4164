// Waiting behind all that waits on the main queue.

import Dispatch

/// An actor on the main queue: a task of the main actor that passes through it lets all work run that
/// waits on the queue.
///
/// A continuation would do the same, but the task that it resumes goes through the concurrent pool: that
/// may have to wake a thread, and counts as a job of the pool.
package actor MainQueueLine {
  package static let shared = MainQueueLine()

  private final class Executor: SerialExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      DispatchQueue.main.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }

  private nonisolated let executor = Executor()

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  package func passThrough() {}
}

/// Whether an isolation is the main actor. Only then somebody serves the main queue for certain.
package func isOnMainActor(_ isolation: (any Actor)?) -> Bool {
  isolation === MainActor.shared
}
