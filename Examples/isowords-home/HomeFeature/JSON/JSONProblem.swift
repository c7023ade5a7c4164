// What is wrong with a JSON document, and where in it.

/// An error of decoding in words: the path or the line, then what was expected and found.
public struct JSONProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// `$.unlimited.cubes[1][0][2].left.letter`, or `line 3, column 5` where the text is not JSON.
  public var place: String
  public var message: String

  public init(place: String, message: String) {
    self.place = place
    self.message = message
  }

  public var description: String { "\(place): \(message)" }
}

extension JSONProblem {
  init(_ error: any Error) {
    switch error {
    case let error as JSONSyntaxError:
      self.init(place: "line \(error.line), column \(error.column)", message: error.message)
    case DecodingError.dataCorrupted(let context),
      DecodingError.keyNotFound(_, let context),
      DecodingError.typeMismatch(_, let context),
      DecodingError.valueNotFound(_, let context):
      self.init(place: Self.path(context.codingPath), message: context.debugDescription)
    default:
      self.init(place: "$", message: "\(error)".onOneLine)
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.reduce(into: "$") { path, key in
      path += key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue.onOneLine)"
    }
  }
}

/// Decodes a JSON document.
///
/// - Throws: A ``JSONProblem`` with the place and the reason.
func decodeJSON<Value: Decodable>(
  _ type: Value.Type,
  from bytes: some Sequence<UInt8>,
  dates: DateForm
) throws(JSONProblem) -> Value {
  do {
    return try JSONTreeDecoder.decode(type, from: Array(bytes), dates: dates)
  } catch {
    throw JSONProblem(error)
  }
}
