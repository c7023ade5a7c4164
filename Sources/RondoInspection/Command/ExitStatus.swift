// The exit statuses of the program.

/// The exit statuses, with the numbers of `sysexits.h`, and that of `diff`.
package enum ExitStatus: Int32, CaseIterable, Sendable {
  case success = 0
  /// Two recordings differ.
  case difference = 1
  /// The command line makes no sense.
  case usage = 64
  /// A file is no recording, or a damaged one.
  case data = 65
  /// A file or a folder cannot be read.
  case noInput = 66
  /// A port cannot be listened on.
  case unavailable = 69
  /// A file or a folder cannot be written.
  case cannotCreate = 73
  /// The standard output cannot be written to.
  case io = 74

  /// The words for it in the help.
  package var summary: String {
    switch self {
    case .success: "success"
    case .difference: "two recordings differ"
    case .usage: "the command line makes no sense"
    case .data: "a file is no recording, or a damaged one"
    case .noInput: "a file or a folder cannot be read"
    case .unavailable: "a port is taken"
    case .cannotCreate: "a file or a folder cannot be written"
    case .io: "the standard output cannot be written to"
    }
  }
}

/// The reason why a command ends without a result: one line that says what, where and what to do.
package struct CommandFailure: Error, Equatable {
  package var status: ExitStatus
  package var message: String

  package init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }
}
