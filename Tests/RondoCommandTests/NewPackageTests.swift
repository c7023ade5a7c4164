// New packages: their files, their names, where they take Rondo from, and what is refused.

import Foundation
import RondoProcesses
import Testing

@testable import RondoCommand
@testable import RondoInspection
@testable import RondoTemplates

// F6. Whether the packages compile and pass their tests is what `Tests/TemplateTests/run` tests.
@Suite struct NewPackageTests {
  private let folder = TemporaryFolder()
  private let repository = RondoPlace.repository(url: "https://example.org/rondo")

  private func make(_ name: String, _ template: PackageTemplate = .library) throws -> [String] {
    try NewPackage(name: name, template: template, rondo: repository).write(in: folder.path)
  }

  @Test(arguments: PackageTemplate.allCases)
  func everyTemplateIsAWholePackage(template: PackageTemplate) throws {
    let files = try make("Thing", template)
    for file in [
      ".gitignore", ".editorconfig", ".swift-format", ".github/workflows/test.yml",
      ".vscode/settings.json", "Package.swift", "README.md",
    ] { #expect(files.contains(file)) }
    #expect(files.contains { $0.hasPrefix("Tests/") })
    #expect(files.contains("Sources/Thing/main.swift") == (template != .library))
    for file in files {
      let text = try String(contentsOfFile: "\(folder.path)/Thing/\(file)", encoding: .utf8)
      #expect(!text.contains("__") && !text.isEmpty && text.hasSuffix("\n"), "\(file)")
      if file.hasSuffix(".swift"), file != "Package.swift" {
        #expect(text.hasPrefix("// "), "\(file) does not say what it is for")
      }
    }
    let manifest = try String(contentsOfFile: "\(folder.path)/Thing/Package.swift", encoding: .utf8)
    #expect(manifest.contains("NonisolatedNonsendingByDefault"))
    #expect(folder.allNames.allSatisfy { $0.hasPrefix("Thing") && !$0.contains(".part") })
  }

  @Test func theVersionIsThatOfTheDocuments() throws {
    let manifest = ".package(url: \"…/rondo\", .upToNextMinor(from: \"\(RondoPlace.version)\"))"
    let page = URL(filePath: #filePath).appending(path: "../../../README.md").standardizedFileURL
    #expect(try String(contentsOf: page, encoding: .utf8).contains(manifest))
  }

  // MARK: Names

  @Test(arguments: ["Timer", "timer2", "_Timer", "T", "Counter"])
  func aNameOfAModuleIsTaken(name: String) throws {
    #expect(try make(name).count > 5)
  }

  @Test(
    arguments: [
      "", "2048", "my-app", "my app", "Zähler", "../up", "a/b", ".", "_", "__", "a\nb", "'",
      "class",
      "Self", "Rondo", "rondoThings", "Testing", "swift",
    ])
  func anotherNameIsRefused(name: String) throws {
    let result = CommandProgram.rondo.run(
      arguments: ["new", "--template", "library", "--", name])
    #expect(result.status == .usage)
    #expect(result.problem?.contains("take") == true)
    #expect(throws: TemplateFailure.self) { try make(name) }
    #expect(folder.allNames == [])
  }

  // MARK: The folder

  @Test func anEmptyFolderIsFilled() throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/Timer", withIntermediateDirectories: true)
    #expect(try make("Timer").contains("Package.swift"))
    #expect(folder.allNames.contains("Timer/Package.swift"))
  }

  @Test func aFolderWithFilesIsLeftAlone() throws {
    try folder.write("kept", to: "Timer/.hidden")
    #expect(
      throws: TemplateFailure.cannotWrite(
        "the folder 'Timer' is not empty; take another name, or empty it")
    ) { try make("Timer") }
    #expect(folder.allNames == ["Timer", "Timer/.hidden"])
  }

