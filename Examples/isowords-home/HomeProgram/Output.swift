// Writing to a standard stream, and noticing when nobody reads it any more.

import Foundation
import RondoScheduling

/// A stream that lines are written to at once.
struct Output: Sendable {
  /// Why a line could not be written.
  enum Failure: Error, Equatable {
    /// The reader has gone, as in `… | head -1`. That is no error of this program's.
    case closed
    case failed(String)
  }

  let descriptor: Int32

  static let standard = Output(descriptor: STDOUT_FILENO)
  static let error = Output(descriptor: STDERR_FILENO)

  /// Whether somebody looks at the stream on a terminal.
  var isTerminal: Bool { isatty(descriptor) == 1 }

  func write(_ text: String) throws(Failure) {
    switch writeAll(Array(text.utf8), to: descriptor) {
    case nil: break
    // `EIO` is what a terminal that has been hung up says.
    case EPIPE?, EIO?: throw .closed
    case let error?: throw .failed(String(cString: strerror(error)))
    }
  }
}
