// The endpoints of dependencies whose calls an explorer answers.

import Rondo
import RondoScheduling
import RondoTestStore

/// A key path to an endpoint of a dependency: `\.api.search`.
public typealias EndpointKeyPath<Endpoint> =
  WritableKeyPath<DependencyValues, Endpoint> & Sendable

// The labels differ for calls, callbacks and streams, the number of arguments is a pack, and the error is generic: with
// many functions of one name the compiler would try every combination along a chain, and give up. It takes two functions
// for one whose types differ by `@concurrent` alone. So one of them has a parameter that nobody gives.

extension Explorer {
  /// Answers the calls of an endpoint, at any time after each call and in any order.
  ///
  /// ```swift
  /// .outcomes(of: \.api.search) { query in [.success([query]), .failure(Offline())] }
  /// ```
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint, with up to three arguments.
  ///   - outcomes: What a call can come to: a success, an error that the endpoint can throw, or `.never`. Where nothing
  ///     else happens, it is the first. A call without any outcome is reported, and so is one that fails where the
  ///     endpoint cannot.
  public func outcomes<each Argument, Output: Sendable, Failure: Error>(
    of keyPath: EndpointKeyPath<
      nonisolated(nonsending) @Sendable (repeat each Argument) async throws(Failure) -> Output
    >,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    @ListBuilder<Outcome<Output>>
    _ outcomes: @escaping @Sendable (repeat each Argument) -> [Outcome<Output>]
  ) -> Self {
    answering(
      keyPath, SourcePosition(fileID, filePath, line, column), failure: Failure.self, outcomes)
  }

  /// Answers the calls of an endpoint that leaves its caller's isolation: one that is marked `@concurrent`, or of a module
  /// without `NonisolatedNonsendingByDefault`.
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint, with up to three arguments.
  ///   - isConcurrent: Not to be given. It tells the two forms apart.
  ///   - outcomes: What a call can come to.
  public func outcomes<each Argument, Output: Sendable, Failure: Error>(
    of keyPath: EndpointKeyPath<
      @concurrent @Sendable (repeat each Argument) async throws(Failure) -> Output
    >,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    isConcurrent: Bool = true,
    @ListBuilder<Outcome<Output>>
    _ outcomes: @escaping @Sendable (repeat each Argument) -> [Outcome<Output>]
  ) -> Self {
    answering(
      keyPath, SourcePosition(fileID, filePath, line, column), failure: Failure.self, outcomes)
  }

  private func answering<each Argument, Output: Sendable, Failure: Error>(
    _ keyPath: any AnyKeyPath & Sendable, _ position: SourcePosition, failure: Failure.Type,
    _ outcomes: @escaping @Sendable (repeat each Argument) -> [Outcome<Output>]
  ) -> Self {
    let outcomes = FunctionOfArguments(outcomes)
    return adding(
      ExploredEndpoint("of", position) { calls in
        AsyncEndpoint(keyPath: keyPath, function: outcomes) {
          try await calls.make($0, failure: failure)
        }
      }, outcomes.count)
  }

  /// Answers the calls of an endpoint that is given a closure as its last argument, and calls it with the
  /// answer at any time.
  ///
  /// ```swift
  /// .outcomes(ofCallback: \.api.locate) { [.success(7), .never] }
  /// ```
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint, with up to two arguments before the closure.
  ///   - outcomes: What a call can come to: a success, or `.never`. The first is the usual one. A call
  ///     without any outcome is reported.
  public func outcomes<each Argument, Output: Sendable>(
    ofCallback keyPath: EndpointKeyPath<
      @Sendable (repeat each Argument, @escaping @Sendable (Output) -> Void) -> Void
    >,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    @ListBuilder<Outcome<Output>>
    _ outcomes: @escaping @Sendable (repeat each Argument) -> [Outcome<Output>]
  ) -> Self {
    let outcomes = FunctionOfArguments(outcomes)
    return adding(
      ExploredEndpoint("ofCallback", SourcePosition(fileID, filePath, line, column)) { calls in
        CallbackEndpoint(keyPath: keyPath, function: outcomes) { calls.make($0, $1) }
      }, outcomes.count + 1)
  }

  /// Fills the streams of an endpoint. Each element comes at any time.
  ///
  /// ```swift
  /// .outcomes(ofStream: \.api.scores) { [.finished(after: 1, 2), .failed(Offline())] }
  /// ```
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint, with up to three arguments. It returns an `AsyncStream` or an
  ///     `AsyncThrowingStream`.
  ///   - outcomes: What a stream can give out. The first is the usual one; `.elements()` is a stream that
  ///     stays silent. A stream without any outcome is reported.
  public func outcomes<each Argument, Stream: PendingStream & SendableMetatype>(
    ofStream keyPath: EndpointKeyPath<@Sendable (repeat each Argument) -> Stream>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    @ListBuilder<StreamOutcome<Stream.Element>>
    _ outcomes: @escaping @Sendable (repeat each Argument) -> [StreamOutcome<Stream.Element>]
  ) -> Self where Stream.Element: Sendable {
    let outcomes = FunctionOfArguments(outcomes)
    return adding(
      ExploredEndpoint(streams: "ofStream", SourcePosition(fileID, filePath, line, column)) {
        (streams: EndpointStreams<Stream.Element>) in
        StreamEndpoint(keyPath: keyPath, function: outcomes) { outcomes -> Stream in
          streams.make(outcomes)
        }
      }, outcomes.count)
  }

  func adding(_ endpoint: ExploredEndpoint, _ argumentCount: Int) -> Self {
    if argumentCount > 3 {
      reportIssue(
        """
        An endpoint with \(argumentCount) arguments cannot be answered: three are the most. Give it one \
        argument that has them as properties.
        """, at: endpoint.position)
      return self
    }
    return changed(self) { $0.endpoints.append(endpoint) }
  }
}
