// Errors as text in messages.

import Foundation

/// The text of an error, for the reader of a message.
enum ErrorText {
  /// The text, in one line. An error of decoding comes with the place in the document.
  static func of(_ error: any Error) -> String {
    let words =
      switch error {
      case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty:
        context.debugDescription
      case DecodingError.keyNotFound(let key, let context):
        "\(place(context.codingPath + [key])): missing"
      case DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
        DecodingError.valueNotFound(_, let context):
        "\(place(context.codingPath)): \(context.debugDescription)"
      case EncodingError.invalidValue(_, let context):
        "\(place(context.codingPath)): \(context.debugDescription)"
      default: "\(error)"
      }
    let line = words.split(whereSeparator: \Character.isNewline).joined(separator: " ")
    return line.hasSuffix(".") ? String(line.dropLast()) : line
  }

  /// `$.games[2].name`
  private static func place(_ path: [any CodingKey]) -> String {
    path.reduce(into: "$") { place, key in
      place += key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)"
    }
  }
}
