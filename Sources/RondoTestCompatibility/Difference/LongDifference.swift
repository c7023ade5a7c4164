// The difference between two values in the long form.

import Rondo
import RondoRecording
import RondoTestStore

/// The marks that begin the lines of a difference.
public struct DiffFormat: Sendable {
  /// The mark of lines of the first value.
  public var first: String
  /// The mark of lines of the second value.
  public var second: String
  /// The mark of lines of both.
  public var both: String

  /// A format.
  ///
  /// - Parameters:
  ///   - first: The prefix of lines of the first value only.
  ///   - second: The prefix of lines of the second value only.
  ///   - both: The prefix of lines of both.
  public init(first: String, second: String, both: String) {
    self.first = first
    self.second = second
    self.both = both
  }

  /// The marks of patch files: `-`, `+` and a space.
  public static let `default` = DiffFormat(first: "-", second: "+", both: " ")

  /// Marks that are equally wide in proportional fonts: `−`, `+` and a figure space.
  public static let proportional = DiffFormat(first: "−", second: "+", both: "\u{2007}")
}

/// The difference between two values, part by part; `nil` if there is none.
///
/// ```swift
/// print(diff([1, 2], [1, 3]) ?? "equal")
/// //   [
/// //     [0]: 1,
/// // -   [1]: 2
/// // +   [1]: 3
/// //   ]
/// ```
///
/// Every part is on a line of its own. Equal parts are shown as `…`, and counted in collections.
/// For a shorter text see `difference(from:to:)`.
///
/// - Parameters:
///   - lhs: The first value.
///   - rhs: The second value.
///   - format: The marks that begin the lines.
/// - Returns: The difference; `nil` where there is none.
public func diff<Value>(_ lhs: Value, _ rhs: Value, format: DiffFormat = .default) -> String? {
  guard !areEqual(lhs, rhs) else { return nil }
  var differ = LongDiffer()
  return differ.lines(.init(lhs), .init(rhs), isRoot: true, separator: "")
    .map { line in
      switch line.side {
      case .old: "\(format.first) \(line.text)"
      case .new: "\(format.second) \(line.text)"
      case .both: "\(format.both) \(line.text)"
      }
    }
    .joined(separator: "\n")
}

/// Walks through two values side by side and writes the long form.
private struct LongDiffer {
  struct Line {
    let side: DifferenceLine.Side
    var text: String
  }

  /// A value with the name of its place.
  struct Place {
    var label: String?
    var value: Any

    init(_ value: Any, label: String? = nil) {
      self.value = value
      self.label = label
    }

    init(_ child: LongShape.Child) {
      self.init(child.value, label: child.label)
    }
  }

  private var visited: Set<ObjectIdentifier> = []
  /// The number of values around those that are compared.
  private var level = 0

  mutating func lines(_ old: Place, _ new: Place, isRoot: Bool, separator: String) -> [Line] {
    if old.label == new.label, areEqual(old.value, new.value) {
      return dump(new, .both, isRoot: isRoot, depth: 0, separator)
    }
    guard level <= printedLevels else {
      return [(old, DifferenceLine.Side.old), (new, .new)].map { place, side in
        Line(side: side, text: (place.label.map { "\($0): " } ?? "") + deeperText + separator)
      }
    }
    level += 1
    defer { level -= 1 }
    guard subject(of: old.value) == subject(of: new.value) else {
      return replace(old, new, isRoot, separator)
    }
    let shapes = (shape(of: old, .expected), shape(of: new, .actual))
    switch shapes {
    case (.shared(let left), .shared(let right)):
      return lines(ofShared: left, right, old, new, separator)
    case (.alias(let left), .alias(let right)), (.some(let left), .some(let right)):
      return lines(
        .init(left, label: old.label), .init(right, label: new.label), isRoot: isRoot,
        separator: separator)
    case (.object(let left, let name, let leftBlock), .object(let right, _, let rightBlock)):
      return lines(
        ofObjects: (left, leftBlock), (right, rightBlock), name, old, new, isRoot, separator)
    case (.enumCase(let name, let left), .enumCase(_, let right)):
      guard left.opening == right.opening, !left.children.isEmpty else {
        return replace(old, new, isRoot, separator)
      }
      var block = left
      block.opening = (isRoot ? name : "") + "." + left.opening
      return lines(of: block, right, old, new, isRoot, separator)
    case (.block(let left), .block(let right)):
      return lines(of: left, right, old, new, isRoot, separator)
    case (.string(let left), .string(let right))
    where left.contains(where: \.isNewline) || right.contains(where: \.isNewline):
      return lines(ofStrings: left, right, new.label, separator)
    default:
      return replace(old, new, isRoot, separator)
    }
  }

