// Modifiers under the names that they have in SwiftUI. Each forwards to one of this package's own.

import Foundation
import RondoAnimation

extension View {
  /// Scales the node about a point of it.
  public func scaleEffect(_ factor: CGFloat, anchor: UnitPoint = .center) -> Node {
    scaleEffect(x: factor, y: factor, anchor: anchor)
  }

  /// Scales the node about a point of it, differently in the two directions.
  public func scaleEffect(
    x: CGFloat = 1,
    y: CGFloat = 1,
    anchor: UnitPoint = .center
  ) -> Node {
    effect(ScaleEffect(animatableData: AnimatablePair(Double(x), Double(y)), anchor: anchor))
  }

  /// Scales the node about a point of it, differently in the two directions.
  public func scaleEffect(_ scale: CGSize, anchor: UnitPoint = .center) -> Node {
    scaleEffect(x: scale.width, y: scale.height, anchor: anchor)
  }

  /// Turns the node clockwise about a point of it.
  public func rotationEffect(_ angle: Angle, anchor: UnitPoint = .center) -> Node {
    effect(RotationEffect(animatableData: angle.degrees, anchor: anchor))
  }

  /// Turns the node in space about an axis, seen from the front without perspective.
  public func rotation3DEffect(
    _ angle: Angle,
    axis: (x: CGFloat, y: CGFloat, z: CGFloat),
    anchor: UnitPoint = .center
  ) -> Node {
    effect(
      Rotation3DEffect(
        animatableData: angle.degrees,
        axis: SIMD3(Double(axis.x), Double(axis.y), Double(axis.z)), anchor: anchor))
  }

  /// Moves the node, in cells.
  public func offset(_ offset: CGSize) -> Node {
    self.offset(x: Double(offset.width), y: Double(offset.height))
  }

  /// Places the centre of the node in the one around it.
  public func position(x: CGFloat = 0, y: CGFloat = 0) -> Node {
    let size = node.naturalSize
    return offset(x: Double(x) - size.width / 2, y: Double(y) - size.height / 2)
  }

  /// Places the centre of the node in the one around it.
  public func position(_ position: CGPoint) -> Node { self.position(x: position.x, y: position.y) }

  /// Colours the glyphs inside that have no colour yet.
  public func foregroundColor(_ color: Color?) -> Node {
    color.map { foreground($0) } ?? node
  }

  /// Colours the glyphs inside that have no colour yet.
  public func foregroundStyle(_ color: Color) -> Node { foreground(color) }

  /// Shows nothing of the node, which stays where it is.
  public func hidden() -> Node { opacity(0) }

  /// Puts empty cells around the node. Its extent has to be known: a text, or a node with a frame.
  public func padding(_ length: CGFloat = 1) -> Node { padding(.all, length) }

  /// Puts empty cells at some sides of the node. Its extent has to be known.
  public func padding(_ edges: Edge.Set, _ length: CGFloat = 1) -> Node {
    func inset(_ edge: Edge.Set) -> Double { edges.contains(edge) ? Double(length) : 0 }
    var content = node
    let identity = content.identity
    content.identity = []
    let size = content.naturalSize
    var padded = Node(.group([content.offset(x: inset(.leading), y: inset(.top))])).frame(
      width: max(0, size.width + inset(.leading) + inset(.trailing)),
      height: max(0, size.height + inset(.top) + inset(.bottom)))
    padded.identity = identity
    return padded
  }

  /// Shows of the node only what is inside of a shape that fills its frame.
  ///
  /// It is the frame that the modifiers before this one make.
  public func clipShape(_ shape: some Shape) -> Node { modified(by: .clip(shape)) }

  /// Shows of the node only what is inside of its frame.
  public func clipped() -> Node { clipShape(Rectangle()) }

  /// Puts other views over the node, at the top left of its parent.
  public func overlay(@NodeBuilder _ content: () -> [Node]) -> Node {
    over(content(), isAbove: true)
  }

  /// Puts other views beneath the node, at the top left of its parent.
  public func background(@NodeBuilder _ content: () -> [Node]) -> Node {
    over(content(), isAbove: false)
  }

  private func over(_ others: [Node], isAbove: Bool) -> Node {
    var content = node
    let identity = content.identity
    content.identity = [.index(0)]
    let rest = others.map { $0.nested(in: .index(1)) }
    var group = Node(.group(isAbove ? [content] + rest : rest + [content]))
    group.identity = identity
    return group
  }

