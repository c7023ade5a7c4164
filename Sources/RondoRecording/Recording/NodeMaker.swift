// Printing a value as a tree.

import Foundation
import Rondo

extension RecordedNode {
  /// The number of levels that are taken apart. Deeper ones are printed as `…`.
  static let depthLimit = 64

  /// The leaf in place of a value that is too deep.
  static let cutOff = RecordedNode("…")

  /// The tree of any value, with the texts that messages of tests have.
  ///
  /// Values of `@Redacted` members are not in it. The elements of a set and the entries of a
  /// dictionary are in the order of their texts. An instance of a class is taken apart at its first
  /// place only.
  ///
  /// Complexity: O(*n* log *n*) in the size of the value.
  public init(of value: Any) {
    var maker = NodeMaker()
    self = maker.node(of: value, depth: 0)
  }
}

private struct NodeMaker {
  private var visited: Set<ObjectIdentifier> = []

  mutating func node(of value: Any, depth: Int) -> RecordedNode {
    var node = unmarkedNode(of: value, depth: depth)
    node.isShared = isShared(value)
    return node
  }

  private func isShared(_ value: Any) -> Bool {
    let traits = TypeTraits.of(value)
    // The cast looks into an optional.
    return traits.isShared || traits.isOptional && value is any SharedValue
  }

  private mutating func unmarkedNode(of value: Any, depth: Int) -> RecordedNode {
    guard depth < RecordedNode.depthLimit else { return .cutOff }
    switch ValueShape(of: value) {
    case .leaf(redactedText):
      return .redacted
    case .leaf(let text) where text.hasSuffix(" bytes"):
      // A length alone would tell no difference.
      guard let data = value as? Data else { return RecordedNode(text) }
      return RecordedNode("\(text), digest \(data.digest)")
    case .leaf(let text):
      return RecordedNode(text)
    case .text(let lines):
      return RecordedNode(lines.joined(separator: "\n").debugDescription)
    case .record("", let fields):
      return RecordedNode(kind: .tuple, children: children(fields, depth))
    case .record(let name, let fields) where name.hasPrefix("."):
      return RecordedNode(
        type: nameOfType(of: value), kind: .enum, case: String(name.dropFirst()),
        children: children(fields, depth))
    case .record(let name, let fields):
      return RecordedNode(type: name, kind: .struct, children: children(fields, depth))
    case .reference(let name, let identity, let fields):
      guard visited.insert(identity).inserted else { return RecordedNode("\(name)(as above)") }
      return RecordedNode(type: name, kind: .class, children: children(fields, depth))
    case .list(let elements):
      return RecordedNode(kind: .collection, children: children(elements.map { (nil, $0) }, depth))
    case .dictionary(let entries):
      return RecordedNode(
        kind: .dictionary, children: children(entries.map { ($0.key, $0.value) }, depth))
    case .set(let elements):
      return RecordedNode(
        kind: .set, children: children(elements.map { ($0.text, $0.value) }, depth))
    }
  }

  /// The parts of a value. A part without a name, or with that of another part, is named by its
  /// position.
  private mutating func children(
    _ fields: [(label: String?, value: Any)], _ depth: Int
  ) -> [RecordedNode.Child] {
    var children: [RecordedNode.Child] = []
    children.reserveCapacity(fields.count)
    // For a few names a search is faster than hashes.
    var names: Set<String>? = fields.count > 8 ? [] : nil
    func isNew(_ name: String) -> Bool {
      names?.insert(name).inserted ?? !children.contains { $0.name == name }
    }
    for (index, field) in fields.enumerated() {
      var name = field.label ?? "\(index)"
      while !isNew(name) { name += " (\(index))" }
      children.append(RecordedNode.Child(name, node(of: field.value, depth: depth + 1)))
    }
    return children
  }

  /// The name of the type of an enum, also where the value is in an optional.
  private func nameOfType(of value: Any) -> String {
    var name = typeName(of: value)
    while name.hasPrefix("Optional<"), name.hasSuffix(">") {
      name = String(name.dropFirst("Optional<".count).dropLast())
    }
    return name
  }
}
