// Holds the table of rules on the page on coming over against the tests.

import Foundation
import Testing

struct RulesTests {
  // K39
  @Test func everyNameOfTheOriginalsIsThereOrIsSaidNotToBe() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let root = folder.deletingLastPathComponent().deletingLastPathComponent()
    let declared = try declaredNames(
      below: ["Sources", "Originals"].map { root.appending(path: $0) })
    let page = try String(
      contentsOf: root.appending(
        path: "Documentation/Coming-from-the-Composable-Architecture.md"), encoding: .utf8)
    let section = try #require(
      page.split(separator: "\n## ").first { $0.hasPrefix("What is not there") })
    let missing = Set(section.matches(of: #/`(\w+)`/#).map(\.1))
    let names = try String(
      contentsOf: folder.appending(path: "OriginalNames.txt"), encoding: .utf8
    ).split(separator: "\n").dropFirst()
      .flatMap { $0.split(separator: " ").dropFirst() }
    #expect(names.count > 450)
    #expect(names.filter { !declared.contains($0) && !missing.contains($0) } == [])
    // A name that has come meanwhile is no longer said to be missing.
    let table = try #require(section.range(of: "| about | names |")).lowerBound
    let listed = section[table...].matches(of: #/`(\w+)`/#).map(\.1)
    #expect(listed.count > 80)
    #expect(listed.filter { !names.contains($0) } == [])
    #expect(listed.filter(declared.contains) == [])
  }

  /// The names of declarations, of cases, of arguments, and of folders, which are modules.
  private func declaredNames(below folders: [URL]) throws -> Set<Substring> {
    var names: Set<Substring> = []
    for folder in folders {
      let paths = try #require(FileManager.default.enumerator(atPath: folder.path))
      for case let path as String in paths {
        guard path.hasSuffix(".swift") else {
          names.formUnion(path.split(separator: "/").suffix(1))
          continue
        }
        let source = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
          .split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
          .joined(separator: "\n")
        let declaration =
          #/\b(?:func|var|let|struct|class|enum|protocol|typealias|actor|macro|associatedtype)\s+`?(\w+)/#
        names.formUnion(source.matches(of: declaration).map { Substring(String($0.1)) })
        for cases in source.matches(of: #/\bcase\s+([^:=\n{]*)/#) {
          names.formUnion(String(cases.1).matches(of: #/\w+/#).map { Substring(String($0.0)) })
        }
        let label = #/[(,]\s*`?(\w+)`?(?:\s+\w+)?\s*:/#
        names.formUnion(source.matches(of: label).map { Substring(String($0.1)) })
      }
    }
    return names
  }

  // K32
  @Test func everyRuleHasATestThatNamesIt() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let documentation = root.appending(path: "Documentation")
    let page = try String(
      contentsOf: documentation.appending(path: "Coming-from-the-Composable-Architecture.md"),
      encoding: .utf8)
    let row = #/\| (K\d+) \|.*\[`(\w+)`\]\(([^)]*)\)/#
    let rows = page.matches(of: row)
    #expect(rows.count > 20)
    for match in rows {
      let (_, rule, test, path) = match.output
      let source = try String(
        contentsOf: documentation.appending(path: String(path)), encoding: .utf8)
      let named = source.firstRange(of: "func \(test)(")
      let comment =
        source[..<(named?.lowerBound ?? source.startIndex)]
        .components(separatedBy: "// ").last ?? ""
      let rules = comment.prefix { $0 != "\n" }.components(separatedBy: ", ")
      #expect(rules.contains(String(rule)), "\(rule): \(test)")
    }
  }
}
