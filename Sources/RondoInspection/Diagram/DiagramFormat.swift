// The languages that diagrams are written in.

import RondoHistory

/// A language for diagrams.
enum DiagramFormat {
  case mermaid, dot

  /// Text between quotes, in which nothing of the text is code.
  ///
  /// - Parameter limit: The number of characters that are written.
  func quoted(_ text: String, limit: Int = 80) -> String {
    let text = text.onOneLine.shortened(to: limit)
    switch self {
    case .mermaid:
      // Mermaid takes its own codes for characters, and knows markup.
      let special = "\"#;<>&`{}[]()|\\:%"
      let code = text.unicodeScalars.map { scalar in
        special.unicodeScalars.contains(scalar) ? "#\(scalar.value);" : "\(scalar)"
      }
      return code.joined()
    case .dot:
      return "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
  }
}

extension String {
  func shortened(to limit: Int) -> String {
    count <= limit ? self : prefix(limit - 1) + "…"
  }
}
