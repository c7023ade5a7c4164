// A node of the tree that a program wants to be shown.

import RondoAnimation

/// A node of the tree that a program wants to be shown: some content, and modifiers around it.
///
/// It is a plain description, made anew for every state. A ``Stage`` compares it with the one
/// before, and animates what differs.
///
/// ```swift
/// Node.group {
///   Node.text("Hello")
///     .opacity(isOn ? 1 : 0.2)
///     .offset(x: isOn ? 10 : 0, y: 0)
///     .animation(.easeOut, value: isOn)
///   if isOn {
///     Node.text("World").transition(.slide)
///   }
/// }
/// ```
///
/// Modifiers wrap the content in the order in which they are written, the last one outermost.
public struct Node {
  var content: Content
  /// The innermost first.
  var modifiers = ModifierChain<Modifier>()
  /// Which of its container's children this is.
  var identity: [IdentityStep] = []
  /// The number of groups and layers inside of one another.
  private(set) var depth: Int32

  enum Content {
    case empty
    case text(String)
    case shape(any Shape)
    case group([Node])
    case layer(Layer)
    /// A node of the stage's own, in what a transition puts around it.
    case placed(StageNode)
  }

  /// The layer of a ``NodeModifier`` around a node.
  final class Layer {
    let label: String
    let type: ObjectIdentifier
    private(set) var content: Node
    /// The content with the modifier around it.
    private(set) var body: Node
    /// The extent of the body.
    let naturalSize: Size
    /// The modifier, if a part of it can move.
    let animatable: (any NodeModifier & Animatable)?
    /// The keyframes or phases that the modifier plays by itself, if it does.
    let playback: Playback?

    init(_ modifier: some NodeModifier, content: Node) {
      label = "\(modifier)"
      type = ObjectIdentifier(Swift.type(of: modifier))
      self.content = content
      body = modifier.body(content: content).node
      naturalSize = body.naturalSize
      animatable = (modifier as? any NodeModifier & Animatable).flatMap { $0.canMove ? $0 : nil }
      playback = nil
    }

    init(_ playback: Playback, type: Any.Type, content: Node) {
      label = playback.label
      self.type = ObjectIdentifier(type)
      self.content = content
      body = playback.rest
      naturalSize = body.naturalSize
      animatable = nil
      self.playback = playback
    }

    /// A layer that is nothing but a group.
    fileprivate init(_ children: [Node]) {
      label = "group"
      type = ObjectIdentifier(Layer.self)
      content = Node(plain: .group(children))
      body = content
      naturalSize = .zero
      (animatable, playback) = (nil, nil)
    }

    /// Releases a deep tree node by node, because nested releases would overflow the stack.
    deinit {
      guard body.depth > Node.depthOfNesting else { return }
      var pending = [content, body]
      (content, body) = (.empty, .empty)
      while var node = pending.popLast() {
        let content = node.content
        node.content = .empty
        if case .group(let children) = content { pending += children }
        guard case .layer(var layer) = consume content, isKnownUniquelyReferenced(&layer)
        else { continue }
        pending += [layer.content, layer.body]
        (layer.content, layer.body) = (.empty, .empty)
      }
    }
  }

  enum Modifier {
    case effect(any VisualEffect)
    case transaction(label: String, (inout Transaction) -> Void)
    /// Transforms the transaction of a commit in which the value differs from the one before.
    case onChange(label: String, of: any Equatable, (inout Transaction) -> Void)
    case transition(AnyTransition)
    case matchedGeometry(GeometryMatch)
    case onAppear(() -> Void)
    case contentTransition(ContentTransition)
    case clip(any Shape)
    /// The place among the siblings, back to front.
    case zIndex(Double)
    case tap(() -> Void)
    /// Transforms the transaction, for the modifiers up to the matching end and no further.
    case scope(label: String, (inout Transaction) -> Void)
    case endOfScope
  }

  init(_ content: Content) {
    self.init(plain: content)
    // A tree of nothing but groups has a layer now and then, for its release.
    if case .group(let children) = content, depth > 0, depth % Node.depthOfNesting == 0 {
      self.init(plain: .layer(Layer(children)))
    }
  }

  private init(plain content: Content) {
    self.content = content
    switch content {
    case .empty, .text, .shape, .placed: depth = 0
    case .group(let children): depth = children.reduce(0) { max($0, $1.depth) } + 1
    case .layer(let layer): depth = layer.body.depth + 1
    }
  }

  /// The depth up to which trees are released by nested releases.
  private static var depthOfNesting: Int32 { 128 }
}

extension Node {
  /// Nothing.
  public static var empty: Node { Node(.empty) }

  /// Some text. A change of it jumps.
  public static func text(_ text: String) -> Node {
    Node(.text(text))
  }

  /// A shape, which fills the frame of the node. A change of its data can move.
  public static func shape(_ shape: some Shape) -> Node {
    Node(.shape(shape))
  }

  /// A rectangle of one glyph, which fills the frame of the node.
  public static func fill(_ glyph: Character = "█") -> Node {
    .shape(Rectangle(glyph: glyph))
  }

  /// Nodes over one another, each where it says itself. A later one covers the earlier ones.
  public static func group(@NodeBuilder _ children: () -> [Node]) -> Node {
    Node(.group(children()))
  }

  /// Nodes over one another, made from data. Their identities are those of the elements.
  public static func forEach<Elements: Sequence>(
    _ elements: Elements,
    @NodeBuilder _ child: (Elements.Element) -> [Node]
  ) -> [Node] where Elements.Element: Identifiable {
    forEach(elements, id: \.id, child)
  }

  /// Nodes over one another, made from data. Their identities are a part of the elements.
  public static func forEach<Elements: Sequence>(
    _ elements: Elements,
    id: KeyPath<Elements.Element, some Hashable>,
    @NodeBuilder _ child: (Elements.Element) -> [Node]
  ) -> [Node] {
    elements.flatMap { element in
      child(element).map { $0.nested(in: .id(AnyHashable(element[keyPath: id]))) }
    }
  }

  /// Nodes below one another, at the left.
  ///
  /// - Parameters:
  ///   - spacing: Empty lines between two of them.
  ///   - children: Nodes whose extent is known: texts, and nodes with a frame.
  public static func column(spacing: Double = 0, @NodeBuilder _ children: () -> [Node]) -> Node {
    var y = 0.0
    return Node(
      .group(
        children().map { child in
          defer { y += child.naturalSize.height + spacing }
          return child.offset(x: 0, y: y)
        }
      )
    )
  }

  /// Nodes beside one another, at the top.
  ///
  /// - Parameters:
  ///   - spacing: Empty columns between two of them.
  ///   - children: Nodes whose extent is known: texts, and nodes with a frame.
  public static func row(spacing: Double = 0, @NodeBuilder _ children: () -> [Node]) -> Node {
    var x = 0.0
    return Node(
      .group(
        children().map { child in
          defer { x += child.naturalSize.width + spacing }
          return child.offset(x: x, y: 0)
        }
      )
    )
  }

  /// The extent that the node has without the nodes around it.
  var naturalSize: Size {
    for case .effect(let effect) in modifiers.reversed() {
      if let frame = (effect as? FrameEffect)?.frame {
        return Size(width: frame.width, height: frame.height)
      }
    }
    return content.naturalSize
  }
}

extension Node.Content {
  var naturalSize: Size {
    switch self {
    case .empty, .group: .zero
    case .text(let text): TextMeasure.size(of: text)
    case .shape: Size(width: 1, height: 1)
    case .layer(let layer): layer.naturalSize
    case .placed(let node): node.node.naturalSize
    }
  }
}
