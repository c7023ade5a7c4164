// Streams of a dependency that yield when somebody says so.

import Rondo
import RondoScheduling
import Synchronization

/// The end of a stream.
enum StreamEnd: Sendable {
  case finish
  case failure(any Error)
}

/// The elements that a stream of a dependency gives out, and its end, if it ends.
public struct StreamOutcome<Element: Sendable>: Sendable {
  let elements: [Element]
  let end: StreamEnd?

  /// The same with other elements.
  func map<Other>(_ other: (Element) -> Other) -> StreamOutcome<Other> {
    StreamOutcome<Other>(elements: elements.map(other), end: end)
  }

  /// Elements, after which the stream stays open. Without any, the stream stays silent.
  public static func elements(_ elements: Element...) -> Self {
    Self(elements: elements, end: nil)
  }

  /// Elements, after which the stream ends.
  public static func finished(after elements: Element...) -> Self {
    Self(elements: elements, end: .finish)
  }

  /// Elements, after which the stream throws an error.
  public static func failed(_ error: any Error, after elements: Element...) -> Self {
    Self(elements: elements, end: .failure(error))
  }
}

/// The streams that one endpoint of a dependency has given out, each of which yields when a test says so.
///
/// ```swift
/// let scores = PendingStreams<Int>()
/// store.dependencies.api.scores = scores.endpoint()
///
/// await store.send(.onAppear)
/// scores.yield(0, 12)
/// await store.receive(.scored(12))
/// scores.finish(0)
/// ```
public final class PendingStreams<Element: Sendable>: Sendable {
  /// The streams; `nil` for those that are over.
  private let streams = Mutex<[Open?]>([])

  private typealias Open = PendingStreamContinuation<Element>

  /// An endpoint that nobody has called.
  public init() {}

  /// The endpoint, for a dependency whose streams are `AsyncStream` or `AsyncThrowingStream`.
  public func endpoint<each Argument, Stream: PendingStream & SendableMetatype>()
    -> @Sendable (repeat each Argument) -> Stream
  where Stream.Element == Element {
    { (_: repeat each Argument) in self.makeStream { _ in } }
  }

  /// The number of streams so far.
  public var count: Int { streams.withLock { $0.count } }

  /// Yields an element. What it lets go on runs when the store is used next.
  ///
  /// - Parameters:
  ///   - index: Which stream, counted from 0.
  ///   - element: The element.
  ///   - strict: Whether a stream that there is not, or that is over, is reported.
  public func yield(
    _ index: Int,
    _ element: Element,
    strict: Bool = true,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    openStream(index, strict, SourcePosition(fileID, filePath, line, column))?.yield(element)
  }

  /// Ends a stream.
  ///
  /// - Parameters:
  ///   - index: Which stream, counted from 0.
  ///   - error: An error that it throws, if its type can.
  ///   - strict: Whether a stream that there is not, or that is over, is reported.
  public func finish(
    _ index: Int,
    throwing error: (any Error)? = nil,
    strict: Bool = true,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    openStream(index, strict, SourcePosition(fileID, filePath, line, column))?.finish(error)
  }

  /// A stream that can yield; where there is none, that is reported.
  private func openStream(_ index: Int, _ strict: Bool, _ position: SourcePosition) -> Open? {
    if let stream = stream(index) { return stream }
    guard strict else { return nil }
    reportIssue(
      index < count
        ? "Stream \(index) is over: it has ended, or was cancelled. Use a stream that is open."
        : "There is no stream \(index): there have been \(count), counted from 0.",
      at: position)
    return nil
  }

  // MARK: Streams

  /// Whether a stream can yield.
  func isOpen(_ index: Int) -> Bool { stream(index) != nil }

  private func stream(_ index: Int) -> Open? {
    streams.withLock { $0.indices.contains(index) ? $0[index] : nil }
  }

  /// - Parameter didOpen: Called with the number of the stream.
  func makeStream<Stream: PendingStream>(_ didOpen: (Int) -> Void) -> Stream
  where Stream.Element == Element {
    let (stream, continuation) = Stream.makePending()
    let index = add(continuation)
    continuation.setTermination { [self] in close(index) }
    didOpen(index)
    return stream
  }

  private func add(_ stream: Open) -> Int {
    streams.withLock { streams in
      streams.append(stream)
      return streams.count - 1
    }
  }

