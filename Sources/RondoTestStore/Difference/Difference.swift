// The difference between two values, as text.

import Rondo

/// The difference between two values, in a few lines; `nil` if there is none.
///
/// ```swift
/// print(difference(from: expected, to: actual) ?? "equal")
/// //   Game(
/// // −   score: 3,
/// // +   score: 4,
/// //     … (7 unchanged)
/// //   )
/// ```
///
/// Lines of the first value begin with `−`, those of the second with `+`. Equal parts are left out
/// and counted. Elements of collections are paired by `id` where they are `Identifiable`, else by
/// index; those of dictionaries by key. Values of any type can be compared; `==` decides where the
/// type has it.
///
/// Complexity: O(*n*) in the size of the values where few elements have moved.
///
/// - Parameters:
///   - old: The value before, or the expected value.
///   - new: The value after, or the actual value.
///   - lineLimit: The number of lines after which the text is cut off.
public func difference<Value>(
  from old: Value, to new: Value, lineLimit: Int = 200
) -> String? {
  guard !areEqual(old, new) else { return nil }
  var differ = Differ()
  differ.compare(old, new, before: "", after: "", depth: 0)
  let lines = differ.lines.map(\.text)
  guard lines.count > lineLimit else { return lines.joined(separator: "\n") }
  let cut = lines.prefix(lineLimit).joined(separator: "\n")
  return cut + "\n  … (\(lines.count - lineLimit) more lines)"
}

/// One line of a difference.
package struct DifferenceLine {
  package enum Side: String {
    case old = "− "
    case new = "+ "
    case both = "  "
  }

  let side: Side
  let line: DumpLine

  var text: String { side.rawValue + line.indented }
}

/// Walks through two values side by side.
struct Differ {
  private(set) var lines: [DifferenceLine] = []
  private var visited: Set<[ObjectIdentifier]> = []
  /// The number of equal parts since the last line.
  private var unchanged = 0

  private typealias Pair = (label: String, old: Any, new: Any)

  /// Adds the lines of two values that are not equal.
  mutating func compare(_ old: Any, _ new: Any, before: String, after: String, depth: Int) {
    let count = lines.count
    guard type(of: old) == type(of: new), !fitsOnOneLine(old, new) else {
      return replace(old, new, before, after, depth)
    }
    guard depth < printedLevels else {
      let line = DumpLine(depth: depth, text: before + deeperText + after)
      add(.old, line)
      return add(.new, line)
    }
    switch (ValueShape(of: old, on: .expected), ValueShape(of: new, on: .actual)) {
    case (.record(let name, let left), .record(let otherName, let right))
    where name == otherName && left.count == right.count:
      compareFields(left, right, before + name + "(", ")" + after, depth)
    case (.reference(let name, let leftID, let left), .reference(_, let rightID, let right)):
      guard visited.insert([leftID, rightID]).inserted else { return unchanged += 1 }
      compareFields(left, right, before + name + "(", ")" + after, depth)
    case (.list(let left), .list(let right)):
      compareLists(left, right, before, after, depth)
    case (.dictionary(let left), .dictionary(let right)):
      compareKeyed(
        left.map { ($0.key, $0.value) }, right.map { ($0.key, $0.value) }, before + "[",
        "]" + after,
        depth
      ) { "\($0): " }
    case (.set(let left), .set(let right)):
      compareKeyed(
        left.map { ($0.key, $0.value) }, right.map { ($0.key, $0.value) },
        before + "Set([", "])" + after, depth
      ) { _ in "" }
    case (.text(let left), .text(let right)):
      compareTexts(left, right, before, after, depth)
    default:
      replace(old, new, before, after, depth)
    }
    // Opening and closing lines alone say nothing. The parts look equal, so show both values whole.
    if lines.count <= count + 3, !lines[count...].contains(where: { $0.side != .both }) {
      lines.removeSubrange(count...)
      replace(old, new, before, after, depth)
    }
  }

  // MARK: Kinds of values

  private mutating func compareFields(
    _ left: [ValueShape.Field], _ right: [ValueShape.Field], _ opening: String, _ closing: String,
    _ depth: Int
  ) {
    let pairs = zip(left, right).map { old, new in
      Pair(old.label.map { "\($0): " } ?? "", old.value, new.value)
    }
    block(opening, closing, depth) { differ in
      for (index, pair) in pairs.enumerated() {
        differ.step(pair, isLast: index == pairs.count - 1, depth + 1)
      }
    }
  }

