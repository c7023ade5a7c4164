// A wait that nothing but cancellation ends.

import Synchronization

/// Suspends until the task is cancelled. Unlike a long sleep, it leaves no timer behind.
func untilCancelled() async {
  let wait = Mutex(Wait())
  await withTaskCancellationHandler {
    await withUnsafeContinuation { continuation in
      let isCancelled = wait.withLock { wait in
        if !wait.isCancelled { wait.continuation = continuation }
        return wait.isCancelled
      }
      if isCancelled { continuation.resume() }
    }
  } onCancel: {
    let continuation = wait.withLock { wait in
      wait.isCancelled = true
      return wait.continuation.take()
    }
    continuation?.resume()
  }
}

private struct Wait {
  var isCancelled = false
  var continuation: UnsafeContinuation<Void, Never>?
}
