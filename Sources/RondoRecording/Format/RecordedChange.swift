// The differences between two printed values.

import Rondo

/// One difference between two trees.
public struct RecordedChange: Decodable, Equatable, Sendable {
  /// The names of the parts on the way to the value. It is empty for the whole.
  public var path: [String]
  /// The value that was there; `nil` where a part was inserted.
  public var old: RecordedNode?
  /// The value that is there now; `nil` where a part was removed.
  public var new: RecordedNode?
  /// The position of an inserted part among its siblings in the new tree; `nil` for the end.
  public var index: Int?

  /// A difference; each parameter is the property of its name.
  public init(
    path: [String], old: RecordedNode? = nil, new: RecordedNode? = nil, index: Int? = nil
  ) {
    self.path = path
    self.old = old
    self.new = new
    self.index = index
  }
}

extension RecordedNode {
  /// The differences that lead from this tree to another one. Parts are compared by their names.
  ///
  /// ```swift
  /// tree.applying(tree.changes(to: next)) == next
  /// ```
  ///
  /// Complexity: O(*n*) in the sizes of the trees.
  public func changes(to new: RecordedNode) -> [RecordedChange] {
    var changes: [RecordedChange] = []
    var path: [String] = []
    addChanges(to: new, &path, &changes)
    return changes
  }

  private func addChanges(
    to new: RecordedNode, _ path: inout [String], _ changes: inout [RecordedChange]
  ) {
    guard kind != nil, kind == new.kind, type == new.type, `case` == new.case else {
      if self != new { changes.append(RecordedChange(path: path, old: self, new: new)) }
      return
    }
    let count = changes.count
    if addChangesOfChildren(to: new, &path, &changes) { return }
    changes.removeLast(changes.count - count)
    guard let parts = Parts(of: self, and: new) else {
      return changes.append(RecordedChange(path: path, old: self, new: new))
    }
    for child in parts.removed {
      changes.append(RecordedChange(path: path + [child.name], old: child.node))
    }
    for (old, new) in parts.kept where old.node != new.node {
      path.append(new.name)
      old.node.addChanges(to: new.node, &path, &changes)
      path.removeLast()
    }
    for (index, child) in parts.inserted {
      let isLast = index >= new.children.count - parts.insertedAtEnd
      changes.append(
        RecordedChange(
          path: path + [child.name], new: child.node, index: isLast ? nil : index))
    }
  }

  /// Adds the changes of children with the same names in the same order. Returns `false` where the names
  /// differ; the changes before that name have been added.
  private func addChangesOfChildren(
    to new: RecordedNode, _ path: inout [String], _ changes: inout [RecordedChange]
  ) -> Bool {
    children.withUnsafeBufferPointer { old in
      new.children.withUnsafeBufferPointer { new in
        guard old.count == new.count else { return false }
        // Trees that follow each other share what has not changed.
        guard old.baseAddress != new.baseAddress else { return true }
        let bytes = ComparedBytes.of(Child.self)
        for index in old.indices where !bytes.areEqual(in: old, index, in: new, index) {
          guard old[index].name == new[index].name else { return false }
          path.append(new[index].name)
          old[index].node.addChanges(to: new[index].node, &path, &changes)
          path.removeLast()
        }
        return true
      }
    }
  }

  /// The children of two nodes, side by side; `nil` where children with equal names have another
  /// order.
  private struct Parts {
    var removed: [Child] = []
    var kept: [(old: Child, new: Child)] = []
    var inserted: [(index: Int, child: Child)] = []
    /// The number of inserted children behind the last one that was kept.
    var insertedAtEnd = 0

    init?(of old: RecordedNode, and new: RecordedNode) {
      let names = Set(new.children.map(\.name))
      var remaining: [Child] = []
      for child in old.children {
        if names.contains(child.name) { remaining.append(child) } else { removed.append(child) }
      }
      var next = remaining[...]
      let oldNames = Set(remaining.map(\.name))
      for (index, child) in new.children.enumerated() {
        if !oldNames.contains(child.name) {
          inserted.append((index, child))
          insertedAtEnd += 1
        } else if let first = next.popFirst(), first.name == child.name {
          kept.append((first, child))
          insertedAtEnd = 0
        } else {
          return nil
        }
      }
      guard next.isEmpty else { return nil }
    }
  }

  /// This tree with changes made to it, in their order. Changes whose path leads nowhere are left
  /// out.
  public func applying(_ changes: [RecordedChange]) -> RecordedNode {
    var node = self
    for change in changes { node.apply(change, change.path[...]) }
    return node
  }

  private mutating func apply(_ change: RecordedChange, _ path: ArraySlice<String>) {
    guard let name = path.first else {
      if let new = change.new { self = new }
      return
    }
    let index = index(ofChild: name)
    if path.count > 1 {
      if let index { children[index].node.apply(change, path.dropFirst()) }
      return
    }
    switch (index, change.new) {
    case (let index?, let new?):
      children[index].node = new
    case (let index?, nil):
      children.remove(at: index)
    case (nil, let new?):
      let end = children.count
      children.insert(Child(name, new), at: min(max(0, change.index ?? end), end))
    case (nil, nil):
      break
    }
  }

  /// The position of the part with a name.
  ///
  /// Complexity: O(log *n*) where the parts are in the order in which they are printed, else O(*n*).
  private func index(ofChild name: String) -> Int? {
    // Few names are compared faster than they are searched for.
    guard children.count > 8 else { return children.firstIndex { $0.name == name } }
    if kind == .collection {
      if let index = Int(name), children.indices.contains(index), children[index].name == name {
        return index
      }
    } else if kind == .dictionary || kind == .set {
      var (start, end) = (0, children.count)
      while start < end {
        let middle = (start + end) / 2
        if children[middle].name == name { return middle }
        if precedes(children[middle].name, name) { start = middle + 1 } else { end = middle }
      }
    }
    return children.firstIndex { $0.name == name }
  }
}
