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
  private let calls = WaitingCalls()

  /// An endpoint that nobody has called.
  public init() {}

  /// The endpoint, for a dependency that can fail.
  public func endpoint<each Argument>() -> @Sendable (repeat each Argument) async throws -> Output {
    { (_: repeat each Argument) async throws -> Output in
      guard let answer = await self.calls.wait(canFail: true, { _ in }) else {
        throw CancellationError()
      }
      return try GivenAnswer<Output>.output(answer)
    }
  }

  /// The endpoint, for a dependency that cannot fail. A call goes on waiting when it is cancelled.
  // A closure that cannot fail would do for a dependency that can, too.
  @_disfavoredOverload
  public func endpoint<each Argument>() -> @Sendable (repeat each Argument) async -> Output {
    { (_: repeat each Argument) async -> Output in
      // Nothing cancels it, and it is given no error.
      try! GivenAnswer<Output>.output(await self.calls.wait(canFail: false) { _ in }!)
    }
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
  public var count: Int { calls.count }

  /// Answers a call. What it lets go on runs when the store is used next.
  ///
  /// - Parameters:
  ///   - index: Which call, counted from 0.
  ///   - outcome: What it comes to. An error that the endpoint cannot throw is reported.
  ///   - strict: Whether a call that there is not, or that is over, is reported.
  public func answer(
    _ index: Int,
    _ outcome: Outcome<Output>,
    strict: Bool = true,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let problem: String
    switch resume(index, outcome) {
    case .isMissing where strict:
      problem = """
        There is no call \(index): there have been \(count), counted from 0. Answer a call that is waiting.
        """
    case .isOver where strict:
      problem = """
        Call \(index) is over: it has been answered, or cancelled. Answer a call that is waiting.
        """
    case .cannotThrow(let error):
      problem = """
        Call \(index) cannot throw \(summary(of: error)). Answer it with a success, or let the endpoint \
        throw that.
        """
    case .isMissing, .isOver, nil: return
    }
    reportIssue(problem, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// - Returns: Why the call could not be answered; `nil` if it was.
  private func resume(_ index: Int, _ outcome: Outcome<Output>) -> CallRefusal? {
    if case .never = outcome { return calls.refusal(index) }
    return calls.answer(index, GivenAnswer(outcome))
  }

  private func add(_ callback: @escaping @Sendable (Output) -> Void) -> Int {
    calls.add { if let output = try? GivenAnswer<Output>.output($0) { callback(output) } }
  }
}

/// An outcome of a call, as its answer.
final class GivenAnswer<Output: Sendable>: CallAnswer {
  let outcome: Outcome<Output>

  init(_ outcome: Outcome<Output>) {
    self.outcome = outcome
  }

  /// The result of a call that was given an answer.
  ///
  /// - Parameter answer: One for a call with this type of result.
  static func output(_ answer: any CallAnswer) throws -> Output {
    switch (answer as! Self).outcome {
    case .success(let output): return output
    case .failure(let error): throw error
    case .never: preconditionFailure("A call that never comes back is not answered.")
    }
  }

  var error: (any Error)? {
    if case .failure(let error) = outcome { error } else { nil }
  }

  func text(_ write: (Any) -> String) -> String {
    switch outcome {
    case .success(let output): ".success(\(write(output)))"
    case .failure(let error): ".failure(\(write(error)))"
    case .never: ".never"
    }
  }
}

// MARK: - For an explorer

/// The calls of one run of an explorer that wait for an answer.
final class CallBook: Sendable {
  private let state = Mutex(State())
  private let firstMisuse = Mutex<Misuse?>(nil)

  private struct State {
    var waiting: [PendingCall] = []
    /// The calls that nobody has asked for since they were made.
    var new: [NewCall] = []
    /// The number of calls of each endpoint.
    var counts: [Int] = []
    /// The effects that have made calls, as `WaitOrigin` names them.
    var callers: [any AnyObject & Sendable] = []
    var isClosed = false
    var faultKinds: FaultKinds = []
    var memories: [any RunMemory] = []
    var table: MemoryTable?
  }

  /// A call that was just made.
  struct NewCall: Sendable {
    let id: PendingCall.ID
    /// The effect that has made it, as `WaitOrigin` names it.
    let caller: (any AnyObject & Sendable)?
  }

  /// Something that an explorer was told and that makes no sense.
  struct Misuse: Sendable {
    let message: String
    let position: SourcePosition
  }

  /// The first thing that makes no sense; `nil` if there is none.
  var misuse: Misuse? { firstMisuse.withLock { $0 } }

  func note(_ message: String, at position: SourcePosition) {
    firstMisuse.withLock { $0 = $0 ?? Misuse(message: message, position: position) }
  }

  /// The faults that calls may have beside their outcomes.
  var faultKinds: FaultKinds {
    get { state.withLock { $0.faultKinds } }
    set { state.withLock { $0.faultKinds = newValue } }
  }

  /// The numbers of what servers remember; `nil` where moments are not compared.
  var table: MemoryTable? {
    get { state.withLock { $0.table } }
    set { state.withLock { $0.table = newValue } }
  }

  /// Adds what servers remember in this run, when the run begins.
  func add(_ memory: any RunMemory) { state.withLock { $0.memories.append(memory) } }

  /// The memory of a server; `nil` where it is not known yet.
  func memory(of server: ObjectIdentifier) -> (any RunMemory)? {
    state.withLock { $0.memories.first { $0.server == server } }
  }

  /// A number for all that servers remember; 0 where there are none, and `nil` where it has none.
  func numberOfMemory() -> UInt64? {
    let (memories, table) = state.withLock { ($0.memories, $0.table) }
    var sum: UInt64 = 0
    for memory in memories {
      guard let number = table.flatMap(memory.number(in:)) else { return nil }
      sum = mixed(sum, number)
    }
    return sum
  }

  /// A number for what a server remembers; 0 where moments are not compared.
  func number(of memory: some RunMemory) -> UInt64 {
    state.withLock { $0.table }.flatMap(memory.number(in:)) ?? 0
  }

  /// The effects that have made calls, as `WaitOrigin` names them.
  var callers: [any AnyObject & Sendable] { state.withLock { $0.callers } }

  func add(_ call: PendingCall) {
    let caller = WaitOrigin.current
    state.withLock { state in
      guard !state.isClosed else { return }
      if let caller { state.callers.append(caller) }
      state.waiting.append(call)
      state.new.append(NewCall(id: call.id, caller: caller))
      while state.counts.count <= call.id.endpoint { state.counts.append(0) }
      state.counts[call.id.endpoint] = call.id.number + 1
    }
  }

  /// The number of calls of each endpoint so far.
  func callCounts(_ endpointCount: Int) -> [Int] {
    let counts = state.withLock { $0.counts }
    return (0..<endpointCount).map { $0 < counts.count ? counts[$0] : 0 }
  }

  /// The calls that were made since this was asked last.
  func takeNew() -> [NewCall] {
    state.withLock { state in
      guard !state.new.isEmpty else { return [] }
      defer { state.new = [] }
      return state.new
    }
  }

  /// Forgets the calls that still wait, and all that are made from now on. Their answers, and the effects that have made
  /// them, refer to this book, so they may not stay in it.
  func close() {
    let forgotten = state.withLock { state in
      defer {
        (state.waiting, state.new, state.callers, state.isClosed) = ([], [], [], true)
      }
      return (state.waiting, state.new, state.callers)
    }
    withExtendedLifetime(forgotten) {}
  }

  /// The calls that wait, in the order in which they were made.
  func waiting() -> [PendingCall] {
    state.withLock { state in
      guard !state.waiting.isEmpty else { return [] }
      state.waiting.removeAll { !$0.isWaiting() }
      return state.waiting
    }
  }

  /// Puts what a call can be answered next in the place of the call.
  func replace(_ call: PendingCall, with next: PendingCall) {
    state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0.id == call.id }) else { return }
      state.waiting[index] = next
    }
  }

  /// Takes a call off that has an answer, or never gets one.
  func remove(_ call: PendingCall) {
    state.withLock { $0.waiting.removeAll { $0.id == call.id } }
  }
}

