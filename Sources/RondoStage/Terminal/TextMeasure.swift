// The number of cells that a text takes on a terminal, and the characters that are drawn there.

/// The number of cells that a text takes on a terminal, and the characters that are drawn there.
package enum TextMeasure {
  package static func size(of text: String) -> Size {
    var (width, longest, height) = (0, 0, 1)
    for character in text {
      if character.isNewline {
        height += 1
        width = 0
      } else {
        width += cells(of: character)
        longest = max(longest, width)
      }
    }
    return Size(width: Double(longest), height: Double(height))
  }

  /// 2 for East Asian wide characters, emoji, and characters of several letters or signs that stand side by
  /// side, as in Indic scripts; else 1.
  package static func cells(of character: Character) -> Int {
    if character.utf8.count == 1 || isLineOrBlock(character) { return 1 }
    guard let scalar = character.unicodeScalars.first, scalar.value >= 0x900 else { return 1 }
    if scalar.properties.isEmojiPresentation { return 2 }
    let rest = character.unicodeScalars.dropFirst()
    if rest.contains("\u{FE0F}") || !rest.allSatisfy(takesNoCell) { return 2 }
    return wide.contains { $0.contains(scalar.value) } ? 2 : 1
  }

  /// The character as it is drawn: a space if a terminal obeys it or does not show it, or if XML must not
  /// have it.
  package static func drawn(_ character: Character) -> Character {
    let bytes = character.utf8
    if bytes.count == 1, let byte = bytes.first {
      return (0x20..<0x7F).contains(byte) ? character : " "
    }
    guard !isLineOrBlock(character) else { return character }
    let scalars = character.unicodeScalars
    // Joiners and other marks inside of a character belong to it. Alone they would be drawn on the cell
    // before.
    if scalars.allSatisfy(takesNoCell) { return " " }
    return scalars.contains { $0.properties.isNoncharacterCodePoint } ? " " : character
  }

  /// Whether it is of the blocks Box Drawing and Block Elements, of which bars and frames are made. What
  /// Unicode says of other characters takes longer to find.
  private static func isLineOrBlock(_ character: Character) -> Bool {
    guard character.utf8.count == 3, let scalar = character.unicodeScalars.first else {
      return false
    }
    return scalar.value >= 0x2500 && scalar.value < 0x25A0
  }

  /// Whether a scalar is a control character, turns the direction of text, takes no cell, or is drawn on the
  /// character before it.
  private static func takesNoCell(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return switch properties.generalCategory {
    case .control, .nonspacingMark, .enclosingMark: true
    case .format: properties.isDefaultIgnorableCodePoint
    default: false
    }
  }

  /// The main blocks that are wide by Unicode's East Asian Width (UAX #11).
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xA000...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF,
    0x1F200...0x1F265, 0x20000...0x3FFFD,
  ]
}
