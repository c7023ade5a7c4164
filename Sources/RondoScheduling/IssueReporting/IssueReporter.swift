// The reporters of issues, and the order in which they are asked.

import Synchronization

/// A place that issues are reported to: a test runner, a log, a test's own collector.
///
/// Reporters form a chain. Each one is asked in turn until one takes the issue; the last one of
/// the default chain prints to standard error and takes everything.
///
/// ```swift
/// struct LogReporter: IssueReporter {
///   func report(_ issue: ReportedIssue) -> Bool {
///     logger.error("\(issue)")
///     return true
///   }
/// }
/// ```
public protocol IssueReporter: Sendable {
  /// Takes an issue, or leaves it to the next reporter of the chain.
  ///
  /// It may be called from any thread. It must not report an issue itself.
  ///
  /// - Returns: Whether this reporter has taken the issue.
  func report(_ issue: ReportedIssue) -> Bool

  /// Takes an issue. A reporter that takes all of them may implement this in place of
  /// `report(_:)`.
  func reportIssue(
    _ message: @autoclosure () -> String?,
    severity: IssueSeverity,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  )
}

extension IssueReporter {
  public func report(_ issue: ReportedIssue) -> Bool {
    let position = issue.position
    reportIssue(
      issue.message, severity: issue.severity, fileID: position.fileID,
      filePath: position.filePath, line: position.line, column: position.column)
    return true
  }

  public func reportIssue(
    _ message: @autoclosure () -> String?,
    severity: IssueSeverity,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {}
}

/// The chain of reporters that `reportIssue` asks.
public enum IssueReporters {
  /// The chain of the innermost `withIssueReporters` around this task; `nil` outside of any.
  @TaskLocal package static var override: [any IssueReporter]?

  private static let installed = Mutex<[any IssueReporter]>([
    TestRunnerReporter(), StandardErrorReporter(),
  ])

  /// The chain in force here: that of the innermost `withIssueReporters` around this task,
  /// else the one of the process.
  ///
  /// A task local does not reach work that a live scheduler runs on another thread. Carry the
  /// chain there by hand:
  ///
  /// ```swift
  /// let reporters = IssueReporters.current
  /// queue.schedule { withIssueReporters(reporters) { check() } }
  /// ```
  public static var current: [any IssueReporter] {
    override ?? installed.withLock { $0 }
  }

  /// Puts a reporter before the others of the process, for good.
  ///
  /// Installing is what a test support library does once, when it is loaded. A test that only wants
  /// to see its own issues uses `captureIssues`.
  public static func install(_ reporter: some IssueReporter) {
    installed.withLock { $0.insert(reporter, at: 0) }
  }
}

/// Runs a body whose issues go to the given reporters and to no others.
///
/// The chain is a task local: it is seen by the body, by work that the body makes a test or an
/// immediate scheduler run, and by tasks started in there, also after the body has returned. It is
/// not seen by work that runs on a live queue (see ``IssueReporters/current``).
///
/// With an empty chain issues are dropped.
public func withIssueReporters<Result>(
  _ reporters: [any IssueReporter],
  _ body: () throws -> Result
) rethrows -> Result {
  try IssueReporters.$override.withValue(reporters, operation: body)
}

/// Runs an asynchronous body whose issues go to the given reporters and to no others.
public nonisolated(nonsending) func withIssueReporters<Result>(
  _ reporters: [any IssueReporter],
  _ body: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
  try await IssueReporters.$override.whileSet(to: reporters, body)
}
