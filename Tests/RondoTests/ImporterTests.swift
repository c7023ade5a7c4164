// A package that imports Rondo may name its targets as it likes.

import Foundation
import Testing

@Suite struct ImporterTests {
  // K34
  @Test func noModuleIsNamedAsAModuleOfAnImporter() throws {
    var imported: [(package: URL, products: [String])] = []
    for folder in [".", "Originals/swift-composable-architecture"] {
      let package = root.appending(path: folder).standardizedFileURL
      let description = try swift("package", "dump-package", in: package)
      let products = try JSONDecoder().decode(Description.self, from: description.output)
        .products.filter { $0.type.keys.contains("library") }.map(\.name)
      #expect(products.contains(folder == "." ? "Rondo" : "ComposableArchitecture"))
      imported.append((package, products))
    }

    let importer = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: importer) }
    for name in Self.names {
      let folder = importer.appending(path: "Sources/\(name)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data().write(to: folder.appending(component: "main.swift"))
    }
    try manifest(imported).write(
      to: importer.appending(component: "Package.swift"), atomically: true, encoding: .utf8)

    // Lists no plugin, after it has put the whole graph together.
    let resolution = try swift("package", "plugin", "--list", in: importer)
    #expect(resolution.status == 0, "\(resolution.errors)")
  }

  /// The names of targets of an application, and those of Rondo's own that nobody imports.
  private static let names = [
    "HomeFeature", "AppFeature", "Benchmarks", "SharedModels", "TestSupport", "TestHelpers",
    "HomeScreen", "HomeProgram", "Home", "App", "Counter", "Todos", "Movies", "SignUp", "Stage",
    "Terminal", "Animation", "Networking", "Scheduling", "Recording", "History", "Inspection",
    "Styleguide",
    "ApiClient", "DatabaseClient", "isowords", "isowords-home", "isowords-server", "server",
    "dice", "benchmarks", "stage-examples", "StageExamples", "SeededRandomness",
    "RuntimeTestSupport", "IndexReading", "PseudoTerminal", "AllocationCounter",
    "BenchmarkCounts", "live-program", "loop-program", "terminal-probe", "ConformanceTests",
    "HomeFeatureTests", "tasks", "TasksTests", "StageExamplesTests", "BenchmarkCountsTests",
  ]

  /// The manifest of a package with a target of each name, which imports all products.
  private func manifest(_ imported: [(package: URL, products: [String])]) -> String {
    let packages = imported.map { package, products in
      ".package(name: \"\(products[0])\", path: \"\(package.path)\")"
    }
    let dependencies = imported.flatMap { _, products in
      products.map { ".product(name: \"\($0)\", package: \"\(products[0])\")" }
    }
    return """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "importer",
        dependencies: [\(packages.joined(separator: ", "))],
        targets: \(Self.names).map { name in
          .executableTarget(
            name: name, dependencies: [\(dependencies.joined(separator: ", "))])
        }
      )
      """
  }

  private struct Description: Decodable {
    struct Product: Decodable {
      let name: String
      /// The kind of the product is the only key.
      let type: [String: [String]?]
    }
    let products: [Product]
  }

  private let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Runs `swift` on a package, with a folder for what it builds that is not the tests' own.
  private func swift(_ arguments: String..., in package: URL) throws
    -> (output: Data, errors: String, status: Int32)
  {
    let scratch = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: scratch) }
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    let output = scratch.appending(component: "output")
    let errors = scratch.appending(component: "errors")
    for file in [output, errors] { try Data().write(to: file) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    let paths = ["--package-path", package.path, "--scratch-path", scratch.path]
    process.arguments = ["swift", arguments[0]] + paths + arguments.dropFirst()
    // Switches that leave out macros or tests of this package leave out its products as well.
    process.environment = ProcessInfo.processInfo.environment
      .filter { !$0.key.hasPrefix("RONDO_") }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    return (
      try Data(contentsOf: output), try String(contentsOf: errors, encoding: .utf8),
      process.terminationStatus
    )
  }
}
