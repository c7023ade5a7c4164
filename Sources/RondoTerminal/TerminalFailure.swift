// Why a terminal cannot be used.

import Foundation

/// Why a terminal cannot be used.
public enum TerminalFailure: Error, Hashable, CustomStringConvertible, Sendable {
  /// Standard input or standard output is no terminal, or one that knows no places (`TERM=dumb`).
  case noTerminal
  /// Another run of the same terminal is not over.
  case runsAlready
  /// The system has refused something.
  case system(String)

  /// The reason in a line.
  public var description: String {
    switch self {
    case .noTerminal: "standard input and output have to be a terminal that can be drawn on"
    case .runsAlready: "the terminal runs already; a run has to end before the next one"
    case .system(let reason): reason
    }
  }

  static var last: TerminalFailure { .system(String(cString: strerror(errno))) }
}