  private mutating func compareLists(
    _ left: [Any], _ right: [Any], _ before: String, _ after: String, _ depth: Int
  ) {
    block(before + "[", "]" + after, depth) { differ in
      for step in align(left, right) {
        switch step {
        case .both(let i, let j):
          let label = i == j ? "[\(i)]: " : "[\(i) → \(j)]: "
          differ.step((label, left[i], right[j]), isLast: false, depth + 1)
        case .removed(let i):
          differ.add(.old, left[i], "[\(i)]: ", ",", depth + 1)
        case .inserted(let j):
          differ.add(.new, right[j], "[\(j)]: ", ",", depth + 1)
        }
      }
    }
  }

  private mutating func compareKeyed(
    _ left: [(key: String, value: Any)], _ right: [(key: String, value: Any)],
    _ opening: String, _ closing: String, _ depth: Int, label: (String) -> String
  ) {
    let steps = align(left.map(\.key), right.map(\.key), pairsLeftovers: false, by: ==)
    block(opening, closing, depth) { differ in
      for step in steps {
        switch step {
        case .both(let i, let j):
          differ.step((label(left[i].key), left[i].value, right[j].value), isLast: false, depth + 1)
        case .removed(let i):
          differ.add(.old, left[i].value, label(left[i].key), ",", depth + 1)
        case .inserted(let j):
          differ.add(.new, right[j].value, label(right[j].key), ",", depth + 1)
        }
      }
    }
  }

  private mutating func compareTexts(
    _ left: [Substring], _ right: [Substring], _ before: String, _ after: String, _ depth: Int
  ) {
    block(before + "\"\"\"", "\"\"\"" + after, depth) { differ in
      for step in align(left, right, pairsLeftovers: false, by: ==) {
        switch step {
        case .both: differ.unchanged += 1
        case .removed(let i): differ.add(.old, DumpLine(depth: depth + 1, text: String(left[i])))
        case .inserted(let j): differ.add(.new, DumpLine(depth: depth + 1, text: String(right[j])))
        }
      }
    }
  }

  // MARK: Lines

  private mutating func block(
    _ opening: String, _ closing: String, _ depth: Int, _ body: (inout Differ) -> Void
  ) {
    add(.both, DumpLine(depth: depth, text: opening))
    body(&self)
    flushUnchanged(depth + 1)
    lines.append(DifferenceLine(side: .both, line: DumpLine(depth: depth, text: closing)))
  }

  private mutating func step(_ pair: Pair, isLast: Bool, _ depth: Int) {
    guard !areEqual(pair.old, pair.new) else { return unchanged += 1 }
    compare(pair.old, pair.new, before: pair.label, after: isLast ? "" : ",", depth: depth)
  }

  /// Adds the lines of both values as a whole: first the old one, then the new one.
  private mutating func replace(
    _ old: Any, _ new: Any, _ before: String, _ after: String, _ depth: Int
  ) {
    let first = lines.count + (unchanged > 0 ? 1 : 0)
    add(.old, old, before, after, depth)
    let second = lines.count
    add(.new, new, before, after, depth)
    guard lines[first..<second].map(\.line.text) == lines[second...].map(\.line.text) else {
      return
    }
    add(.both, DumpLine(depth: depth, text: sameText(old, new)))
  }

  private func sameText(_ old: Any, _ new: Any) -> String {
    type(of: old) == type(of: new)
      ? "(Both look the same, but '==' tells them apart.)"
      : "(The first is a \(typeName(of: old)), the second a \(typeName(of: new)).)"
  }

  private mutating func add(
    _ side: DifferenceLine.Side, _ value: Any, _ before: String, _ after: String, _ depth: Int
  ) {
    var dumper = Dumper()
    SharedComparison.on(side == .new ? .actual : .expected) {
      dumper.add(value, before: before, after: after, depth: depth)
    }
    for line in dumper.lines { add(side, line) }
  }

  private mutating func add(_ side: DifferenceLine.Side, _ line: DumpLine) {
    flushUnchanged(line.depth)
    lines.append(DifferenceLine(side: side, line: line))
  }

  private mutating func flushUnchanged(_ depth: Int) {
    guard unchanged > 0 else { return }
    let line = DumpLine(depth: depth, text: "… (\(unchanged) unchanged)")
    unchanged = 0
    lines.append(DifferenceLine(side: .both, line: line))
  }

  /// Whether each of two values fits on one line, so that two lines show both best.
  private func fitsOnOneLine(_ old: Any, _ new: Any) -> Bool {
    var dumper = Dumper()
    return SharedComparison.on(.expected) { dumper.inline(old, limit: 40) != nil }
      && SharedComparison.on(.actual) { dumper.inline(new, limit: 40) != nil }
  }
}