/// A call that waits for an answer. An object, because it is handed on at every step of a run.
final class PendingCall: Sendable {
  struct ID: Hashable, Sendable {
    /// The endpoint, counted as the explorer names them.
    let endpoint: Int
    /// The number of the call among those of its endpoint.
    let number: Int
  }

  let id: ID
  let outcomes: [PendingOutcome]
  /// A number for what the call has been answered so far.
  let progress: UInt64
  let isWaiting: @Sendable () -> Bool

  init(
    id: ID, outcomes: [PendingOutcome], progress: UInt64 = 0,
    isWaiting: @escaping @Sendable () -> Bool
  ) {
    self.id = id
    self.outcomes = outcomes
    self.progress = progress
    self.isWaiting = isWaiting
  }

  /// A call that may get the same answer again.
  static func repetition(
    _ id: ID, _ answer: any CallAnswer, _ progress: UInt64, of calls: WaitingCalls
  ) -> PendingCall {
    let again = PendingOutcome(kind: .repetition, written: answer.text) {
      _ = calls.answer(id.number, answer)
      return nil
    }
    return PendingCall(id: id, outcomes: [again], progress: progress, isWaiting: { true })
  }
}

/// One answer that a call can get.
struct PendingOutcome: Sendable {
  enum Kind {
    case success, failure, never, repetition
    /// A server handles a call, and answers it later.
    case handling

