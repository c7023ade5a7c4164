// A program that runs on a pseudo-terminal.

import Foundation

/// Runs a program on a terminal of its own, reads what it shows and types on its keyboard.
public final class PseudoTerminal {
  private let process = Process()
  private let hasEnded = DispatchSemaphore(value: 0)
  private var keyboardAndScreen: Int32

  /// Everything that the program has written so far.
  public private(set) var output = ""

  /// The cells as they can be seen now.
  public private(set) var grid: TerminalGrid

  public init(
    _ program: String,
    _ arguments: [String],
    _ environment: [String: String] = [:],
    width: Int = 80,
    height: Int = 24
  ) throws {
    var ours: Int32 = -1
    var theirs: Int32 = -1
    var size = winsize(
      ws_row: UInt16(height), ws_col: UInt16(width), ws_xpixel: 0, ws_ypixel: 0)
    grid = TerminalGrid(width: width, height: height)
    guard openpty(&ours, &theirs, nil, nil, &size) == 0 else {
      throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
    }
    _ = fcntl(ours, F_SETFD, FD_CLOEXEC)
    keyboardAndScreen = ours
    let handle = FileHandle(fileDescriptor: theirs, closeOnDealloc: true)
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ["TERM": "xterm-256color"].merging(environment) { $1 }
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    process.terminationHandler = { [hasEnded] _ in hasEnded.signal() }
    try process.run()
    try handle.close()
  }

  deinit {
    if keyboardAndScreen >= 0 { close(keyboardAndScreen) }
    if process.isRunning { process.terminate() }
  }

  /// The exit status, once the program has ended.
  ///
  /// A program that has not ended after a minute more is killed, which is a status of its own.
  public var status: Int32 {
    if hasEnded.wait(timeout: .now() + 60) == .timedOut {
      kill(process.processIdentifier, SIGKILL)
    }
    hasEnded.signal()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Whether the program has been ended by a signal, whose number is then the ``status``.
  public var hasEndedBySignal: Bool {
    _ = status
    return process.terminationReason == .uncaughtSignal
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
        contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
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
    kill(process.processIdentifier, signal)
  }

  /// Waits until the program has been stopped by a signal.
  public func waitUntilStopped() {
    let path = "/proc/\(process.processIdentifier)/stat"
    while let text = try? String(contentsOfFile: path, encoding: .utf8), !text.contains(") T ") {
      sched_yield()
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
    var attributes = termios()
    tcgetattr(keyboardAndScreen, &attributes)
    return attributes
  }

  /// The memory that the program has in use, in bytes.
  public var memory: Int {
    let path = "/proc/\(process.processIdentifier)/statm"
    let pages = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: " ")
    return (pages?.dropFirst().first.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }

  /// The terminal goes away.
  public func hangUp() {
    close(keyboardAndScreen)
    keyboardAndScreen = -1
  }

  /// The path of a built program, beside the tests.
  public static func program(_ name: String) -> String {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent(name).path
  }

  private func readMore() -> Bool {
    // Whatever is waited for comes at once; a minute is for a machine that has much else to do.
    var ready = pollfd(fd: keyboardAndScreen, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, 60_000) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 4096)
    // Reading fails when the other end is closed.
    let count = Foundation.read(keyboardAndScreen, &buffer, buffer.count)
    guard count > 0 else { return false }
    output += String(decoding: buffer[..<count], as: UTF8.self)
    grid.receive(buffer[..<count])
    return true
  }
}
