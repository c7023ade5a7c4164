// Names of XCTest for `expectNoDifference` and `expectDifference`.

import RondoTestStore

/// Fails the test if two values differ. The same as
/// `expectNoDifference`.
public func XCTAssertNoDifference<Value: Equatable>(
  _ expression1: @autoclosure () throws -> Value,
  _ expression2: @autoclosure () throws -> Value,
  _ message: @autoclosure () -> String = "",
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  expectNoDifference(
    try expression1(), try expression2(), message(),
    fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Fails the test if an operation changes a value in another way than expected.
public func XCTAssertDifference<Value: Equatable>(
  _ expression: @autoclosure () throws -> Value,
  _ message: @autoclosure () -> String = "",
  operation: () throws -> Void = {},
  changes updateExpectingResult: (inout Value) throws -> Void,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  expectDifference(
    try expression(), message(), operation: operation, changes: updateExpectingResult,
    fileID: fileID, filePath: filePath, line: line, column: column)
}
