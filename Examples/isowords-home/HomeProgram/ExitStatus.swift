// The exit statuses of the program.

/// The exit statuses, with the numbers of `sysexits.h`.
enum ExitStatus: Int32 {
  case success = 0
  /// The command line makes no sense.
  case usage = 64
  /// A recording is not what the program makes of it.
  case data = 65
  /// A simulation has found something wrong.
  case software = 70
  /// Files cannot be read or written.
  case io = 74
}
