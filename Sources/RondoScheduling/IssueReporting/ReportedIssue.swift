// A programmer's mistake, as a value: what is wrong and where.

/// A misuse that Rondo has noticed: what happened, what to do about it, and where.
public struct ReportedIssue: Sendable {
  /// What happened and what to do, in one or a few lines.
  public var message: String

  /// The place in the source that is to blame, in the form of `#fileID` (`Module/File.swift`).
  public var fileID: StaticString

  /// The same place in the form of `#filePath`.
  public var filePath: StaticString

  /// The line, from 1.
  public var line: UInt

  /// The column, from 1.
  public var column: UInt

  /// Creates an issue.
  public init(
    message: String,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.message = message
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }
}

extension ReportedIssue: CustomStringConvertible {
  /// `Module/File.swift:12: message`.
  public var description: String { "\(fileID):\(line): \(message)" }
}
