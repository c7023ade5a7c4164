// An animated SVG as a browser would show it, as far as its text goes.

import Foundation
import FoundationXML

/// The texts of an SVG with the times at which they are visible.
final class MovingPicture: NSObject, XMLParserDelegate {
  private struct Text {
    var column: Int
    var row: Int
    var content = ""
    var visibility: Visibility
  }

  /// The visibility of a group: its value without animation, and the times at which it changes.
  private struct Visibility {
    var base = true
    var changes: [(time: Double, isVisible: Bool)] = []

    func callAsFunction(at time: Double?) -> Bool {
      guard let time else { return base }
      return changes.last { $0.time <= time + 1e-4 }?.isVisible ?? base
    }
  }

  private var texts: [Text] = []
  private var groups: [Visibility] = []
  private var isInText = false

  init(_ svg: String) throws {
    super.init()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = self
    guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
  }

  /// The visible text at a time in seconds, line by line; without a time, that without animation.
  func lines(at time: Double?) -> [String] {
    var cells = Array(repeating: Array(repeating: Character(" "), count: 80), count: 24)
    for text in texts where text.visibility(at: time) {
      for (index, character) in text.content.enumerated() {
        cells[text.row][text.column + index] = character
      }
    }
    return cells.map { row in
      var line = String(row)
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  func parser(
    _: XMLParser,
    didStartElement element: String,
    namespaceURI _: String?,
    qualifiedName _: String?,
    attributes: [String: String] = [:]
  ) {
    switch element {
    case "g":
      groups.append(Visibility(base: attributes["visibility"] != "hidden"))
    case "animate":
      let duration = Double(attributes["dur"]?.dropLast() ?? "") ?? 0
      let times = (attributes["keyTimes"] ?? "").split(separator: ";").compactMap { Double($0) }
      let values = (attributes["values"] ?? "").split(separator: ";").map { $0 == "visible" }
      groups[groups.count - 1].changes = zip(times, values).map { ($0 * duration, $1) }
    case "text":
      let (x, y) = (Double(attributes["x"] ?? "") ?? 0, Double(attributes["y"] ?? "") ?? 0)
      texts.append(
        Text(
          column: Int(((x - 10) / 8.4).rounded()),
          row: Int(((y - 23.5) / 18).rounded()),
          visibility: groups.last ?? Visibility()
        )
      )
      isInText = true
    default: break
    }
  }

  func parser(_: XMLParser, foundCharacters characters: String) {
    if isInText { texts[texts.count - 1].content += characters }
  }

  func parser(
    _: XMLParser,
    didEndElement element: String,
    namespaceURI _: String?,
    qualifiedName _: String?
  ) {
    if element == "g" { groups.removeLast() }
    if element == "text" { isInText = false }
  }
}
