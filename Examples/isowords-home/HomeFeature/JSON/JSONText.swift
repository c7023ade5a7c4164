// Helps a message to quote what it has found, and a line of JSON to be written.

/// The spelling of values in JSON and in messages.
public enum JSONText {
  /// A string with quotation marks and escapes. No character in it ends the line, controls a
  /// terminal or changes the direction of what follows.
  public static func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.isControl: text += escaped(scalar)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// A string in quotation marks, or `null`.
  package static func optional(_ string: String?) -> String { string.map { quoted($0) } ?? "null" }

  /// A value as a message quotes it: strings in quotation marks, long ones cut.
  static func quoted<Value>(_ value: Value) -> String {
    guard let string = value as? String else { return "\(value)" }
    return string.count <= 24 ? quoted(string) : quoted(String(string.prefix(23)) + "…")
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    let hex = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
  }
}

extension Unicode.Scalar {
  /// Whether a terminal or a reader of lines takes the scalar for more than a glyph: the control
  /// characters (C0 and C1), Unicode's own line separators, and what sets the direction of text.
  var isControl: Bool {
    switch value {
    case ..<0x20, 0x7f...0x9f, 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x206f: true
    default: false
    }
  }
}

extension String {
  /// The string on one line, without anything that controls a terminal.
  package var onOneLine: String { String(JSONText.quoted(self as String).dropFirst().dropLast()) }

  /// The string without anything that controls a terminal. Line breaks and tabs become spaces.
  package var withoutControls: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\n", "\r", "\t", "\u{2028}", "\u{2029}": text += " "
      case _ where scalar.isControl: break
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
