// Swift code that breaks its lines where they would be too long.

/// A piece of an expression.
indirect enum Code {
  case text(String)
  /// Parts between two brackets: arguments, or elements.
  case group(String, [(label: String?, code: Code)], String)

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
    }
  }

  /// The code, in lines behind the first one where it is too long for one.
  ///
  /// - Parameters:
  ///   - indent: The number of spaces before the line that the code begins in.
  ///   - used: The number of characters that stand before and behind the code in that line.
  func lines(indent: Int, used: Int) -> String {
    guard case .group(let open, let parts, let close) = self, !parts.isEmpty,
      indent + used + inline.count > Self.width
    else { return inline }
    let margin = String(repeating: " ", count: indent + 2)
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
