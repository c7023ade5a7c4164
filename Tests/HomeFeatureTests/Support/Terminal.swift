// A program that runs on a pseudo-terminal.

import Foundation

/// Runs a program on a terminal of its own, reads what it shows and types on its keyboard.
final class Terminal {
  private let process = Process()
  private let keyboardAndScreen: Int32

  /// What has been shown so far.
  private(set) var output = ""

  init(_ program: String, _ arguments: [String], _ environment: [String: String] = [:]) throws {
    var ours: Int32 = -1
    var theirs: Int32 = -1
    guard openpty(&ours, &theirs, nil, nil, nil) == 0 else {
      throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
    }
    _ = fcntl(ours, F_SETFD, FD_CLOEXEC)
    keyboardAndScreen = ours
    let handle = FileHandle(fileDescriptor: theirs, closeOnDealloc: true)
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ["TERM": "xterm"].merging(environment) { $1 }
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    try handle.close()
  }

  deinit {
    close(keyboardAndScreen)
    if process.isRunning { process.terminate() }
  }

  /// How the program has ended.
  var status: Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Reads until a text has been shown, or the program has ended.
  func read(until text: String) {
    while !output.contains(text), readMore() {}
  }

  func readToEnd() {
    while readMore() {}
  }

  func type(_ keys: String) {
    let keys = Array(keys.utf8)
    _ = write(keyboardAndScreen, keys, keys.count)
  }

  func send(_ signal: Int32) {
    kill(process.processIdentifier, signal)
  }

  private func readMore() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    // Reading fails when the other end is closed.
    let count = Foundation.read(keyboardAndScreen, &buffer, buffer.count)
    guard count > 0 else { return false }
    output += String(decoding: buffer[..<count], as: UTF8.self)
    return true
  }
}
