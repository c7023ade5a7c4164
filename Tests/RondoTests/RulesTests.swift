// The page of rules and the tests name the same rules.

import Foundation
import Testing

struct RulesTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test func everyRuleHasATestAndEveryNameARule() throws {
    let rows =
      try Self.rows(of: "Rules.md") + Self.rows(of: "Coming-from-the-Composable-Architecture.md")
    let rules = Set(rows.map(\.rule))
    let checkedElsewhere = Set(rows.filter { $0.text.contains("Checked by") }.map(\.rule))
    let named = try Self.namesInTests()
    #expect(named.subtracting(rules).isEmpty, "Tests name rules that no page lists.")
    #expect(
      rules.subtracting(named).subtracting(checkedElsewhere).isEmpty, "Rules without a test.")
  }

  /// The rows of the tables on a page that begin with a rule.
  private static func rows(of page: String) throws -> [(rule: String, text: String)] {
    let url = root.appending(path: "Documentation").appending(path: page)
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").compactMap { line in
      guard let match = line.firstMatch(of: /^\| ([A-Z][0-9]+) \|/) else { return nil }
      return (String(match.1), String(line))
    }
  }

  /// The rules in comments such as `// R14, R15` and in names such as `func R14_…`.
  private static func namesInTests() throws -> Set<String> {
    let comment = /^\s*\/\/ ((?:[A-Z][0-9]+(?:, | and | to )?)+)\b/
    let function = /func ([A-Z][0-9]+)_/
    var names: Set<String> = []
    for folder in ["Tests", "Examples"] {
      let files = FileManager.default.enumerator(
        at: root.appending(path: folder), includingPropertiesForKeys: nil,
        options: [.skipsHiddenFiles])
      while let file = files?.nextObject() as? URL {
        guard file.pathExtension == "swift", file.path.contains("Tests/") else { continue }
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
          if let match = line.firstMatch(of: comment) {
            names.formUnion(match.1.matches(of: /[A-Z][0-9]+/).map { String($0.0) })
          }
          if let match = line.firstMatch(of: function) { names.insert(String(match.1)) }
        }
      }
    }
    return names
  }
}
