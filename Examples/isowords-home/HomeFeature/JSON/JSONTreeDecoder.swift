// Decodes a `Decodable` from a tree of JSON, with errors that a player can act on.

import Foundation

/// How dates are written as numbers.
public enum DateForm: Sendable {
  /// Seconds since 2001-01-01, as in files.
  case sinceReferenceDate

  /// Seconds since 1970-01-01, as on the wire.
  case since1970
}

/// A decoder of one JSON value at a path.
///
/// Unlike Foundation's it gives every error its coding path, a number that does not fit included,
/// and says in plain words what was expected and what was found.
struct JSONTreeDecoder: Decoder {
  let value: JSONValue
  let codingPath: [any CodingKey]
  let dates: DateForm
  let userInfo: [CodingUserInfoKey: Any] = [:]

  /// Decodes a document.
  static func decode<Value: Decodable>(
    _ type: Value.Type,
    from bytes: [UInt8],
    dates: DateForm
  ) throws -> Value {
    let decoder = JSONTreeDecoder(value: try JSONParser.parse(bytes), codingPath: [], dates: dates)
    return try decoder.decode(type)
  }

  func container<Key: CodingKey>(keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else {
      throw mismatch([String: JSONValue].self, "an object")
    }
    return KeyedDecodingContainer(ObjectContainer(decoder: self, members: members))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch([JSONValue].self, "an array") }
    return ArrayContainer(decoder: self, elements: elements)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  fileprivate func child(_ value: JSONValue, at key: any CodingKey) -> JSONTreeDecoder {
    JSONTreeDecoder(value: value, codingPath: codingPath + [key], dates: dates)
  }

  private func mismatch(_ type: Any.Type, _ expectation: String) -> DecodingError {
    .typeMismatch(
      type,
      .init(
        codingPath: codingPath,
        debugDescription: "expected \(expectation), found \(value.kind)"
      )
    )
  }
}

// MARK: - One value

extension JSONTreeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value == .null }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .bool(let bool) = value else { throw mismatch(type, "true or false") }
    return bool
  }

  func decode(_ type: String.Type) throws -> String {
    guard case .string(let string) = value else { throw mismatch(type, "a string") }
    return string
  }

  func decode(_ type: Double.Type) throws -> Double { try float(type) }
  func decode(_ type: Float.Type) throws -> Float { try float(type) }
  func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard type == Date.self else { return try Value(from: self) }
    let seconds = try float(Double.self)
    let date =
      switch dates {
      case .sinceReferenceDate: Date(timeIntervalSinceReferenceDate: seconds)
      case .since1970: Date(timeIntervalSince1970: seconds)
      }
    // The branch above has found that `Value` is `Date`.
    return date as! Value
  }

  private func float<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ type: Number.Type
  ) throws -> Number {
    guard case .number(let spelling) = value else { throw mismatch(type, "a number") }
    guard let number = Number(spelling), number.isFinite else { throw outOfRange(spelling) }
    return number
  }

  private func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
    guard case .number(let spelling) = value else { throw mismatch(type, "a whole number") }
    if let number = Number(spelling) { return number }
    // `3.0` and `3e2` are whole numbers too.
    if let number = Double(spelling).flatMap(Number.init(exactly:)) { return number }
    throw outOfRange(spelling)
  }

  private func outOfRange(_ spelling: String) -> DecodingError {
    .dataCorrupted(
      .init(
        codingPath: codingPath,
        debugDescription: "the number \(spelling.prefix(24)) is not possible here")
    )
  }
}

// MARK: - Objects

private struct ObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: JSONTreeDecoder
  let members: [String: JSONValue]

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { members.keys.sorted().compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try child(key).decodeNil() }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try child(key).decode(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try child(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try child(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { decoder }
  func superDecoder(forKey key: Key) throws -> any Decoder { try child(key) }

  private func child(_ key: Key) throws -> JSONTreeDecoder {
    guard let value = members[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key,
        .init(codingPath: codingPath + [key], debugDescription: "missing")
      )
    }
    return decoder.child(value, at: key)
  }
}

// MARK: - Arrays

private struct ArrayContainer: UnkeyedDecodingContainer {
  let decoder: JSONTreeDecoder
  let elements: [JSONValue]
  private(set) var currentIndex = 0

  init(decoder: JSONTreeDecoder, elements: [JSONValue]) {
    self.decoder = decoder
    self.elements = elements
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  mutating func decodeNil() throws -> Bool {
    guard try peek().decodeNil() else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try peek().decode(type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { try next() }

  private mutating func next() throws -> JSONTreeDecoder {
    let decoder = try peek()
    currentIndex += 1
    return decoder
  }

  private func peek() throws -> JSONTreeDecoder {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        JSONValue.self,
        .init(
          codingPath: codingPath, debugDescription: "expected more than \(elements.count) elements")
      )
    }
    return decoder.child(elements[currentIndex], at: ElementKey(index: currentIndex))
  }
}

/// The place of an element in a coding path.
private struct ElementKey: CodingKey {
  let index: Int

  init(index: Int) { self.index = index }
  init?(intValue: Int) { self.init(index: intValue) }
  init?(stringValue: String) { nil }

  var intValue: Int? { index }
  var stringValue: String { "\(index)" }
}
