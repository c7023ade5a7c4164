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

  private typealias Resume = @Sendable (Result<Output, any Error>) -> Void

  private enum Call {
    case made
    case waiting(Resume)
    /// A callback, which can be called again.
    case called(Resume)
    case over
  }

  /// An endpoint that nobody has called.
  public init() {}

  /// The endpoint, for a dependency that can fail.
  public func endpoint<each Argument>() -> @Sendable (repeat each Argument) async throws -> Output {
    { (_: repeat each Argument) async throws -> Output in try await self.wait { _ in } }
  }

  /// The endpoint, for a dependency that cannot fail. A call goes on waiting when it is cancelled.
  // A closure that cannot fail would do for a dependency that can, too.
  @_disfavoredOverload
  public func endpoint<each Argument>() -> @Sendable (repeat each Argument) async -> Output {
    { (_: repeat each Argument) async -> Output in await self.waitForSuccess { _ in } }
  }

  /// The endpoint, for a dependency that calls a closure back. A call can be answered more than once.
  public func endpoint() -> @Sendable (@escaping @Sendable (Output) -> Void) -> Void {
    { callback in _ = self.add(callback) }
  }

  /// The endpoint, for a dependency that takes an argument and calls a closure back. A call can be
  /// answered more than once.
  public func endpoint<Argument>()
    -> @Sendable (
      Argument, @escaping @Sendable (Output) -> Void
    ) -> Void
  {
    { _, callback in _ = self.add(callback) }
  }

  /// The endpoint, for a dependency that takes two arguments and calls a closure back. A call can be
  /// answered more than once.
  public func endpoint<First, Second>()
    -> @Sendable (
      First, Second, @escaping @Sendable (Output) -> Void
    ) -> Void
  {
    { _, _, callback in _ = self.add(callback) }
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

  /// - Returns: Whether the call could be answered.
  func resume(_ index: Int, _ outcome: Outcome<Output>) -> Bool {
    let resume = calls.withLock { calls -> Resume? in
      guard calls.indices.contains(index) else { return nil }
      switch calls[index] {
      case .waiting(let resume):
        if case .never = outcome {} else { calls[index] = .over }
        return resume
      case .called(let resume): return resume
      case .made, .over: return nil
      }
    }
    guard let resume else { return false }
    switch outcome {
    case .success(let output): resume(.success(output))
    case .failure(let error): resume(.failure(error))
    case .never: break
    }
    return true
  }

  /// Makes a call, and waits for its answer.
  ///
  /// - Parameter didSuspend: Called with the number of the call when it can be answered.
  func wait(_ didSuspend: (Int) -> Void) async throws -> Output {
    let index = add(.made)
    return try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        let isCancelled = calls.withLock { calls in
          guard case .made = calls[index] else { return true }
          calls[index] = .waiting { continuation.resume(with: $0) }
          return false
        }
        if isCancelled { return continuation.resume(throwing: CancellationError()) }
        didSuspend(index)
      }
    } onCancel: {
      cancel(index)
    }
  }

  /// Makes a call that cannot fail, and waits for its answer.
  func waitForSuccess(_ didSuspend: (Int) -> Void) async -> Output {
    await withUnsafeContinuation { continuation in
      let index = add(
        .waiting { result in
          if case .success(let output) = result { continuation.resume(returning: output) }
        })
      didSuspend(index)
    }
  }

  /// Makes a call that is answered by a callback.
  func add(_ callback: @escaping @Sendable (Output) -> Void) -> Int {
    add(
      .called { result in
        if case .success(let output) = result { callback(output) }
      })
  }

  private func add(_ call: Call) -> Int {
    calls.withLock { calls in
      calls.append(call)
      return calls.count - 1
    }
  }

  private func cancel(_ index: Int) {
    let call = calls.withLock { calls in
      defer { calls[index] = .over }
      return calls[index]
    }
    if case .waiting(let resume) = call { resume(.failure(CancellationError())) }
  }

  /// Whether a call can be answered.
  func isWaiting(_ index: Int) -> Bool {
    calls.withLock { calls in
      switch calls[index] {
      case .waiting, .called: true
      case .made, .over: false
      }
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

  /// Puts what a call can be answered next in the place of the call.
  func replace(_ call: PendingCall, with next: PendingCall) {
    calls.withLock { calls in
      guard let index = calls.firstIndex(where: { $0.id == call.id }) else { return }
      calls[index] = next
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
  /// A number for what the call has been answered so far.
  var progress: UInt64 = 0
  let isWaiting: @Sendable () -> Bool
}

/// One answer that a call can get.
struct PendingOutcome: Sendable {
  enum Kind {
    case success, failure, never, repetition
  }

  let kind: Kind
  /// The method of the endpoint that gives the answer in a test.
  var method = "answer"
  /// The answer as it is written in a test.
  let text: @Sendable () -> String
  var isRepetition: Bool { kind == .repetition }

  /// The word that a timeline has for it.
  var origin: String {
    switch kind {
    case .repetition: "once more"
    case .success, .failure, .never: method == "answer" ? "answered" : "given out"
    }
  }

  /// Gives the answer. Returns what the call can be answered after that, if it can.
  let answer: @Sendable () -> PendingCall?
}

/// An endpoint whose calls an explorer answers.
struct ExploredEndpoint: Sendable {
  /// The type that answers the calls in a test.
  let type: String
  let position: SourcePosition
  let install: @Sendable (_ index: Int, _ book: CallBook, _ values: inout DependencyValues) -> Void

  /// - Parameter install: Puts an endpoint into dependencies whose calls are answered like this.
  init<Output>(
    at position: SourcePosition,
    _ install: @escaping @Sendable (inout DependencyValues, EndpointCalls<Output>) -> Void
  ) {
    self.position = position
    type = "PendingCalls<\(Output.self)>"
    self.install = { index, book, values in
      install(&values, EndpointCalls(endpoint: index, book: book))
    }
  }

  /// - Parameter install: Puts an endpoint into dependencies that gives out streams.
  init<Element>(
    streamsAt position: SourcePosition,
    _ install: @escaping @Sendable (inout DependencyValues, EndpointStreams<Element>) -> Void
  ) {
    self.position = position
    type = "PendingStreams<\(Element.self)>"
    self.install = { index, book, values in
      install(&values, EndpointStreams(endpoint: index, book: book))
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
    try await calls.wait { book.add(pending($0, outcomes)) }
  }

  /// Makes a call that cannot fail, and waits for one of its outcomes.
  func makeWithoutFailure(_ outcomes: [Outcome<Output>]) async -> Output {
    let outcomes = withoutFailures(outcomes)
    return await calls.waitForSuccess { book.add(pending($0, outcomes)) }
  }

  /// Makes a call whose outcome is given to a callback.
  func make(
    _ outcomes: [Outcome<Output>], _ callback: @escaping @Sendable (Output) -> Void
  ) {
    book.add(pending(calls.add(callback), withoutFailures(outcomes), isRepeatable: true))
  }

  private func withoutFailures(_ outcomes: [Outcome<Output>]) -> [Outcome<Output>] {
    outcomes.filter { outcome in
      guard case .failure(let error) = outcome else { return true }
      reportIssue(
        """
        An endpoint that does not throw was given the outcome .failure(\(error)). Leave it out, or let \
        the endpoint throw.
        """)
      return false
    }
  }

  private func pending(
    _ number: Int, _ outcomes: [Outcome<Output>], isRepeatable: Bool = false
  ) -> PendingCall {
    let id = PendingCall.ID(endpoint: endpoint, number: number)
    return PendingCall(
      id: id,
      outcomes: outcomes.enumerated().map { index, outcome in
        PendingOutcome(outcome) {
          _ = calls.resume(number, outcome)
          guard isRepeatable else { return nil }
          let again = PendingOutcome(outcome, kind: .repetition) {
            _ = calls.resume(number, outcome)
            return nil
          }
          return PendingCall(
            id: id, outcomes: [again], progress: UInt64(index + 1), isWaiting: { true })
        }
      },
      isWaiting: { calls.isWaiting(number) })
  }
}

extension PendingOutcome {
  init<Output>(
    _ outcome: Outcome<Output>, kind: Kind? = nil,
    _ answer: @escaping @Sendable () -> PendingCall?
  ) {
    self.answer = answer
    switch outcome {
    case .success(let output):
      self.kind = kind ?? .success
      text = { ".success(\(output is Void ? "()" : summary(of: output, limit: 10_000)))" }
    case .failure(let error):
      self.kind = .failure
      text = { ".failure(\(summary(of: error, limit: 10_000)))" }
    case .never:
      self.kind = .never
      text = { ".never" }
    }
  }
}
