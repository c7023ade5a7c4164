// A folder for a test, and programs that a test runs.

import Foundation

/// A folder that is removed with its last reference.
final class TemporaryFolder {
  let path = URL(filePath: NSTemporaryDirectory())
    .appending(path: "rondo-\(UUID().uuidString)").path

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file, and makes the folders that it is in.
  func write(_ name: String, _ text: String) throws {
    let file = URL(filePath: "\(path)/\(name)")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// Everything in it, by paths.
  var names: [String] {
    let all = FileManager.default.enumerator(atPath: path)?.allObjects as? [String]
    return all?.sorted() ?? []
  }
}

/// The path of a program; `nil` where there is none of this name.
private func program(_ name: String) -> String? {
  let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
  return folders.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
}

/// Whether a program can be run.
func isInstalled(_ name: String) -> Bool { program(name) != nil }

/// What a program prints.
func output(
  of name: String, _ arguments: [String], withErrors: Bool = false
) throws -> String {
  let process = Process()
  process.executableURL = URL(filePath: program(name) ?? "/none")
  process.arguments = arguments
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = withErrors ? pipe : FileHandle.nullDevice
  process.standardInput = FileHandle.nullDevice
  try process.run()
  let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  return String(decoding: data, as: UTF8.self)
}
