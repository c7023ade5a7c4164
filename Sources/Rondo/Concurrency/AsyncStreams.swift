// Streams and tasks that tests and clients begin with.

import Synchronization

extension AsyncStream {
  /// A stream that never has an element and never ends.
  public static var never: Self { Self { _ in } }

  /// A stream that has ended.
  public static var finished: Self { Self { $0.finish() } }
}

extension AsyncThrowingStream where Failure == any Error {
  /// A stream that never has an element and never ends.
  public static var never: Self { Self { _ in } }

  /// A stream that has ended.
  public static func finished(throwing error: (any Error)? = nil) -> Self {
    Self { $0.finish(throwing: error) }
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
