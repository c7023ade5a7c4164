// Reads JSON and says, where it is wrong, at which line and column.
//
// Foundation's parser on Linux says only that the data "was not valid JSON", and accepts a comma
// before a closing bracket. A player who has lost a game deserves to be told where.

/// Why a text is not JSON, and where.
struct JSONSyntaxError: Error, Equatable {
  var line: Int
  var column: Int
  var message: String
}

/// A recursive-descent parser of RFC 8259, over UTF-8.
struct JSONParser {
  /// Arrays and objects nested deeper than this are refused, so that no input exhausts the stack.
  static let maximumDepth = 64

  private let bytes: [UInt8]
  private var offset = 0
  private var depth = 0

  /// The value that some bytes spell.
  static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
    var parser = JSONParser(bytes: bytes)
    let value = try parser.value()
    parser.skipSpace()
    guard parser.offset == bytes.count else {
      throw parser.error("expected the end of the file, found \(parser.found)")
    }
    return value
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }
}

// MARK: - Values

extension JSONParser {
  private mutating func value() throws(JSONSyntaxError) -> JSONValue {
    skipSpace()
    switch peek {
    case UInt8(ascii: "{"):
      return .object(try nested { p throws(JSONSyntaxError) in try p.object() })
    case UInt8(ascii: "["): return .array(try nested { p throws(JSONSyntaxError) in try p.array() })
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), (UInt8(ascii: "0")...UInt8(ascii: "9"))?: return .number(try number())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: throw error("expected a value, found \(found)")
    }
  }

  private mutating func nested<Value>(
    _ body: (inout JSONParser) throws(JSONSyntaxError) -> Value
  ) throws(JSONSyntaxError) -> Value {
    guard depth < Self.maximumDepth else {
      throw error("nested deeper than \(Self.maximumDepth) levels")
    }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }

  private mutating func object() throws(JSONSyntaxError) -> [String: JSONValue] {
    offset += 1
    var members: [String: JSONValue] = [:]
    skipSpace()
    if take("}") { return members }
    while true {
      skipSpace()
      let start = offset
      guard peek == UInt8(ascii: "\"") else { throw error("expected a key, found \(found)") }
      let key = try string()
      guard members[key] == nil else {
        offset = start
        throw error("the key \(JSONText.quoted(key)) is there twice")
      }
      skipSpace()
      guard take(":") else { throw error("expected ':', found \(found)") }
      members[key] = try value()
      skipSpace()
      if take("}") { return members }
      guard take(",") else { throw error("expected ',' or '}', found \(found)") }
    }
  }

  private mutating func array() throws(JSONSyntaxError) -> [JSONValue] {
    offset += 1
    var elements: [JSONValue] = []
    skipSpace()
    if take("]") { return elements }
    while true {
      elements.append(try value())
      skipSpace()
      if take("]") { return elements }
      guard take(",") else { throw error("expected ',' or ']', found \(found)") }
    }
  }

  private mutating func word(
    _ word: StaticString,
    _ value: JSONValue
  ) throws(JSONSyntaxError) -> JSONValue {
    for character in word.description.utf8 {
      guard peek == character else { throw error("expected a value, found \(found)") }
      offset += 1
    }
    return value
  }

  private mutating func number() throws(JSONSyntaxError) -> String {
    let start = offset
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private mutating func digits() throws(JSONSyntaxError) {
    let start = offset
    while let digit = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) { offset += 1 }
    guard offset > start else { throw error("expected a digit, found \(found)") }
  }
}

// MARK: - Strings

extension JSONParser {
  private mutating func string() throws(JSONSyntaxError) -> String {
    let start = offset
    offset += 1
    var content: [UInt8] = []
    while true {
      switch peek {
      case nil:
        throw error("the file ends inside a string")
      case UInt8(ascii: "\"")?:
        offset += 1
        guard let string = String(validating: content, as: UTF8.self) else {
          offset = start
          throw error("the string is not UTF-8")
        }
        return string
      case UInt8(ascii: "\\")?:
        offset += 1
        content.append(contentsOf: try escape().utf8)
      case let byte? where byte < 0x20:
        throw error("expected '\"' before the control character \(hexadecimal(byte))")
      case let byte?:
        content.append(byte)
        offset += 1
      }
    }
  }

  private mutating func escape() throws(JSONSyntaxError) -> String {
    guard let byte = peek else { throw error("the file ends inside a string") }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape()
    default:
      offset -= 1
      throw error("expected an escape, found \(found)")
    }
  }

  /// A scalar from one `\uXXXX`, or from the surrogate pair of two.
  private mutating func unicodeEscape() throws(JSONSyntaxError) -> String {
    let start = offset - 2
    var units = [try codeUnit()]
    if UTF16.isLeadSurrogate(units[0]), take("\\"), take("u") {
      units.append(try codeUnit())
    }
    guard let string = String(validating: units, as: UTF16.self) else {
      offset = start
      throw error("half a surrogate pair")
    }
    return string
  }

  private mutating func codeUnit() throws(JSONSyntaxError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = peek.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        throw error("expected a hexadecimal digit, found \(found)")
      }
      unit = unit << 4 | UInt16(digit)
      offset += 1
    }
    return unit
  }
}

// MARK: - Characters and places

extension JSONParser {
  private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
      offset += 1
    }
  }

  /// What stands at the cursor, for a message.
  private var found: String {
    guard let byte = peek else { return "the end of the file" }
    guard (0x21..<0x7f).contains(byte) else { return "the byte \(hexadecimal(byte))" }
    return "'\(Character(Unicode.Scalar(byte)))'"
  }

  private func hexadecimal(_ byte: UInt8) -> String {
    "0x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
  }

  /// The error at the cursor. Columns count bytes from 1.
  private func error(_ message: String) -> JSONSyntaxError {
    let before = bytes[..<offset]
    let lineStart = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
    return JSONSyntaxError(
      line: before.reduce(1) { $1 == 0x0a ? $0 + 1 : $0 },
      column: offset - lineStart + 1,
      message: message
    )
  }
}