  /// Says that nodes are one thing in several places.
  ///
  /// - Parameters:
  ///   - id: What the nodes have in common.
  ///   - namespace: What keeps it apart from ids of others.
  ///   - properties: What they share: place and extent, or one of them.
  ///   - anchor: The point that is in the same place, if only the place is shared.
  ///   - isSource: Whether this node decides where the thing is.
  public func matchedGeometryEffect(
    id: some Hashable,
    in namespace: Namespace.ID,
    properties: MatchedGeometryProperties = .frame,
    anchor: UnitPoint = .center,
    isSource: Bool = true
  ) -> Node {
    let id = AnyHashable(NamespacedID(id: AnyHashable(id), namespace: namespace))
    return modified(
      by: .matchedGeometry(
        GeometryMatch(id: id, isSource: isSource, properties: properties, anchor: anchor)))
  }

  /// Describes how the node comes into a container that is shown already, and how it leaves it.
  public func transition(_ transition: some Transition) -> Node {
    self.transition(AnyTransition(transition))
  }

  /// Says how a change of the text inside is shown. Without it, text jumps.
  public func contentTransition(_ transition: ContentTransition) -> Node {
    modified(by: .contentTransition(transition))
  }
}

// MARK: - Transactions

extension View {
  /// Animates every change of the node and of the modifiers before this one.
  public func animation() -> Node { animation(.default) }

  /// Changes the transaction of those commits in which a value changes.
  ///
  /// - Parameters:
  ///   - value: The value to watch.
  ///   - transform: Changes the transaction.
  public func transaction(
    value: some Equatable,
    _ transform: @escaping (inout Transaction) -> Void
  ) -> Node {
    modified(by: .onChange(label: ".transaction(value: \(value))", of: value, transform))
  }

  /// Animates the changes of the modifiers that a closure puts around the node, and nothing inside.
  ///
  /// ```swift
  /// node.animation(.easeOut) { $0.opacity(isOn ? 1 : 0.2) }
  /// ```
  public func animation(
    _ animation: Animation?,
    @NodeBuilder body: (_ content: Node) -> Node
  ) -> Node {
    scope(".animation(\(animation.label)) { … }", Node.implicit(animation), body)
  }

  /// Changes the transaction for the modifiers that a closure puts around the node, and for nothing
  /// inside.
  public func transaction(
    _ transform: @escaping (inout Transaction) -> Void,
    @NodeBuilder body: (_ content: Node) -> Node
  ) -> Node {
    scope(".transaction { … }", transform, body)
  }

  private func scope(
    _ label: String,
    _ transform: @escaping (inout Transaction) -> Void,
    _ body: (Node) -> Node
  ) -> Node {
    var node = body(node.modified(by: .endOfScope)).modified(by: .scope(label: label, transform))
    node.identity = self.node.identity
    return node
  }
}

// MARK: - What the names need

/// A name space for the ids of matched geometry, known by the line that declares it.
///
/// ```swift
/// @Namespace private var cards
/// ```
///
/// Views are plain values that are made anew for every state, so nothing else stays the same from one
/// commit to the next. Two views of one type therefore share the name space. Put what tells them apart
/// into the id:
///
/// ```swift
/// card.matchedGeometryEffect(id: [deck.id, card.id], in: cards)
/// ```
@propertyWrapper
public struct Namespace: Hashable, Sendable {
  /// A name space. Two are the same if they were declared in the same place.
  public struct ID: Hashable, Sendable {
    let file: String
    let line: Int
    let column: Int
  }

  /// The id of the name space.
  public let wrappedValue: ID

  /// A name space. Leave the arguments out.
  public init(file: StaticString = #fileID, line: Int = #line, column: Int = #column) {
    wrappedValue = ID(file: "\(file)", line: line, column: column)
  }
}

private struct NamespacedID: Hashable, CustomStringConvertible {
  let id: AnyHashable
  let namespace: Namespace.ID

  var description: String { "\(id.base)" }
}

/// The properties that nodes share which are one thing in several places.
public struct MatchedGeometryProperties: OptionSet, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The place of the anchor.
  public static let position = MatchedGeometryProperties(rawValue: 1)
  /// The extent.
  public static let size = MatchedGeometryProperties(rawValue: 2)
  /// Place and extent.
  public static let frame: MatchedGeometryProperties = [.position, .size]
}

