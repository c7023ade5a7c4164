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
