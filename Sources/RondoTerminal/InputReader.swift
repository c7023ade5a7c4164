// From the bytes that a terminal sends to events.

/// Reads events from bytes as they come, in pieces that may end anywhere.
///
/// ```swift
/// var reader = InputReader()
/// reader.read([0x1b, 0x5b, 0x41])  // [.key(.up)]
/// ```
public struct InputReader: Sendable {
  /// A longer paste is given in parts of this many bytes.
  static let longestPaste = 1 << 20

  private var pending: [UInt8] = []
  /// The bytes of the paste that has begun; `nil` outside of one.
  private var paste: [UInt8]?

  /// A reader that has read nothing.
  public init() {}

  /// The events that some more bytes complete.
  ///
  /// An escape byte that ends a piece is the Escape key: terminals send the sequence of any other
  /// key in one go. Bytes that are no event are left out. For a sequence that has begun, the reader
  /// waits: see ``flush()``.
  ///
  /// Complexity: O(*n*) in the number of bytes.
  public mutating func read(_ bytes: some Sequence<UInt8>) -> [TerminalEvent] {
    pending += bytes
    var events: [TerminalEvent] = []
    var rest = pending[...]
    while !rest.isEmpty {
      if paste != nil {
        guard let length = readPaste(rest, &events) else { break }
        rest = rest.dropFirst(length)
      } else {
        guard let step = Self.next(rest) else { break }
        rest = rest.dropFirst(step.length)
        switch step.token {
        case .event(let event): events.append(event)
        case .pasteBegins: paste = []
        case .nothing: break
        }
      }
    }
    // Longer input is not a valid sequence: drop it.
    pending = rest.count > 64 ? [] : Array(rest)
    return events
  }

  /// Whether a sequence has begun that only more bytes can complete, outside of a paste.
  public var isWaiting: Bool { paste == nil && !pending.isEmpty }

  /// The events of a sequence that has begun and is not going on: the keys that its bytes are by
  /// themselves.
  ///
  /// Alt-[ and Alt-O are sent as the beginning of a sequence. Call this when no more bytes have come for
  /// a moment. It does nothing in a paste, which has an end.
  public mutating func flush() -> [TerminalEvent] {
    guard isWaiting else { return [] }
    var rest = pending[...]
    pending = []
    var events: [TerminalEvent] = []
    if rest.first == 0x1b {
      events.append(.key(.escape))
      rest = rest.dropFirst()
    }
    while let step = Self.next(rest) {
      if case .event(let event) = step.token { events.append(event) }
      rest = rest.dropFirst(step.length)
    }
    return events
  }

  private enum Token {
    case event(TerminalEvent)
    case pasteBegins
    case nothing

    static func key(_ key: Key) -> Token { .event(.key(key)) }
  }

  private static let endOfPaste = Array("\u{1b}[201~".utf8)

  /// Takes the bytes of a paste.
  ///
  /// - Returns: The number of bytes that are done with; `nil` to wait for more.
  private mutating func readPaste(
    _ bytes: ArraySlice<UInt8>,
    _ events: inout [TerminalEvent]
  ) -> Int? {
    let end = Self.endOfPaste
    let escape = bytes.firstIndex(of: 0x1b)
    guard let escape, escape == bytes.startIndex else {
      paste? += bytes[..<(escape ?? bytes.endIndex)]
      if let text = paste, text.count >= Self.longestPaste {
        let length = Self.wholeCharacters(of: text)
        events.append(.paste(String(decoding: text[..<length], as: UTF8.self)))
        paste = Array(text[length...])
      }
      return (escape ?? bytes.endIndex) - bytes.startIndex
    }
    let candidate = bytes.prefix(end.count)
    if candidate.elementsEqual(end) {
      events.append(.paste(String(decoding: paste ?? [], as: UTF8.self)))
      paste = nil
      return end.count
    }
    guard !end.starts(with: candidate) else { return nil }
    paste?.append(0x1b)
    return 1
  }

  /// The number of bytes before the last character, which more bytes may belong to.
  ///
  /// A character of 64 bytes or more is cut: it is none of a language, and must not grow for ever.
  private static func wholeCharacters(of bytes: [UInt8]) -> Int {
    // The last scalar may not be there as a whole.
    var end = bytes.lastIndex { $0 & 0xC0 != 0x80 } ?? 0
    if end + max(1, (~bytes[end]).leadingZeroBitCount) <= bytes.count { end = bytes.count }
    let tail = bytes[..<end].suffix(64)
    let last = String(decoding: tail, as: UTF8.self).last?.utf8.count ?? 0
    return last < tail.count ? end - last : end
  }

  private static func next(_ bytes: ArraySlice<UInt8>) -> (token: Token, length: Int)? {
    guard let first = bytes.first else { return nil }
    switch first {
    case 0x1b: return escape(bytes)
    case 0x0a, 0x0d: return (.key(.enter), 1)
    case 0x09: return (.key(.tab), 1)
    case 0x04: return (.key(.endOfInput), 1)
    case 0x08, 0x7f: return (.key(.backspace), 1)
    case 0x01...0x1a:
      return (.key(.control(Character(Unicode.Scalar(first + 0x60)))), 1)
    case ..<0x20: return (.nothing, 1)
    case ..<0x80: return (.key(.character(Character(Unicode.Scalar(first)))), 1)
    default: return scalar(bytes)
    }
  }

