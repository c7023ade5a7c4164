// What is to be seen at one instant.

import RondoAnimation

/// What is to be seen at one instant: every node with its final appearance, back to front.
public struct Frame: Sendable {
  /// When this is to be seen.
  public let instant: Duration

  /// The nodes, parents before their children.
  public internal(set) var nodes: [ResolvedNode] = []

  /// The first node with an id.
  public subscript(id: some Hashable) -> ResolvedNode? {
    let id = AnyHashable(id)
    return nodes.first { $0.id?.value == id }
  }
}

/// A node as it is to be seen at one instant.
public struct ResolvedNode: Sendable {
  /// What is inside.
  public enum Content: Sendable {
    /// Nothing of its own: a container.
    case group
    case text(String)
    case shape(any Shape)
  }

  /// The id that the program has given the node.
  public var id: ResolvedID?

  /// How many nodes are around it.
  public var depth: Int

  /// What is inside.
  public var content: Content

  /// How it looks, with all nodes around it taken into account.
  public var appearance: Appearance

  /// Where it is, in cells.
  public var frame: Rect { appearance.frame }

  /// How opaque it is.
  public var opacity: Double { appearance.opacity }
}

/// An id that the program has given a node.
public struct ResolvedID: Hashable, @unchecked Sendable {
  // @unchecked: an immutable value, made from the program's ids, which are compared and no more.
  let value: AnyHashable
}
