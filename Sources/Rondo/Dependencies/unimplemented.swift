// Endpoints of clients that a test does not expect to be used.

/// An endpoint that reports its name where it is called, and throws.
///
/// ```swift
/// static let testValue = APIClient(
///   load: unimplemented("APIClient.load"),
///   isOnline: unimplemented("APIClient.isOnline", placeholder: false))
/// ```
///
/// A test that calls the endpoint fails there, with the name of the endpoint that it should
/// override.
///
/// - Parameter description: The name of the endpoint in the message.
public func unimplemented<each Argument, Result>(
  _ description: String = "",
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) -> @Sendable (repeat each Argument) throws -> Result {
  { (_: repeat each Argument) throws -> Result in
    reportUnimplemented(description, fileID, filePath, line, column)
    throw UnimplementedFailure(reported: description)
  }
}

/// An asynchronous endpoint that reports its name where it is called, and throws.
public func unimplemented<each Argument, Result>(
  _ description: String = "",
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) -> @Sendable (repeat each Argument) async throws -> Result {
  { (_: repeat each Argument) async throws -> Result in
    reportUnimplemented(description, fileID, filePath, line, column)
    throw UnimplementedFailure(reported: description)
  }
}

/// An endpoint that reports its name where it is called, and returns a value that means nothing.
///
/// - Parameters:
///   - description: The name of the endpoint in the message.
///   - placeholder: The value that it returns.
public func unimplemented<each Argument, Result>(
  _ description: String = "",
  placeholder: @autoclosure @escaping @Sendable () -> Result,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) -> @Sendable (repeat each Argument) -> Result {
  { (_: repeat each Argument) -> Result in
    reportUnimplemented(description, fileID, filePath, line, column)
    return placeholder()
  }
}

/// An endpoint without result that reports its name where it is called. One that may throw, throws.
@_disfavoredOverload
public func unimplemented<each Argument>(
  _ description: String = "",
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) -> @Sendable (repeat each Argument) -> Void {
  unimplemented(
    description, placeholder: (),
    fileID: fileID, filePath: filePath, line: line, column: column)
}

/// A value that reports its name where it is asked for.
@_disfavoredOverload
public func unimplemented<Result>(
  _ description: String = "",
  placeholder: @autoclosure () -> Result,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) -> Result {
  reportUnimplemented(description, fileID, filePath, line, column)
  return placeholder()
}

/// The error of an endpoint that has not been implemented.
public struct UnimplementedFailure: Error, Equatable {
  /// The endpoint.
  public let description: String

  /// Whether the use of the endpoint has been reported, so that nothing else need be said of it.
  let isReported: Bool

  /// The failure of an endpoint.
  public init(description: String) {
    self.description = description
    isReported = false
  }

  /// The failure of an endpoint whose use has been reported.
  init(reported description: String) {
    self.description = description
    isReported = true
  }

  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.description == rhs.description
  }
}

func reportUnimplemented(
  _ description: String,
  _ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt
) {
  // A test that overrides a part of a dependency reads the rest of it, but does not use it.
  guard !DependencyAccess.isOverriding else { return }
  let name = description.isEmpty ? "an endpoint without a name" : description
  reportIssue(
    """
    Unimplemented: \(name) was used. Override it for this test with 'withDependencies', or see to it \
    that it is not needed.
    """,
    fileID: fileID, filePath: filePath, line: line, column: column)
}
