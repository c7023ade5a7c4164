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
    func unexpected(_ found: String) -> DecodingError {
      .dataCorrupted(
        .init(codingPath: codingPath + [key], debugDescription: "expected \(expectation)\(found)")
      )
    }
    let value: Value
    do {
      value = try decode(type, forKey: key)
    } catch let error as DecodingError {
      throw error
    } catch {
      // A number that the type has no value for. Foundation's own error would not say where.
      throw unexpected("")
    }
    guard isValid(value) else { throw unexpected(", found \(JSONText.quoted(value))") }
    return value
  }
}
