// Decoding a value together with the rule that it has to meet.

extension KeyedDecodingContainer {
  /// Decodes a value that must meet a condition. Where it does not, the error has the value's path
  /// and says what was expected.
  func decode<Value: Decodable>(
    _ type: Value.Type,
    forKey key: Key,
    expecting expectation: String,
    where isValid: (Value) -> Bool
  ) throws -> Value {
    let value = try decode(type, forKey: key)
    guard isValid(value) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: codingPath + [key],
          debugDescription: "expected \(expectation), found \(JSONText.quoted(value))"
        )
      )
    }
    return value
  }
}
