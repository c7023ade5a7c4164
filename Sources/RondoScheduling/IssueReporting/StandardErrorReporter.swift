// The last reporter of the chain: standard error, each issue once.

import Synchronization

/// Prints issues to standard error, each message of a line once, and takes all of them.
///
/// A mistake in a loop is one mistake: printing it a million times would hide the others. A line that cannot be
/// written, such as one to a pipe that nobody reads any more, is dropped.
public final class StandardErrorReporter: IssueReporter {
  private let printed = Mutex<Set<String>>([])
  private let write: @Sendable (String) -> Void

  /// Creates a reporter that has printed nothing yet.
  public convenience init() {
    self.init(write: StandardError.write)
  }

  init(write: @escaping @Sendable (String) -> Void) {
    self.write = write
  }

  public func report(_ issue: ReportedIssue) -> Bool {
    let line = "\(issue.position.filePath):\(issue.position.line): \(issue.message)\n"
    if printed.withLock({ $0.insert(line).inserted }) {
      write(line)
    }
    return true
  }
}
