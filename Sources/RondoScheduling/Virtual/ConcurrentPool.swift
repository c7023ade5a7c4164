// The threads that tasks without an executor of their own run on: how many jobs they were given.

import Synchronization

/// The concurrent pool of the process. Its jobs are counted from the first time that somebody asks.
///
/// The concurrency library has a hook that it calls for each job that it gives to the pool. A program
/// that has no test timeline, and runs no code on a main serial executor, never sets it.
package enum ConcurrentPool {
  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  private static let jobCount = Atomic(0)
  private static let sendsToMainActor = Atomic(false)
  private static let lock = Mutex(())

  private static let hook: Hook = { job, original in
    jobCount.add(1, ordering: .relaxed)
    if sendsToMainActor.load(ordering: .relaxed) {
      MainActor.shared.enqueue(job)
    } else {
      original(job)
    }
  }

  /// The place of the hook in the concurrency library; `nil` where it has none.
  private static let place = loadedSymbol("swift_task_enqueueGlobal_hook").map {
    UInt(bitPattern: $0)
  }

  /// The number of jobs that the pool was given since they are counted. `nil` where they cannot be
  /// counted: the concurrency library has no hook, or other code has set it.
  static var count: Int? {
    setHook(replacingOthers: false) ? jobCount.load(ordering: .relaxed) : nil
  }

  /// Sends the jobs of the pool to the main actor, or no longer.
  ///
  /// - Returns: Whether the concurrency library has a hook for it.
  package static func sendJobs(toMainActor isOn: Bool) -> Bool {
    sendsToMainActor.store(isOn, ordering: .relaxed)
    return !isOn || setHook(replacingOthers: true)
  }

  /// Sets the hook where it is not set. Returns whether it is set.
  private static func setHook(replacingOthers isReplacing: Bool) -> Bool {
    guard let place, let pointer = UnsafeMutablePointer<UInt>(bitPattern: place) else {
      return false
    }
    let function = unsafeBitCast(hook, to: UInt.self)
    return lock.withLock { _ in
      guard pointer.pointee != function else { return true }
      guard pointer.pointee == 0 || isReplacing else { return false }
      pointer.pointee = function
      // Others may have taken the hook away for some time: then jobs have not been counted.
      jobCount.add(1, ordering: .relaxed)
      return true
    }
  }
}