    var isFault: Bool { self != .success && self != .handling }
  }

  let kind: Kind
  /// The method of the endpoint that gives the answer in a test.
  var method = "answer"
  /// Writes the answer as a test does. It is given what writes a value.
  let written: @Sendable (_ write: (Any) -> String) -> String
  /// The answer as people read it.
  func text() -> String { written { summary(of: $0, limit: 10_000) } }
  var isRepetition: Bool { kind == .repetition }
  /// Whether a server handles a call, which nobody else notices.
  var isHandling: Bool { method == "handle" }

  /// The word that a timeline has for it.
  var origin: String {
    switch kind {
    case .repetition: method == "handle" ? "handled twice: a fault" : "comes twice: a fault"
    case .failure: "fails: a fault"
    case .never: method == "answer" ? "never comes back: a fault" : "goes silent: a fault"
    case .handling: "handled by the server"
    case .success: method == "answer" ? "answered" : "given out"
    }
  }

  /// Gives the answer. Returns what the call can be answered after that, if it can.
  let answer: @Sendable () -> PendingCall?
}

/// An endpoint whose calls an explorer answers.
struct ExploredEndpoint: Sendable {
  /// The type that answers the calls in a test.
  var type: String { "\(holder)<\(ValueCode.name(of: result) ?? "\(result)")>" }
  let result: Any.Type
  private let holder: String
  /// The label of the key path in the call that has named the endpoint.
  let label: String
  let position: SourcePosition
  let install: @Sendable (_ index: Int, _ book: CallBook, _ values: inout DependencyValues) -> Void

  /// - Parameter endpoint: The function of a dependency whose calls are answered like this.
  init<Output>(
    _ label: String, _ position: SourcePosition,
    _ endpoint: @escaping @Sendable (EndpointCalls<Output>) -> any ExploredFunction
  ) {
    self.init("PendingCalls", of: Output.self, label, position) { index, book in
      endpoint(EndpointCalls(endpoint: index, position, book))
    }
  }

  /// - Parameter endpoint: The function of a dependency that gives out streams.
  init<Element>(
    streams label: String, _ position: SourcePosition,
    _ endpoint: @escaping @Sendable (EndpointStreams<Element>) -> any ExploredFunction
  ) {
    self.init("PendingStreams", of: Element.self, label, position) { index, book in
      endpoint(EndpointStreams(endpoint: index, position, book))
    }
  }

