// Reports of a programmer's mistake, which do not stop the program.

/// Reports a programmer's mistake.
///
/// The issue goes to the running test if there is one, else to standard error, once for each
/// message and line. It never stops the program.
///
/// ```swift
/// guard interval > .zero else {
///   reportIssue("A timer was asked to repeat every 0 seconds. Pass a positive interval.")
///   return
/// }
/// ```
///
/// - Parameters:
///   - message: A text that says what happened and what to do. It is not evaluated when there is no
///     reporter.
///   - severity: Whether it fails the test that is running.
///   - fileID: The place to blame; a function that takes these four parameters itself and hands
///     them on blames its caller.
///   - filePath: The same place as a path.
///   - line: The line in the file.
///   - column: The column in the line.
public func reportIssue(
  _ message: @autoclosure () -> String = "Something is not as the programmer had meant it.",
  severity: IssueSeverity = .error,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  reportIssue(
    message(), at: SourcePosition(fileID, filePath, line, column), severity: severity)
}

/// Reports a programmer's mistake at a position that has been handed on.
package func reportIssue(
  _ message: @autoclosure () -> String, at position: SourcePosition,
  severity: IssueSeverity = .error
) {
  let reporters = IssueReporters.current
  guard !reporters.isEmpty else { return }
  let issue = ReportedIssue(message: message(), position: position, severity: severity)
  RecordingsInProgress.note(issue)
  _ = reporters.first { $0.report(issue) }
}
