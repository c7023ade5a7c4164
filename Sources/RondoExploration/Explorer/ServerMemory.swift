// A server of an explorer that remembers what it was asked.

import Rondo
import RondoScheduling
import RondoTestStore
import Synchronization

/// A server with a memory: what it answers depends on the calls before.
///
/// ```swift
/// let server = ServerMemory([String]())
///
/// await Explorer(initialState: Notes.State()) { Notes() }
///   .actions(.addTapped, .refreshed)
///   .outcomes(of: \.api.add, on: server) { note in
///     [.success { $0.append(note) }, .failure(Offline()) { $0.append(note) }]
///   }
///   .outcomes(of: \.api.notes, on: server) { [.success { $0 }] }
///   .eventually { $0.hasFailed || $0.notes == $0.shownNotes }
///   .explore(steps: 4)
/// ```
///
/// The server takes up a call at any time after it was made, all at once, and the answer arrives at any time
/// after that. So answers arrive in another order than the one in which calls were handled, and a call that
/// fails may have been handled all the same. Each run begins with the same memory. Make the memory
/// `Hashable`: then equal moments are recognized, and fewer orders are run.
public final class ServerMemory<Memory: Sendable>: Sendable {
  let memory: Memory

  /// A server that remembers something from the start of each run.
  public init(_ memory: Memory) {
    self.memory = memory
  }

  func prepare(in book: CallBook) { _ = memory(in: book) }

  /// The memory in the run that a book belongs to.
  fileprivate func memory(in book: CallBook) -> MemoryOfRun<Memory> {
    if let known = book.memory(of: ObjectIdentifier(self)) as? MemoryOfRun<Memory> {
      return known
    }
    let memory = MemoryOfRun(memory, of: ObjectIdentifier(self))
    book.add(memory)
    return memory
  }
}

/// An outcome of a call that a server handles.
public struct ServerOutcome<Memory: Sendable, Output: Sendable>: Sendable {
  let kind: PendingOutcome.Kind
  let error: (any Error)?
  /// Changes the memory, and gives the answer; `nil` where the call does not reach the server.
  fileprivate let handle: (@Sendable (inout Memory) -> Outcome<Output>)?

  /// The server does something, and answers with what the closure returns.
  public static func success(_ handle: @escaping @Sendable (inout Memory) -> Output) -> Self {
    Self(kind: .success, error: nil) { .success(handle(&$0)) }
  }

  /// The call fails before it reaches the server.
  public static func failure(_ error: any Error) -> Self {
    Self(kind: .failure, error: error, handle: nil)
  }

  /// The server does something, and the call fails all the same: its answer is lost.
  public static func failure(
    _ error: any Error, _ handle: @escaping @Sendable (inout Memory) -> Void
  ) -> Self {
    Self(kind: .failure, error: error) { memory in
      handle(&memory)
      return .failure(error)
    }
  }

  /// The call does not come back, unless it is cancelled, and does not reach the server.
  public static var never: Self { Self(kind: .never, error: nil, handle: nil) }

  private init(
    kind: PendingOutcome.Kind, error: (any Error)?,
    handle: (@Sendable (inout Memory) -> Outcome<Output>)?
  ) {
    (self.kind, self.error, self.handle) = (kind, error, handle)
  }

  /// A fault.
  init(_ fault: GivenAnswer<Output>) {
    self.init(kind: fault.error == nil ? .never : .failure, error: fault.error, handle: nil)
  }

  fileprivate var unhandled: Outcome<Output> { error.map { .failure($0) } ?? .never }
}

/// The memory of a server in one run, of any type.
protocol RunMemory: AnyObject, Sendable {
  var server: ObjectIdentifier { get }
  /// A number that is the same where it remembers the same; `nil` where that cannot be compared.
  func number(in table: MemoryTable) -> UInt64?
}

/// Gives equal memories the same number, in all runs of a search and on all of its threads. They are compared by `==`,
/// so two that differ never have the same number by chance.
final class MemoryTable: Sendable {
  private let numbers = Mutex<[AnyHashable: UInt64]>([:])

  func number(of memory: some Sendable) -> UInt64? {
    numbers.withLock { numbers in
      guard let value = memory as? any Hashable else { return nil }
      let (key, next) = (AnyHashable(value), UInt64(numbers.count + 1))
      // A value that is not equal to itself, such as a NaN, would get a new number at each look.
      guard key == key else { return nil }
      return numbers[key]
        ?? {
          numbers[key] = next
          return next
        }()
    }
  }
}

