// Collects the issues of a body instead of reporting them, for tests of misuse.

import Synchronization

/// Keeps the issues that are reported to it, in order. It takes every issue.
///
/// ```swift
/// let collector = IssueCollector()
/// queue.schedule { withIssueReporters([collector]) { check() } }
/// ```
package final class IssueCollector: IssueReporter {
  private let collected = Mutex<[ReportedIssue]>([])

  /// Creates an empty collector.
  package init() {}

  /// The issues that have been reported so far, in order.
  package var issues: [ReportedIssue] { collected.withLock { $0 } }

  package func report(_ issue: ReportedIssue) -> Bool {
    collected.withLock { $0.append(issue) }
    return true
  }
}

/// Runs a body and gives back the issues that it reported; they go nowhere else.
///
/// ```swift
/// let issues = captureIssues { scheduler.advance(by: .seconds(-1)) }
/// #expect(issues.map(\.message) == ["…"])
/// ```
///
/// It sees what `withIssueReporters` sees: the body and what it makes a test or immediate
/// scheduler run, but not work on live queues.
public func captureIssues(_ body: () throws -> Void) rethrows -> [ReportedIssue] {
  let collector = IssueCollector()
  try withIssueReporters([collector], body)
  return collector.issues
}

/// Runs an asynchronous body and gives back the issues that it reported; they go nowhere else.
public nonisolated(nonsending) func captureIssues(
  _ body: nonisolated(nonsending) () async throws -> Void
) async rethrows -> [ReportedIssue] {
  let collector = IssueCollector()
  try await withIssueReporters([collector], body)
  return collector.issues
}
