// A program that runs on a pseudo-terminal.

import Foundation

/// Runs a program on a terminal of its own, in the foreground of its own session, reads what it shows and
/// types on its keyboard. A program that runs for five minutes is killed.
public final class PseudoTerminal {
  private let process: pid_t
  /// The program: the process itself, or that of which it is the shell.
  private let program: pid_t
  private var keyboardAndScreen: Int32
  /// The status that the system tells once, when the program has ended.
  private var end: Int32?
  /// Kills a program that does not come to an end, so that nobody waits for it for ever.
  private var killer: (any DispatchSourceTimer)?

  /// Everything that the program has written so far.
  public private(set) var output = ""

  /// The cells as they can be seen now.
  public private(set) var grid: TerminalGrid

  /// Runs a program.
  ///
  /// - Parameter hasShell: Whether a shell stands above the program. The system stops no other program by
  ///   SIGTSTP, since nobody could let it go on.
  public init(
    _ program: String,
    _ arguments: [String],
    _ environment: [String: String] = [:],
    width: Int = 80,
    height: Int = 24,
    hasShell: Bool = false
  ) throws {
    var size = winsize(
      ws_row: UInt16(height), ws_col: UInt16(width), ws_xpixel: 0, ws_ypixel: 0)
    grid = TerminalGrid(width: width, height: height)
    // Made before, because between the fork and the program nothing may ask for memory.
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    let variables =
      ["TERM": "xterm-256color"].merging(environment) { $1 }.map { strdup("\($0)=\($1)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    // Its end to write to closes when the program begins: until then the process is a copy of this one.
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
    }
    // Programs that other tests begin meanwhile do not keep it open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let writeEnd = ends[1]
    var ours: Int32 = -1
    process = words.withUnsafeBufferPointer { words in
      variables.withUnsafeBufferPointer { variables in
        let process = forkpty(&ours, nil, nil, &size)
        guard process == 0 else { return process }
        dup2(writeEnd, 3)
        _ = fcntl(3, F_SETFD, FD_CLOEXEC)
        closefrom(4)
        if hasShell { Self.beShell() }
        // A test may have been started by a program that ignores it; a terminal is not.
        signal(SIGPIPE, SIG_DFL)
        execve(words[0]!, words.baseAddress!, variables.baseAddress!)
        _exit(127)
      }
    }
    close(writeEnd)
    var program = process
    while process > 0 {
      let count = Foundation.read(ends[0], &program, MemoryLayout<pid_t>.size)
      guard count > 0 || count < 0 && errno == EINTR else { break }
    }
    close(ends[0])
    self.program = program
    guard process > 0 else { throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno)) }
    _ = fcntl(ours, F_SETFD, FD_CLOEXEC)
    keyboardAndScreen = ours
    let killer = DispatchSource.makeTimerSource()
    killer.setEventHandler { [process] in for one in [program, process] { kill(one, SIGKILL) } }
    killer.schedule(deadline: .now() + 300)
    killer.activate()
    self.killer = killer
  }

  deinit {
    if keyboardAndScreen >= 0 { close(keyboardAndScreen) }
    guard end == nil else { return }
    killer?.cancel()
    for one in [program, process] { kill(one, SIGKILL) }
    waitpid(process, nil, 0)
  }

  /// Goes on in a new process, which has the foreground. This one ends as that does.
  private static func beShell() {
    var program = fork()
    if program < 0 { _exit(127) }
    guard program == 0 else {
      _ = write(3, &program, MemoryLayout<pid_t>.size)
      close(3)
      var status: Int32 = 0
      while waitpid(program, &status, 0) < 0, errno == EINTR {}
      var none = sigset_t()
      sigemptyset(&none)
      sigprocmask(SIG_SETMASK, &none, nil)
      signal(status & 0x7f, SIG_DFL)
      if status & 0x7f != 0 { raise(status & 0x7f) }
      _exit(status >> 8 & 0xff)
    }
    setpgid(0, 0)
    // A process that takes the foreground from the background is stopped by this signal.
    signal(SIGTTOU, SIG_IGN)
    tcsetpgrp(STDIN_FILENO, getpid())
    signal(SIGTTOU, SIG_DFL)
  }

  /// The exit status, or the number of the signal that has ended the program, once it has ended.
  ///
  /// A program that has not ended after a minute more is killed, which is a status of its own.
  public var status: Int32 {
    let end = waitForEnd()
    return end & 0x7f == 0 ? end >> 8 & 0xff : end & 0x7f
  }

  /// Whether the program has been ended by a signal, whose number is then the ``status``.
  public var hasEndedBySignal: Bool { waitForEnd() & 0x7f != 0 }

  private func waitForEnd() -> Int32 {
    if let end { return end }
    killer?.schedule(deadline: .now() + 60)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    killer?.cancel()
    end = status
    return status
  }

  /// Reads until a text has been shown, or the program has ended.
  public func read(until text: String) {
    while !output.contains(text), readMore() {}
  }

  /// Reads until something can be seen, or the program has ended.
  ///
  /// - Returns: Whether it can be seen.
  public func read(until isSeen: (TerminalGrid) -> Bool) -> Bool {
    while !isSeen(grid) {
      guard readMore() else { return false }
    }
    return true
  }

  public func readToEnd() {
    while readMore() {}
  }

  /// Reads to the end.
  ///
  /// - Returns: The most memory that the program has had, in kilobytes, as it was seen last; `nil`
  ///   where the system does not say.
  public func peakKilobytesAtTheEnd() -> Int? {
    var peak: Int?
    repeat {
      let status = try? String(
        contentsOfFile: "/proc/\(program)/status", encoding: .utf8)
      let now = status?.firstMatch(of: /VmHWM:\s+([0-9]+)/).flatMap { Int($0.1) }
      peak = [peak, now].compactMap(\.self).max()
    } while readMore()
    return peak
  }

  public func type(_ keys: String) {
    let keys = Array(keys.utf8)
    _ = write(keyboardAndScreen, keys, keys.count)
  }

  public func send(_ signal: Int32) {
    kill(program, signal)
  }

  /// Waits until the program has been stopped by a signal, and reads what it writes until then.
  public func waitUntilStopped() {
    let path = "/proc/\(program)/stat"
    while let text = try? String(contentsOfFile: path, encoding: .utf8), !text.contains(") T ") {
      _ = readMore(within: 1)
    }
  }

  /// Changes the extent, and tells the program, as a terminal does.
  public func resize(width: Int, height: Int) {
    var size = winsize(
      ws_row: UInt16(height), ws_col: UInt16(width), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(keyboardAndScreen, UInt(TIOCSWINSZ), &size)
    // The cells of a window that nobody has are not kept.
    grid = TerminalGrid(width: min(width, 1_000), height: min(height, 500))
    send(SIGWINCH)
  }

  /// The modes of the terminal.
  public var attributes: termios {
    get {
      var attributes = termios()
      tcgetattr(keyboardAndScreen, &attributes)
      return attributes
    }
    set {
      var attributes = newValue
      tcsetattr(keyboardAndScreen, TCSANOW, &attributes)
    }
  }

  /// The memory that the program has in use, in bytes.
  public var memory: Int {
    let path = "/proc/\(program)/statm"
    let pages = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: " ")
    return (pages?.dropFirst().first.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }

  /// The terminal goes away.
  public func hangUp() {
    close(keyboardAndScreen)
    keyboardAndScreen = -1
  }

  // Whatever is waited for comes at once; a minute is for a machine that has much else to do.
  private func readMore(within milliseconds: Int32 = 60_000) -> Bool {
    var ready = pollfd(fd: keyboardAndScreen, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, milliseconds) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 4096)
    // Reading fails when the other end is closed.
    let count = Foundation.read(keyboardAndScreen, &buffer, buffer.count)
    guard count > 0 else { return false }
    output += String(decoding: buffer[..<count], as: UTF8.self)
    grid.receive(buffer[..<count])
    return true
  }
}

/// Swift has no name for it, because what comes before `execve` has to be as careful as here.
@_silgen_name("fork") private func fork() -> pid_t
