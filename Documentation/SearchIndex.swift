// The text of every page, for the search of the site.

import Foundation

/// The text of the pages of a site.
struct SearchIndex {
  /// The folder of the site.
  let site: URL

  /// A page: its title, its address, what it is, its first sentence and all of its text.
  struct Entry: Encodable, Equatable {
    let title: String
    let path: String
    let kind: String
    let summary: String
    let text: String
  }

  /// Writes `search.json` into the site.
  ///
  /// - Returns: How many pages can be found.
  @discardableResult
  func write() throws -> Int {
    let data = site.appending(path: "data")
    let files = FileManager.default.enumerator(atPath: data.path)?.allObjects as? [String] ?? []
    let entries = try files.filter { $0.hasSuffix(".json") }.sorted().compactMap { file in
      try entry(Data(contentsOf: data.appending(path: file)), path: "/\(file.dropLast(5))")
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(entries).write(to: site.appending(path: "search.json"))
    return entries.count
  }

  /// - Returns: `nil` for what is no page.
  func entry(_ data: Data, path: String) throws -> Entry? {
    guard let page = try JSONSerialization.jsonObject(with: data) as? [String: Any],
      let metadata = page["metadata"] as? [String: Any], let title = metadata["title"] as? String
    else { return nil }
    let summary = Self.text(of: page["abstract"] ?? [])
    let module = ((metadata["modules"] as? [[String: Any]])?.first?["name"] as? String) ?? ""
    let kind = (metadata["roleHeading"] as? String) ?? (path.contains("/guide") ? "Page" : "")
    // The sentences of what a page links to are those of other pages.
    return Entry(
      title: title, path: path,
      kind: [kind, module].filter { !$0.isEmpty }.joined(separator: ", "), summary: summary,
      text: Self.text(of: page["primaryContentSections"] ?? []))
  }

  /// All words in a piece of a page, with single spaces between them.
  private static func text(of value: Any) -> String {
    var words: [String] = []
    func visit(_ value: Any) {
      if let list = value as? [Any] {
        list.forEach(visit)
      } else if let node = value as? [String: Any] {
        // The tokens of a declaration and the parts of a sentence belong together.
        if let parts = (node["tokens"] ?? node["inlineContent"]) as? [Any] {
          words.append(joined(parts))
          return
        }
        if let text = (node["text"] ?? node["title"]) as? String { words.append(text) }
        if let code = node["code"] as? String { words.append(code) }
        if let code = node["code"] as? [String] { words.append(contentsOf: code) }
        for key in node.keys.sorted() where !["text", "title", "code"].contains(key) {
          if node[key] is [Any] || node[key] is [String: Any] { visit(node[key]!) }
        }
      }
    }
    func joined(_ parts: [Any]) -> String {
      parts.map { part in
        let node = part as? [String: Any] ?? [:]
        if let text = (node["text"] ?? node["code"]) as? String { return text }
        return joined(node["inlineContent"] as? [Any] ?? [])
      }.joined()
    }
    visit(value)
    return words.joined(separator: " ").split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
  }
}
