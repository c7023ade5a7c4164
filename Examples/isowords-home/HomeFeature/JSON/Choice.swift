// An enumeration of names, whose decoding error says which names there are.

/// An enumeration that JSON writes as one of a few strings.
public protocol Choice: CaseIterable, Codable, RawRepresentable, Sendable
where RawValue == String {}

extension Choice {
  /// Decodes one of the strings.
  ///
  /// - Throws: `DecodingError` for any other string; it lists the ones that there are.
  public init(from decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    guard let choice = Self(rawValue: name) else {
      let names = Self.allCases.map(\.rawValue).joined(separator: " or ")
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "expected \(names), found \(JSONText.quoted(name))"
        )
      )
    }
    self = choice
  }
}
