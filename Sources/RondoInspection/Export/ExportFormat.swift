// The formats of other tools, and JSON for them.

import Foundation
import RondoRecording

/// A format that other tools read.
enum ExportFormat {
  case otel, chromeTrace
}

extension RecordedData {
  /// The value as JSON in one line, with a line break.
  func json(named name: String) throws(CommandFailure) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    } catch {
      throw CommandFailure(.data, "\(name): the recording cannot be encoded: \(error)")
    }
  }
}

extension RecordingLine {
  /// A time in whole microseconds, of which a recording has at most 10¹⁸.
  static func microseconds(_ seconds: Double) -> Int64 {
    Int64((seconds * 1_000_000).rounded())
  }
}

extension RecordingLine.Commit {
  /// The paths of what has changed, each once: `results`, `rows.3.title`.
  var changedPaths: [String] {
    var seen: Set<String> = []
    return changes.map { $0.path.isEmpty ? "." : $0.path.joined(separator: ".") }
      .filter { seen.insert($0).inserted }
  }
}
