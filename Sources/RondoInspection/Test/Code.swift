// Swift code that breaks its lines where they would be too long.

import RondoHistory

/// A piece of an expression.
indirect enum Code {
  case text(String)
  /// Parts between two brackets: arguments, or elements.
  case group(String, [(label: String?, code: Code)], String)
  /// The statements of a closure.
  case block([Code])

  /// The longest line, in characters.
  static let width = 100

  /// A piece of code that does not compile, and says what is missing.
  static func placeholder(_ description: String, limit: Int = 60) -> Code {
    .text("<#\(description.onOneLine.replacing("#>", with: "# >").shortened(to: limit))#>")
  }

  /// The code on one line.
  var inline: String {
    switch self {
    case .text(let text): text
    case .group(let open, let parts, let close):
      open
        + parts.map { ($0.label.map { "\($0): " } ?? "") + $0.code.inline }.joined(separator: ", ")
        + close
    case .block(let statements): "{ \(statements.map(\.inline).joined(separator: "; ")) }"
    }
  }

  /// The code, in lines behind the first one where it is too long for one.
  ///
  /// - Parameters:
  ///   - indent: The number of spaces before the line that the code begins in.
  ///   - used: The number of characters that stand before and behind the code in that line.
  func lines(indent: Int, used: Int) -> String {
    let margin = String(repeating: " ", count: indent + 2)
    if case .block(let statements) = self,
      statements.count > 1 || indent + used + inline.count > Self.width
    {
      let rows = statements.map { margin + $0.lines(indent: indent + 2, used: 0) + "\n" }
      return "{\n" + rows.joined() + String(repeating: " ", count: indent) + "}"
    }
    guard case .group(let open, let parts, let close) = self, !parts.isEmpty,
      indent + used + inline.count > Self.width || inline.contains("; ")
    else { return inline }
    let rows = parts.map { label, code in
      let label = label.map { "\($0): " } ?? ""
      return margin + label + code.lines(indent: indent + 2, used: label.count + 1)
    }
    return open + "\n" + rows.joined(separator: ",\n") + (open == "[" ? ",\n" : "\n")
      + String(repeating: " ", count: indent) + close
  }

  /// Whether the code has no placeholder.
  var isComplete: Bool { !inline.contains("<#") }
}
