// Streams and tasks that tests and clients begin with.

import Synchronization

extension AsyncStream {
  /// A stream that never has an element and never ends.
  public static var never: Self { Self { _ in } }

  /// A stream that has ended.
  public static var finished: Self { Self { $0.finish() } }

  /// The elements of another sequence. One that fails ends.
  public init<Elements: AsyncSequence>(_ sequence: Elements)
  where Elements.Element == Element, Elements: SendableMetatype {
    // Unchecked: the sequence and its elements are this stream's from here on.
    let sequence = UncheckedSendable(sequence)
    self.init { continuation in
      let task = Task {
        do {
          for try await element in sequence.value {
            nonisolated(unsafe) let element = element
            continuation.yield(element)
          }
        } catch {}
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

extension AsyncThrowingStream where Failure == any Error {
  /// A stream that never has an element and never ends.
  public static var never: Self { Self { _ in } }

  /// A stream that has ended.
  public static func finished(throwing error: (any Error)? = nil) -> Self {
    Self { $0.finish(throwing: error) }
  }

  /// The elements of another sequence.
  public init<Elements: AsyncSequence>(_ sequence: Elements)
  where Elements.Element == Element, Elements: SendableMetatype {
    let sequence = UncheckedSendable(sequence)
    self.init { continuation in
      let task = Task {
        do {
          for try await element in sequence.value {
            nonisolated(unsafe) let element = element
            continuation.yield(element)
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

extension AsyncSequence where Self: SendableMetatype {
  /// The same elements, as a stream. If the sequence fails the stream ends.
  public func eraseToStream() -> AsyncStream<Element> { AsyncStream(self) }

  /// The same elements, as a stream that may fail.
  public func eraseToThrowingStream() -> AsyncThrowingStream<Element, any Error> {
    AsyncThrowingStream(self)
  }
}

extension Task where Failure == Never {
  /// Waits until the task is cancelled.
  ///
  /// - Throws: `CancellationError`, then.
  nonisolated(nonsending) public static func never() async throws -> Success {
    await suspendUntilCancelled()
    throw _Concurrency.CancellationError()
  }
}

extension Task where Success == Never, Failure == Never {
  /// Waits until the task is cancelled.
  ///
  /// - Throws: `CancellationError`, then.
  nonisolated(nonsending) public static func never() async throws {
    await suspendUntilCancelled()
    throw _Concurrency.CancellationError()
  }

  /// Lets other tasks go on.
  ///
  /// A `TestStore` needs none of it: its effects have gone as far as they can when `send` returns.
  public static func megaYield(count: Int = 20) async {
    for _ in 0..<count {
      await Task<Void, Never>.detached(priority: .background) { await Task.yield() }.value
    }
  }
}

extension Task where Failure == any Error {
  /// The result. The task is cancelled when the task that waits for it is.
  public var cancellableValue: Success {
    get async throws {
      try await withTaskCancellationHandler {
        try await value
      } onCancel: {
        cancel()
      }
    }
  }
}

extension Task where Failure == Never {
  /// The result. The task is cancelled when the task that waits for it is.
  public var cancellableValue: Success {
    get async {
      await withTaskCancellationHandler {
        await value
      } onCancel: {
        cancel()
      }
    }
  }
}

/// Suspends until the task is cancelled. A stream that never yields would do, and takes four times as
/// long.
nonisolated(nonsending) private func suspendUntilCancelled() async {
  let gate = Gate()
  await withTaskCancellationHandler {
    await withUnsafeContinuation { gate.wait($0) }
  } onCancel: {
    gate.open()
  }
}

/// Holds one task back until it is opened.
private final class Gate: Sendable {
  private enum State {
    case closed
    case holds(UnsafeContinuation<Void, Never>)
    case open
  }

  private let state = Mutex(State.closed)

  func wait(_ continuation: UnsafeContinuation<Void, Never>) {
    let isOpen = state.withLock { state in
      if case .open = state { return true }
      state = .holds(continuation)
      return false
    }
    if isOpen { continuation.resume() }
  }

  func open() {
    if case .holds(let continuation) = state.withLock({ exchange(&$0, with: .open) }) {
      continuation.resume()
    }
  }
}
