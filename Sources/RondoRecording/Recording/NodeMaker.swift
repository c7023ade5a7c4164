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
    self.init(of: value, marksTypes: false)
  }

  /// - Parameter marksTypes: Whether the tree says what a test cannot do with an action, and with what its cases carry.
  init(of value: Any, marksTypes: Bool) {
    var maker = NodeMaker(keepsParts: false, marksTypes: marksTypes)
    self = maker.made(of: value, depth: 0).node
  }

  /// Marks what a test cannot do with an enum, and with what its case carries.
  fileprivate mutating func markTypes(
    of value: Any, _ traits: TypeTraits, _ fields: [(label: String?, value: Any)]
  ) {
    isCasePathable = !traits.isOptional && Swift.type(of: value) is any CasePathable.Type
    for (index, field) in fields.enumerated() {
      // The case may carry an error of any type.
      children[index].node.isEquatable = field.value is any Equatable && !(field.value is any Error)
    }
  }
}

/// Makes the trees of a value that changes, one after the other. Parts that have not changed are not
/// looked at again.
///
/// With every tree it keeps the parts of the value that depend on nothing but what they store by value.
/// Such a part cannot be changed in place, because it is kept. So the next part in its place has the same
/// tree if it has the same bytes. Objects, and values that print themselves by code of their own, are
/// neither kept nor compared.
struct TreeMemory {
  private var last: NodeMaker.Made?

  /// Whether each tree is compared with one that is made anew, in the long form of Rondo's own tests.
  private static let isChecked = ProcessInfo.processInfo.environment["RONDO_SOAK"] != nil

  /// The tree of the value as it is now, which is `RecordedNode(of: value)`.
  ///
  /// Complexity: O(*n*) in the number of parts that lie beside a changed one; their insides do not
  /// count.
  mutating func tree(of value: Any) -> RecordedNode {
    var maker = NodeMaker(keepsParts: true)
    let made = maker.made(of: value, depth: 0, before: last)
    if Self.isChecked {
      precondition(
        made.node == RecordedNode(of: value), "A value has changed, and its bytes have not.")
    }
    last = made
    return made.node
  }
}

/// A part of a value that has been made into a tree, for the next tree.
private final class KeptPart {
  /// The part; `nil` where its tree depends on more than what it stores by value.
  let value: Any?
  /// The parts of it, by the index of the tree's children. It is empty where there is nothing to keep.
  let parts: [KeptPart?]
  /// For a dictionary the index of the tree's child for every entry, in the order of the dictionary.
  let order: [Int]?

  init(_ value: Any?, _ parts: [KeptPart?], order: [Int]? = nil) {
    self.value = value
    self.parts = parts
    self.order = order
  }

  /// The parts without the value; `nil` where there are none. An element of a container is kept and
  /// compared by the container.
  var withoutValue: KeptPart? {
    parts.isEmpty ? nil : KeptPart(nil, parts, order: order)
  }
}

private struct NodeMaker {
  struct Made {
    var node: RecordedNode
    /// Whether the tree depends on nothing but what the value stores by value.
    var isByValue: Bool
    var kept: KeptPart?

    /// The part with an index, for the next value in its place.
    func part(_ index: Int) -> Made? {
      guard let kept, kept.parts.indices.contains(index), let part = kept.parts[index] else {
        return nil
      }
      return Made(node: node.children[index].node, isByValue: part.value != nil, kept: part)
    }
  }

  private let keepsParts: Bool
  /// Whether types are marked: those of an action, and of what its cases carry, up to the first value that is no enum.
  private var marksTypes: Bool
  private var visited: Set<ObjectIdentifier> = []

  init(keepsParts: Bool, marksTypes: Bool = false) {
    self.keepsParts = keepsParts
    self.marksTypes = marksTypes
  }

