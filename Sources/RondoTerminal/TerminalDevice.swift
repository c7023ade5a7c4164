// The terminal as a device: taken over for a screen, and given back on every way out.

import Foundation

/// Takes the terminal behind the standard streams over, and gives it back.
///
/// While it is taken over, output to standard error is kept and shown afterwards: a message in the
/// middle of the screen would be unreadable, and one on the screen that goes away is lost.
@MainActor
public enum TerminalDevice {
  /// Whether standard input and standard output are a terminal.
  public static var isPresent: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  /// Whether there is a terminal, and `TERM` says that it can be drawn on.
  ///
  /// - Parameter environment: The variables, `ProcessInfo.processInfo.environment` for one.
  public static func canBeDrawnOn(_ environment: [String: String]) -> Bool {
    isPresent && !["", "dumb"].contains(environment["TERM", default: ""])
  }

  /// Whether the program is in the terminal's foreground. One that `bg` lets go on is not.
  static var isOurs: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

  /// Whether bytes come from the terminal within some milliseconds.
  static func hasInput(within milliseconds: Int32) -> Bool {
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&input, 1, milliseconds) > 0
  }

  /// The terminal's extent. A number that no window has counts as not said.
  public static var size: TerminalSize {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return .standard }
    return TerminalSize(reportedWidth: Int(size.ws_col), height: Int(size.ws_row))
  }

  /// Takes the terminal over: another screen, no cursor, every key at once and unseen, pastes as a
  /// whole. If it is taken over already, all that is put right again.
  ///
  /// - Parameter wantsMouse: Whether clicks and the wheel are events. The terminal then selects text
  ///   only while Shift is held.
  static func takeOver(wantsMouse: Bool = false) throws(TerminalFailure) {
    guard taken.isTaken || tcgetattr(STDIN_FILENO, &taken.attributes) == 0 else { throw .last }
    var raw = taken.attributes
    // Signals stay those of the terminal, so that Ctrl-C and Ctrl-Z mean the usual.
    raw.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | IEXTEN)
    // The keys before Ctrl-C are handled before it: the system does not throw them away.
    raw.c_lflag |= tcflag_t(NOFLSH)
    raw.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR)
    guard tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0 else { throw .last }
    if !taken.isTaken {
      taken.isTaken = true
      // Opened anew, so that only this program does not wait for room in it.
      let output = open("/proc/self/fd/1", O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
      taken.output = output < 0 ? STDOUT_FILENO : output
      keepErrors()
      restoreOnCrash()
      restoreOnExit()
    }
    writeSequences(begin)
    if wantsMouse { writeSequences("\u{1b}[?1002h\u{1b}[?1006h") }
  }

  /// Writes to the terminal that was taken over.
  ///
  /// - Parameter waitsOn: Asked whether to wait on when it has not read for a second.
  /// - Returns: 0, or the number of the error.
  static func write(_ text: String, while waitsOn: () -> Bool) -> Int32 {
    var text = text
    return text.withUTF8 { writeAll(UnsafeRawBufferPointer($0), to: taken.output, while: waitsOn) }
  }

  /// Gives the terminal back as it was, if it was taken over. Waits for it, unless a signal ends the program.
  public static func giveBack() {
    restore { waitsOn }
  }

  /// Whether a signal has ended the program.
  static var isEnding = false

  /// Whether to wait for a terminal that does not read.
  static var waitsOn: Bool { !isEnding && !SignalListener.hasCome(Terminal.endings) }

  private static let begin: StaticString =
    "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[?2004h\u{1b}[2J"

  /// Lets standard error be written to a file that has no name.
  private static func keepErrors() {
    guard isatty(STDERR_FILENO) == 1 else { return }
    var path = Array((NSTemporaryDirectory() + "/terminal.XXXXXX").utf8CString)
    let file = mkstemp(&path)
    guard file >= 0 else { return }
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    unlink(path)
    taken.errors = file
    taken.standardError = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
    dup2(file, STDERR_FILENO)
  }

  /// The signals of crashes and of Ctrl-\, which end a program on the spot.
  private static let crashes = [
    SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGQUIT,
  ]

  /// Other signals that end a program on the spot, if it does not use them for something else. The last are those
  /// that have numbers only.
  private static let sudden =
    [
      SIGALRM, SIGXCPU, SIGXFSZ, SIGUSR1, SIGUSR2, SIGPIPE, SIGVTALRM, SIGPROF, SIGIO, SIGPWR,
      SIGSTKFLT,
    ] + Array(34...64)

  /// Gives the terminal back when a signal ends the program on the spot.
  private static func restoreOnCrash() {
    taken.replaced.removeAll(keepingCapacity: true)
    for number in crashes + sudden {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { endAfterRestoring(by: $0) }
      action.sa_flags = SA_ONSTACK | SA_NODEFER
      taken.handler = addressOfHandler(in: action)
      var old = sigaction()
      sigaction(number, nil, &old)
      guard crashes.contains(number) || old.__sigaction_handler.sa_handler == nil else { continue }
      taken.replaced.append((number, old))
      sigaction(number, &action, nil)
    }
  }

  /// Gives the thread that the main actor is on another stack for the handlers, since after a stack
  /// overflow there is none left. All such threads have the same one: a program crashes once.
  static func useAlternateStack() {
    var stack = stack_t()
    guard sigaltstack(nil, &stack) == 0, stack.ss_flags & Int32(SS_DISABLE) != 0 else { return }
    stack = stack_t(
      ss_sp: alternateStack.baseAddress, ss_flags: 0, ss_size: alternateStack.count)
    sigaltstack(&stack, nil)
  }

  /// Memory that is never given back: threads keep it until they end.
  private static let alternateStack = UnsafeMutableRawBufferPointer.allocate(
    byteCount: 1 << 16, alignment: 16)

  /// Gives the terminal back when something calls `exit`.
  private static func restoreOnExit() {
    guard !restoresOnExit else { return }
    restoresOnExit = true
    atexit { restore { !SignalListener.hasCome(Terminal.endings) } }
  }

  private static var restoresOnExit = false
}

