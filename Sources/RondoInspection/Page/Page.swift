// The page that shows a recording in a browser.

import Foundation
import RondoHistory
import RondoPage
import RondoRecording

/// A page that holds a recording, its look and its behaviour in one file.
///
/// The page allows only its own script to run, by the digest of the script. So nothing in a
/// recording can do anything, even if it got out of the element that holds it. It cannot get out:
/// the element's text has no `<`.
struct Page {
  let html: String

  init(_ history: History) {
    let lines = history.file.lines.map { _, line -> RecordingLine in
      switch line {
      case .begin(var begin):
        begin.data = nil
        return .begin(begin)
      case .action(var action):
        action.data = nil
        return .action(action)
      default: return line
      }
    }.map { Self.text(LineText($0).bytes) }
    self.init(
      Heading(name: history.name, notes: history.notes),
      "\"head\":\(lines[0]),\"events\":[\(lines.dropFirst().joined(separator: ","))]", connects: "")
  }

  /// A page that asks the server which it came from for its recording.
  init(live name: String) {
    self.init(
      Heading(name: name, notes: []), "\"events\":[],\"live\":true",
      connects: " connect-src 'self';")
  }

  private init(_ heading: Heading, _ lines: String, connects: String) {
    let template = String(cString: rondo_pageHTML())
    let parts = [
      "{{connects}}": connects,
      "{{page.css}}": String(cString: rondo_pageCSS()),
      "{{recording}}": Self.data(heading, lines),
      "{{page.js}}": String(cString: rondo_pageJS()),
    ]
    // Only the template is searched: a recording may hold the text of a marker.
    html = template.split(separator: "{{", omittingEmptySubsequences: false).enumerated()
      .map { index, part in
        guard index > 0, let end = part.range(of: "}}") else { return String(part) }
        return (parts["{{\(part[..<end.upperBound])"] ?? "") + part[end.upperBound...]
      }
      .joined()
  }

  private static func text(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  private struct Heading: Encodable {
    var name: String
    var notes: [String]
  }

  private static func data(_ heading: Heading, _ lines: String) -> String {
    let heading = (try? JSONEncoder().encode(heading)) ?? Data("{}".utf8)
    // In JSON `<` stands in texts only.
    return "\(text(heading.dropLast())),\(lines)}".replacing("<", with: "\\u003c")
  }
}
