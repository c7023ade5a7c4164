// What belongs to threads and tasks, and the tables of it.

import Foundation
import Testing

@Suite struct ThreadStateTests {
  // Y23
  @Test func internalsHasARowForWhatAThreadKnows() throws {
    let header = try text(of: "Sources/RondoConcurrencyShims/include/RondoThreadState.h")
    let fields = header.matches(of: /\n  (?:void \*_Nullable|bool|uintptr_t) (\w+);/).map { $0.1 }
    #expect(fields.count > 10)
    #expect(try names(inTable: "field of a thread") == fields.sorted())
    // A field that two share would be set by one of them while the other one reads it.
    let uses = try sources(with: "ThreadLocal").flatMap {
      $0.matches(of: /ThreadLocal(?:Object)?\(\\\.(\w+)\)/)
    }
    #expect(uses.map { $0.1 }.sorted() == fields.sorted())
  }

  // Y23
  @Test func internalsHasARowForEachValueOfATask() throws {
    let values = try sources(with: "@TaskLocal").flatMap {
      $0.matches(of: /@TaskLocal [^\n]*static var (\w+)/)
    }
    #expect(values.count > 3)
    let names = try names(inTable: "value of a task").map { $0.split(separator: ".").last! }
    #expect(names.sorted() == values.map { $0.1 }.sorted())
  }

  /// The names in the first column of a table of *Internals*.
  private func names(inTable title: String) throws -> [Substring] {
    let page = try text(of: "Documentation/Internals.md")
    let table = try #require(page.components(separatedBy: "\n| \(title) |").dropFirst().first)
    return table.components(separatedBy: "\n\n")[0].split(separator: "\n").dropFirst(2)
      .flatMap { $0.split(separator: "|")[0].matches(of: /`([^`]+)`/).map { $0.1 } }.sorted()
  }

  /// The texts of the files that have a word.
  private func sources(with word: String) throws -> [String] {
    let folder = package.appending(path: "Sources")
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }
      .map { try Data(contentsOf: folder.appending(path: $0)) }
      .filter { $0.range(of: Data(word.utf8)) != nil }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private func text(of path: String) throws -> String {
    try String(contentsOf: package.appending(path: path), encoding: .utf8)
  }
}

private let package = URL(filePath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
