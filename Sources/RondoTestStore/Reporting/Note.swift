// Notes: what a test may want to know and that never fails it.

import RondoScheduling
import Synchronization

/// Where notes go.
enum Notes {
  /// What replaces standard output, for tests of notes.
  @TaskLocal static var sink: (@Sendable (String) -> Void)?

  static func print(_ message: String, at position: SourcePosition) {
    let note = "\(position.filePath):\(position.line): note: \(message)"
    if let sink { sink(note) } else { Swift.print(note) }
  }
}
