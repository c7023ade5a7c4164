// Installed programs that a test runs.

import Foundation
import RondoProcesses

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
  let run = try ProgramRun(program(name) ?? "/none", arguments)
  return run.output + (withErrors ? run.errors : "")
}