  private init(
    _ holder: String, of result: Any.Type, _ label: String, _ position: SourcePosition,
    _ endpoint: @escaping @Sendable (_ index: Int, _ book: CallBook) -> any ExploredFunction
  ) {
    (self.holder, self.result, self.label, self.position) = (holder, result, label, position)
    install = { index, book, values in
      let endpoint = endpoint(index, book)
      guard !endpoint.set(in: &values) else { return }
      let type = "\(Swift.type(of: endpoint.keyPath).valueType)"
      book.note(
        """
        An endpoint of the type \(type) cannot be answered. \
        \(type.contains("throws(")
          ? "Let it throw any error: 'throws', without a type."
          : "Give it a result, and up to three arguments.")
        """, at: position)
    }
  }
}

/// The calls of one endpoint in one run.
///
/// An object, because closures of generic code that hold a generic value look its type up.
final class EndpointCalls<Output: Sendable>: Sendable {
  private let endpoint: Int
  private let position: SourcePosition
  private let book: CallBook
  private let calls = WaitingCalls()

  init(endpoint: Int, _ position: SourcePosition, _ book: CallBook) {
    (self.endpoint, self.position, self.book) = (endpoint, position, book)
  }

  /// Prepares for calls that a server answers: servers are known in the order of their endpoints.
  func prepare<Memory>(_ server: ServerMemory<Memory>) { server.prepare(in: book) }

  /// Makes a call, and waits for one of its outcomes.
  ///
  /// - Parameter failure: The type of what it can throw. A call that cannot throw goes on waiting when it is cancelled.
  // Not on another executor: each hop of a task takes time.
  nonisolated(nonsending) func make<Failure: Error>(
    _ outcomes: [Outcome<Output>], failure: Failure.Type
  ) async throws -> Output {
    let outcomes = possible(outcomes, failure)
    return try await wait(failure) { add($0, outcomes, isRepeatable: false) }
  }

  /// Makes a call that a server answers.
  nonisolated(nonsending) func make<Memory, Failure: Error>(
    _ outcomes: [ServerOutcome<Memory, Output>], on server: ServerMemory<Memory>,
    failure: Failure.Type
  ) async throws -> Output {
    let outcomes = possible(outcomes, failure)
    return try await wait(failure) { number in
      book.add(id(number), outcomes, on: server, of: calls)
    }
  }

  private nonisolated(nonsending) func wait<Failure: Error>(
    _ failure: Failure.Type, _ didSuspend: (Int) -> Void
  ) async throws -> Output {
    let answer = await calls.wait(canFail: canFail(failure), didSuspend)
    guard let answer else { throw CancellationError() }
    return try GivenAnswer<Output>.output(answer)
  }

  /// Whether an endpoint can throw everything.
  private func canFail<Failure: Error>(_: Failure.Type) -> Bool { Failure.self == (any Error).self }

  /// Makes a call whose answer a server gives to a callback.
  func make<Memory>(
    _ outcomes: [ServerOutcome<Memory, Output>], on server: ServerMemory<Memory>,
    _ callback: @escaping @Sendable (Output) -> Void
  ) {
    let outcomes = possible(outcomes, Never.self)
    book.add(id(add(callback)), outcomes, on: server, isRepeatable: true, of: calls)
  }

  private func add(_ callback: @escaping @Sendable (Output) -> Void) -> Int {
    calls.add { if let output = try? GivenAnswer<Output>.output($0) { callback(output) } }
  }

  /// Makes a call whose outcome is given to a callback.
  func make(
    _ outcomes: [Outcome<Output>], _ callback: @escaping @Sendable (Output) -> Void
  ) {
    let outcomes = possible(outcomes, Never.self)
    add(add(callback), outcomes, isRepeatable: true)
  }

