// A package that imports Rondo may name its targets as it likes.

import Foundation
import RondoProcesses
import Testing

@Suite struct ImporterTests {
  // K34
  @Test func noModuleIsNamedAsAModuleOfAnImporter() throws {
    var imported: [(package: URL, products: [String])] = []
    for folder in [".", "Originals/swift-composable-architecture"] {
      let package = root.appending(path: folder).standardizedFileURL
      let description = try swift("package", "dump-package", in: package)
      let products = try JSONDecoder().decode(Description.self, from: Data(description.output.utf8))
        .products.filter { $0.type.keys.contains("library") }.map(\.name)
      #expect(products.contains(folder == "." ? "Rondo" : "ComposableArchitecture"))
      imported.append((package, products))
    }

    let importer = TemporaryFolder()
    for name in Self.names { try importer.write("", to: "Sources/\(name)/main.swift") }
    try importer.write(manifest(imported), to: "Package.swift")

    // Lists no plugin, after it has put the whole graph together.
    let resolution = try swift("package", "plugin", "--list", in: URL(filePath: importer.path))
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
    "RuntimeTestSupport", "IndexReading", "Processes", "AllocationCounter",
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
    -> ProgramRun
  {
    let scratch = TemporaryFolder()
    let paths = ["--package-path", package.path, "--scratch-path", scratch.path]
    // Switches that leave out macros or tests of this package leave out its products as well.
    let environment = ProcessInfo.processInfo.environment
      .filter { !$0.key.hasPrefix("RONDO_") }
    return try ProgramRun(
      "/usr/bin/env", ["swift", arguments[0]] + paths + arguments.dropFirst(),
      environment: environment)
  }
}
