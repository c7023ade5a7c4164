// Holds the table of rules on the page on coming over against the tests.

import Foundation
import RondoProcesses
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
    let keywords =
      "func|var|let|struct|class|enum|protocol|typealias|actor|macro|associatedtype"
    // Takes a fraction of the time that regular expressions of the language take.
    let script = #"""
      export LC_ALL=C
      find "$@" -type d -printf '%f\n'
      grep -rhv --include='*.swift' '^ *//' "$@" | grep -oE \
        -e '\<(\#(keywords))\s+`?\w+' -e '\<case\s+[^:={]*' -e '(^|[(,])\s*`?\w+`?(\s+\w+)?\s*:' |
        sed -E -e 's/^(case|\#(keywords))\>//' -e 's/^[(, ]*(`?\w+`?)(\s+\w+)?\s*:$/\1/' |
        grep -oE '\w+'
      """#
    let run = try ProgramRun("/bin/sh", ["-c", script, "sh"] + folders.map(\.path))
    #expect(run.status == 0)
    return Set(run.output.split(separator: "\n"))
  }

  // K32
  @Test func everyRuleHasATestThatNamesIt() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let documentation = root.appending(path: "Documentation")
    let page = try String(
      contentsOf: documentation.appending(path: "Coming-from-the-Composable-Architecture.md"),
      encoding: .utf8)
    let rows = page.matches(of: #/\| (K\d+[a-z]?) \|.*/#)
    #expect(rows.count > 35)
    for row in rows {
      let links = row.0.matches(of: #/\[`(\w+)`\]\(([^)]*)\)/#)
      #expect(!links.isEmpty, "\(row.1)")
      for link in links {
        let source = try String(
          contentsOf: documentation.appending(path: String(link.2)), encoding: .utf8)
        let named = source.firstRange(of: "func \(link.1)(")
        let comment =
          source[..<(named?.lowerBound ?? source.startIndex)]
          .components(separatedBy: "// ").last ?? ""
        let rules = comment.prefix { $0 != "\n" }.components(separatedBy: ", ")
        #expect(rules.contains(String(row.1)), "\(row.1): \(link.1)")
      }
    }
  }
}