  /// The outcomes that the endpoint can have, as answers.
  private func possible<Failure: Error>(
    _ outcomes: [Outcome<Output>], _ failure: Failure.Type
  ) -> [PossibleAnswer] {
    if outcomes.isEmpty { book.noteNoOutcome(at: position) }
    var answers: [PossibleAnswer] = []
    for index in 0..<outcomes.count {
      let outcome = outcomes[index]
      let answer = GivenAnswer(outcome)
      let kind: PendingOutcome.Kind =
        switch outcome {
        case .success: .success
        case .failure: .failure
        case .never: .never
        }
      if case .failure(let error) = outcome, !(error is Failure) {
        noteFailure(answer)
      } else {
        answers.append(PossibleAnswer(kind: kind, answer: answer))
      }
    }
    return answers + faults(beside: answers.map(\.kind), mayFail: canFail(failure))
  }

  /// The outcomes that a server's call can have.
  private func possible<Memory, Failure: Error>(
    _ outcomes: [ServerOutcome<Memory, Output>], _ failure: Failure.Type
  ) -> [ServerOutcome<Memory, Output>] {
    if outcomes.isEmpty { book.noteNoOutcome(at: position) }
    let possible = outcomes.filter { outcome in
      guard let error = outcome.error, !(error is Failure) else { return true }
      noteFailure(GivenAnswer<Output>(.failure(error)))
      return false
    }
    let faults = faults(beside: possible.map(\.kind), mayFail: canFail(failure))
    return possible
      + faults.compactMap { $0.answer as? GivenAnswer<Output> }.map { ServerOutcome($0) }
  }

  /// The faults that are made up beside the outcomes that are named.
  private func faults(
    beside kinds: [PendingOutcome.Kind], mayFail: Bool
  ) -> [PossibleAnswer] {
    let faultKinds = book.faultKinds
    guard !faultKinds.isEmpty, !kinds.isEmpty else { return [] }
    var answers: [PossibleAnswer] = []
    if faultKinds.contains(.error), mayFail, !kinds.contains(.failure) {
      answers.append(
        PossibleAnswer(kind: .failure, answer: GivenAnswer<Output>(.failure(ExplorerFault()))))
    }
    if faultKinds.contains(.never), !kinds.contains(.never) {
      answers.append(PossibleAnswer(kind: .never, answer: GivenAnswer<Output>(.never)))
    }
    return answers
  }

  private func noteFailure(_ answer: any CallAnswer) {
    book.note(
      """
      An endpoint that does not throw was given the outcome \(answer.text { summary(of: $0) }). Leave it out, or let the \
      endpoint throw.
      """, at: position)
  }

  private func id(_ number: Int) -> PendingCall.ID {
    PendingCall.ID(endpoint: endpoint, number: number)
  }

  private func add(_ number: Int, _ answers: [PossibleAnswer], isRepeatable: Bool) {
    book.add(id(number), answers, isRepeatable: isRepeatable, of: calls)
  }
}

/// An answer that a call can get.
private struct PossibleAnswer {
  let kind: PendingOutcome.Kind
  let answer: any CallAnswer
}

extension CallBook {
  /// Adds a call that waits for one of its answers.
  fileprivate func add(
    _ id: PendingCall.ID, _ answers: [PossibleAnswer], isRepeatable: Bool, of calls: WaitingCalls
  ) {
    guard !answers.isEmpty else { return }
    var outcomes: [PendingOutcome] = []
    outcomes.reserveCapacity(answers.count)
    for index in answers.indices {
      let (kind, answer) = (answers[index].kind, answers[index].answer)
      let outcome = PendingOutcome(kind: kind, written: answer.text) {
        // An explorer takes a call off that does not come back.
        guard kind != .never else { return nil }
        _ = calls.answer(id.number, answer)
        return isRepeatable ? .repetition(id, answer, UInt64(index + 1), of: calls) : nil
      }
      outcomes.append(outcome)
    }
    add(PendingCall(id: id, outcomes: outcomes) { calls.isWaiting(id.number) })
  }

  /// Takes note of a call that can come to nothing.
  func noteNoOutcome(at position: SourcePosition) {
    note(
      """
      A call has an empty list of outcomes. Name what it can come to, such as .success(…); .never is \
      for a call that does not come back.
      """, at: position)
  }
}