/// The way in which a node is matched with others.
struct GeometryMatch {
  let id: AnyHashable
  let isSource: Bool
  var properties = MatchedGeometryProperties.frame
  var anchor = UnitPoint.center

  /// Whether every motion of a node with another match is one of a node with this match, too.
  func shares(all other: GeometryMatch) -> Bool {
    properties == .frame || properties == other.properties && anchor == other.anchor
  }

  /// The way from one frame to another, as far as it is shared.
  func offset(from rect: Rect, to target: Rect) -> GeometrySlot.Offset {
    guard properties != .frame else { return target.animatableData - rect.animatableData }
    var (dx, dy, dw, dh) = (0.0, 0.0, 0.0, 0.0)
    if properties.contains(.position) {
      dx = target.x + target.width * anchor.x - rect.x - rect.width * anchor.x
      dy = target.y + target.height * anchor.y - rect.y - rect.height * anchor.y
    }
    if properties.contains(.size) {
      (dw, dh) = (target.width - rect.width, target.height - rect.height)
      (dx, dy) = (-dw * anchor.x, -dh * anchor.y)
    }
    return GeometrySlot.Offset(SIMD4(dx, dy, dw, dh))
  }
}

/// The way in which a change of a text is shown.
///
/// A text that becomes another one fades only where a node around it says so by
/// ``View/contentTransition(_:)``, and only in a commit that is animated. Otherwise it jumps.
public struct ContentTransition: Hashable, Sendable, CustomStringConvertible {
  private enum Kind: Hashable {
    case identity
    case fade
    /// Rolls by: up, or down if the numbers count down.
    case roll(countsDown: Bool)
    /// Rolls by in the direction in which a value changes.
    case rollTo(Double)
  }

  private let kind: Kind
  /// The call that makes it.
  public let description: String

  var fades: Bool { kind != .identity }

  /// 1 where texts roll up, -1 where they roll down, 0 where they stay.
  ///
  /// - Parameter old: The transition of the text before.
  func direction(from old: ContentTransition) -> Double {
    switch (kind, old.kind) {
    case (.roll(let countsDown), _): countsDown ? -1 : 1
    case (.rollTo(let value), .rollTo(let before)): value < before ? -1 : 1
    default: 0
    }
  }

  /// The new text is there at once.
  public static let identity = ContentTransition(kind: .identity, description: ".identity")

  /// The old text fades out, then the new one in, so that they are never over one another.
  public static let opacity = ContentTransition(kind: .fade, description: ".opacity")

  /// The same as ``opacity``: text has nothing between two states.
  public static let interpolate = ContentTransition(kind: .fade, description: ".interpolate")

  /// The old text rolls out by half a line while it fades, then the new one in.
  ///
  /// - Parameter countsDown: Whether they roll down. Otherwise they roll up.
  public static func numericText(countsDown: Bool = false) -> ContentTransition {
    ContentTransition(
      kind: .roll(countsDown: countsDown),
      description: ".numericText(\(countsDown ? "countsDown: true" : ""))")
  }

  /// The old text rolls out by half a line while it fades, then the new one in: up if the value has grown, else
  /// down.
  ///
  /// - Parameter value: The number that the text shows.
  public static func numericText(value: Double) -> ContentTransition {
    ContentTransition(kind: .rollTo(value), description: ".numericText(value: \(spell: value))")
  }
}

// MARK: - Lists

extension [Node] {
  /// Says for each of the nodes how it comes and goes.
  public func transition(_ transition: AnyTransition) -> [Node] {
    map { $0.transition(transition) }
  }

  /// Says for each of the nodes how it comes and goes.
  public func transition(_ transition: some Transition) -> [Node] {
    map { $0.transition(transition) }
  }

  /// Lets the nodes come, go and change one after another: with each, animations begin later than with the
  /// one before.
  ///
  /// - Parameter interval: Seconds from one to the next.
  public func stagger(_ interval: Double) -> [Node] {
    enumerated().map { index, node in
      node.transaction { $0.animation = $0.animation?.delay(Double(index) * interval) }
    }
  }

  /// Says for each of the nodes how a change of its text is shown.
  public func contentTransition(_ transition: ContentTransition) -> [Node] {
    map { $0.contentTransition(transition) }
  }
}
