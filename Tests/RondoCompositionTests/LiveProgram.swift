// The program `live-program`, run in a process of its own.

import Foundation
import Testing

/// A folder that a test has for itself, with a program that is run in it.
final class LiveProgram {
  let folder: String

  init() throws {
    var template = Array(
      (FileManager.default.temporaryDirectory.path + "/rondo-live.XXXXXX").utf8CString)
    try #require(mkdtemp(&template) != nil)
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  func path(_ name: String) -> String { folder + "/" + name }

  /// The names in the folder, sorted.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  func text(of name: String) -> String? {
    try? String(contentsOfFile: path(name), encoding: .utf8)
  }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path(name)))
  }

  struct Outcome {
    var output: String
    var errors: String
    /// The exit status, or minus the signal that has ended the program.
    var status: Int32
  }

  /// The program, not started yet. Its user defaults are those of the folder.
  private func process(_ arguments: [String], _ environment: [String: String]) -> Process {
    let process = Process()
    // The program is built beside the tests.
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(component: "live-program")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .filter { !$0.key.hasPrefix("XDG_") }
      .merging(["HOME": folder, "CFFIXED_USER_HOME": folder]) { $1 }
      .merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    return process
  }

  /// Starts the program, and kills it when it has printed so many lines.
  ///
  /// - Returns: All that it has printed.
  func runUntilKilled(afterLines count: Int, _ arguments: String...) throws -> String {
    let process = process(arguments, [:])
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
    let processes = arguments.map { process($0, [:]) }
    for process in processes { try process.run() }
    for process in processes {
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
  }

  /// Runs the program to its end.
  func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
    let process = process(arguments, environment)
    let log = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
    try Data().write(to: log)
    defer { try? FileManager.default.removeItem(at: log) }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let isKilled = process.terminationReason == .uncaughtSignal
    return Outcome(
      output: String(decoding: text, as: UTF8.self),
      errors: try String(contentsOf: log, encoding: .utf8),
      status: isKilled ? -process.terminationStatus : process.terminationStatus)
  }
}