private final class MemoryOfRun<Memory: Sendable>: RunMemory {
  let server: ObjectIdentifier
  private let value: Mutex<Memory>

  init(_ value: Memory, of server: ObjectIdentifier) {
    self.server = server
    self.value = Mutex(value)
  }

  func change<Result: Sendable>(_ change: (inout Memory) -> Result) -> Result {
    var copy = value.withLock { $0 }
    let result = change(&copy)
    value.withLock { $0 = copy }
    return result
  }

  func number(in table: MemoryTable) -> UInt64? { table.number(of: value.withLock { $0 }) }
}

extension CallBook {
  /// A closure that lets a server do something, and gives a number for the memory before.
  func handling<Memory, Result: Sendable>(
    by server: ServerMemory<Memory>, _ handle: @escaping @Sendable (inout Memory) -> Result
  ) -> @Sendable () -> (result: Result, number: UInt64) {
    let memory = server.memory(in: self)
    return {
      let number = self.number(of: memory)
      return (memory.change(handle), number)
    }
  }

  /// Adds a call that a server handles first, and answers later.
  ///
  /// - Parameter isRepeatable: Whether the answer may come twice.
  func add<Memory, Output>(
    _ id: PendingCall.ID, _ outcomes: [ServerOutcome<Memory, Output>],
    on server: ServerMemory<Memory>, isRepeatable: Bool = false,
    of calls: WaitingCalls
  ) {
    guard !outcomes.isEmpty else { return }
    let waiting = outcomes.enumerated().map { index, outcome in
      guard let handle = outcome.handle else {
        return answer(id, GivenAnswer(outcome.unhandled), of: calls)
      }
      let handling = handling(by: server, handle)
      // The answer on its way follows from the call and from the memory before it was handled.
      @Sendable func handled(after earlier: UInt64?) -> PendingCall {
        let (result, memory) = handling()
        let progress =
          earlier.map { mixed(mixed(memory, $0), 1) } ?? mixed(memory, UInt64(index + 1))
        let answer = GivenAnswer(result)
        var next = [arrival(id, answer, progress, isRepeatable: isRepeatable, of: calls)]
        if earlier == nil {
          next.append(
            PendingOutcome(kind: .repetition, method: "handle", written: { _ in "" }) {
              handled(after: progress)
            })
        }
        return PendingCall(
          id: id, outcomes: next, progress: progress, isWaiting: { calls.isWaiting(id.number) })
      }
      // A failure is one at once: what is spent of the limit is known before it arrives.
      return PendingOutcome(
        kind: outcome.kind == .failure ? .failure : .handling, method: "handle",
        written: { write in outcome.error.map { ".failure(\(write($0)))" } ?? "" }
      ) { handled(after: nil) }
    }
    add(PendingCall(id: id, outcomes: waiting) { calls.isWaiting(id.number) })
  }

  /// The answer that a server has sent off. It has been counted as a fault, where it is one.
  private func arrival(
    _ id: PendingCall.ID, _ answer: some CallAnswer, _ progress: UInt64, isRepeatable: Bool,
    of calls: WaitingCalls
  ) -> PendingOutcome {
    PendingOutcome(kind: .success, written: answer.text) {
      _ = calls.answer(id.number, answer)
      return isRepeatable ? .repetition(id, answer, mixed(progress, 2), of: calls) : nil
    }
  }

  private func answer(
    _ id: PendingCall.ID, _ answer: some CallAnswer, of calls: WaitingCalls
  ) -> PendingOutcome {
    let isNever = answer.error == nil
    return PendingOutcome(kind: isNever ? .never : .failure, written: answer.text) {
      if !isNever { _ = calls.answer(id.number, answer) }
      return nil
    }
  }
}

// MARK: - Endpoints

extension Explorer {
  /// Lets a server with a memory answer the calls of an endpoint, at any time after each call.
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint, with up to three arguments.
  ///   - server: The server. Several endpoints can share one.
  ///   - outcomes: What a call can come to: a success, an error that the endpoint can throw, or `.never`. Where nothing
  ///     else happens, it is the first.
  public func outcomes<each Argument, Memory: Sendable, Output: Sendable, Failure: Error>(
    of keyPath: EndpointKeyPath<
      nonisolated(nonsending) @Sendable (repeat each Argument) async throws(Failure) -> Output
    >,
    on server: ServerMemory<Memory>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    @ListBuilder<ServerOutcome<Memory, Output>>
    _ outcomes: @escaping @Sendable (repeat each Argument) -> [ServerOutcome<Memory, Output>]
  ) -> Self {
    answering(
      keyPath, SourcePosition(fileID, filePath, line, column), server, failure: Failure.self,
      outcomes)
  }

