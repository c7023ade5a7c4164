// A value as text, in one line or in many.

import Foundation

/// A value as text, taken apart down to its leaves, one to a line.
///
/// Dictionaries and sets are in the order of their keys and elements. Elements of collections have
/// their index. An instance of a class is taken apart at its first place only.
///
/// ```swift
/// print(dumped(Player(name: "Blob", scores: [3, 4])))
/// // Player(name: "Blob", scores: [3, 4])
/// ```
///
/// Complexity: O(*n* log *n*) in the size of the value.
///
/// - Parameters:
///   - value: The value.
///   - indent: The number of spaces before every line.
///   - maxDepth: The number of levels that are taken apart, at most 128; deeper ones are printed as `…`.
/// - Returns: The text, without a line break at its end.
public func dumped(_ value: Any, indent: Int = 0, maxDepth: Int = .max) -> String {
  var dumper = Dumper(maxDepth: maxDepth)
  dumper.add(value, before: "", after: "", depth: 0)
  let margin = String(repeating: " ", count: max(0, indent))
  return dumper.lines.map { margin + $0.indented }.joined(separator: "\n")
}

/// A value in one line: `.loaded(rows: [1, 2])`, and `.loaded(…)` where that would get long.
package func summary(of value: Any, limit: Int = 100) -> String {
  var dumper = Dumper()
  if let text = dumper.inline(value, limit: limit) { return text }
  switch ValueShape(of: value) {
  case .leaf(let text): return text.prefix(limit).replacing("\n", with: " ") + "…"
  case .text(let lines): return lines[0].debugDescription + "…"
  case .record(let name, _), .reference(let name, _, _): return "\(name)(…)"
  case .list(let elements): return "[… \(elements.count) elements]"
  case .dictionary(let entries): return "[… \(entries.count) entries]"
  case .set(let elements): return "Set([… \(elements.count) elements])"
  }
}

/// A value in one line, with all that tells it from others.
func wholeText(of value: Any) -> String {
  var dumper = Dumper(maxDepth: printedLevels, isWhole: true)
  return dumper.inline(value, limit: .max) ?? ""
}

/// The number of levels that a print takes apart. Deeper values would end the program: its stack has an
/// end.
package let printedLevels = 128

/// The text that is printed in place of the levels below ``printedLevels``.
package let deeperText = "… (more than \(printedLevels) levels deep)"

/// One line of a dump.
package struct DumpLine {
  package var depth: Int
  package var text: String

  package init(depth: Int, text: String) {
    self.depth = depth
    self.text = text
  }

  package var indented: String { String(repeating: "  ", count: depth) + text }
}

