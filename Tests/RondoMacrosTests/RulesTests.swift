// Holds the table of rules on the page on coming over against the tests.

import Foundation
import Testing

struct RulesTests {
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
