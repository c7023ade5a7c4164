// How a test waits for what has left its executor.

import Dispatch
import Synchronization

extension PumpedExecutor {
  /// Suspends until something has been put in the queue, or the time has come.
  ///
  /// - Parameter throughMainQueue: Whether to come back also when the main queue has done all that
  ///   it had to do by now.
  nonisolated(nonsending) func waitForArrival(
    until deadline: DispatchTime, throughMainQueue: Bool = false
  ) async {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      let waiter = Waiter(continuation)
      let timer = DispatchWorkItem { waiter.resume() }
      waiter.timer = timer
      DispatchQueue.global(qos: .userInteractive).asyncAfter(deadline: deadline, execute: timer)
      if throughMainQueue {
        DispatchQueue.main.async { waiter.resume() }
      }
      notify { waiter.resume() }
    }
    notify(nil)
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

  func resume() {
    guard let continuation = continuation.withLock({ $0.take() }) else { return }
    timer?.cancel()
    continuation.resume()
  }
}
