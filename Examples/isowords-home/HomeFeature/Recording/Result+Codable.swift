// Actions as JSON: `{"matchTapped": {"_0": "match-1"}}`, `{"onAppear": {}}`,
// `{"matchesLoaded": {"_0": {"failure": …}}}`. The compiler writes all of it but the answers.

/// An answer as JSON: `{"success": …}` or `{"failure": …}`.
extension Result: @retroactive Codable where Success: Codable, Failure: Codable {
  private enum CodingKeys: CodingKey {
    case success, failure
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if container.contains(.success) {
      self = .success(try container.decode(Success.self, forKey: .success))
    } else {
      self = .failure(try container.decode(Failure.self, forKey: .failure))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .success(let value): try container.encode(value, forKey: .success)
    case .failure(let error): try container.encode(error, forKey: .failure)
    }
  }
}
