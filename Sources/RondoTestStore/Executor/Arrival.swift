// How a test waits for what has left its executor.

import Dispatch
import Synchronization

extension PumpedExecutor {
  /// Suspends until something has been put in the queue, or the time has come.
  ///
  /// - Parameters:
  ///   - deadline: The time. Without one no other thread has to wake for it.
  ///   - others: Whom to come back behind, if nothing has arrived until then.
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

extension PumpedExecutor {
  /// Gives the test's thread back, until something has been put in the queue or it is clear whether
  /// that thread has been given anything else to do.
  ///
  /// - Returns: Whether nobody has anything to do. See ``ProcessActivity``.
  nonisolated(nonsending) func waitForArrival(whileQuietSince activity: ProcessActivity) async
    -> Bool
  {
    let isQuiet = Mutex(false)
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      let waiter = Waiter(continuation)
      activity.watch { isQuietNow in
        waiter.resume { isQuiet.withLock { $0 = isQuietNow } }
      }
      notify { waiter.resume() }
    }
    notify(nil)
    return isQuiet.withLock { $0 }
  }
}

/// Those who may have something to do that was given to them before.
enum Others {
  case nobody
  /// The main queue.
  case mainQueue
  /// The concurrent pool, where those in line have some turns, then the main queue.
  case everybody
}

extension Task<Never, Never> {
  /// Goes to the end of the line of the concurrent pool at every priority, and again, for those who
  /// need more than one turn.
  fileprivate static func letEverybodyHaveTurns() async {
    for _ in 0..<20 {
      for priority in [TaskPriority.high, .medium, .low, .background] {
        await Task<Void, Never>.detached(priority: priority) { await Task.yield() }.value
      }
    }
  }
}

/// A continuation that several want to resume, of whom the first one does.
private final class Waiter: @unchecked Sendable {
  // @unchecked: the timer is written before anybody else knows of the waiter, and cancelling it is
  // safe from anywhere.
  private let continuation: Mutex<UnsafeContinuation<Void, Never>?>
  var timer: DispatchWorkItem?

  init(_ continuation: UnsafeContinuation<Void, Never>) {
    self.continuation = Mutex(continuation)
  }

  /// - Parameter prepare: Called if nobody else was first.
  func resume(_ prepare: () -> Void = {}) {
    guard let continuation = continuation.withLock({ $0.take() }) else { return }
    prepare()
    timer?.cancel()
    continuation.resume()
  }
}
