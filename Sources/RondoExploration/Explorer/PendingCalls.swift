// Calls of a dependency that are answered when somebody says so.

import Rondo
import RondoScheduling
import Synchronization

/// The result of a call of a dependency.
public enum Outcome<Output: Sendable>: Sendable {
  /// It returns a value.
  case success(Output)
  /// It throws an error.
  case failure(any Error)
  /// It does not come back, unless it is cancelled.
  case never
}

/// The calls of one endpoint of a dependency, each of which a test answers when it wants to.
///
/// ```swift
/// let search = PendingCalls<[String]>()
/// store.dependencies.api.search = search.endpoint()
///
/// await store.send(.queryChanged("b"))
/// await store.send(.queryChanged("bl"))
/// search.answer(1, .success(["bl"]))        // the second call comes back first
/// search.answer(0, .success(["b"]))
/// ```
///
/// A call that is cancelled before it is answered throws a `CancellationError`.
public final class PendingCalls<Output: Sendable>: Sendable {
  private let calls = Mutex<[Call]>([])

  private enum Call {
    case made
    case waiting(UnsafeContinuation<Output, any Error>)
    case over
  }

  /// An endpoint that nobody has called.
  public init() {}

  /// The endpoint, for the dependency.
  public func endpoint<each Argument>() -> @Sendable (repeat each Argument) async throws -> Output {
    { (_: repeat each Argument) async throws -> Output in try await self.wait { _ in } }
  }

  /// The number of calls so far.
  public var count: Int { calls.withLock { $0.count } }

  /// Answers a call. What it lets go on runs when the store is used next.
  ///
  /// - Parameters:
  ///   - index: Which call, counted from 0. One that there is not, or that is over, is reported.
  ///   - outcome: What it comes to.
  public func answer(
    _ index: Int,
    _ outcome: Outcome<Output>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    guard !resume(index, outcome) else { return }
    let problem =
      index < count
      ? "Call \(index) is over: it has been answered, or cancelled."
      : "There is no call \(index): there have been \(count), counted from 0."
    reportIssue(
      "\(problem) Answer a call that is waiting.",
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// - Returns: Whether the call was waiting.
  func resume(_ index: Int, _ outcome: Outcome<Output>) -> Bool {
    let continuation = calls.withLock { calls -> UnsafeContinuation<Output, any Error>? in
      guard calls.indices.contains(index), case .waiting(let continuation) = calls[index] else {
        return nil
      }
      if case .never = outcome {} else { calls[index] = .over }
      return continuation
    }
    guard let continuation else { return false }
    switch outcome {
    case .success(let output): continuation.resume(returning: output)
    case .failure(let error): continuation.resume(throwing: error)
    case .never: break
    }
    return true
  }

  /// Makes a call, and waits for its answer.
  ///
  /// - Parameter didSuspend: Called with the number of the call when it can be answered.
  func wait(_ didSuspend: (Int) -> Void) async throws -> Output {
    let index = calls.withLock { calls in
      calls.append(.made)
      return calls.count - 1
    }
    return try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        let isCancelled = calls.withLock { calls in
          guard case .made = calls[index] else { return true }
          calls[index] = .waiting(continuation)
          return false
        }
        if isCancelled { return continuation.resume(throwing: CancellationError()) }
        didSuspend(index)
      }
    } onCancel: {
      cancel(index)
    }
  }

  private func cancel(_ index: Int) {
    let call = calls.withLock { calls in
      defer { calls[index] = .over }
      return calls[index]
    }
    if case .waiting(let continuation) = call {
      continuation.resume(throwing: CancellationError())
    }
  }

  /// Whether a call waits for its answer.
  func isWaiting(_ index: Int) -> Bool {
    calls.withLock { calls in
      if case .waiting = calls[index] { true } else { false }
    }
  }
}

// MARK: - For an explorer

