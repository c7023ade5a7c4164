// From the bytes that a terminal sends to keys.

/// A key of the keyboard.
public enum Key: Hashable, Sendable {
  case character(Character)
  case up, down
  case enter, escape, backspace

  /// Ctrl-D, which ends the input.
  case endOfInput
}

/// Reads keys from bytes as they come, in pieces that may end anywhere.
public struct KeyReader: Sendable {
  private var pending: [UInt8] = []

  public init() {}

  /// The keys that some more bytes complete.
  ///
  /// An escape byte that ends a piece is the Escape key: terminals send the sequence of any other
  /// key in one go.
  public mutating func read(_ bytes: some Sequence<UInt8>) -> [Key] {
    pending += bytes
    var keys: [Key] = []
    var rest = pending[...]
    while let step = Self.next(rest) {
      if let key = step.key { keys.append(key) }
      rest = rest.dropFirst(step.length)
    }
    // No key is longer than this. What is, is no key, and is not to grow for ever.
    pending = rest.count > 32 ? [] : Array(rest)
    return keys
  }

  private static func next(_ bytes: ArraySlice<UInt8>) -> (key: Key?, length: Int)? {
    guard let first = bytes.first else { return nil }
    switch first {
    case 0x1b: return escape(bytes)
    case 0x0a, 0x0d: return (.enter, 1)
    case 0x04: return (.endOfInput, 1)
    case 0x08, 0x7f: return (.backspace, 1)
    case ..<0x20: return (nil, 1)
    case ..<0x80: return (.character(Character(Unicode.Scalar(first))), 1)
    default: return scalar(bytes)
    }
  }

  /// A sequence that begins with an escape byte: `ESC [ … letter`, `ESC O letter`, or Escape itself.
  private static func escape(_ bytes: ArraySlice<UInt8>) -> (key: Key?, length: Int)? {
    let body = bytes.dropFirst()
    guard let kind = body.first else { return (.escape, 1) }
    guard kind == UInt8(ascii: "[") || kind == UInt8(ascii: "O") else { return (.escape, 1) }
    guard let end = body.dropFirst().firstIndex(where: { (0x40...0x7e).contains($0) }) else {
      return nil
    }
    let key: Key? =
      switch bytes[end] {
      case UInt8(ascii: "A"): .up
      case UInt8(ascii: "B"): .down
      default: nil
      }
    return (key, end - bytes.startIndex + 1)
  }

  /// A character of more than one byte.
  private static func scalar(_ bytes: ArraySlice<UInt8>) -> (key: Key?, length: Int)? {
    let length = max(1, (~bytes[bytes.startIndex]).leadingZeroBitCount)
    guard (2...4).contains(length) else { return (nil, 1) }
    guard bytes.count >= length else { return nil }
    let character = String(validating: bytes.prefix(length), as: UTF8.self)?.first
    return (character.map(Key.character), character == nil ? 1 : length)
  }
}
