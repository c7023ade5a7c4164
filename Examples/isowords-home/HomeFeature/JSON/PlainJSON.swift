// JSON from outside, without what controls a terminal.

import Foundation

/// Takes control characters out of the strings of a JSON document.
///
/// What is between the strings stays as it is, so that errors have the places that they had.
struct PlainJSON {
  private var result: [UInt8] = []
  private var bytes: ArraySlice<UInt8>

  /// A document with the control characters, and what sets the direction of text, taken out of its
  /// strings. Line breaks and tabs in them become spaces.
  static func cleaned(_ document: [UInt8]) -> [UInt8] {
    var cleaning = PlainJSON(bytes: document[...])
    cleaning.result.reserveCapacity(document.count)
    while let byte = cleaning.bytes.popFirst() {
      cleaning.result.append(byte)
      if byte == UInt8(ascii: "\"") { cleaning.takeString() }
    }
    return cleaning.result
  }

  private init(bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  /// Takes a string to its closing quotation mark.
  private mutating func takeString() {
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "\""):
        result.append(byte)
        return
      case UInt8(ascii: "\\"): takeEscape()
      case 0xc2, 0xd8, 0xe2: takeScalar(byte)
      default: result.append(byte)
      }
    }
  }

  /// Takes what follows a backslash.
  private mutating func takeEscape() {
    guard let kind = bytes.popFirst() else { return result.append(UInt8(ascii: "\\")) }
    switch kind {
    case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"): result.append(UInt8(ascii: " "))
    case UInt8(ascii: "b"), UInt8(ascii: "f"): break
    case UInt8(ascii: "u"):
      let digits = bytes.prefix(4)
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
      guard digits.count == 4, let value, let scalar = Unicode.Scalar(value), scalar.isControl
      else { fallthrough }
      bytes = bytes.dropFirst(4)
      if [0x9, 0xa, 0xd, 0x2028, 0x2029].contains(value) { result.append(UInt8(ascii: " ")) }
    default: result += [UInt8(ascii: "\\"), kind]
    }
  }

  /// Takes a scalar of two or three bytes that may be a control character.
  private mutating func takeScalar(_ first: UInt8) {
    let rest = bytes.prefix(first == 0xe2 ? 2 : 1)
    let text = String(validating: [first] + rest, as: UTF8.self)
    guard let scalar = text?.unicodeScalars.first, scalar.isControl else {
      return result.append(first)
    }
    bytes = bytes.dropFirst(rest.count)
    if [0x2028, 0x2029].contains(scalar.value) { result.append(UInt8(ascii: " ")) }
  }
}