  private func shape(of place: Place, _ side: SharedComparison.Side) -> LongShape {
    SharedComparison.on(side) { LongShape(of: place.value) }
  }

  private func subject(of value: Any) -> Any.Type {
    LongShape.mirror(of: value).subjectType
  }

  // MARK: Whole values

  private func dump(
    _ place: Place, _ side: DifferenceLine.Side, isRoot: Bool, depth: Int = .max,
    _ separator: String = ""
  ) -> [Line] {
    var dumper = LongDumper()
    var lines = SharedComparison.on(side == .new ? .actual : .expected) {
      dumper.lines(of: place.value, label: place.label, isRoot: isRoot, depth: depth)
    }
    lines[lines.count - 1] += separator
    return lines.map { Line(side: side, text: $0) }
  }

  /// Both values, one after the other.
  private func replace(
    _ old: Place, _ new: Place, _ isRoot: Bool, _ separator: String
  ) -> [Line] {
    var left = dump(old, .old, isRoot: isRoot)
    var right = dump(new, .new, isRoot: isRoot)
    let (oldType, newType) = (subject(of: old.value), subject(of: new.value))
    if oldType != newType, left.map(\.text) == right.map(\.text) {
      left[left.count - 1].text += " as \(longName(of: oldType))"
      right[right.count - 1].text += " as \(longName(of: newType))"
    }
    left[left.count - 1].text += separator
    right[right.count - 1].text += separator
    return left + right
  }

  // MARK: Shared values and instances

  private mutating func lines(
    ofShared left: any SharedValue, _ right: any SharedValue, _ old: Place, _ new: Place,
    _ separator: String
  ) -> [Line] {
    let values = (
      SharedComparison.on(.expected) { left.sharedValue },
      SharedComparison.on(.actual) { right.sharedValue }
    )
    var lines = lines(.init(values.0), .init(values.1), isRoot: true, separator: separator)
    // The mark of a shared value stands in front of the first line of each side.
    var sides: [DifferenceLine.Side] = lines.first?.side == .both ? [.both] : [.old, .new]
    for index in lines.indices {
      guard let found = sides.firstIndex(of: lines[index].side) else { continue }
      let side = sides.remove(at: found)
      let label = side == .old ? old.label : new.label
      lines[index].text = (label.map { "\($0): " } ?? "") + "#1 " + lines[index].text
    }
    return lines
  }

  private mutating func lines(
    ofObjects left: (object: AnyObject, block: LongShape.Block),
    _ right: (object: AnyObject, block: LongShape.Block), _ name: String, _ old: Place,
    _ new: Place, _ isRoot: Bool, _ separator: String
  ) -> [Line] {
    let ids = (ObjectIdentifier(left.object), ObjectIdentifier(right.object))
    if visited.contains(ids.0) || visited.contains(ids.1) {
      return [
        Line(side: .old, text: (old.label.map { "\($0): " } ?? "") + "\(name)(↩︎)"),
        Line(side: .new, text: (new.label.map { "\($0): " } ?? "") + "\(name)(↩︎)"),
      ]
    }
    var blocks = (left.block, right.block)
    blocks.0.opening = name + blocks.0.opening
    if ids.0 != ids.1, areAllEqual(blocks.0.children, blocks.1.children) {
      blocks.0.children.insert(.init("_", ids.0), at: 0)
      blocks.1.children.insert(.init("_", ids.1), at: 0)
    }
    visited.insert(ids.0)
    return lines(of: blocks.0, blocks.1, old, new, isRoot, separator)
  }

  // MARK: Blocks

  private func areAllEqual(_ left: [LongShape.Child], _ right: [LongShape.Child]) -> Bool {
    left.count == right.count
      && zip(left, right).allSatisfy { $0.label == $1.label && areEqual($0.value, $1.value) }
  }

  private mutating func lines(
    of left: LongShape.Block, _ right: LongShape.Block, _ old: Place, _ new: Place,
    _ isRoot: Bool, _ separator: String
  ) -> [Line] {
    if left.kind != .sorted, areAllEqual(left.children, right.children) {
      let sides = (
        dump(old, .old, isRoot: false, depth: 0), dump(new, .new, isRoot: false, depth: 0)
      )
      let note = Line(side: .both, text: "// Not equal but no difference detected:")
      return (sides.0.map(\.text) == sides.1.map(\.text) ? [note] : []) + sides.0 + sides.1
    }
    if left.hasOneSimplePart || right.hasOneSimplePart {
      return dump(old, .old, isRoot: isRoot) + dump(new, .new, isRoot: isRoot)
    }
    let label = new.label.map { "\($0): " } ?? ""
    return [Line(side: .both, text: label + left.opening)]
      + steps(left, right).map { Line(side: $0.side, text: "  " + $0.text) }
      + [Line(side: .both, text: left.closing + separator)]
  }

