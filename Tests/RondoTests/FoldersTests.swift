// The folders of the sources form layers.

import Foundation
import Testing

@Suite struct FoldersTests {
  // Y10
  @Test(
    .enabled(if: SourceIndex.isThere, "The build has written no index that can be read."),
    arguments: ["Rondo", "RondoRecording", "RondoDurable", "RondoExploration", "RondoMacros"])
  func foldersUseOneAnotherInOneDirection(target: String) throws {
    let uses = Uses(in: try #require(SourceIndex()).places(in: sources.appending(path: target)))
    #expect(uses.circle == [], "Put what knows both folders into the upper one.")
  }

  // Y10
  @Test(.enabled(if: SourceIndex.isThere, "The build has written no index that can be read."))
  func functionsAndMembersOfExtensionsCount() throws {
    let index = try #require(SourceIndex())
    let uses = Uses(in: index.places(in: sources.appending(path: "Rondo"))).all
    #expect(uses["Store"]?["Machine"] != nil, "A type, in a file of another folder.")
    let loopLimit = index.places(in: sources.appending(path: "Rondo/Runtime"))["LoopLimit.swift"]
    #expect(loopLimit?.contains { $0.name == "summary(of:limit:)" && !$0.isDeclared } == true)
    #expect(uses["Runtime"]?["Printing"] != nil, "A function, which has no type of its folder.")
  }

  // Y3
  @Test(.enabled(if: SourceIndex.isThere, "The build has written no index that can be read."))
  func internalsNamesTypesWhereTheyAre() throws {
    let places = try #require(SourceIndex()).places(in: sources.appending(path: "Rondo"))
    let page = try String(
      contentsOf: sources.deletingLastPathComponent().appending(path: "Documentation/Internals.md"),
      encoding: .utf8)
    let way = try #require(page.range(of: "These types are met besides: ")).lowerBound
    var files: [String] = []
    var types: [String] = []
    for line in page.split(separator: "\n") where line.hasPrefix("| `") && line.contains(".swift`")
    {
      let cells = line.split(separator: "|").map { cell in
        cell.matches(of: /`([^`]+)`/).map { String($0.1) }
      }
      let declared = cells[0].flatMap { places[$0] ?? [] }.filter(\.isDeclared).map(\.name)
      #expect(Set(cells[1]).isSubset(of: declared), "\(line)")
      // The second table is beside the way.
      guard line.startIndex < way else { continue }
      files += cells[0]
      types += cells[1]
    }
    #expect(page.contains("\(types.count) types in \(files.count) files"))
  }

  // Y10
  @Test func whatGoesRoundIsACircle() {
    func named(_ name: String) -> SourceIndex.Place {
      SourceIndex.Place(symbol: name, name: name, isDeclared: false, line: 3)
    }
    func declared(_ name: String) -> SourceIndex.Place {
      SourceIndex.Place(symbol: name, name: name, isDeclared: true, line: 1)
    }
    let line = [
      "Low/a.swift": [declared("a")], "High/b.swift": [declared("b"), named("a"), named("print")],
    ]
    #expect(Uses(in: line).circle == [])
    let round = [
      "Top.swift": [named("a")],
      "One/a.swift": [declared("a"), named("c")], "Two/b.swift": [declared("b"), named("a")],
      "Three/c.swift": [declared("c"), named("b")],
    ]
    #expect(
      Uses(in: round).circle == [
        "One → Three: c in a.swift:3", "Three → Two: b in c.swift:3", "Two → One: a in b.swift:3",
      ])
  }
}

private let sources = URL(filePath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .appending(path: "Sources")

/// The folders that use one another. Files that are in no folder count as one.
private struct Uses {
  /// For each folder, those that it uses, with a place where it does.
  private(set) var all: [String: [String: String]] = [:]

  init(in files: [String: [SourceIndex.Place]]) {
    var homes: [String: Set<String>] = [:]
    for (path, places) in files {
      for place in places where place.isDeclared {
        homes[place.symbol, default: []].insert(Self.folder(of: path))
      }
    }
    for (path, places) in files.sorted(by: { $0.key < $1.key }) {
      let folder = Self.folder(of: path)
      for place in places where !place.isDeclared {
        guard let home = homes[place.symbol]?.first, home != folder else { continue }
        let name = path.split(separator: "/").last!
        all[folder, default: [:]][home] = "\(place.name) in \(name):\(place.line)"
      }
    }
  }

  private static func folder(of path: String) -> String {
    path.contains("/") ? String(path.prefix { $0 != "/" }) : "."
  }

  /// The uses that go round in a circle.
  var circle: [String] {
    // A folder that uses no other one is at the bottom, and one that no other one uses is at the top.
    // When these are taken away, others are at the bottom and at the top.
    var left = Set(all.keys)
    while true {
      let using = left.filter { !left.isDisjoint(with: all[$0]!.keys) }
      let used = Set(left.flatMap { all[$0]!.keys })
      guard using.intersection(used) != left else { break }
      left = using.intersection(used)
    }
    return left.sorted().flatMap { folder in
      all[folder]!.filter { left.contains($0.key) }.sorted { $0.key < $1.key }
        .map { "\(folder) → \($0.key): \($0.value)" }
    }
  }
}
