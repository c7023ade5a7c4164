// The last reporter of the chain: standard error, each issue once.

import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// Prints issues to standard error, each message of a line once, and takes all of them.
///
/// A mistake in a loop is one mistake: printing it a million times would hide the others.
public final class StandardErrorReporter: IssueReporter {
  private let printed = Mutex<Set<String>>([])
  private let write: @Sendable (String) -> Void

  /// Creates a reporter that has printed nothing yet.
  public convenience init() {
    self.init { line in
      // One call for the whole line, so that the lines of two threads do not interleave.
      var line = line
      line.withUTF8 { _ = Self.writeAll($0) }
    }
  }

  init(write: @escaping @Sendable (String) -> Void) {
    self.write = write
  }

  private static func writeAll(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    #if canImport(Darwin)
      Darwin.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    #elseif canImport(Musl)
      Musl.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    #elseif canImport(Android)
      Android.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    #else
      Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    #endif
  }

  public func report(_ issue: ReportedIssue) -> Bool {
    let line = "\(issue.position.filePath):\(issue.position.line): \(issue.message)\n"
    if printed.withLock({ $0.insert(line).inserted }) {
      write(line)
    }
    return true
  }
}