  /// The lines between the brackets of two blocks.
  private mutating func steps(_ left: LongShape.Block, _ right: LongShape.Block) -> [Line] {
    let (removed, inserted) = changes(left, right)
    let counts = (left.children.count, right.children.count)
    var (i, j) = (0, 0)
    var lines: [Line] = []
    var unchanged: [LongShape.Child] = []

    func flush() {
      let comma = j == counts.1 ? "" : ","
      if left.kind == .list, unchanged.count == 1 {
        lines += dump(.init(unchanged[0]), .both, isRoot: false, depth: 0, comma)
      } else if !unchanged.isEmpty {
        lines.append(Line(side: .both, text: "… (\(unchanged.count) unchanged)" + comma))
      }
      unchanged = []
    }

    while i < counts.0 || j < counts.1 {
      let isRemoval = removed.contains(i)
      let isInsertion = inserted.contains(j)
      if left.kind != .fields, !isRemoval, !isInsertion,
        areEqual(left.children[i].value, right.children[j].value)
      {
        unchanged.append(right.children[j])
        i += 1
        j += 1
        continue
      }
      if left.kind == .list { flush() }
      switch (isRemoval, isInsertion) {
      case (true, false):
        let comma = i == counts.0 - 1 ? "" : ","
        lines += dump(.init(left.children[i]), .old, isRoot: false, comma)
        i += 1
      case (false, true):
        let comma = j == counts.1 - 1 && unchanged.isEmpty ? "" : ","
        lines += dump(.init(right.children[j]), .new, isRoot: false, comma)
        j += 1
      default:
        var before = Place(left.children[i])
        // An element that has only moved on has the index that it has now.
        if !isRemoval, left.kind == .list { before.label = right.children[j].label }
        let comma = i == counts.0 - 1 && j == counts.1 - 1 ? "" : ","
        lines += self.lines(
          before, .init(right.children[j]), isRoot: false, separator: comma)
        i += 1
        j += 1
      }
    }
    flush()
    return lines
  }

  /// The parts that only one of two blocks has.
  private func changes(
    _ left: LongShape.Block, _ right: LongShape.Block
  ) -> (removed: Set<Int>, inserted: Set<Int>) {
    RondoRecording.changes(from: left.children, to: right.children) { old, new in
      if let (oldKey, newKey) = both(old.key, new.key) { return oldKey == newKey }
      guard left.kind != .fields else { return old.label == new.label }
      return haveEqualIDs(old.value, new.value) || areEqual(old.value, new.value)
    }
  }

  private func both<Value>(_ left: Value?, _ right: Value?) -> (Value, Value)? {
    guard let left, let right else { return nil }
    return (left, right)
  }

  private func haveEqualIDs(_ left: Any, _ right: Any) -> Bool {
    func id<Element: Identifiable>(_ element: Element) -> AnyHashable { AnyHashable(element.id) }
    guard let left = left as? any Identifiable, let right = right as? any Identifiable,
      type(of: left) == type(of: right)
    else { return false }
    return id(left) == id(right)
  }

  // MARK: Strings

  private func lines(
    ofStrings left: String, _ right: String, _ label: String?, _ separator: String
  ) -> [Line] {
    let (opening, closing) = multilineQuotes(of: [left, right])
    let margin = label == nil ? "" : "  "
    let sides = (textLines(left), textLines(right))
    var lines = [Line(side: .both, text: (label.map { "\($0): " } ?? "") + opening)]
    for step in align(sides.0, sides.1, pairsLeftovers: false, by: ==) {
      switch step {
      case .both(let i, _): lines.append(Line(side: .both, text: margin + sides.0[i]))
      case .removed(let i): lines.append(Line(side: .old, text: margin + sides.0[i]))
      case .inserted(let j): lines.append(Line(side: .new, text: margin + sides.1[j]))
      }
    }
    return lines + [Line(side: .both, text: margin + closing + separator)]
  }

  private func textLines(_ string: String) -> [Substring] {
    string.isEmpty ? [] : string.split(separator: "\n", omittingEmptySubsequences: false)
  }
}
