// A value as text, in the long form: every part is on a line of its own.

import Rondo

/// Writes values in the long form.
struct LongDumper {
  /// The numbers of the instances of one type, in the order of their first places, from 0. The first
  /// one is written without its number.
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var counts: [String: Int] = [:]
  private var sharedNumbers: [ObjectIdentifier: Int] = [:]
  private var visited: Set<ObjectIdentifier> = []
  /// The number of values around the one that is written.
  private var level = 0

  /// The lines of a value. They are not indented.
  ///
  /// - Parameters:
  ///   - label: The name of the value, in front of it.
  ///   - isRoot: Whether a case of an enum is written with the name of its type.
  ///   - depth: The number of levels that are taken apart.
  mutating func lines(
    of value: Any, label: String? = nil, isRoot: Bool = true, depth: Int = .max
  ) -> [String] {
    var lines = unlabelled(value, isLabelled: label != nil, isRoot, depth)
    if let label { lines[0] = "\(label): \(lines[0])" }
    return lines
  }

  private mutating func unlabelled(
    _ value: Any, isLabelled: Bool, _ isRoot: Bool, _ depth: Int
  ) -> [String] {
    guard level <= printedLevels else { return [deeperText] }
    level += 1
    defer { level -= 1 }
    switch LongShape(of: value) {
    case .text(let text):
      return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    case .string(let string):
      return literal(string, isLabelled: isLabelled, depth)
    case .alias(let value), .some(let value):
      return unlabelled(value, isLabelled: isLabelled, false, depth)
    case .none:
      return ["nil"]
    case .shared(let shared):
      return lines(of: shared, isLabelled: isLabelled, depth)
    case .object(let object, let name, let block):
      return lines(of: object, name, block, depth)
    case .enumCase(let typeName, var block):
      block.opening = (isRoot ? typeName : "") + "." + block.opening
      return lines(of: block, depth)
    case .block(let block):
      return lines(of: block, depth)
    }
  }

  // MARK: Shared values and instances

  private mutating func lines(
    of shared: any SharedValue, isLabelled: Bool, _ depth: Int
  ) -> [String] {
    if let number = sharedNumbers[shared.sharedID] {
      return ["#\(number) \(longName(of: type(of: shared.sharedValue)))(↩︎)"]
    }
    let number = sharedNumbers.count + 1
    sharedNumbers[shared.sharedID] = number
    var lines = unlabelled(shared.sharedValue, isLabelled: isLabelled, true, depth)
    lines[0] = "#\(number) \(lines[0])"
    return lines
  }

  private mutating func lines(
    of object: AnyObject, _ name: String, _ block: LongShape.Block, _ depth: Int
  ) -> [String] {
    let id = ObjectIdentifier(object)
    let isNew = visited.insert(id).inserted
    if isNew {
      numbers[id] = counts[name, default: 0]
      counts[name, default: 0] += 1
    }
    let number = numbers[id] ?? 0
    let title = number > 0 ? "#\(number) \(name)" : name
    guard isNew else { return ["\(title)(↩︎)"] }
    var block = block
    block.opening = title + block.opening
    return lines(of: block, depth)
  }

  // MARK: Blocks

  private mutating func lines(of block: LongShape.Block, _ depth: Int) -> [String] {
    guard !block.children.isEmpty else { return [block.empty ?? block.opening + block.closing] }
    if block.hasOneSimplePart {
      let child = block.children[0]
      let part = lines(of: child.value, label: child.label, isRoot: false, depth: depth - 1)
      if part.count == 1 { return [block.opening + part[0] + block.closing] }
    }
    guard depth > 0 else { return [block.opening + "…" + block.closing] }
    var lines = [block.opening]
    for (index, child) in block.children.enumerated() {
      var part = self.lines(of: child.value, label: child.label, isRoot: false, depth: depth - 1)
      if index < block.children.count - 1 { part[part.count - 1] += "," }
      lines += part.map { "  " + $0 }
    }
    return lines + [block.closing]
  }

  // MARK: Strings

  private func literal(_ string: String, isLabelled: Bool, _ depth: Int) -> [String] {
    guard string.contains(where: \.isNewline) else {
      guard string.contains("\"") || string.contains("\\") else { return [string.debugDescription] }
      let hashes = String(repeating: "#", count: max(1, hashCount(of: [string], quote: "\"")))
      return ["\(hashes)\"\(string)\"\(hashes)"]
    }
    guard depth > 0 else { return ["\"…\""] }
    let (opening, closing) = multilineQuotes(of: [string])
    let margin = isLabelled ? "  " : ""
    let lines = string.split(separator: "\n", omittingEmptySubsequences: false)
    return [opening] + lines.map { margin + $0 } + [margin + closing]
  }
}

/// The quotes of a literal of several lines that can hold some strings.
func multilineQuotes(of strings: [String]) -> (opening: String, closing: String) {
  let hashes = String(repeating: "#", count: hashCount(of: strings, quote: "\"\"\""))
  return (hashes + "\"\"\"", "\"\"\"" + hashes)
}

/// One more than the longest run of `#` behind a quote; zero where there is no quote.
private func hashCount(of strings: [String], quote: String) -> Int {
  strings.flatMap { string in
    string.ranges(of: quote).map { string[$0.upperBound...].prefix { $0 == "#" }.count + 1 }
  }.max() ?? 0
}
