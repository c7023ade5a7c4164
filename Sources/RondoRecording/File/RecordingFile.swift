// A recording that is read.

import Foundation

/// A recording, as it was read from a file.
///
/// ```swift
/// let recording = try RecordingFile(contentsOf: url)
/// for line in recording.lines { print(line.at ?? 0) }
/// ```
public struct RecordingFile: Sendable {
  /// The first line.
  public var begin: RecordingLine.Begin

  /// All lines that this version knows, in order, with their numbers in the file. The first one is
  /// the beginning; the last one is the end, unless the recording was cut off.
  public var lines: [(number: Int, line: RecordingLine)]

  /// The events that were skipped since this version does not know them, one note for each kind.
  public var notes: [String] = []

  /// Whether the last line is there. A recording of a program that was killed has none.
  public var isWhole = false

  /// Reads a recording from a file.
  ///
  /// - Throws: A ``RecordingError`` where the file cannot be read or is no recording.
  public init(contentsOf url: URL) throws(RecordingError) {
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      throw RecordingError("\(url.path) cannot be read: \(error.localizedDescription)")
    }
    try self.init(data)
  }

  /// Reads a recording. One that was cut off is read as far as it goes.
  ///
  /// - Throws: A ``RecordingError`` that names the first line that is wrong.
  public init(_ data: Data) throws(RecordingError) {
    guard !data.isEmpty else { throw RecordingError("The recording is empty.") }
    var texts = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // Bytes without a newline behind them: a line that was not written to its end.
    let rest = texts.removeLast()
    guard let first = texts.first else {
      throw RecordingError(
        rest.first == UInt8(ascii: "{")
          ? "Line 1: the recording was cut off in its first line, so that nothing can be read."
          : "Line 1: this is not the beginning of a recording.")
    }
    begin = try Self.begin(first)
    lines = [(1, .begin(begin))]
    let decoder = RecordingCoder.decoder
    var order = LineOrder()
    for (index, text) in texts.enumerated().dropFirst() {
      guard !text.isEmpty else { throw RecordingError(line: index + 1, "the line is empty") }
      guard !isWhole else { throw RecordingError(line: index + 1, Self.moreBehindTheEnd) }
      let line: RecordingLine
      do {
        line = try decoder.decode(RecordingLine.self, from: text)
      } catch {
        throw RecordingError(line: index + 1, problem(error, in: text))
      }
      if case .begin = line {
        throw RecordingError(line: index + 1, "another recording begins here")
      }
      if let problem = order.problem(with: line) { throw RecordingError(line: index + 1, problem) }
      switch line {
      case .unknown(let event):
        let note = "Events of the unknown kind '\(event)' were skipped."
        if !notes.contains(note) { notes.append(note) }
      case .end:
        isWhole = true
        lines.append((index + 1, line))
      default:
        lines.append((index + 1, line))
      }
    }
    guard rest.isEmpty || !isWhole else {
      throw RecordingError(line: texts.count + 1, Self.moreBehindTheEnd)
    }
  }

  private static let moreBehindTheEnd = "there is more behind the end of the recording"

  private struct Version: Decodable {
    var recording: Int
  }

  private static func begin(_ text: Data) throws(RecordingError) -> RecordingLine.Begin {
    let decoder = RecordingCoder.decoder
    let version: Int
    do {
      version = try decoder.decode(Version.self, from: text).recording
    } catch {
      // A first line that looks like that of a recording is damaged.
      guard text.starts(with: Data("{".utf8)), text.range(of: Data("\"recording\"".utf8)) != nil
      else {
        throw RecordingError(line: 1, "this is not the beginning of a recording")
      }
      throw RecordingError(line: 1, problem(error, in: text))
    }
    guard version == RecordingLine.version else {
      let advice =
        version > RecordingLine.version
        ? "Use a newer version of Rondo." : "Make the recording again."
      throw RecordingError(
        "The recording has version \(version) of the format, and only version "
          + "\(RecordingLine.version) can be read. \(advice)")
    }
    do {
      return try decoder.decode(RecordingLine.Begin.self, from: text)
    } catch {
      throw RecordingError(line: 1, problem(error, in: text))
    }
  }
}

/// A recording that cannot be read, written or run again: one line that says why.
public struct RecordingError: Error, Equatable, CustomStringConvertible {
  public var description: String

  /// An error with a text. Line breaks in it become spaces.
  public init(_ description: String) {
    self.description = description.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  init(line: Int, _ problem: String) {
    self.init("Line \(line): \(problem).")
  }
}

extension RecordingError: LocalizedError {
  public var errorDescription: String? { description }
}

/// The problem with a line, in words.
///
/// - Parameter text: The line; `nil` for a value that was read before.
func problem(_ error: any Error, in text: Data? = nil) -> String {
  func place(_ path: [any CodingKey]) -> String {
    path.isEmpty ? "" : " at " + path.map(\.stringValue).joined(separator: ".")
  }
  switch error as? DecodingError {
  case .keyNotFound(let key, let context):
    return "'\(key.stringValue)' is missing\(place(context.codingPath))"
  case .typeMismatch(_, let context), .valueNotFound(_, let context):
    return "the value\(place(context.codingPath)) has another type than is expected"
  case .dataCorrupted(let context):
    guard context.codingPath.isEmpty else {
      return "the value\(place(context.codingPath)) cannot be read"
    }
    return text.map(damage) ?? "it cannot be read"
  case nil:
    return "\(error)"
  @unknown default:
    return "\(error)"
  }
}

/// The reason why a line is no JSON.
private func damage(_ text: Data) -> String {
  guard String(validating: text, as: UTF8.self) != nil else {
    return "this is not text in the encoding UTF-8"
  }
  // Strings and numbers.
  let tokens = /"(?:[^"\\]|\\.)*"|-?[0-9][-+.0-9eE]*/
  let tooLarge = String(decoding: text, as: UTF8.self).matches(of: tokens).first {
    Double($0.output)?.isInfinite == true
  }
  return tooLarge.map { "the number \($0.output) is too large" } ?? "this is not JSON"
}