/// Takes values apart.
package struct Dumper {
  package private(set) var lines: [DumpLine] = []
  private var visited: Set<ObjectIdentifier> = []
  /// The visited instances in the order of their visits, so that the last visits can be undone.
  private var visits: [ObjectIdentifier] = []
  private let maxDepth: Int
  /// Whether texts of several lines, and data, are written in one line.
  private let isWhole: Bool

  package init(maxDepth: Int = .max, isWhole: Bool = false) {
    self.maxDepth = maxDepth
    self.isWhole = isWhole
  }

  /// The longest text, in characters, of a value that is written in one line.
  static let inlineLimit = 60

  /// Adds the lines of a value.
  ///
  /// - Parameters:
  ///   - before: The text before the value on its first line.
  ///   - after: The text behind the value on its last line.
  package mutating func add(_ value: Any, before: String, after: String, depth: Int) {
    if let text = inline(value, limit: Dumper.inlineLimit, depth: depth) {
      return lines.append(DumpLine(depth: depth, text: before + text + after))
    }
    let shape = ValueShape(of: value)
    guard depth < printedLevels || shape.outline == nil else {
      return lines.append(DumpLine(depth: depth, text: before + deeperText + after))
    }
    switch shape {
    case .leaf(let text):
      lines.append(DumpLine(depth: depth, text: before + text + after))
    case .text(let text):
      lines.append(DumpLine(depth: depth, text: before + "\"\"\""))
      lines += text.map { DumpLine(depth: depth + 1, text: String($0)) }
      lines.append(DumpLine(depth: depth, text: "\"\"\"" + after))
    case .record(let name, let fields):
      addFields(fields, before + name + "(", ")" + after, depth)
    case .reference(let name, let identity, let fields):
      // An instance that was visited before does not come here: its one line is short enough.
      visit(identity)
      addFields(fields, before + name + "(", ")" + after, depth)
    case .list(let elements):
      addAll(
        elements.enumerated().map { ("[\($0)]: ", $1) }, before + "[", "]" + after, depth)
    case .dictionary(let entries):
      addAll(entries.map { ("\($0.key): ", $0.value) }, before + "[", "]" + after, depth)
    case .set(let elements):
      addAll(elements.map { ("", $0.value) }, before + "Set([", "])" + after, depth)
    }
  }

  private mutating func addFields(
    _ fields: [ValueShape.Field], _ opening: String, _ closing: String, _ depth: Int
  ) {
    addAll(
      fields.map { (label: $0.label.map { "\($0): " } ?? "", value: $0.value) },
      opening, closing, depth)
  }

  private mutating func addAll(
    _ children: [(label: String, value: Any)], _ opening: String, _ closing: String, _ depth: Int
  ) {
    lines.append(DumpLine(depth: depth, text: opening))
    for (index, child) in children.enumerated() {
      let after = index == children.count - 1 ? "" : ","
      add(child.value, before: child.label, after: after, depth: depth + 1)
    }
    lines.append(DumpLine(depth: depth, text: closing))
  }

  // MARK: One line

  /// A value in one line; `nil` where that would be longer than the limit.
  package mutating func inline(_ value: Any, limit: Int, depth: Int = 0) -> String? {
    let mark = visits.count
    if let text = inlineText(value, limit, depth) { return text }
    // The value does not fit in one line, and will be written in several. Its instances count as
    // not visited yet.
    while visits.count > mark { visited.remove(visits.removeLast()) }
    return nil
  }

  private mutating func visit(_ identity: ObjectIdentifier) {
    visited.insert(identity)
    visits.append(identity)
  }

  private mutating func inlineText(_ value: Any, _ limit: Int, _ depth: Int) -> String? {
    guard limit > 0 else { return nil }
    let shape = ValueShape(of: value)
    if depth >= maxDepth, let text = shape.outline { return text }
    switch shape {
    case .leaf(let text) where isWhole:
      if text.hasSuffix(" bytes"), let data = value as? Data { return data.printed }
      return text.contains("\n") ? text.replacing("\n", with: "\\n") : text
    case .leaf(let text):
      return text.count <= limit && !text.contains("\n") ? text : nil
    case .text(let lines):
      return isWhole ? lines.joined(separator: "\n").debugDescription : nil
    case .record(let name, let fields):
      return inline(fields, name + "(", ")", limit, depth)
    case .reference(let name, let identity, let fields):
      guard !visited.contains(identity) else { return "\(name)(as above)" }
      visit(identity)
      return inline(fields, name + "(", ")", limit, depth)
    case .list(let elements):
      return inline(elements.map { (nil, $0) }, "[", "]", limit, depth)
    case .dictionary(let entries):
      guard !entries.isEmpty else { return "[:]" }
      return inline(entries.map { ($0.key, $0.value) }, "[", "]", limit, depth)
    case .set(let elements):
      return inline(elements.map { (nil, $0.value) }, "Set([", "])", limit, depth)
    }
  }

  private mutating func inline(
    _ fields: [ValueShape.Field], _ opening: String, _ closing: String, _ limit: Int, _ depth: Int
  ) -> String? {
    var text = opening
    for (index, field) in fields.enumerated() {
      if index > 0 { text += ", " }
      if let label = field.label { text += label + ": " }
      guard let value = inlineText(field.value, isWhole ? limit : limit - text.count, depth + 1)
      else { return nil }
      text += value
    }
    text += closing
    return isWhole || text.count <= limit ? text : nil
  }
}

extension Data {
  /// The length, and 64-bit FNV-1a of the bytes, by Fowler, Noll and Vo.
  package var printed: String {
    let digits = String(
      reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
    return "\(count) bytes, digest \(String(repeating: "0", count: 16 - digits.count))\(digits)"
  }
}

extension ValueShape {
  /// A short text that leaves out the contents of the value; `nil` for a value without contents.
  fileprivate var outline: String? {
    switch self {
    case .leaf, .text: nil
    case .record(let name, let fields): fields.isEmpty ? nil : "\(name)(…)"
    case .reference(let name, _, let fields): fields.isEmpty ? nil : "\(name)(…)"
    case .list(let elements): elements.isEmpty ? nil : "[…]"
    case .dictionary(let entries): entries.isEmpty ? nil : "[…]"
    case .set(let elements): elements.isEmpty ? nil : "Set([…])"
    }
  }
}
