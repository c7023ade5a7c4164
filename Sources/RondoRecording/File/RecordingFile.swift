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

  /// The events that were skipped since this version does not know them: one note for each of the first
  /// ten kinds, and one for all others.
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
    var unknown: Set<String> = []
    for (index, text) in texts.enumerated().dropFirst() {
      guard !text.allSatisfy({ Self.spaces.contains($0) }) else {
        throw RecordingError(line: index + 1, "the line is empty")
      }
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
        guard unknown.insert(event).inserted, unknown.count <= Self.notedKinds else { break }
        notes.append("Events of the unknown kind '\(event)' were skipped.")
      case .end:
        isWhole = true
        lines.append((index + 1, line))
      default:
        lines.append((index + 1, line))
      }
    }
    if unknown.count > Self.notedKinds {
      let count = unknown.count - Self.notedKinds
      notes.append("Events of \(count) more unknown kind\(count == 1 ? "" : "s") were skipped.")
    }
    guard rest.isEmpty || !isWhole else {
      throw RecordingError(line: texts.count + 1, Self.moreBehindTheEnd)
    }
  }

  private static let notedKinds = 10
  private static let spaces = Array(" \t\r".utf8)

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
    let begin: RecordingLine.Begin
    do {
      begin = try decoder.decode(RecordingLine.Begin.self, from: text)
    } catch {
      throw RecordingError(line: 1, problem(error, in: text))
    }
    if let problem = RecordingLine.begin(begin).problemOfSeconds {
      throw RecordingError(line: 1, problem)
    }
    return begin
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
  let scan = text.map(LineScan.init)
  if let damage = scan?.damage { return damage }
  func place(_ path: [any CodingKey]) -> String {
    let names = path.map { key in key.intValue.map(String.init) ?? key.stringValue }
    return names.isEmpty ? "" : " at " + names.joined(separator: ".")
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
    return text == nil ? "it cannot be read" : scan?.oddNumber ?? "this is not JSON"
  case nil:
    return "\(error)"
  @unknown default:
    return "\(error)"
  }
}

/// A line that a decoder does not read, looked at byte by byte for the reason.
private struct LineScan {
  /// The reason why no decoder reads the line, whatever is expected in it.
  private(set) var damage: String?
  /// The first number that is not whole, or too large, behind a key of whole numbers. The decoder names
  /// no place for it.
  private(set) var oddNumber: String?

  /// The number of levels that the decoder reads.
  private static let depthLimit = 512
  private static let wholeKeys: Set = [
    "action", "actions", "column", "columns", "commit", "effect", "events", "index", "number",
    "parent", "row", "rows",
  ]

  init(_ text: Data) {
    guard String(validating: text, as: UTF8.self) != nil else {
      damage = "this is not text in the encoding UTF-8"
      return
    }
    var depth = 0
    var key = ""
    var bytes = Array(text)[...]
    while damage == nil, let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): key = Self.string(&bytes)
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        if depth > Self.depthLimit {
          damage = "its values are more than \(Self.depthLimit) levels deep"
        }
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        let rest = bytes.prefix { "0123456789+-.eE".utf8.contains($0) }
        bytes = bytes[rest.endIndex...]
        note(String(decoding: [byte] + rest, as: UTF8.self), key)
      default: break
      }
    }
  }

  private mutating func note(_ text: String, _ key: String) {
    guard let number = Double(text) else { return }
    if number.isInfinite {
      damage = "the number \(text) is too large"
    } else if oddNumber == nil, Self.wholeKeys.contains(key), Int(text) == nil,
      Int(exactly: number) == nil
    {
      oddNumber = "the number \(text) at \(key) is not whole, or too large"
    }
  }

  /// Takes the bytes of a string and the quote behind it. Returns the string; escapes stay as they are.
  private static func string(_ bytes: inout ArraySlice<UInt8>) -> String {
    let start = bytes
    while let byte = bytes.popFirst(), byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\") { _ = bytes.popFirst() }
    }
    return String(decoding: start.prefix(max(0, start.count - bytes.count - 1)), as: UTF8.self)
  }
}
