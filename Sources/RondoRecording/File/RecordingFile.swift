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

  /// Reads a recording.
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
  public init(_ data: Data) throws(RecordingError) {
    var texts = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // Bytes without a newline behind them: a line that was not written to its end.
    texts.removeLast()
    guard let first = texts.first else { throw RecordingError("The recording is empty.") }
    begin = try Self.begin(first)
    lines = [(1, .begin(begin))]
    let decoder = RecordingCoder.decoder
    for (index, text) in texts.enumerated().dropFirst() {
      guard !isWhole else {
        throw RecordingError(line: index + 1, "there is more behind the end of the recording")
      }
      let line: RecordingLine
      do {
        line = try decoder.decode(RecordingLine.self, from: text)
      } catch {
        throw RecordingError(line: index + 1, problem(error))
      }
      switch line {
      case .begin:
        throw RecordingError(line: index + 1, "another recording begins here")
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
  }

  private struct Version: Decodable {
    var recording: Int
  }

  private static func begin(_ text: Data) throws(RecordingError) -> RecordingLine.Begin {
    let decoder = RecordingCoder.decoder
    guard let version = try? decoder.decode(Version.self, from: text).recording else {
      throw RecordingError(line: 1, "this is not the beginning of a recording")
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
      throw RecordingError(line: 1, problem(error))
    }
  }
}

/// A recording that cannot be read, written or run again: one line that says why.
public struct RecordingError: Error, Equatable, CustomStringConvertible {
  public var description: String

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
func problem(_ error: any Error) -> String {
  func place(_ path: [any CodingKey]) -> String {
    path.isEmpty ? "" : " at " + path.map(\.stringValue).joined(separator: ".")
  }
  switch error as? DecodingError {
  case .keyNotFound(let key, let context):
    return "'\(key.stringValue)' is missing\(place(context.codingPath))"
  case .typeMismatch(_, let context), .valueNotFound(_, let context):
    return "the value\(place(context.codingPath)) has another type than is expected"
  case .dataCorrupted(let context):
    return context.codingPath.isEmpty
      ? "this is not JSON" : "the value\(place(context.codingPath)) cannot be read"
  case nil:
    return "\(error)"
  @unknown default:
    return "\(error)"
  }
}
