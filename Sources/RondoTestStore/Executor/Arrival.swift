// Waiting for work that has left the executor of a test store.

import Dispatch
import Synchronization

extension PumpedExecutor {
  /// Suspends until an item is put in the queue, the deadline passes, or the others have had their
  /// turn.
  ///
  /// - Parameters:
  ///   - deadline: The latest time to resume. Without one, no other thread has to wake up for it.
  ///   - others: The queues whose earlier work runs before this call returns, if no item arrives
  ///     first.
  nonisolated(nonsending) func waitForArrival(
    until deadline: DispatchTime?, behind others: Others = .nobody
  ) async {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      let waiter = Waiter(continuation)
      if let deadline {
        let timer = DispatchWorkItem { waiter.resume() }
        waiter.timer = timer
        DispatchQueue.global(qos: .userInteractive).asyncAfter(deadline: deadline, execute: timer)
      }
      switch others {
      case .nobody:
        break
      case .mainQueue:
        DispatchQueue.main.async { waiter.resume() }
      case .everybody:
        Task.detached {
          await Task.letEverybodyHaveTurns()
          DispatchQueue.main.async { waiter.resume() }
        }
      }
      notify { waiter.resume() }
    }
    notify(nil)
  }
}

/// The queues that may still hold earlier work.
enum Others {
  case nobody
  /// The main queue.
  case mainQueue
  /// The concurrent pool, whose waiting tasks get some turns, and then the main queue.
  case everybody
}

extension Task<Never, Never> {
  /// Waits behind the other tasks of the concurrent pool, at every priority. It does so several
  /// times, for tasks that need more than one turn.
  fileprivate static func letEverybodyHaveTurns() async {
    for _ in 0..<20 {
      for priority in [TaskPriority.high, .medium, .low, .background] {
        await Task<Void, Never>.detached(priority: priority) { await Task.yield() }.value
      }
    }
  }
}

/// A continuation that several callers may resume. Only the first call resumes it.
private final class Waiter: @unchecked Sendable {
  // @unchecked: the timer is written before any other thread knows the waiter, and then by the first
  // call that resumes.
  private let continuation: Mutex<UnsafeContinuation<Void, Never>?>
  var timer: DispatchWorkItem?

  init(_ continuation: UnsafeContinuation<Void, Never>) {
    self.continuation = Mutex(continuation)
  }

  /// - Parameter prepare: Called if this call is the first one.
  func resume(_ prepare: () -> Void = {}) {
    guard let continuation = continuation.withLock({ $0.take() }) else { return }
    prepare()
    // The timer holds this waiter.
    timer.take()?.cancel()
    continuation.resume()
  }
}
