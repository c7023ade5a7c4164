// The compiler, run on sources that import the modules under test.

import Foundation

/// Type-checks sources, and tells the errors.
struct TypeChecker {
  /// An error that the compiler has printed, with its place.
  struct Error: Equatable {
    let file: String
    let line: Int
    let column: Int
    let message: String
  }

  /// The output of the compiler.
  let lines: [String]
  /// The folder in which the sources were.
  let folder: String

  /// Type-checks all sources as one module.
  ///
  /// - Parameter sources: The texts, by the names of their files.
  init(_ sources: [String: String]) throws {
    let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let folder = FileManager.default.temporaryDirectory.appending(path: "Mistakes-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = sources.keys.sorted().map { folder.appending(path: $0) }
    for file in files {
      try sources[file.lastPathComponent]!.write(to: file, atomically: true, encoding: .utf8)
    }

    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments =
      [
        "swiftc", "-typecheck", "-wmo", "-swift-version", "6", "-diagnostic-style=llvm",
        "-I", products.appending(path: "Modules").path,
        "-Xcc",
        "-fmodule-map-file="
          + products.appending(path: "RondoConcurrencyShims.build/module.modulemap").path,
        "-load-plugin-executable",
        products.appending(path: "RondoMacros-tool").path + "#RondoMacros",
      ] + files.map(\.path)
    let output = Pipe()
    compiler.standardError = output
    compiler.standardOutput = FileHandle.nullDevice
    try compiler.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    compiler.waitUntilExit()
    lines = text.components(separatedBy: "\n")
    self.folder = folder.path
  }

  /// The errors in the sources themselves, in the order in which they are printed.
  var errors: [Error] {
    lines.compactMap { line in
      guard line.hasPrefix(folder + "/") else { return nil }
      let parts = line.dropFirst(folder.count + 1)
        .split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false)
      guard parts.count == 5, parts[3] == " error", let number = Int(parts[1]),
        let column = Int(parts[2])
      else { return nil }
      return Error(
        file: String(parts[0]), line: number, column: column,
        message: String(parts[4].dropFirst()))
    }
  }
}
