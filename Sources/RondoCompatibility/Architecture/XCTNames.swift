// Names of XCTest for `unimplemented` and `reportIssue`, as sources had them first.

import Rondo
import RondoScheduling

/// An asynchronous endpoint that reports its name where it is called, and throws.
public func XCTUnimplemented<each Argument, Result>(
  _ description: String = "",
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) -> @Sendable (repeat each Argument) async throws -> Result {
  unimplemented(
    description, fileID: fileID, filePath: filePath, line: line, column: column)
}

/// An endpoint that reports its name where it is called, and returns a value that means nothing.
public func XCTUnimplemented<each Argument, Result>(
  _ description: String = "",
  placeholder: @autoclosure @escaping @Sendable () -> Result,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) -> @Sendable (repeat each Argument) -> Result {
  unimplemented(
    description, placeholder: placeholder(),
    fileID: fileID, filePath: filePath, line: line, column: column)
}

/// An endpoint without result that reports its name where it is called. One that may throw, throws.
@_disfavoredOverload
public func XCTUnimplemented<each Argument>(
  _ description: String = "",
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) -> @Sendable (repeat each Argument) -> Void {
  unimplemented(
    description, fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Fails the test that is running, also from code that does not import XCTest.
@_disfavoredOverload
public func XCTFail(
  _ message: String = "",
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  reportIssue(
    message.isEmpty ? "The test was told to fail." : message,
    at: SourcePosition(fileID, filePath, line, column))
}