  @Test func aFileOrALinkIsLeftAlone() throws {
    try folder.write("kept", to: "Timer")
    #expect(throws: TemplateFailure.self) { try make("Timer") }
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/Link", withDestinationPath: "\(folder.path)/none")
    #expect(throws: TemplateFailure.self) { try make("Link") }
    #expect(folder.allNames == ["Link", "Timer"])
  }

  @Test func aFolderThatCannotBeWrittenToIsSaid() throws {
    // Not even the owner of the system writes there.
    #expect(
      throws: TemplateFailure.cannotWrite(
        "the folder 'Timer' cannot be made here: No such file or directory")
    ) {
      try NewPackage(name: "Timer", template: .gtk, rondo: repository).write(
        in: "/proc/self/fdinfo")
    }
  }

  // MARK: Rondo

  private func checkout(_ name: String) throws {
    try folder.write("let package = Package(\n  name: \"rondo\",\n)\n", to: "\(name)/Package.swift")
    try folder.write("", to: "\(name)/Sources/Rondo/Rondo.swift")
  }

  @Test func aCheckoutIsFoundAroundTheProgram() throws {
    try checkout("here/rondo")
    let program = "\(folder.path)/here/rondo/.build/debug/rondo"
    #expect(RondoPlace(around: program, from: "\(folder.path)/here") == .folder("../rondo"))
    #expect(
      RondoPlace(around: program, from: folder.path) == .folder("\(folder.path)/here/rondo"))
    #expect(RondoPlace(around: "\(folder.path)/bin/rondo", from: folder.path) == nil)
    #expect(RondoPlace(around: "", from: folder.path) == nil)
  }

  @Test func aPathIsRelativeToTheNewPackage() throws {
    try checkout("rondo")
    #expect(try RondoPlace("rondo", from: folder.path) == .folder("../rondo"))
    #expect(try RondoPlace("\(folder.path)/rondo", from: folder.path) == .folder("../rondo"))
    #expect(throws: TemplateFailure.self) { try RondoPlace("none", from: folder.path) }
    #expect(throws: TemplateFailure.self) { try RondoPlace(".", from: folder.path) }
  }

  @Test(
    arguments: [
      ("https://example.org/rondo", "rondo"), ("https://example.org/Rondo.git", "rondo"),
      ("git@example.org:team/rondo.git", "rondo"), ("ssh://example.org/my-rondo/", "my-rondo"),
    ])
  func aRepositoryIsNamedByItsAddress(url: String, identity: String) throws {
    let place = try RondoPlace(url, from: folder.path)
    #expect(place == .repository(url: url))
    #expect(place.identity == identity)
    let files = PackageTemplate.library.files(name: "Timer", rondo: place)
    let manifest = try #require(files.first { $0.path == "Package.swift" }).text
    #expect(manifest.contains("url: \"\(url)\",\n      .upToNextMinor(from: \"0.1.0\"))"))
    #expect(manifest.contains("package: \"\(identity)\""))
  }

  // F6
  @Test(arguments: PackageTemplate.allCases)
  func noLineOfAPackageIsTooLongForItsOwnCheck(template: PackageTemplate) throws {
    let place = try RondoPlace("https://example.org/an-organization/swift-rondo", from: folder.path)
    for file in template.files(name: "InventoryManagement", rondo: place)
    where file.path.hasSuffix(".swift") {
      let long = file.text.split(separator: "\n").filter { $0.count > 100 }
      #expect(long.isEmpty, "\(file.path)")
    }
  }

  @Test(arguments: [
    "https://a\"b/rondo", "https://a\\b", "https://a\nb", "://", "https://", "https://host",
  ])
  func anAddressThatWouldBreakTheManifestIsRefused(url: String) {
    #expect(throws: TemplateFailure.self) { try RondoPlace(url, from: folder.path) }
  }
}

extension TemporaryFolder {
  /// Everything in the folder, by paths.
  fileprivate var allNames: [String] {
    let all = FileManager.default.enumerator(atPath: path)?.allObjects as? [String]
    return all?.sorted() ?? []
  }
}
