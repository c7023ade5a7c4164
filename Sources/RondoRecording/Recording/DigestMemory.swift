// The digests of trees that follow each other.

import Rondo

/// Makes the digests of trees that follow each other. Of what they share, the bytes are kept.
struct DigestMemory {
  private var last: (tree: RecordedNode, text: DigestText)?

  /// The digest of a tree, which is `tree.digest`.
  mutating func digest(of tree: RecordedNode) -> String {
    guard !tree.hasAtMost(DigestText.most) else {
      last = nil
      return tree.digest
    }
    let text = DigestText(tree, nil, after: last.map { ($0.tree, $0.text) })
    last = (tree, text)
    var hash = FowlerNollVo()
    text.add(to: &hash)
    return hash.digits
  }
}

/// The bytes of a tree that its digest is made of.
private final class DigestText {
  private let bytes: [UInt8]
  /// The bytes of the children; empty where all bytes are in `bytes`.
  private let parts: [DigestText]

  /// - Parameter old: The tree that has been in this place, with its bytes.
  init(_ node: RecordedNode, _ name: String?, after old: (node: RecordedNode, text: DigestText)?) {
    var bytes = Buffer()
    if let name { bytes.add(name) }
    if node.hasAtMost(Self.most) {
      node.add(to: &bytes)
      parts = []
    } else {
      node.addHead(to: &bytes)
      parts = Self.parts(of: node, after: old)
    }
    self.bytes = bytes.all
  }

  /// The number of nodes of the largest tree that is not divided.
  static let most = 32

  private static func parts(
    of node: RecordedNode, after old: (node: RecordedNode, text: DigestText)?
  ) -> [DigestText] {
    let old = old.flatMap { $0.text.parts.isEmpty ? nil : $0 }
    let same = old.map { node.unchangedChildren(since: $0.node) } ?? []
    return node.children.indices.map { index in
      if index < same.count, same[index], let old { return old.text.parts[index] }
      let child = node.children[index]
      let before = old.flatMap { old in
        old.text.parts.indices.contains(index)
          ? (old.node.children[index].node, old.text.parts[index]) : nil
      }
      return DigestText(child.node, child.name, after: before)
    }
  }

  func add(to hash: inout FowlerNollVo) {
    bytes.withUnsafeBufferPointer { hash.add($0) }
    for part in parts { part.add(to: &hash) }
  }

  private struct Buffer: DigestBytes {
    var all: [UInt8] = []

    mutating func add(_ byte: UInt8) { all.append(byte) }
    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) { all += bytes }
  }
}

extension RecordedNode {
  /// Whether the tree has no more nodes than a limit.
  fileprivate func hasAtMost(_ limit: Int) -> Bool {
    var rest = limit
    return takeNodes(from: &rest)
  }

  private func takeNodes(from rest: inout Int) -> Bool {
    rest -= 1
    guard rest >= children.count else { return false }
    return children.allSatisfy { $0.node.takeNodes(from: &rest) }
  }

  /// Tells of every child with an index in both nodes whether it is the same, with its name.
  fileprivate func unchangedChildren(since old: RecordedNode) -> [Bool] {
    children.withUnsafeBufferPointer { new in
      old.children.withUnsafeBufferPointer { old in
        let bytes = ComparedBytes.of(Child.self)
        return (0..<min(new.count, old.count)).map { bytes.areEqual(in: new, $0, in: old, $0) }
      }
    }
  }
}
