// The exit statuses of the program.

/// The exit statuses, with the numbers of `sysexits.h`, and that of `diff`.
package enum ExitStatus: Int32, Sendable {
  case success = 0
  /// Two recordings differ.
  case difference = 1
  /// The command line makes no sense.
  case usage = 64
  /// A file is no recording, or a damaged one.
  case data = 65
  /// A file cannot be read.
  case noInput = 66
  /// A port cannot be listened on.
  case unavailable = 69
  /// A file cannot be written.
  case cannotCreate = 73
  /// The standard output cannot be written to.
  case io = 74
}

/// The reason why a command ends without a result: one line that says what, where and what to do.
struct CommandFailure: Error, Equatable {
  var status: ExitStatus
  var message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }
}
