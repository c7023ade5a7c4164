// Numbers, texts and colours in a file of SVG.

/// The spelling of numbers and texts in a file of SVG.
package enum SVG {
  /// A number, rounded to some decimals.
  package static func spell(_ number: Double, digits: Int = 2) -> String {
    guard number.isFinite else { return "0" }
    let unit = (0..<digits).reduce(1.0) { unit, _ in unit * 10 }
    let rounded = (min(max(number, -1e6), 1e6) * unit).rounded() / unit
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }

  /// The title of a picture, empty where there is none.
  static func title(_ text: String?) -> String {
    text.map { "<title>\(escape($0))</title>" } ?? ""
  }

  /// A text of one line as XML has it, in an element or in an attribute.
  package static func escape(_ text: String) -> String {
    String(text.map(TextMeasure.drawn)).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}

extension RGB {
  /// The colour in hexadecimal: `#ff8800`.
  package var hexadecimal: String {
    "#"
      + [red, green, blue].map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined()
  }
}