  mutating func made(of value: Any, depth: Int, before: Made? = nil) -> Made {
    let traits = TypeTraits.of(value)
    // The casts look into an optional.
    let container =
      keepsParts && (traits.isContainer || traits.isOptional) ? value as? any PrintedContainer : nil
    let kept: Any = container ?? value
    if let before, let old = before.kept?.value {
      if hasSamePrintedBytes(kept, as: old) {
        return before
      }
      if let container, let old = old as? any PrintedContainer,
        let made = remade(of: container, before, container.comparison(with: old), depth)
      {
        return made
      }
    }
    var isByValue = keepsParts
    var parts: [KeptPart?] = []
    var order: [Int]?
    var node = node(of: value, traits, depth, before, &isByValue, &parts, &order)
    if traits.isShared || traits.isOptional, let shared = value as? any SharedValue {
      node.isShared = true
      node.isReader = shared.isReader
      node.isKeyed = shared.isKeyed
    }
    if node.kind != nil, traits.isOptional || traits.name.hasPrefix("PresentationState<") {
      node.isOptional = true
    }
    return Made(
      node: node, isByValue: isByValue,
      kept: part(kept, isByValue, node, parts, isContainer: container != nil, order))
  }

  /// The part of a value that is kept. Short leaves are made faster than they are compared.
  private func part(
    _ value: Any, _ isByValue: Bool, _ node: RecordedNode, _ parts: [KeptPart?],
    isContainer: Bool, _ order: [Int]?
  ) -> KeptPart? {
    guard keepsParts else { return nil }
    if node.kind == nil {
      return isByValue && node.value?.utf8.count ?? 0 > 64 ? KeptPart(value, []) : nil
    }
    var parts = parts
    if isByValue, isContainer, !parts.isEmpty {
      parts = parts.map { $0?.withoutValue }
      if parts.allSatisfy({ $0 == nil }) { parts = [] }
    }
    return isByValue || !parts.isEmpty
      ? KeptPart(isByValue ? value : nil, parts, order: order) : nil
  }

  /// The tree of a container of which most has not changed. An older one of the same type, whose tree
  /// depended on nothing else, has been compared with it.
  private mutating func remade(
    of container: any PrintedContainer, _ before: Made, _ comparison: ContainerComparison?,
    _ depth: Int
  ) -> Made? {
    guard let comparison, let kept = before.kept else { return nil }
    let order = kept.order
    let sources = comparison.sources
    var made = before
    var parts = kept.parts
    // Elements that stay where they are keep their names, too.
    let stay =
      sources.count == before.node.children.count
      && sources.indices.allSatisfy { sources[$0] == nil || sources[$0] == $0 }
    if !stay {
      guard order == nil else { return nil }
      let old = before.node.children
      made.node.children = sources.indices.map { index in
        let name = index < old.count ? old[index].name : "\(index)"
        return RecordedNode.Child(name, sources[index].map { old[$0].node } ?? .cutOff)
      }
      if !parts.isEmpty {
        let old = parts
        parts = sources.indices.map { index in
          sources[index].map { old[$0] } ?? (index < old.count ? old[index] : nil)
        }
      }
    }
    var isByValue = true
    var changed = comparison.changed
    if let order {
      // Objects are taken apart where the tree shows them first.
      for position in changed.indices { changed[position].index = order[changed[position].index] }
      changed.sort { $0.index < $1.index }
    }
    for (index, value) in changed {
      let old = index < before.node.children.count ? before.part(index) : nil
      let element = self.made(of: value, depth: depth + 1, before: old)
      made.node.children[index].node = element.node
      if !element.isByValue { isByValue = false }
      let part = element.kept?.withoutValue
      if part != nil, parts.isEmpty {
        parts = Array(repeating: nil, count: made.node.children.count)
      }
      if !parts.isEmpty { parts[index] = part }
    }
    made.isByValue = isByValue
    made.kept = KeptPart(isByValue ? container : nil, parts, order: order)
    return made
  }

