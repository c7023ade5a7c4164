// Waiting without a clock, and threads that are certainly others.

import Foundation
import Synchronization

/// A list that anyone may append to, from anywhere.
package final class Log<Entry: Sendable>: Sendable {
  private let storage = Mutex<[Entry]>([])

  package init() {}

  package var entries: [Entry] { storage.withLock { $0 } }

  package func append(_ entry: Entry) {
    storage.withLock { $0.append(entry) }
  }
}

/// A value that is set once, from anywhere, and can be waited for.
package final class Promise<Value: Sendable>: Sendable {
  private let state = Mutex<(value: Value?, waiters: [CheckedContinuation<Value, Never>])>(
    (nil, []))

  package func fulfil(_ value: Value) {
    let waiters = state.withLock { state in
      defer { state = (value, []) }
      return state.waiters
    }
    for waiter in waiters { waiter.resume(returning: value) }
  }

  package init() {}

  package var value: Value {
    get async {
      await withCheckedContinuation { waiter in
        let value = state.withLock { state in
          if state.value == nil { state.waiters.append(waiter) }
          return state.value
        }
        if let value { waiter.resume(returning: value) }
      }
    }
  }
}

extension Promise<Void> {
  package func fulfil() { fulfil(()) }
}

/// Suspends until the task is cancelled.
package func suspendUntilCancelled() async {
  let cancelled = Promise<Void>()
  await withTaskCancellationHandler {
    await cancelled.value
  } onCancel: {
    cancelled.fulfil()
  }
}

/// Runs a closure on a new thread and blocks until it has returned.
///
/// - Parameter stackSize: The thread's stack in bytes.
@discardableResult
package func onOtherThread<Result>(stackSize: Int? = nil, _ body: @escaping () -> Result) -> Result
{
  // nonisolated(unsafe): this thread waits while the other one uses them.
  nonisolated(unsafe) let body = body
  nonisolated(unsafe) var result: Result?
  let isDone = DispatchSemaphore(value: 0)
  let thread = Thread {
    result = body()
    isDone.signal()
  }
  if let stackSize { thread.stackSize = stackSize }
  thread.start()
  isDone.wait()
  return result!
}

/// A small stack: recursion over a deep tree would not fit into it.
package let smallStack = 512 * 1024

/// An object whose end a test waits for with a weak reference.
package final class Witness: Sendable {
  package init() {}
}
