// Programs that run to their end.

import Foundation

/// What a program has left behind that ran to its end.
public struct ProgramRun: Sendable {
  /// The exit status, or minus the signal that has ended the program.
  public let status: Int32
  public let output: String
  public let errors: String

  /// Runs a program with an empty input and waits for its end.
  public init(
    _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil,
    in folder: String? = nil
  ) throws {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    if let environment { process.environment = environment }
    if let folder { process.currentDirectoryURL = URL(filePath: folder) }
    process.standardInput = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardOutput = pipe
    // Errors go to a file, so that neither of the two streams can fill up while the other is read.
    let files = TemporaryFolder()
    try files.write("", to: "errors")
    process.standardError = try FileHandle(forWritingTo: files.file("errors"))
    try process.run()
    output = String(
      decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    let isKilled = process.terminationReason == .uncaughtSignal
    status = isKilled ? -process.terminationStatus : process.terminationStatus
    errors = try files.text(of: "errors")
  }
}

/// The path of a built program, beside the tests.
public func builtProgram(_ name: String) -> String {
  URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(component: name).path
}
