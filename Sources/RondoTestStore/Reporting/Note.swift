// Notes: information for the reader of a test's output, which never fails the test.

import RondoScheduling
import Synchronization

/// The printing of notes.
enum Notes {
  /// The replacement for standard output, for tests of notes.
  @TaskLocal static var sink: (@Sendable (String) -> Void)?

  static func print(_ message: String, at position: SourcePosition) {
    let note = "\(position.filePath):\(position.line): note: \(message)"
    if let sink { sink(note) } else { Swift.print(note) }
  }
}
