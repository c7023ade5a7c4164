// A terminal multiplexer: a terminal that is not made for these tests.

import Foundation

/// A session of tmux with a server of its own, in which a shell runs.
final class Tmux {
  /// The path of tmux; `nil` where it is not installed.
  static let path = ["/usr/bin/tmux", "/bin/tmux", "/usr/local/bin/tmux"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private let directory = TemporaryFolder()
  private let server: Process

  /// A session with 80 × 24 cells that runs a script.
  init(script: String) throws {
    // A server that is no daemon: `Process` would wait for a daemon as well.
    server = Self.process(["-S", directory.path("socket"), "-f", "/dev/null", "-D"])
    try Self.start(server)
    while !FileManager.default.fileExists(atPath: directory.path("socket")), server.isRunning {
      sched_yield()
    }
    try run("new-session", "-d", "-x", "80", "-y", "24", "/bin/sh -c '\(script)'")
  }

  deinit {
    _ = try? run("kill-server")
    server.terminate()
    server.waitUntilExit()
  }

  func type(_ keys: String...) throws { try run(["send-keys"] + keys) }

  func resize(width: Int, height: Int) throws {
    try run("resize-window", "-x", "\(width)", "-y", "\(height)")
  }

  /// The text on the screen.
  func screen() throws -> String { try run("capture-pane", "-p") }

  /// Whether the screen is the one of a program, and whether the cursor can be seen: `1 0`.
  func modes() throws -> String {
    try run("display-message", "-p", "#{alternate_on} #{cursor_flag}")
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Looks at the session until something holds, and gives up after a while.
  func wait(until holds: (Tmux) throws -> Bool) rethrows -> Bool {
    for _ in 0..<1_500 where try holds(self) { return true }
    return false
  }

  /// Looks at the screen until a text is there.
  func shows(_ text: String) throws -> Bool { try wait { try $0.screen().contains(text) } }

  @discardableResult
  private func run(_ arguments: String...) throws -> String { try run(arguments) }

  @discardableResult
  private func run(_ arguments: [String]) throws -> String {
    let process = Self.process(["-S", directory.path("socket")] + arguments)
    let output = Pipe()
    process.standardOutput = output
    try Self.start(process)
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }

  /// Starts a process to which all signals get through. Threads of Dispatch block them, a process
  /// inherits that, and tmux waits for signals.
  private static func start(_ process: Process) throws {
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try process.run()
  }

  private static func process(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path ?? "/usr/bin/tmux")
    process.arguments = arguments
    // Characters that are no ASCII are shown as they are.
    process.environment = ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return process
  }
}
