// The place in the source where an effect was made, for messages.

import RondoScheduling

/// A place in the source, as messages show it.
package struct SourcePlace: Sendable {
  package let fileID: StaticString
  package let line: UInt
}

/// The place where an effect was made, and its name there.
package struct EffectSite: Sendable {
  let kind: String
  var name: String?
  package let fileID: StaticString
  let filePath: StaticString
  package let line: UInt
  let column: UInt

  package var place: SourcePlace { SourcePlace(fileID: fileID, line: line) }

  package var label: String {
    name.map { "\(kind) \"\($0)\"" } ?? kind
  }
}

func reportIssue(_ message: String, _ site: EffectSite) {
  reportIssue(
    message,
    fileID: site.fileID, filePath: site.filePath, line: site.line, column: site.column)
}

/// The call of an operator, for messages.
struct OperatorSite {
  let name: String
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  init(
    _ name: String, _ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt
  ) {
    self.name = name
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }

  var place: SourcePlace { SourcePlace(fileID: fileID, line: line) }

  /// The interval, or zero in place of a negative one, which is reported.
  func checked<Stride: Comparable & SignedNumeric & SchedulerTimeIntervalConvertible>(
    _ interval: Stride
  ) -> Stride {
    guard interval < .zero else { return interval }
    reportIssue(
      """
      \(name) was given a negative interval, \(interval.duration). \
      Use zero or more; zero is used now.
      """,
      fileID: fileID, filePath: filePath, line: line, column: column)
    return .zero
  }
}
