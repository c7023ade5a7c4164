// The first page of the site: what the README says, as a page for a browser.

import Foundation

/// A README as the first page of a site.
///
/// It knows the part of Markdown that a README needs: headings, paragraphs, pictures, tables with two columns or
/// more, and blocks of code. Links to pages of the documentation become links to pages of the site. Links to
/// files that the site does not have become their text.
struct LandingPage {
  let readme: String
  /// The page around it, with `{{content}}`, `{{title}}`, `{{first}}` and `{{base}}`.
  let frame: String
  /// The path that the site is served under, without a slash at its end.
  let base: String

  /// - Throws: A `Problem` where the README has no title or no first paragraph.
  func html() throws -> String {
    let blocks = blocks()
    guard case .heading(1, let title)? = blocks.first else {
      throw Problem("README.md has no title in its first line")
    }
    guard case .paragraph(let first)? = blocks.dropFirst().first else {
      throw Problem("README.md has no paragraph below its title")
    }
    let content = try blocks.map(html).joined(separator: "\n")
    let summary = first.replacing(#/\[([^\]]+)\]\([^)]+\)/#) { $0.1 }.replacing("\n", with: " ")
    return
      frame
      .replacing("{{content}}", with: content)
      .replacing("{{title}}", with: Self.escaped(title))
      .replacing("{{first}}", with: Self.escaped(summary.replacing("`", with: "")))
      .replacing("{{base}}", with: base)
  }

  /// The names of the pictures that the page shows, by their paths from the README.
  var pictures: [String] {
    readme.matches(of: #/!\[[^\]]*\]\(([^)\s]+)\)/#).map { String($0.1) }
  }

  private enum Block {
    case heading(Int, String)
    case paragraph(String)
    case code(language: String, String)
    case table([[String]])
    case list([String])
  }

  private func blocks() -> [Block] {
    var blocks: [Block] = []
    var lines = readme.components(separatedBy: "\n")[...]
    /// Takes the lines in front of the first that is different.
    func take(while isPart: (String) -> Bool) -> [String] {
      let end = lines.firstIndex { !isPart($0) } ?? lines.endIndex
      defer { lines = lines[end...] }
      return Array(lines[..<end])
    }
    while let line = lines.first {
      if line.isEmpty || line.hasPrefix("<!--") {
        lines.removeFirst()
      } else if line.hasPrefix("```") {
        lines.removeFirst()
        let code = take { !$0.hasPrefix("```") }.joined(separator: "\n")
        lines = lines.dropFirst()
        blocks.append(.code(language: String(line.dropFirst(3)), code))
      } else if line.hasPrefix("#") {
        lines.removeFirst()
        let level = line.prefix { $0 == "#" }.count
        blocks.append(.heading(level, line.dropFirst(level).trimmingCharacters(in: .whitespaces)))
      } else if line.hasPrefix("|") {
        let rows = take { $0.hasPrefix("|") }.filter { !$0.allSatisfy { "|-: ".contains($0) } }
        blocks.append(
          .table(
            rows.map { row in
              row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            }))
      } else if line.hasPrefix("- ") {
        let items = take { !$0.isEmpty && !$0.hasPrefix("#") }
        let whole = items.reduce(into: [String]()) { list, item in
          if item.hasPrefix("- ") {
            list.append(String(item.dropFirst(2)))
          } else {
            list[list.count - 1] += " " + item.trimmingCharacters(in: .whitespaces)
          }
        }
        blocks.append(.list(whole))
      } else {
        let text = take { !$0.isEmpty && !$0.hasPrefix("```") && !$0.hasPrefix("|") }
        blocks.append(.paragraph(text.joined(separator: "\n")))
      }
    }
    return blocks
  }

  private func html(_ block: Block) throws -> String {
    switch block {
    case .heading(let level, let text):
      return try "<h\(level)>\(inline(text))</h\(level)>"
    case .paragraph(let text): return try "<p>\(inline(text))</p>"
    case .code(let language, let text):
      return "<pre><code class=\"\(language)\">\(Self.escaped(text))</code></pre>"
    case .table(let rows):
      let cells = try rows.filter { !$0.isEmpty }.map { row in
        try "<tr>\(row.map { try "<td>\(inline($0))</td>" }.joined())</tr>"
      }
      return "<table>\n\(cells.joined(separator: "\n"))\n</table>"
    case .list(let items):
      return try "<ul>\(items.map { try "<li>\(inline($0))</li>" }.joined())</ul>"
    }
  }

  /// The text of a line, with its links, pictures and pieces of code.
  private func inline(_ text: String) throws -> String {
    // A link or an image, or else a piece of code.
    let piece =
      #/
      (?<image>!?)\[(?<text>(?:`[^`]*`|[^\]`])*)\]\((?<target>[^)\s]+)\) | `(?<code>[^`]+)`
      /#
    var result = ""
    var rest = text[...]
    while let match = rest.firstMatch(of: piece) {
      result += emphasized(rest[..<match.range.lowerBound])
      rest = rest[match.range.upperBound...]
      if let code = match.output.code {
        result += "<code>\(Self.escaped(code))</code>"
      } else if let label = match.output.text, let target = match.output.target {
        if match.output.image == "!" {
          let name = (String(target) as NSString).lastPathComponent
          result += "<img src=\"\(base)/\(name)\" alt=\"\(Self.escaped(label))\">"
        } else if let address = address(of: String(target)) {
          result += try "<a href=\"\(Self.escaped(address))\">\(inline(String(label)))</a>"
        } else {
          result += try inline(String(label))
        }
      }
    }
    return result + emphasized(rest)
  }

  private func emphasized(_ text: Substring) -> String {
    Self.escaped(text)
      .replacing(#/\*\*([^*]+)\*\*/#) { "<strong>\($0.1)</strong>" }
      .replacing(#/\*([^*]+)\*/#) { "<em>\($0.1)</em>" }
  }

  /// The address of a link in the site; `nil` where the site does not have what it leads to.
  private func address(of target: String) -> String? {
    if target.contains("://") { return target }
    let path = String(target.prefix { $0 != "#" })
    guard path.hasPrefix("Documentation/"), path.hasSuffix(".md") else { return nil }
    let name = Page.name(of: String(path.dropFirst("Documentation/".count)))
    return name == "Guide"
      ? "\(base)/documentation/guide" : "\(base)/documentation/guide/\(name.lowercased())"
  }

  private static func escaped(_ text: some StringProtocol) -> String {
    String(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
  }
}
