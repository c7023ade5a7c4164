// JSON of characters.

/// A character as a string of one.
extension Character: @retroactive Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let character = text.first, text.count == 1 else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "a single character is expected")
    }
    self = character
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(String(self))
  }
}
