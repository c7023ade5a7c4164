// A turn of the main actor.

import Dispatch
import Synchronization

/// A turn of the main actor, which runs its jobs in their order: when the turn has come, all jobs
/// that were given to the main actor before have run.
enum MainTurn {
  /// Whether the main actor has not come to an earlier turn in time.
  private static let isLate = Atomic(false)

  /// The chance that work of the main actor matters to the task that waits for a turn.
  enum Need {
    /// Another test may keep the main actor busy, and is not to slow this one down.
    case unlikely
    case possible
    case certain

    /// The longest time to wait. The main actor of a test process may be busy for seconds.
    var patience: DispatchTimeInterval {
      switch self {
      case .unlikely: .milliseconds(200)
      case .possible: .seconds(10)
      case .certain: .seconds(300)
      }
    }
  }

  /// Waits for a turn, for as long as patience lasts. While the main actor has not come to an earlier
  /// turn in time, only those wait who are certain to need it.
  nonisolated(nonsending) static func pass(_ need: Need) async {
    guard need == .certain || !isLate.load(ordering: .acquiring) else { return }
    let isNear = isOnMainQueue()
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      let once = OneShotContinuation(continuation)
      DispatchQueue.main.async {
        isLate.store(false, ordering: .releasing)
        once.resume()
      }
      // On the main queue itself the turn comes when this task is suspended.
      guard !isNear else { return }
      DispatchQueue.global(qos: .userInteractive).asyncAfter(deadline: .now() + need.patience) {
        if once.resume() { isLate.store(true, ordering: .releasing) }
      }
    }
  }
}

/// A continuation that several callers may resume. Only the first call resumes it.
private final class OneShotContinuation: Sendable {
  private let continuation: Mutex<UnsafeContinuation<Void, Never>?>

  init(_ continuation: UnsafeContinuation<Void, Never>) {
    self.continuation = Mutex(continuation)
  }

  /// - Returns: Whether this call has resumed it.
  @discardableResult
  func resume() -> Bool {
    guard let continuation = continuation.withLock({ $0.take() }) else { return false }
    PoolThread.resumeWaiter(continuation)
    return true
  }
}
