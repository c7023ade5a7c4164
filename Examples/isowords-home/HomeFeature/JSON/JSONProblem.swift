// A problem with a JSON document, and its place.

import Foundation

/// An error of decoding in words: the path or the line, then what is wrong there.
public struct JSONProblem: Error, Codable, Equatable, Sendable, CustomStringConvertible {
  /// `$.unlimited.cubes[1][0][2].left.useCount`, or `line 3, column 5` where the text is not JSON.
  public var place: String
  /// The problem, in words.
  public var message: String

  /// A problem at a place.
  public init(place: String, message: String) {
    self.place = place
    self.message = message
  }

  public var description: String { "\(place): \(message)" }
}

/// Decodes a JSON document.
///
/// - Parameter isFromOutside: Whether its strings lose what controls a terminal or sets the direction
///   of text.
/// - Throws: A ``JSONProblem`` with the place and the reason.
func decodeJSON<Value: Decodable>(
  _ type: Value.Type,
  from bytes: some Sequence<UInt8>,
  dates: JSONDecoder.DateDecodingStrategy,
  isFromOutside: Bool = false
) throws(JSONProblem) -> Value {
  let data = Data(bytes)
  let decoder = JSONDecoder()
  decoder.dateDecodingStrategy = dates
  do {
    return try decoder.decode(
      type, from: isFromOutside ? Data(PlainJSON.cleaned(Array(data))) : data)
  } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
    throw JSONProblem(syntaxOf: data) ?? JSONProblem(path: [], context.debugDescription)
  } catch DecodingError.keyNotFound(let key, let context) {
    throw JSONProblem(path: context.codingPath + [key], "missing")
  } catch DecodingError.dataCorrupted(let context),
    DecodingError.typeMismatch(_, let context),
    DecodingError.valueNotFound(_, let context)
  {
    throw JSONProblem(path: context.codingPath, context.debugDescription)
  } catch {
    throw JSONProblem(path: [], "\(error)".onOneLine)
  }
}

extension JSONProblem {
  fileprivate init(path: [any CodingKey], _ message: String) {
    let place = path.reduce(into: "$") { path, key in
      path += key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue.onOneLine)"
    }
    self.init(place: place, message: message.withoutControls.withoutFullStop)
  }

  /// The place at which a document is no JSON; `nil` if it is one.
  ///
  /// On Linux `JSONDecoder` says only that it is not. `JSONSerialization` counts the bytes.
  fileprivate init?(syntaxOf data: Data) {
    do {
      _ = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
      return nil
    } catch {
      let words = (error as NSError).userInfo["NSDebugDescription"] as? String ?? "no JSON"
      let position = words.firstMatch(of: /\ (around|starting from) character (?<offset>\d+)/)
      let end = words == "Unexpected end of file during JSON parse." ? data.count : nil
      guard let offset = position.flatMap({ Int($0.offset) }) ?? end else {
        self.init(path: [], words)
        return
      }
      let message = position.map { words.replacingCharacters(in: $0.range, with: "") } ?? words
      self.init(
        place: Self.place(of: offset, in: data),
        message: message.withoutFullStop
      )
    }
  }

  /// Columns count bytes from 1.
  private static func place(of offset: Int, in data: Data) -> String {
    let before = data.prefix(offset)
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let line = before.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    return "line \(line), column \(before.count - lineStart + 1)"
  }
}

extension String {
  fileprivate var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
