// The last reporter of the chain: standard error, each issue once.

import Synchronization

/// Prints issues to standard error, each message of a line once, and takes all of them.
///
/// A mistake in a loop is one mistake: printing it a million times would hide the others. A line that cannot be
/// written, such as one to a pipe that nobody reads any more, is dropped.
package final class StandardErrorReporter: IssueReporter {
  /// The hash values of what was printed. When there are many they are forgotten, so that a program
  /// that runs for long does not grow by its messages.
  private let printed = Mutex<Set<Int>>([])
  private static let maximum = 4_096
  private let write: @Sendable (String) -> Void

  /// Creates a reporter that has printed nothing yet.
  package convenience init() {
    self.init(write: StandardError.write)
  }

  init(write: @escaping @Sendable (String) -> Void) {
    self.write = write
  }

  package func report(_ issue: ReportedIssue) -> Bool {
    let mark = issue.severity == .warning ? "warning: " : ""
    let line = "\(issue.position.filePath):\(issue.position.line): \(mark)\(issue.message)\n"
    let isNew = printed.withLock { printed in
      if printed.count == Self.maximum { printed = [] }
      return printed.insert(line.hashValue).inserted
    }
    if isNew { write(line) }
    return true
  }
}