  /// Lets a server with a memory answer the calls of an endpoint that leaves its caller's isolation: one that is marked
  /// `@concurrent`, or of a module without `NonisolatedNonsendingByDefault`.
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint, with up to three arguments.
  ///   - server: The server. Several endpoints can share one.
  ///   - isConcurrent: Not to be given. It tells the two forms apart.
  ///   - outcomes: What a call can come to.
  public func outcomes<each Argument, Memory: Sendable, Output: Sendable, Failure: Error>(
    of keyPath: EndpointKeyPath<
      @concurrent @Sendable (repeat each Argument) async throws(Failure) -> Output
    >,
    on server: ServerMemory<Memory>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    isConcurrent: Bool = true,
    @ListBuilder<ServerOutcome<Memory, Output>>
    _ outcomes: @escaping @Sendable (repeat each Argument) -> [ServerOutcome<Memory, Output>]
  ) -> Self {
    answering(
      keyPath, SourcePosition(fileID, filePath, line, column), server, failure: Failure.self,
      outcomes)
  }

  /// Lets a server with a memory call the closures back that an endpoint is given.
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint, with up to two arguments before the closure.
  ///   - server: The server. Several endpoints can share one.
  ///   - outcomes: What a call can come to: a success, or `.never`.
  public func outcomes<each Argument, Memory: Sendable, Output: Sendable>(
    ofCallback keyPath: EndpointKeyPath<
      @Sendable (repeat each Argument, @escaping @Sendable (Output) -> Void) -> Void
    >,
    on server: ServerMemory<Memory>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    @ListBuilder<ServerOutcome<Memory, Output>>
    _ outcomes: @escaping @Sendable (repeat each Argument) -> [ServerOutcome<Memory, Output>]
  ) -> Self {
    let outcomes = FunctionOfArguments(outcomes)
    return adding(
      ExploredEndpoint("ofCallback", SourcePosition(fileID, filePath, line, column)) {
        (calls: EndpointCalls<Output>) in
        calls.prepare(server)
        return CallbackEndpoint(keyPath: keyPath, function: outcomes) {
          calls.make($0, on: server, $1)
        }
      }, outcomes.count + 1)
  }

  /// Lets a server with a memory fill the streams of an endpoint. Each element is what the server has when it
  /// sends it off, and arrives at any time after that.
  ///
  /// ```swift
  /// .outcomes(ofStream: \.api.notes, on: server) { [.elements({ $0 }, { $0 })] }
  /// ```
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint, with up to three arguments.
  ///   - server: The server. Several endpoints can share one.
  ///   - outcomes: What a stream can give out. The elements are closures that change the memory, and return what is
  ///     given out.
  public func outcomes<
    each Argument, Memory: Sendable, Stream: PendingStream & SendableMetatype
  >(
    ofStream keyPath: EndpointKeyPath<@Sendable (repeat each Argument) -> Stream>,
    on server: ServerMemory<Memory>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    @ListBuilder<StreamOutcome<@Sendable (inout Memory) -> Stream.Element>>
    _ outcomes:
      @escaping @Sendable (repeat each Argument) -> [StreamOutcome<
        @Sendable (inout Memory) -> Stream.Element
      >]
  ) -> Self where Stream.Element: Sendable {
    let outcomes = FunctionOfArguments(outcomes)
    return adding(
      ExploredEndpoint(streams: "ofStream", SourcePosition(fileID, filePath, line, column)) {
        (streams: EndpointStreams<Stream.Element>) in
        streams.prepare(server)
        return StreamEndpoint(keyPath: keyPath, function: outcomes) { outcomes -> Stream in
          streams.make(outcomes, on: server)
        }
      }, outcomes.count)
  }

  private func answering<each Argument, Memory: Sendable, Output: Sendable, Failure: Error>(
    _ keyPath: any AnyKeyPath & Sendable, _ position: SourcePosition,
    _ server: ServerMemory<Memory>, failure: Failure.Type,
    _ outcomes: @escaping @Sendable (repeat each Argument) -> [ServerOutcome<Memory, Output>]
  ) -> Self {
    let outcomes = FunctionOfArguments(outcomes)
    return adding(
      ExploredEndpoint("of", position) { (calls: EndpointCalls<Output>) in
        calls.prepare(server)
        return AsyncEndpoint(keyPath: keyPath, function: outcomes) {
          try await calls.make($0, on: server, failure: failure)
        }
      }, outcomes.count)
  }
}