  /// A sequence that begins with an escape byte: `ESC [ … byte`, `ESC O byte`, `ESC [ [ byte` as the Linux
  /// console has it, or Escape itself.
  private static func escape(_ bytes: ArraySlice<UInt8>) -> (token: Token, length: Int)? {
    let body = bytes.dropFirst()
    guard let kind = body.first, kind == UInt8(ascii: "[") || kind == UInt8(ascii: "O") else {
      return (.key(.escape), 1)
    }
    if body.prefix(2).elementsEqual("[[".utf8) {
      guard let letter = body.dropFirst(2).first else { return nil }
      if let key = functionKey(letter, "A"..."E") { return (key, 4) }
    }
    guard let end = body.dropFirst().firstIndex(where: { !(0x20...0x3f).contains($0) }) else {
      return nil
    }
    // The byte that breaks a sequence off begins another key.
    guard (0x40...0x7e).contains(bytes[end]) else { return (.key(.escape), 1) }
    let parameters = String(decoding: body.dropFirst()[..<end], as: UTF8.self)
    let token =
      kind == UInt8(ascii: "O")
      ? functionKey(bytes[end], "P"..."S") ?? cursorKey(bytes[end])
      : sequence(parameters, bytes[end])
    return (token ?? .nothing, end - bytes.startIndex + 1)
  }

  /// A sequence `ESC [ parameters byte`.
  private static func sequence(_ parameters: String, _ letter: UInt8) -> Token? {
    if parameters.hasPrefix("<") { return mouse(parameters.dropFirst(), letter) }
    guard letter == UInt8(ascii: "~") else {
      // `ESC [ 1 ; modifiers letter`: the modifiers are one more than the sum of 1 for Shift, 2 for
      // Alt and 4 for Ctrl.
      let modifiers = parameters.split(separator: ";").dropFirst().first.flatMap { Int($0) } ?? 1
      return cursorKey(letter, byWords: (2...16).contains(modifiers) && (modifiers - 1) & 6 != 0)
    }
    guard let number = parameters.split(separator: ";").first.flatMap({ Int($0) }) else {
      return nil
    }
    switch number {
    case 1, 7: return .key(.home)
    case 2: return .key(.insert)
    case 3: return .key(.delete)
    case 4, 8: return .key(.end)
    case 5: return .key(.pageUp)
    case 6: return .key(.pageDown)
    case 11...15: return .key(.function(number - 10))
    case 17...21: return .key(.function(number - 11))
    case 23, 24: return .key(.function(number - 12))
    case 200: return .pasteBegins
    default: return nil
    }
  }

  private static func cursorKey(_ letter: UInt8, byWords: Bool = false) -> Token? {
    switch letter {
    case UInt8(ascii: "A"): .key(.up)
    case UInt8(ascii: "B"): .key(.down)
    case UInt8(ascii: "C"): .key(byWords ? .wordRight : .right)
    case UInt8(ascii: "D"): .key(byWords ? .wordLeft : .left)
    case UInt8(ascii: "H"): .key(.home)
    case UInt8(ascii: "F"): .key(.end)
    case UInt8(ascii: "Z"): .key(.backTab)
    default: nil
    }
  }

  /// The function key that the last byte of a sequence names: `P` to `S` are F1 to F4 behind `ESC O`,
  /// and `A` to `E` are F1 to F5 behind `ESC [ [`.
  private static func functionKey(_ letter: UInt8, _ letters: ClosedRange<Unicode.Scalar>) -> Token?
  {
    guard letters.contains(Unicode.Scalar(letter)) else { return nil }
    return .key(.function(Int(letter) - Int(letters.lowerBound.value) + 1))
  }

  /// A mouse event in the SGR form: `ESC [ < button ; column ; row M`, with `m` for a release.
  private static func mouse(_ parameters: Substring, _ letter: UInt8) -> Token? {
    let numbers = parameters.split(separator: ";").compactMap { Int($0) }
    guard numbers.count == 3, numbers.allSatisfy({ (0..<1 << 20).contains($0) }) else { return nil }
    // The buttons at the side of a mouse have this bit, and the numbers of the first ones below it.
    guard numbers[0] & 128 == 0 else { return nil }
    let button = numbers[0] & 3
    let kind: MouseEvent.Kind? =
      if numbers[0] & 64 != 0 {
        button == 0 ? .scrollUp : button == 1 ? .scrollDown : nil
      } else if letter == UInt8(ascii: "m") {
        .release(button: button)
      } else if numbers[0] & 32 != 0 {
        button == 3 ? nil : .drag(button: button)
      } else {
        .press(button: button)
      }
    return kind.map {
      .event(
        .mouse(MouseEvent(kind: $0, column: max(0, numbers[1] - 1), row: max(0, numbers[2] - 1))))
    }
  }

  /// A character of more than one byte.
  private static func scalar(_ bytes: ArraySlice<UInt8>) -> (token: Token, length: Int)? {
    let length = max(1, (~bytes[bytes.startIndex]).leadingZeroBitCount)
    guard (2...4).contains(length) else { return (.nothing, 1) }
    guard bytes.count >= length else { return nil }
    let character = String(validating: bytes.prefix(length), as: UTF8.self)?.first
    return (character.map { .key(.character($0)) } ?? .nothing, character == nil ? 1 : length)
  }
}