  private mutating func node(
    of value: Any, _ traits: TypeTraits, _ depth: Int, _ before: Made?,
    _ isByValue: inout Bool, _ parts: inout [KeptPart?], _ order: inout [Int]?
  ) -> RecordedNode {
    guard depth < RecordedNode.depthLimit else {
      isByValue = false
      return .cutOff
    }
    func children(_ fields: [(label: String?, value: Any)]) -> [RecordedNode.Child] {
      self.children(fields, depth, before, &isByValue, &parts)
    }
    let marks = marksTypes
    marksTypes = false
    defer { marksTypes = marks }
    switch ValueShape(of: value, traits, isByValue: &isByValue) {
    case .leaf(redactedText):
      return .redacted
    case .leaf(let text) where text.hasSuffix(" bytes"):
      // A length alone would tell no difference.
      return RecordedNode((value as? Data)?.printed ?? text)
    case .leaf(let text):
      var node = RecordedNode(text)
      if text.hasPrefix(".") {
        // A test has to name the type of an error, `throw ApiError.refused`, and in an optional that of a case which an
        // optional has, too.
        let isOfOptional = traits.isOptional && [".none", ".some"].contains(text)
        if isOfOptional || value is any Error {
          let inner = Mirror(reflecting: value).children.first?.value ?? value
          node.type = typeName(of: inner)
        }
      } else if traits.name == "Decimal" || traits.name == "Optional<Decimal>", text != "nil" {
        node.type = "Decimal"
      }
      if marks, text.hasPrefix(".") { node.markTypes(of: value, traits, []) }
      return node
    case .text(let lines):
      return RecordedNode(lines.joined(separator: "\n").debugDescription)
    case .record("", let fields):
      return RecordedNode(kind: .tuple, children: children(fields))
    case .record(let name, let fields) where name.hasPrefix("."):
      marksTypes = marks
      var type = traits.name
      while type.hasPrefix("Optional<"), type.hasSuffix(">") {
        type = String(type.dropFirst("Optional<".count).dropLast())
      }
      var node = RecordedNode(
        type: type, kind: .enum, case: String(name.dropFirst()), children: children(fields))
      if marks { node.markTypes(of: value, traits, fields) }
      return node
    case .record(let name, let fields):
      return RecordedNode(type: name, kind: .struct, children: children(fields))
    case .reference(let name, let identity, let fields):
      guard visited.insert(identity).inserted else { return RecordedNode("\(name)(as above)") }
      return RecordedNode(type: name, kind: .class, children: children(fields))
    case .list(let elements):
      return RecordedNode(kind: .collection, children: children(elements.map { (nil, $0) }))
    case .dictionary(let entries):
      if keepsParts {
        order = Array(repeating: 0, count: entries.count)
        for (index, entry) in entries.enumerated() where entry.position < entries.count {
          order?[entry.position] = index
        }
      }
      // A stack is written as code in another way than a dictionary.
      return RecordedNode(
        type: traits.name.hasPrefix("StackState<") ? traits.name : nil, kind: .dictionary,
        children: children(entries.map { ($0.key, $0.value) }))
    case .set(let elements):
      return RecordedNode(kind: .set, children: children(elements.map { ($0.key, $0.value) }))
    }
  }

  /// The parts of a value. A part without a name, or with that of another part, is named by its
  /// position.
  private mutating func children(
    _ fields: [(label: String?, value: Any)], _ depth: Int, _ before: Made?,
    _ isByValue: inout Bool, _ parts: inout [KeptPart?]
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
      let made = made(of: field.value, depth: depth + 1, before: before?.part(index))
      children.append(RecordedNode.Child(name, made.node))
      if !made.isByValue { isByValue = false }
      // Most values have no part that is kept.
      if made.kept != nil, parts.isEmpty { parts = Array(repeating: nil, count: fields.count) }
      if !parts.isEmpty { parts[index] = made.kept }
    }
    return children
  }
}
