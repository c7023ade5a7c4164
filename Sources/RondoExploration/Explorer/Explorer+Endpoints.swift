// The endpoints of dependencies whose calls an explorer answers.

import Rondo
import RondoScheduling
import RondoTestStore

/// A key path to an endpoint of a dependency: `\.api.search`.
public typealias EndpointKeyPath<Endpoint> =
  WritableKeyPath<DependencyValues, Endpoint> & Sendable

// MARK: - Calls

extension Explorer {
  /// Answers the calls of an endpoint that takes nothing, at any time after each call and in any
  /// order.
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint: `\.api.search`.
  ///   - outcomes: What a call can come to. Where nothing else happens, it is the first.
  public func outcomes<Output: Sendable>(
    of keyPath: EndpointKeyPath<@Sendable () async throws -> Output>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ outcomes: @escaping @Sendable () -> [Outcome<Output>]
  ) -> Self {
    adding(SourcePosition(fileID, filePath, line, column)) { values, calls in
      values[keyPath: keyPath] = { try await calls.make(outcomes()) }
    }
  }

  /// Answers the calls of an endpoint with one argument, at any time after each call and in any
  /// order.
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint: `\.api.search`.
  ///   - outcomes: What a call can come to. Where nothing else happens, it is the first.
  public func outcomes<Argument, Output: Sendable>(
    of keyPath: EndpointKeyPath<@Sendable (Argument) async throws -> Output>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ outcomes: @escaping @Sendable (Argument) -> [Outcome<Output>]
  ) -> Self {
    adding(SourcePosition(fileID, filePath, line, column)) { values, calls in
      values[keyPath: keyPath] = { argument in try await calls.make(outcomes(argument)) }
    }
  }

  /// Answers the calls of an endpoint with two arguments, at any time after each call and in any
  /// order.
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint: `\.api.search`.
  ///   - outcomes: What a call can come to. Where nothing else happens, it is the first.
  public func outcomes<First, Second, Output: Sendable>(
    of keyPath: EndpointKeyPath<@Sendable (First, Second) async throws -> Output>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ outcomes: @escaping @Sendable (First, Second) -> [Outcome<Output>]
  ) -> Self {
    adding(SourcePosition(fileID, filePath, line, column)) { values, calls in
      values[keyPath: keyPath] = { first, second in try await calls.make(outcomes(first, second)) }
    }
  }

  /// Answers the calls of an endpoint with three arguments, at any time after each call and in any
  /// order.
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint: `\.api.search`.
  ///   - outcomes: What a call can come to. Where nothing else happens, it is the first.
  public func outcomes<First, Second, Third, Output: Sendable>(
    of keyPath: EndpointKeyPath<@Sendable (First, Second, Third) async throws -> Output>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ outcomes: @escaping @Sendable (First, Second, Third) -> [Outcome<Output>]
  ) -> Self {
    adding(SourcePosition(fileID, filePath, line, column)) { values, calls in
      values[keyPath: keyPath] = { first, second, third in
        try await calls.make(outcomes(first, second, third))
      }
    }
  }
}

// MARK: - Calls that cannot fail

extension Explorer {
  /// Answers the calls of an endpoint that takes nothing that cannot fail, at any time and in any
  /// order.
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint: `\.api.search`.
  ///   - outcomes: What a call can come to: a success, or `.never`. The first is the usual one.
  public func outcomes<Output: Sendable>(
    of keyPath: EndpointKeyPath<@Sendable () async -> Output>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ outcomes: @escaping @Sendable () -> [Outcome<Output>]
  ) -> Self {
    adding(SourcePosition(fileID, filePath, line, column)) { values, calls in
      values[keyPath: keyPath] = { await calls.makeWithoutFailure(outcomes()) }
    }
  }

  /// Answers the calls of an endpoint with one argument that cannot fail, at any time and in any
  /// order.
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint: `\.api.search`.
  ///   - outcomes: What a call can come to: a success, or `.never`. The first is the usual one.
  public func outcomes<Argument, Output: Sendable>(
    of keyPath: EndpointKeyPath<@Sendable (Argument) async -> Output>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ outcomes: @escaping @Sendable (Argument) -> [Outcome<Output>]
  ) -> Self {
    adding(SourcePosition(fileID, filePath, line, column)) { values, calls in
      values[keyPath: keyPath] = { argument in await calls.makeWithoutFailure(outcomes(argument)) }
    }
  }

