// The threads that tasks without an executor of their own run on: how many jobs they were given.

import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// The concurrent pool of the process, whose jobs are counted as soon as somebody asks.
///
/// The concurrency library has a hook that it calls for each job that it gives to the pool. The hook
/// is set once and stays. A program that has no test timeline, and runs no code on a main serial
/// executor, never sets it.
package enum ConcurrentPool {
  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  private static let jobCount = Atomic(0)
  private static let sendsToMainActor = Atomic(false)

  /// The place of the hook, and the function that was put there. `nil` where the library has no hook.
  private static let hook: (place: UInt, function: UInt)? = {
    guard let place = dlsym(everyLoadedLibrary, "swift_task_enqueueGlobal_hook") else { return nil }
    place.assumingMemoryBound(to: Hook?.self).pointee = { job, original in
      jobCount.add(1, ordering: .relaxed)
      if sendsToMainActor.load(ordering: .relaxed) {
        MainActor.shared.enqueue(job)
      } else {
        original(job)
      }
    }
    return (UInt(bitPattern: place), place.assumingMemoryBound(to: UInt.self).pointee)
  }()

  /// The number of jobs that the pool was given since they are counted. `nil` where they cannot be
  /// counted, and where other code has taken the hook.
  static var count: Int? {
    isHooked ? jobCount.load(ordering: .relaxed) : nil
  }

  /// Sends the jobs of the pool to the main actor, or no longer.
  ///
  /// - Returns: Whether the concurrency library has a hook for it.
  package static func sendJobs(toMainActor isOn: Bool) -> Bool {
    sendsToMainActor.store(isOn, ordering: .relaxed)
    return isHooked
  }

  private static var isHooked: Bool {
    guard let hook, let place = UnsafePointer<UInt>(bitPattern: hook.place) else { return false }
    return place.pointee == hook.function
  }

  private static var everyLoadedLibrary: UnsafeMutableRawPointer? {
    #if canImport(Darwin)
      UnsafeMutableRawPointer(bitPattern: -2)
    #else
      nil
    #endif
  }
}
