// The hook that the concurrency library calls with every job for its pool.

import RondoAnimation
import RondoConcurrencyShims
import Synchronization

/// Sees every job that is given to the concurrent pool, for as long as somebody wants to. Only tests
/// do.
///
/// It owns a word of the concurrency library, which reads it whenever a job is enqueued.
package enum PoolHook {
  /// Whether this platform's concurrency library calls a hook.
  package static var isAvailable: Bool { rondo_enqueueGlobalHook() != nil }

  private static let uses = Mutex(Uses())

  private struct Uses {
    var isSerial = false
    var followers = 0
  }

  /// The same as in `uses`, for every job to ask.
  fileprivate static let sendsToMain = Atomic(false)

  /// Whether the jobs of the pool go to the main actor.
  package static var isSerial: Bool {
    get { uses.withLock { $0.isSerial } }
    set { change { $0.isSerial = newValue } }
  }

  /// Follows the jobs of the pool, from now until the balancing ``endFollowing()``.
  static func beginFollowing() { change { $0.followers += 1 } }

  static func endFollowing() { change { $0.followers -= 1 } }

  /// Whether the jobs of the pool are known.
  static var isFollowing: Bool {
    isAvailable && uses.withLock { $0.followers > 0 && !$0.isSerial }
  }

  private static func change(_ update: (inout Uses) -> Void) {
    uses.withLock { uses in
      update(&uses)
      guard let place = rondo_enqueueGlobalHook() else { return }
      sendsToMain.store(uses.isSerial, ordering: .relaxed)
      UnsafeMutableRawPointer(place).assumingMemoryBound(to: Hook?.self).pointee =
        uses.isSerial || uses.followers > 0 ? { willEnqueue($0, $1) } : nil
    }
  }
}

private typealias Original = @convention(thin) (UnownedJob) -> Void
private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

private func willEnqueue(_ job: UnownedJob, _ original: Original) {
  if PoolHook.sendsToMain.load(ordering: .relaxed) {
    MainActor.shared.enqueue(job)
  } else {
    PoolThread.enqueue(job)
  }
}
