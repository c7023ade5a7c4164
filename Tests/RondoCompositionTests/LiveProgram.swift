// The program `live-program`, run in a process of its own.

import Foundation
import RondoProcesses
import Testing

/// A folder that a test has for itself, with a program that is run in it.
final class LiveProgram {
  let folder = TemporaryFolder()

  func path(_ name: String) -> String { folder.path(name) }

  /// The names in the folder, sorted.
  var names: [String] { folder.names }

  func text(of name: String) -> String? { try? folder.text(of: name) }

  func write(_ text: String, to name: String) throws { try folder.write(text, to: name) }

  private let program = builtProgram("live-program")

  /// The environment of the program. Its user defaults are those of the folder.
  private func environment(_ environment: [String: String] = [:]) -> [String: String] {
    ProcessInfo.processInfo.environment
      .filter { !$0.key.hasPrefix("XDG_") }
      .merging(["HOME": folder.path, "CFFIXED_USER_HOME": folder.path]) { $1 }
      .merging(environment) { $1 }
  }

  /// The program, not started yet.
  private func process(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = environment()
    process.standardInput = FileHandle.nullDevice
    return process
  }

  /// Starts the program, and kills it when it has printed so many lines.
  ///
  /// - Returns: All that it has printed.
  func runUntilKilled(afterLines count: Int, _ arguments: String...) throws -> String {
    let process = process(arguments)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var text = Data()
    while text.count(where: { $0 == UInt8(ascii: "\n") }) < count {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      text += more
    }
    kill(process.processIdentifier, SIGKILL)
    text += try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    return String(decoding: text, as: UTF8.self)
  }

  /// Runs the program several times at once, to the end of all of them.
  func runAtOnce(_ arguments: [[String]]) throws {
    let processes = arguments.map { process($0) }
    for process in processes { try process.run() }
    for process in processes {
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
  }

  /// Runs the program to its end.
  func run(_ arguments: String..., environment: [String: String] = [:]) throws -> ProgramRun {
    try ProgramRun(program, arguments, environment: self.environment(environment))
  }
}
