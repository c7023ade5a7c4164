// The page that shows a recording in a browser.

import Foundation
import RondoRecording

/// A page that holds a recording, its look and its behaviour in one file.
///
/// The page allows only its own script to run, by the digest of the script. So nothing in a
/// recording can do anything, even if it got out of the element that holds it. It cannot get out:
/// the element's text has no `<`.
struct Page {
  let html: String

  init(_ history: History) throws(CommandFailure) {
    var head = history.begin
    head.data = nil
    let events = history.file.lines.dropFirst().map { _, line in
      guard case .action(var action) = line else { return line }
      action.data = nil
      return .action(action)
    }
    try self.init(
      Content(name: history.name, notes: history.notes, head: head, events: events), connects: "")
  }

  /// A page that asks the server which it came from for its recording.
  init(live name: String) throws(CommandFailure) {
    try self.init(
      Content(name: name, notes: [], events: [], live: true), connects: " connect-src 'self';")
  }

  private init(_ content: Content, connects: String) throws(CommandFailure) {
    let template = Self.text(PackageResources.page_html)
    let parts = [
      "{{connects}}": connects,
      "{{page.css}}": Self.text(PackageResources.page_css),
      "{{recording}}": try Self.data(content),
      "{{page.js}}": Self.text(PackageResources.page_js),
    ]
    // Only the template is searched: a recording may hold the text of a marker.
    html = template.split(separator: "{{", omittingEmptySubsequences: false).enumerated()
      .map { index, part in
        guard index > 0, let end = part.range(of: "}}") else { return String(part) }
        return (parts["{{\(part[..<end.upperBound])"] ?? "") + part[end.upperBound...]
      }
      .joined()
  }

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  private struct Content: Encodable {
    var name: String
    var notes: [String]
    var head: RecordingLine.Begin?
    var events: [RecordingLine]
    var live: Bool?
  }

  private static func data(_ content: Content) throws(CommandFailure) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      // In JSON `<` stands in texts only.
      return Self.text(Array(try encoder.encode(content))).replacing("<", with: "\\u003c")
    } catch {
      throw CommandFailure(.data, "\(content.name): the recording cannot be encoded: \(error)")
    }
  }
}