  /// Answers the calls of an endpoint with two arguments that cannot fail, at any time and in any
  /// order.
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint: `\.api.search`.
  ///   - outcomes: What a call can come to: a success, or `.never`. The first is the usual one.
  public func outcomes<First, Second, Output: Sendable>(
    of keyPath: EndpointKeyPath<@Sendable (First, Second) async -> Output>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ outcomes: @escaping @Sendable (First, Second) -> [Outcome<Output>]
  ) -> Self {
    adding(SourcePosition(fileID, filePath, line, column)) { values, calls in
      values[keyPath: keyPath] = { first, second in
        await calls.makeWithoutFailure(outcomes(first, second))
      }
    }
  }

  /// Answers the calls of an endpoint with three arguments that cannot fail, at any time and in any
  /// order.
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint: `\.api.search`.
  ///   - outcomes: What a call can come to: a success, or `.never`. The first is the usual one.
  public func outcomes<First, Second, Third, Output: Sendable>(
    of keyPath: EndpointKeyPath<@Sendable (First, Second, Third) async -> Output>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ outcomes: @escaping @Sendable (First, Second, Third) -> [Outcome<Output>]
  ) -> Self {
    adding(SourcePosition(fileID, filePath, line, column)) { values, calls in
      values[keyPath: keyPath] = { first, second, third in
        await calls.makeWithoutFailure(outcomes(first, second, third))
      }
    }
  }
}

// MARK: - Callbacks

extension Explorer {
  /// Answers the calls of an endpoint that takes nothing and a closure, which is called with the
  /// answer at any time.
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint: `\.api.search`.
  ///   - outcomes: What a call can come to: a success, or `.never`. The first is the usual one.
  public func outcomes<Output: Sendable>(
    of keyPath: EndpointKeyPath<@Sendable (@escaping @Sendable (Output) -> Void) -> Void>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ outcomes: @escaping @Sendable () -> [Outcome<Output>]
  ) -> Self {
    adding(SourcePosition(fileID, filePath, line, column)) { values, calls in
      values[keyPath: keyPath] = { callback in calls.make(outcomes(), callback) }
    }
  }

  /// Answers the calls of an endpoint with one argument and a closure, which is called with the
  /// answer at any time.
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint: `\.api.search`.
  ///   - outcomes: What a call can come to: a success, or `.never`. The first is the usual one.
  public func outcomes<Argument, Output: Sendable>(
    of keyPath: EndpointKeyPath<@Sendable (Argument, @escaping @Sendable (Output) -> Void) -> Void>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ outcomes: @escaping @Sendable (Argument) -> [Outcome<Output>]
  ) -> Self {
    adding(SourcePosition(fileID, filePath, line, column)) { values, calls in
      values[keyPath: keyPath] = { argument, callback in calls.make(outcomes(argument), callback) }
    }
  }

  /// Answers the calls of an endpoint with two arguments and a closure, which is called with the
  /// answer at any time.
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint: `\.api.search`.
  ///   - outcomes: What a call can come to: a success, or `.never`. The first is the usual one.
  public func outcomes<First, Second, Output: Sendable>(
    of keyPath: EndpointKeyPath<
      @Sendable (First, Second, @escaping @Sendable (Output) -> Void) -> Void
    >,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ outcomes: @escaping @Sendable (First, Second) -> [Outcome<Output>]
  ) -> Self {
    adding(SourcePosition(fileID, filePath, line, column)) { values, calls in
      values[keyPath: keyPath] = { first, second, callback in
        calls.make(outcomes(first, second), callback)
      }
    }
  }
}

// MARK: - Streams

extension Explorer {
  /// Fills the streams of an endpoint that takes nothing. Each element comes at any time.
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint: `\.api.search`.
  ///   - outcomes: What a stream can give out. The first is the usual one.
  public func outcomes<Element: Sendable>(
    of keyPath: EndpointKeyPath<@Sendable () -> AsyncStream<Element>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ outcomes: @escaping @Sendable () -> [StreamOutcome<Element>]
  ) -> Self {
    adding(SourcePosition(fileID, filePath, line, column)) { values, calls in
      values[keyPath: keyPath] = { calls.make(outcomes()) }
    }
  }

