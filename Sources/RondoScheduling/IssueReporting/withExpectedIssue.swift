// Issues that a test expects, and errors that are issues.

/// Runs a piece of code that is expected to report an issue; it is an issue if there is none.
///
/// - Parameters:
///   - message: What is said if nothing is reported.
///   - isIntermittent: Whether there may be none.
///   - body: The code. An error that it throws is an issue, too.
public func withExpectedIssue(
  _ message: String? = nil,
  isIntermittent: Bool = false,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  _ body: () throws -> Void
) {
  let issues = captureIssues {
    do { try body() } catch { reportIssue("\(error)") }
  }
  if isIntermittent { return }
  report(
    unexpected: issues, { _ in true }, message, SourcePosition(fileID, filePath, line, column))
}

/// Runs an asynchronous piece of code that is expected to report an issue.
public nonisolated(nonsending) func withExpectedIssue(
  _ message: String? = nil,
  isIntermittent: Bool = false,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  _ body: nonisolated(nonsending) () async throws -> Void
) async {
  let issues = await captureIssues {
    do { try await body() } catch { reportIssue("\(error)") }
  }
  if isIntermittent { return }
  report(
    unexpected: issues, { _ in true }, message, SourcePosition(fileID, filePath, line, column))
}

/// Runs a piece of code that is expected to report an issue; it is an issue if there is none.
///
/// - Parameters:
///   - message: What is said if nothing is reported.
///   - body: The code.
///   - issueMatcher: Which issues are expected. Others are reported.
public func expectReportsIssue(
  _ message: @autoclosure () -> String? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  _ body: () throws -> Void,
  matching issueMatcher: (_ issue: ReportedIssue) -> Bool = { _ in true }
) rethrows {
  let issues = try captureIssues(body)
  report(
    unexpected: issues, issueMatcher, message(), SourcePosition(fileID, filePath, line, column))
}

/// Runs an asynchronous piece of code that is expected to report an issue.
public nonisolated(nonsending) func expectReportsIssue(
  _ message: @autoclosure () -> String? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  _ body: nonisolated(nonsending) () async throws -> Void,
  matching issueMatcher: (_ issue: ReportedIssue) -> Bool = { _ in true }
) async rethrows {
  let issues = try await captureIssues(body)
  report(
    unexpected: issues, issueMatcher, message(), SourcePosition(fileID, filePath, line, column))
}

/// Reports the issues that are not expected, and that there is none that is.
private func report(
  unexpected issues: [ReportedIssue], _ isExpected: (ReportedIssue) -> Bool,
  _ message: String?, _ position: SourcePosition
) {
  for issue in issues where !isExpected(issue) { reportIssue(issue.message, at: issue.position) }
  guard !issues.contains(where: isExpected) else { return }
  reportIssue(message ?? "An issue was expected, and none was reported.", at: position)
}