  private func close(_ index: Int) {
    // The stream is released outside of the lock.
    let stream = streams.withLock { $0[index].take() }
    withExtendedLifetime(stream) {}
  }

  fileprivate func deliver(_ index: Int, _ element: Element) { stream(index)?.yield(element) }
  fileprivate func end(_ index: Int, _ error: (any Error)?) { stream(index)?.finish(error) }
}

/// A stream that a test can fill: an `AsyncStream` or an `AsyncThrowingStream`.
public protocol PendingStream<Element> {
  /// The values of the stream.
  associatedtype Element

  /// Whether the stream can end with an error.
  static var canThrow: Bool { get }

  /// Makes a stream, and what fills it.
  static func makePending() -> (stream: Self, continuation: PendingStreamContinuation<Element>)
}

/// The other end of a stream that a test fills.
public struct PendingStreamContinuation<Element>: Sendable {
  let yield: @Sendable (sending Element) -> Void
  let finish: @Sendable ((any Error)?) -> Void
  let setTermination: @Sendable (@escaping @Sendable () -> Void) -> Void
}

extension PendingStream {
  public static var canThrow: Bool { false }
}

extension AsyncStream: PendingStream {
  public static func makePending()
    -> (stream: Self, continuation: PendingStreamContinuation<Element>)
  {
    let (stream, continuation) = makeStream()
    return (
      stream,
      PendingStreamContinuation(
        yield: { continuation.yield($0) }, finish: { _ in continuation.finish() },
        setTermination: { end in continuation.onTermination = { _ in end() } })
    )
  }
}

extension AsyncThrowingStream: PendingStream where Failure == any Error {
  public static var canThrow: Bool { true }

  public static func makePending()
    -> (stream: Self, continuation: PendingStreamContinuation<Element>)
  {
    let (stream, continuation) = makeStream()
    return (
      stream,
      PendingStreamContinuation(
        yield: { continuation.yield($0) }, finish: { continuation.finish(throwing: $0) },
        setTermination: { end in continuation.onTermination = { _ in end() } })
    )
  }
}

// MARK: - For an explorer

/// The streams of one endpoint in one run.
struct EndpointStreams<Element: Sendable>: Sendable {
  private let endpoint: Int
  private let position: SourcePosition
  private let book: CallBook
  private let streams = PendingStreams<Element>()

  init(endpoint: Int, _ position: SourcePosition, _ book: CallBook) {
    (self.endpoint, self.position, self.book) = (endpoint, position, book)
  }

  /// Prepares for streams that a server fills: servers are known in the order of their endpoints.
  func prepare<Memory>(_ server: ServerMemory<Memory>) { server.prepare(in: book) }

  /// An element, or what a server does for it.
  private enum Source: Sendable {
    case element(Element)
    case handling(@Sendable () -> (result: Element, number: UInt64))
  }

  /// Gives out a stream that comes to one of several outcomes.
  func make<Stream: PendingStream>(_ outcomes: [StreamOutcome<Element>]) -> Stream
  where Stream.Element == Element {
    make(outcomes.map { outcome in outcome.map { Source.element($0) } })
  }

  /// Gives out a stream that a server fills.
  func make<Memory, Stream: PendingStream>(
    _ outcomes: [StreamOutcome<@Sendable (inout Memory) -> Element>],
    on server: ServerMemory<Memory>
  ) -> Stream where Stream.Element == Element {
    make(outcomes.map { outcome in outcome.map { Source.handling(book.handling(by: server, $0)) } })
  }

  private func make<Stream: PendingStream>(_ outcomes: [StreamOutcome<Source>]) -> Stream
  where Stream.Element == Element {
    if outcomes.isEmpty { book.noteNoOutcome(at: position) }
    return streams.makeStream { add($0, outcomes, canThrow: Stream.canThrow) }
  }

  private func add(_ number: Int, _ outcomes: [StreamOutcome<Source>], canThrow: Bool) {
    guard !outcomes.isEmpty else { return }
    let faults = faults(number, beside: outcomes, canThrow: canThrow)
    let next = outcomes.enumerated().map {
      event(number, $1, position: 0, outcome: $0, faults) ?? .silence
    }
    book.add(call(number, next + faults, progress: 0))
  }

