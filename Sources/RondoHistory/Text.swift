// Text as the lines and columns of a log have it.

extension String {
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// The text with what would break a line, or steer a terminal, spelled out.
  package var onOneLine: String {
    spelledOut.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        text += "\\u{\(String(scalar.value, radix: 16))}"
      default:
        text.unicodeScalars.append(scalar)
      }
    }
  }

  /// The text for people: bytes that are no text are spelled out.
  package var spelledOut: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if let byte = scalar.byte {
        text += "\\x\(String(byte, radix: 16))"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  private static let lastBlock: UInt32 = 0x10FF00

  /// The byte that the character stands for.
  package var byte: UInt8? {
    value >= Self.lastBlock + 0x80 ? UInt8(truncatingIfNeeded: value) : nil
  }

  /// The character that stands for a byte of a path that is no text.
  package init(byte: UInt8) {
    self = Unicode.Scalar(Self.lastBlock + UInt32(byte)) ?? "\u{FFFD}"
  }
}

/// A time in a column: `  0.102 s`.
package func secondsText(_ seconds: Double) -> String {
  guard seconds.isFinite, abs(seconds) < 1e12 else { return "        ?" }
  let milliseconds = Int((seconds * 1000).rounded())
  let rest = String(abs(milliseconds % 1000))
  let text = "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest) s"
  return String(repeating: " ", count: max(0, 9 - text.count)) + text
}