/// The calls of one run of an explorer that wait for an answer.
final class CallBook: Sendable {
  private let calls = Mutex<[PendingCall]>([])
  private let made = Mutex<[Int: Int]>([:])
  private let new = Mutex<[PendingCall.ID]>([])

  func add(_ call: PendingCall) {
    calls.withLock { $0.append(call) }
    new.withLock { $0.append(call.id) }
    made.withLock { $0[call.id.endpoint] = call.id.number + 1 }
  }

  /// The number of calls of each endpoint so far.
  func callCounts(_ endpointCount: Int) -> [Int] {
    made.withLock { made in (0..<endpointCount).map { made[$0] ?? 0 } }
  }

  /// The calls that were made since this was asked last.
  func takeNew() -> [PendingCall.ID] {
    new.withLock { new in
      guard !new.isEmpty else { return [] }
      defer { new = [] }
      return new
    }
  }

  /// The calls that wait, in the order in which they were made.
  func waiting() -> [PendingCall] {
    calls.withLock { calls in
      calls.removeAll { !$0.isWaiting() }
      return calls
    }
  }

  /// Takes a call off that has an answer, or never gets one.
  func remove(_ call: PendingCall) {
    calls.withLock { $0.removeAll { $0.id == call.id } }
  }
}

/// A call that waits for an answer.
struct PendingCall: Sendable {
  struct ID: Hashable, Sendable {
    /// The endpoint, counted as the explorer names them.
    let endpoint: Int
    /// The number of the call among those of its endpoint.
    let number: Int
  }

  let id: ID
  let outcomes: [PendingOutcome]
  let isWaiting: @Sendable () -> Bool
}

/// One answer that a call can get.
struct PendingOutcome: Sendable {
  enum Kind {
    case success, failure, never
  }

  let kind: Kind
  /// The answer as it is written in a test.
  let text: @Sendable () -> String
  let answer: @Sendable () -> Void
}

/// An endpoint whose calls an explorer answers.
struct ExploredEndpoint: Sendable {
  /// The type of what it returns.
  let outputType: String
  let position: SourcePosition
  let install: @Sendable (_ index: Int, _ book: CallBook, _ values: inout DependencyValues) -> Void

  /// - Parameter install: Puts an endpoint into dependencies whose calls are answered like this.
  init<Output>(
    at position: SourcePosition,
    _ install: @escaping @Sendable (inout DependencyValues, EndpointCalls<Output>) -> Void
  ) {
    self.position = position
    outputType = "\(Output.self)"
    self.install = { index, book, values in
      install(&values, EndpointCalls(endpoint: index, book: book))
    }
  }
}

/// The calls of one endpoint in one run.
struct EndpointCalls<Output: Sendable>: Sendable {
  let endpoint: Int
  let book: CallBook
  private let calls = PendingCalls<Output>()

  init(endpoint: Int, book: CallBook) {
    self.endpoint = endpoint
    self.book = book
  }

  /// Makes a call, and waits for one of its outcomes.
  func make(_ outcomes: [Outcome<Output>]) async throws -> Output {
    try await calls.wait { number in
      book.add(
        PendingCall(
          id: PendingCall.ID(endpoint: endpoint, number: number),
          outcomes: outcomes.map { outcome in
            PendingOutcome(outcome) { [calls] in _ = calls.resume(number, outcome) }
          },
          isWaiting: { [calls] in calls.isWaiting(number) }))
    }
  }
}

extension PendingOutcome {
  init<Output>(_ outcome: Outcome<Output>, _ answer: @escaping @Sendable () -> Void) {
    self.answer = answer
    switch outcome {
    case .success(let output):
      kind = .success
      text = { ".success(\(output is Void ? "()" : summary(of: output, limit: 10_000)))" }
    case .failure(let error):
      kind = .failure
      text = { ".failure(\(summary(of: error, limit: 10_000)))" }
    case .never:
      kind = .never
      text = { ".never" }
    }
  }
}
