// Calls that wait for their answers, whatever the answers are.

import Synchronization

/// An answer that a call can get.
///
/// What waits does not name its type: each use of a generic type costs generic code a look-up, and an explorer
/// makes and answers millions of calls.
protocol CallAnswer: AnyObject, Sendable {
  /// The error that the call is to throw; `nil` where it is to succeed.
  var error: (any Error)? { get }
  /// The answer as it is written in a test.
  ///
  /// - Parameter write: Writes a value.
  func text(_ write: (Any) -> String) -> String
}

/// The calls of an endpoint, in the order in which they were made.
final class WaitingCalls: Sendable {
  private let calls = Mutex<[MadeCall]>([])

  private enum MadeCall: Sendable {
    case made
    case waiting(UnsafeContinuation<(any CallAnswer)?, Never>, canFail: Bool)
    /// It can be answered again and again.
    case callback(@Sendable (any CallAnswer) -> Void)
    case over
  }

  /// The number of calls so far.
  var count: Int { calls.withLock { $0.count } }

  /// Makes a call, and waits for its answer.
  ///
  /// - Parameters:
  ///   - canFail: Whether the call can throw. A call that cannot goes on waiting when it is cancelled.
  ///   - didSuspend: Called with the number of the call when it can be answered.
  /// - Returns: The answer; `nil` if the call was cancelled.
  nonisolated(nonsending) func wait(
    canFail: Bool, _ didSuspend: (Int) -> Void
  ) async -> (any CallAnswer)? {
    let index = add(.made)
    return await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        guard beginWaiting(index, continuation, canFail) else {
          return continuation.resume(returning: nil)
        }
        didSuspend(index)
      }
    } onCancel: {
      if canFail { cancel(index) }
    }
  }

  /// Makes a call that is answered by a callback.
  func add(_ callback: @escaping @Sendable (any CallAnswer) -> Void) -> Int {
    add(.callback(callback))
  }

  private func add(_ call: MadeCall) -> Int {
    calls.withLock { calls in
      calls.append(call)
      return calls.count - 1
    }
  }

  /// Lets a call wait, unless it has been cancelled.
  ///
  /// - Returns: Whether it waits.
  private func beginWaiting(
    _ index: Int, _ continuation: UnsafeContinuation<(any CallAnswer)?, Never>, _ canFail: Bool
  ) -> Bool {
    calls.withLock { calls in
      guard case .made = calls[index] else { return false }
      calls[index] = .waiting(continuation, canFail: canFail)
      return true
    }
  }

  private func cancel(_ index: Int) {
    let call = calls.withLock { calls in
      defer { calls[index] = .over }
      return calls[index]
    }
    if case .waiting(let continuation, _) = call { continuation.resume(returning: nil) }
  }

  /// Whether a call can be answered.
  func isWaiting(_ index: Int) -> Bool { refusal(index) == nil }

  /// - Returns: Why a call cannot be answered; `nil` if it can.
  func refusal(_ index: Int) -> CallRefusal? {
    calls.withLock { calls in
      guard calls.indices.contains(index) else { return .isMissing }
      return switch calls[index] {
      case .waiting, .callback: nil
      case .made, .over: .isOver
      }
    }
  }

  /// Answers a call.
  ///
  /// - Returns: Why the call could not be answered; `nil` if it was.
  func answer(_ index: Int, _ answer: some CallAnswer) -> CallRefusal? {
    let call = calls.withLock { calls -> MadeCall? in
      guard calls.indices.contains(index) else { return nil }
      let call = calls[index]
      if case .waiting(_, let canFail) = call, canFail || answer.error == nil {
        calls[index] = .over
      }
      return call
    }
    switch call {
    case nil: return .isMissing
    case .made, .over: return .isOver
    case .waiting(let continuation, let canFail):
      if !canFail, let error = answer.error { return .cannotThrow(error) }
      continuation.resume(returning: answer)
    case .callback(let callback):
      if let error = answer.error { return .cannotThrow(error) }
      callback(answer)
    }
    return nil
  }
}

/// Why a call cannot be answered.
enum CallRefusal {
  case isMissing, isOver
  case cannotThrow(any Error)
}