// MARK: - Safe while the program crashes

/// The state that has to be put back.
private struct Taken {
  var isTaken = false
  var attributes = termios()
  /// The terminal behind standard output, to write to.
  var output = STDOUT_FILENO
  /// The terminal behind standard error, and the file in its place; -1 if it is not replaced.
  var standardError: Int32 = -1
  var errors: Int32 = -1
  /// The actions of signals from before. They are only read in a handler, which must not give memory back.
  var replaced: [(number: Int32, action: sigaction)] = []
  /// The handler in their place.
  var handler: UInt = 0
}

// nonisolated(unsafe): owned by the main actor, which alone changes it. A handler of a crash reads it
// when nothing else runs any more that would care.
nonisolated(unsafe) private var taken = Taken()

/// Puts everything back. It calls nothing that a signal handler must not call.
///
/// - Parameter waitsOn: Asked whether to wait on for a terminal that has not read for a second.
private func restore(while waitsOn: () -> Bool = { false }) {
  guard taken.isTaken else { return }
  taken.isTaken = false
  // A frame may have been given up in its middle.
  let error = writeSequences(
    "\u{1b}[?2026l\u{1b}[?1006l\u{1b}[?1002l\u{1b}[?2004l\u{1b}[0m\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l",
    while: waitsOn)
  if taken.output != STDOUT_FILENO { close(taken.output) }
  taken.output = STDOUT_FILENO
  tcflush(STDIN_FILENO, TCIFLUSH)
  tcsetattr(STDIN_FILENO, TCSANOW, &taken.attributes)
  // A listener that has begun since keeps its signals.
  // A range would have its types made here for the first time, in memory of `malloc`.
  var index = 0
  while index < taken.replaced.count {
    let number = taken.replaced[index].number
    if isHandledHere(number) { sigaction(number, &taken.replaced[index].action, nil) }
    index += 1
  }
  showErrors(isReading: error == 0)
}

/// Handles a signal that ends the program on the spot.
private func endAfterRestoring(by number: Int32) {
  restore()
  // A listener that has begun since may have put this handler back, after the terminal was given back.
  if isHandledHere(number) {
    var standard = sigaction()
    sigaction(number, &standard, nil)
  }
  raise(number)
}

/// Whether a signal leads to the handler that gives the terminal back.
private func isHandledHere(_ number: Int32) -> Bool {
  var present = sigaction()
  sigaction(number, nil, &present)
  return addressOfHandler(in: present) == taken.handler
}

private func addressOfHandler(in action: sigaction) -> UInt {
  withUnsafeBytes(of: action.__sigaction_handler) { $0.load(as: UInt.self) }
}

/// Shows the output to standard error that has been kept, if the terminal reads.
private func showErrors(isReading: Bool) {
  guard taken.errors >= 0 else { return }
  dup2(taken.standardError, STDERR_FILENO)
  lseek(taken.errors, 0, SEEK_SET)
  // More than 1,024 bytes would be asked of `malloc`, which the crash may have interrupted.
  withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { buffer in
    while isReading, case let count = read(taken.errors, buffer.baseAddress, buffer.count),
      count > 0
    {
      _ = writeAll(
        UnsafeRawBufferPointer(start: buffer.baseAddress, count: count), to: STDERR_FILENO)
    }
  }
  close(taken.errors)
  close(taken.standardError)
  taken.errors = -1
}

@discardableResult
private func writeSequences(
  _ text: StaticString, while waitsOn: () -> Bool = { false }
) -> Int32 {
  writeAll(
    UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount), to: taken.output,
    while: waitsOn)
}

/// Writes to a file, whenever there is room. It calls nothing that a signal handler must not call.
///
/// - Parameter waitsOn: Asked whether to wait on when there has been no room for a second.
/// - Returns: 0, or the number of the error: `EAGAIN` when it was given up.
func writeAll(
  _ bytes: UnsafeRawBufferPointer,
  to descriptor: Int32,
  while waitsOn: () -> Bool = { false }
) -> Int32 {
  var written = 0
  while written < bytes.count {
    let count = write(descriptor, bytes.baseAddress! + written, bytes.count - written)
    if count >= 0 {
      written += count
    } else if errno == EAGAIN {
      var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      if poll(&room, 1, 1_000) == 0, !waitsOn() { return EAGAIN }
    } else if errno != EINTR {
      return errno
    }
  }
  return 0
}
