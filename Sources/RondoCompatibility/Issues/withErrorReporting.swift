// Errors that are reported as issues.

import RondoScheduling

/// Runs a piece of code, and reports an error that it throws. That it was cancelled is not reported.
///
/// - Returns: What it returns; `nil` after an error.
@discardableResult
public func withErrorReporting<Result>(
  _ message: @autoclosure () -> String? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  catching body: () throws -> Result
) -> Result? {
  do {
    return try body()
  } catch is CancellationError {
    return nil
  } catch {
    reportIssue(
      error, message(), fileID: fileID, filePath: filePath, line: line, column: column)
    return nil
  }
}

/// Runs an asynchronous piece of code, and reports an error that it throws.
@discardableResult
public nonisolated(nonsending) func withErrorReporting<Result>(
  _ message: @autoclosure () -> String? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  catching body: nonisolated(nonsending) () async throws -> Result
) async -> Result? {
  do {
    return try await body()
  } catch is CancellationError {
    return nil
  } catch {
    reportIssue(
      error, message(), fileID: fileID, filePath: filePath, line: line, column: column)
    return nil
  }
}

/// Runs a piece of code with an optional result, and reports an error that it throws.
///
/// - Returns: What it returns; `nil` after an error, too.
@discardableResult
public func withErrorReporting<Result>(
  _ message: @autoclosure () -> String? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  catching body: () throws -> Result?
) -> Result? {
  let result: Result?? = withErrorReporting(
    message(), fileID: fileID, filePath: filePath, line: line, column: column, catching: body)
  return result ?? nil
}

/// Runs an asynchronous piece of code with an optional result, and reports an error that it throws.
@discardableResult
public nonisolated(nonsending) func withErrorReporting<Result>(
  _ message: @autoclosure () -> String? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  catching body: nonisolated(nonsending) () async throws -> Result?
) async -> Result? {
  let result: Result?? = await withErrorReporting(
    message(), fileID: fileID, filePath: filePath, line: line, column: column, catching: body)
  return result ?? nil
}

/// Reports an error as a programmer's mistake.
public func reportIssue(
  _ error: any Error,
  _ message: @autoclosure () -> String? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  let prefix = message().map { "\($0): " } ?? ""
  reportIssue(
    "\(prefix)An error was thrown that nobody has caught: \(error)",
    at: SourcePosition(fileID, filePath, line, column))
}
