// Functions that compare values in tests, with names that users know.

import Rondo
import RondoScheduling

/// Fails the test if two values differ, and shows the lines that differ.
///
/// ```swift
/// expectNoDifference(game.score, 3)
/// ```
///
/// - Parameters:
///   - expression1: The actual value.
///   - expression2: The expected value.
///   - message: The text that the failure begins with.
public func expectNoDifference<Value: Equatable>(
  _ expression1: @autoclosure () throws -> Value,
  _ expression2: @autoclosure () throws -> Value,
  _ message: @autoclosure () -> String = "",
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  let position = SourcePosition(fileID, filePath, line, column)
  do {
    let (actual, expected) = (try expression1(), try expression2())
    guard actual != expected else { return }
    let text = Messages.text(
      message().isEmpty ? "The values differ." : message(),
      Messages.difference(expected: expected, actual: actual))
    reportIssue(text, at: position)
  } catch {
    reportIssue(
      "A value could not be compared, because its expression threw: \(error)", at: position)
  }
}

/// Fails the test if an operation changes a value in another way than expected.
///
/// ```swift
/// expectDifference(game) {
///   game.play("swift")
/// } changes: {
///   $0.score = 12
/// }
/// ```
///
/// - Parameters:
///   - expression: The value.
///   - message: The text that the failure begins with.
///   - operation: The code that changes the value. Without it, the value is compared as it is.
///   - updateExpectingResult: Turns the value before the operation into the expected value.
public func expectDifference<Value: Equatable>(
  _ expression: @autoclosure () throws -> Value,
  _ message: @autoclosure () -> String = "",
  operation: () throws -> Void = {},
  changes updateExpectingResult: (inout Value) throws -> Void,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  do {
    var expected = try expression()
    try updateExpectingResult(&expected)
    try operation()
    expectNoDifference(
      try expression(), expected, message(),
      fileID: fileID, filePath: filePath, line: line, column: column)
  } catch {
    reportIssue(
      "A change could not be compared, because an expression threw: \(error)",
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

/// Fails the test if an asynchronous operation changes a value in another way than expected.
public nonisolated(nonsending) func expectDifference<Value: Equatable>(
  _ expression: @autoclosure () throws -> Value,
  _ message: @autoclosure () -> String = "",
  operation: nonisolated(nonsending) () async throws -> Void,
  changes updateExpectingResult: (inout Value) throws -> Void,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async {
  do {
    var expected = try expression()
    try updateExpectingResult(&expected)
    try await operation()
    expectNoDifference(
      try expression(), expected, message(),
      fileID: fileID, filePath: filePath, line: line, column: column)
  } catch {
    reportIssue(
      "A change could not be compared, because an expression threw: \(error)",
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