  /// The faults that are made up beside what the outcomes say: the stream ends with an error, or it goes
  /// silent, before any of its elements.
  private func faults(
    _ number: Int, beside outcomes: [StreamOutcome<Source>], canThrow: Bool
  ) -> [PendingOutcome] {
    let kinds = book.faultKinds
    var faults: [PendingOutcome] = []
    let isFailureNamed = outcomes.contains { if case .failure = $0.end { true } else { false } }
    if kinds.contains(.error), canThrow, !isFailureNamed {
      faults += end(number, .failure(ExplorerFault())).map { [$0] } ?? []
    }
    if kinds.contains(.never) {
      faults.append(
        PendingOutcome(
          kind: .never, method: PendingOutcome.silence.method, written: { _ in ".elements()" }
        ) { nil })
    }
    return faults
  }

  private func call(_ number: Int, _ outcomes: [PendingOutcome], progress: UInt64) -> PendingCall {
    PendingCall(
      id: PendingCall.ID(endpoint: endpoint, number: number), outcomes: outcomes,
      progress: progress, isWaiting: { streams.isOpen(number) })
  }

  /// The event of an outcome at a position; `nil` where nothing more comes.
  private func event(
    _ number: Int, _ outcome: StreamOutcome<Source>, position: Int, outcome index: Int,
    after memory: UInt64 = 0, _ faults: [PendingOutcome]
  ) -> PendingOutcome? {
    guard position < outcome.elements.count else { return end(number, outcome.end) }
    switch outcome.elements[position] {
    case .element(let element):
      return yielding(number, element, outcome, position, index, after: memory, faults)
    case .handling(let handle):
      return PendingOutcome(kind: .handling, method: "handle", written: { _ in "" }) {
        // The element on its way follows from the memory before it was sent off.
        let (element, before) = handle()
        let memory = mixed(memory, before)
        let arrival = yielding(number, element, outcome, position, index, after: memory, faults)
        return call(
          number, [arrival] + faults,
          progress: mixed(progress(index, position, isRepeated: false, memory), 3))
      }
    }
  }

  private func yielding(
    _ number: Int, _ element: Element, _ outcome: StreamOutcome<Source>, _ position: Int,
    _ index: Int, after memory: UInt64, _ faults: [PendingOutcome]
  ) -> PendingOutcome {
    @Sendable func following() -> PendingOutcome? {
      event(number, outcome, position: position + 1, outcome: index, after: memory, faults)
    }
    let written: @Sendable ((Any) -> String) -> String = { $0(element) }
    return PendingOutcome(kind: .success, method: "yield", written: written) {
      streams.deliver(number, element)
      var next: [PendingOutcome] = []
      if let event = following() { next += [event] + faults }
      // An element that is given out twice.
      next.append(
        PendingOutcome(kind: .repetition, method: "yield", written: written) {
          streams.deliver(number, element)
          guard let event = following() else { return nil }
          return call(
            number, [event] + faults,
            progress: progress(index, position, isRepeated: true, memory))
        })
      return call(number, next, progress: progress(index, position, isRepeated: false, memory))
    }
  }

  private func progress(
    _ outcome: Int, _ position: Int, isRepeated: Bool, _ memory: UInt64
  ) -> UInt64 {
    let place = UInt64(outcome + 1) << 32 | UInt64(position) << 1 | (isRepeated ? 1 : 0)
    return memory == 0 ? place : mixed(place, memory)
  }

  private func end(_ number: Int, _ end: StreamEnd?) -> PendingOutcome? {
    switch end {
    case .finish:
      return PendingOutcome(kind: .success, method: "finish", written: { _ in "" }) {
        streams.end(number, nil)
        return nil
      }
    case .failure(let error):
      let written: @Sendable ((Any) -> String) -> String = { "throwing: \($0(error))" }
      return PendingOutcome(kind: .failure, method: "finish", written: written) {
        streams.end(number, error)
        return nil
      }
    case nil: return nil
    }
  }
}

extension PendingOutcome {
  /// The outcome of a stream that stays open and gives out nothing.
  fileprivate static var silence: Self {
    Self(kind: .success, method: "elements", written: { _ in ".elements()" }) { nil }
  }

  /// Whether a stream gives out nothing.
  static func isSilence(_ method: String) -> Bool { method == silence.method }

  /// Whether it needs no line of a test: a stream gives out nothing by itself, and what a server does
  /// shows in its answers.
  static func isSilent(_ method: String) -> Bool { isSilence(method) || method == "handle" }
}
