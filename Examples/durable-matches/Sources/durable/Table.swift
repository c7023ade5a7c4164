// Tables and lines of JSON.

import Foundation

/// A value as JSON.
struct JSONText {
  let value: Any?

  init(_ data: Data) {
    value = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
  }

  subscript(_ name: String) -> Any? { (value as? [String: Any])?[name] }

  /// A value in one line, with its keys in order.
  static func line(_ value: Any) -> String {
    if let text = value as? String { return text.contains("\n") ? text.debugDescription : text }
    let data = try? JSONSerialization.data(
      withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed])
    return data.map { String(decoding: $0, as: UTF8.self) } ?? "\(value)"
  }
}

/// Rows under names.
struct Table {
  private let names: [String]
  private var rows: [[Any]] = []

  init(_ names: [String]) {
    self.names = names
  }

  mutating func add(_ row: [Any]) { rows.append(row) }

  /// Prints the rows: as columns, or as a JSON object each.
  func print(_ isJSON: Bool) {
    if isJSON {
      let keys = names.map { $0.lowercased().replacingOccurrences(of: " ", with: "_") }
      for row in rows {
        Swift.print(JSONText.line(Dictionary(zip(keys, row)) { _, last in last }))
      }
      return
    }
    let texts = [names] + rows.map { $0.map(Self.cell) }
    let widths = names.indices.map { column in texts.map { $0[column].count }.max() ?? 0 }
    for text in texts {
      let cells = zip(text, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      var line = cells.joined(separator: "  ")[...]
      while line.last == " " { line.removeLast() }
      Swift.print(line)
    }
  }

  /// A value in its cell: in one line, and without what a terminal would obey.
  static func cell(_ value: Any) -> String {
    var cell = ""
    for scalar in JSONText.line(value).unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: cell += scalar.escaped(asASCII: true)
      default: cell.unicodeScalars.append(scalar)
      }
    }
    return cell
  }
}
