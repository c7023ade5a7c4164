// Helps a message to quote what it has found, and a line of JSON to be written.

/// The spelling of values in JSON and in messages.
public enum JSONText {
  /// A string with quotation marks and escapes. No character in it ends the line or controls a
  /// terminal.
  public static func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.breaksLine: text += escaped(scalar)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

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
  /// characters and Unicode's own line separators.
  fileprivate var breaksLine: Bool {
    value < 0x20 || (0x7f...0x9f).contains(value) || value == 0x2028 || value == 0x2029
  }
}

extension String {
  /// The string on one line, without anything that controls a terminal.
  var onOneLine: String { String(JSONText.quoted(self as String).dropFirst().dropLast()) }
}
