// The nodes that are seen at one instant.

import RondoAnimation

/// The picture at one instant: every node with its final appearance, back to front.
public struct StageFrame: Sendable {
  /// When this is to be seen.
  public let instant: Duration

  /// The nodes, parents before their children.
  public internal(set) var nodes: [ResolvedNode] = []

  /// The shapes that hide what is outside of them.
  public internal(set) var clips: [Clip] = []

  /// A shape that hides what is outside of it.
  public struct Clip: Sendable {
    /// The shape, in the unit square of the frame.
    public let shape: any Shape

    /// The place, and the angle by which it is turned.
    public let appearance: Appearance

    /// The index of the clip around it; -1 if there is none.
    public let outer: Int
  }

  /// This frame with another one on top of it, which may come from another stage.
  ///
  /// Nodes of the two are told apart in recordings by the layer.
  public func overlaid(with other: StageFrame, layer: Int = 1) -> StageFrame {
    var frame = self
    for var node in other.nodes {
      node.source = ResolvedNode.Source(
        id: node.id, content: node.content, track: node.source.track &+ layer &* (1 << 32))
      if node.clip >= 0 { node.clip += clips.count }
      frame.nodes.append(node)
    }
    frame.clips += other.clips.map { clip in
      Clip(
        shape: clip.shape, appearance: clip.appearance,
        outer: clip.outer < 0 ? -1 : clip.outer + clips.count)
    }
    return frame
  }

  /// The first node with an id.
  public subscript(id: some Hashable) -> ResolvedNode? {
    let id = AnyHashable(id)
    return nodes.first { $0.id?.value == id }
  }
}

/// A node as it is to be seen at one instant.
public struct ResolvedNode: Sendable {
  /// The content.
  public enum Content: Sendable {
    /// Nothing of its own: a container.
    case group
    /// A text.
    case text(String)
    /// A shape, which is drawn in the size of the node.
    case shape(any Shape)
  }

  /// The parts that do not change from frame to frame. A reference, so that a frame of many nodes is small.
  var source: Source

  /// The number of nodes around it.
  public internal(set) var depth: Int

  /// The index in the frame's clips of the innermost one around the node; -1 if there is none.
  public internal(set) var clip = -1

  /// The appearance, with all nodes around it taken into account.
  public internal(set) var appearance: Appearance

  /// The id that the program has given the node.
  public var id: ResolvedID? { source.id }

  /// The content.
  public var content: Content { source.content }

  /// The frame, in cells.
  public var frame: Rect { appearance.frame }

  /// The opacity, 0…1.
  public var opacity: Double { appearance.opacity }

  final class Source: Sendable {
    let id: ResolvedID?
    let content: Content
    /// The same number for the same node in every frame.
    let track: Int

    init(id: ResolvedID?, content: Content, track: Int) {
      self.id = id
      self.content = content
      self.track = track
    }
  }
}

extension ResolvedNode {
  /// A node by itself, without its effects.
  init(_ node: Node, track: Int) {
    let content: Content =
      switch node.content {
      case .text(let text): .text(text)
      case .shape(let shape): .shape(shape)
      case .empty, .group, .layer, .placed: .group
      }
    source = Source(
      id: node.explicitID.map(ResolvedID.init(value:)), content: content, track: track)
    depth = 0
    appearance = Appearance()
    appearance.size = node.content.naturalSize
  }

  /// Shows another shape than the one of the model.
  mutating func show(_ shape: any Shape) {
    source = Source(id: source.id, content: .shape(shape), track: source.track)
  }

  /// Shows another text than the one of the model.
  mutating func show(_ text: String) {
    source = Source(id: source.id, content: .text(text), track: source.track)
  }
}

/// An id that the program has given a node.
public struct ResolvedID: Hashable, @unchecked Sendable {
  // @unchecked: an immutable value, made from the program's ids, which are compared and no more.
  let value: AnyHashable
}
