// Finding identifiers in texts.

/// The text of a UUID: groups of 8, 4, 4, 4 and 12 hexadecimal digits, with hyphens between them.
package enum UUIDText {
  /// The number of bytes.
  package static let length = 36

  /// The positions of UUIDs that are no parts of longer words.
  package static func positions(in text: String.UTF8View) -> [Int] {
    guard text.count >= length else { return [] }
    let bytes = Array(text)
    var positions: [Int] = []
    var start = 0
    while start + length <= bytes.count {
      guard bytes[start + 8] == hyphen, isUUID(bytes[start..<start + length]),
        start == 0 || !isWord(bytes[start - 1]),
        start + length == bytes.count || !isWord(bytes[start + length])
      else {
        start += 1
        continue
      }
      positions.append(start)
      start += length
    }
    return positions
  }

  private static let hyphen = UInt8(ascii: "-")

  private static func isUUID(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.enumerated().allSatisfy { offset, byte in
      [8, 13, 18, 23].contains(offset) ? byte == hyphen : isDigit(byte)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...0xff:
      true
    default: false
    }
  }
}
