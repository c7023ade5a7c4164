// A thread for calls that block, so that they keep no thread of the concurrent pool waiting.

import Dispatch

/// An executor with a thread of its own, for a journal whose library waits for a disk or a network.
public final class JournalThread: SerialExecutor {
  private let queue: DispatchQueue

  /// - Parameter name: The name of the queue, for debuggers.
  public init(_ name: String) {
    queue = DispatchQueue(label: name)
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
