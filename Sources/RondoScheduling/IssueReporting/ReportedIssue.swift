// A programmer's mistake, as a value: what is wrong and where.

/// A misuse that Rondo has noticed: what happened, what to do about it, and where.
public struct ReportedIssue: Sendable {
  /// A text of one or a few lines that says what happened and what to do.
  public var message: String

  /// The place in the source that is to blame.
  public var position: SourcePosition

  /// The severity: whether the issue fails a test.
  public var severity: IssueSeverity

  /// Creates an issue.
  public init(message: String, position: SourcePosition, severity: IssueSeverity = .error) {
    self.message = message
    self.position = position
    self.severity = severity
  }
}

/// The severity of an issue.
public enum IssueSeverity: Int, Comparable, Hashable, Sendable {
  /// It is printed to standard error, and fails no test.
  case warning
  /// It fails the test that is running.
  case error

  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension ReportedIssue: CustomStringConvertible {
  /// `Module/File.swift:12: message`.
  public var description: String { "\(position): \(message)" }
}

/// A place in the source.
///
/// A function that blames its caller takes the four parts as parameters with these defaults and
/// makes a position of them. Only then do they name the place of the call.
public struct SourcePosition: Sendable {
  /// The file in the form of `#fileID` (`Module/File.swift`).
  public var fileID: StaticString

  /// The file in the form of `#filePath`.
  public var filePath: StaticString

  /// The line, from 1.
  public var line: UInt

  /// The column, from 1.
  public var column: UInt

  /// Creates a position; by default that of the call.
  public init(
    _ fileID: StaticString = #fileID,
    _ filePath: StaticString = #filePath,
    _ line: UInt = #line,
    _ column: UInt = #column
  ) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }
}

extension SourcePosition: CustomStringConvertible {
  /// `Module/File.swift:12`.
  public var description: String { "\(fileID):\(line)" }
}