  /// Fills the streams of an endpoint with one argument. Each element comes at any time.
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint: `\.api.search`.
  ///   - outcomes: What a stream can give out. The first is the usual one.
  public func outcomes<Argument, Element: Sendable>(
    of keyPath: EndpointKeyPath<@Sendable (Argument) -> AsyncStream<Element>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ outcomes: @escaping @Sendable (Argument) -> [StreamOutcome<Element>]
  ) -> Self {
    adding(SourcePosition(fileID, filePath, line, column)) { values, calls in
      values[keyPath: keyPath] = { argument in calls.make(outcomes(argument)) }
    }
  }

  /// Fills the streams of an endpoint with two arguments. Each element comes at any time.
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint: `\.api.search`.
  ///   - outcomes: What a stream can give out. The first is the usual one.
  public func outcomes<First, Second, Element: Sendable>(
    of keyPath: EndpointKeyPath<@Sendable (First, Second) -> AsyncStream<Element>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ outcomes: @escaping @Sendable (First, Second) -> [StreamOutcome<Element>]
  ) -> Self {
    adding(SourcePosition(fileID, filePath, line, column)) { values, calls in
      values[keyPath: keyPath] = { first, second in calls.make(outcomes(first, second)) }
    }
  }
}

// MARK: - Streams that can fail

extension Explorer {
  /// Fills the streams, which can fail, of an endpoint that takes nothing. Each element comes at
  /// any time.
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint: `\.api.search`.
  ///   - outcomes: What a stream can give out. The first is the usual one.
  public func outcomes<Element: Sendable>(
    of keyPath: EndpointKeyPath<@Sendable () -> AsyncThrowingStream<Element, any Error>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ outcomes: @escaping @Sendable () -> [StreamOutcome<Element>]
  ) -> Self {
    adding(SourcePosition(fileID, filePath, line, column)) { values, calls in
      values[keyPath: keyPath] = { calls.makeThrowing(outcomes()) }
    }
  }

  /// Fills the streams, which can fail, of an endpoint with one argument. Each element comes at any
  /// time.
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint: `\.api.search`.
  ///   - outcomes: What a stream can give out. The first is the usual one.
  public func outcomes<Argument, Element: Sendable>(
    of keyPath: EndpointKeyPath<@Sendable (Argument) -> AsyncThrowingStream<Element, any Error>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ outcomes: @escaping @Sendable (Argument) -> [StreamOutcome<Element>]
  ) -> Self {
    adding(SourcePosition(fileID, filePath, line, column)) { values, calls in
      values[keyPath: keyPath] = { argument in calls.makeThrowing(outcomes(argument)) }
    }
  }

  /// Fills the streams, which can fail, of an endpoint with two arguments. Each element comes at
  /// any time.
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint: `\.api.search`.
  ///   - outcomes: What a stream can give out. The first is the usual one.
  public func outcomes<First, Second, Element: Sendable>(
    of keyPath: EndpointKeyPath<
      @Sendable (First, Second) -> AsyncThrowingStream<Element, any Error>
    >,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ outcomes: @escaping @Sendable (First, Second) -> [StreamOutcome<Element>]
  ) -> Self {
    adding(SourcePosition(fileID, filePath, line, column)) { values, calls in
      values[keyPath: keyPath] = { first, second in calls.makeThrowing(outcomes(first, second)) }
    }
  }
}

extension Explorer {
  private func adding<Output: Sendable>(
    _ position: SourcePosition,
    _ install: @escaping @Sendable (inout DependencyValues, EndpointCalls<Output>) -> Void
  ) -> Self {
    var copy = self
    copy.endpoints.append(ExploredEndpoint(at: position, install))
    return copy
  }

  private func adding<Element: Sendable>(
    _ position: SourcePosition,
    _ install: @escaping @Sendable (inout DependencyValues, EndpointStreams<Element>) -> Void
  ) -> Self {
    var copy = self
    copy.endpoints.append(ExploredEndpoint(streamsAt: position, install))
    return copy
  }
}
