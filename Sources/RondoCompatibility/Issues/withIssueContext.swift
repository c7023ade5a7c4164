// Issues that are reported at another place in the source than where they are noticed.

import RondoScheduling

/// Runs a body whose issues are reported at another place in the source: that of its caller, say.
///
/// ```swift
/// func check(_ model: Model, fileID: StaticString = #fileID, …) {
///   withIssueContext(fileID: fileID, filePath: filePath, line: line, column: column) {
///     model.refresh()
///   }
/// }
/// ```
public func withIssueContext<Result>(
  fileID: StaticString,
  filePath: StaticString,
  line: UInt,
  column: UInt,
  operation: () throws -> Result
) rethrows -> Result {
  let position = SourcePosition(fileID, filePath, line, column)
  return try withIssueReporters(reporters(at: position), operation)
}

/// Runs an asynchronous body whose issues are reported at another place in the source.
public nonisolated(nonsending) func withIssueContext<Result>(
  fileID: StaticString,
  filePath: StaticString,
  line: UInt,
  column: UInt,
  operation: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
  let position = SourcePosition(fileID, filePath, line, column)
  return try await withIssueReporters(reporters(at: position), operation)
}

private func reporters(at position: SourcePosition) -> [any IssueReporter] {
  IssueReporters.current.map { RelocatingReporter(reporter: $0, position: position) }
}

private struct RelocatingReporter: IssueReporter {
  let reporter: any IssueReporter
  let position: SourcePosition

  func report(_ issue: ReportedIssue) -> Bool {
    var issue = issue
    issue.position = position
    return reporter.report(issue)
  }
}
