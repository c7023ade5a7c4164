// The ways in which a node comes into a container and leaves it.

import Foundation
import RondoAnimation

/// The way in which a node comes into a container that is shown already, and leaves it.
///
/// It describes and never causes: a node comes and goes at once, unless the commit is animated.
///
/// ```swift
/// node.transition(.asymmetric(insertion: .scale, removal: .move(edge: .bottom)))
/// ```
public struct AnyTransition: CustomStringConvertible, Sendable {
  var insertion: Side
  var removal: Side
  /// Whether coming is going backwards.
  let isSymmetric: Bool
  /// Whether a part puts something around the node.
  let hasBody: Bool
  /// The call that makes the transition.
  public private(set) var description: String

  /// The changes of a node when it comes, or when it goes.
  struct Side: Sendable {
    var parts: [TransitionPart]
    /// The animation in place of that of the commit.
    var animation: Animation?

    func combined(with other: Side) -> Side {
      Side(parts: parts + other.parts, animation: animation ?? other.animation)
    }
  }

  private init(_ parts: [TransitionPart], _ description: String) {
    insertion = Side(parts: parts)
    removal = insertion
    isSymmetric = true
    hasBody = parts.contains(where: \.isBody)
    self.description = description
  }

  private init(
    insertion: Side,
    removal: Side,
    isSymmetric: Bool,
    description: String
  ) {
    self.insertion = insertion
    self.removal = removal
    self.isSymmetric = isSymmetric
    hasBody = (insertion.parts + removal.parts).contains(where: \.isBody)
    self.description = description
  }
}

extension AnyTransition {
  /// The node is there or not.
  public static let identity = AnyTransition([], ".identity")

  /// The node fades in and out. It is what a node does that says nothing else.
  public static let opacity = AnyTransition([.opacity], ".opacity")

  /// The node grows from its centre, and shrinks to it.
  public static let scale = AnyTransition([.scale(0, .center)], ".scale")

  /// The node grows from a part of its size, and shrinks to it.
  ///
  /// - Parameters:
  ///   - scale: The part of its size.
  ///   - anchor: The point of the node that stays where it is.
  public static func scale(scale: Double, anchor: UnitPoint = .center) -> AnyTransition {
    let end = anchor == .center ? "" : ", anchor: \(anchor)"
    return AnyTransition([.scale(scale, anchor)], ".scale(scale: \(spell: scale)\(end))")
  }

  /// The node comes from a distance, in cells, and goes back there.
  public static func offset(x: Double = 0, y: Double = 0) -> AnyTransition {
    AnyTransition([.offset(Point(x: x, y: y))], ".offset(x: \(spell: x), y: \(spell: y))")
  }

  /// The node comes from a distance, in cells, and goes back there.
  public static func offset(_ offset: CGSize) -> AnyTransition {
    .offset(x: Double(offset.width), y: Double(offset.height))
  }

  /// The node comes from beyond an edge of its frame and goes beyond the opposite one, and fades.
  public static func push(from edge: Edge) -> AnyTransition {
    var push = asymmetric(
      insertion: .move(edge: edge).combined(with: .opacity),
      removal: .move(edge: edge.opposite).combined(with: .opacity))
    push.description = ".push(from: .\(edge))"
    return push
  }

  /// The node comes from beyond an edge of its frame, and goes back there.
  public static func move(edge: Edge) -> AnyTransition {
    AnyTransition([.move(edge)], ".move(edge: .\(edge))")
  }

  /// The node comes from the leading edge and goes to the trailing one.
  public static let slide: AnyTransition = {
    var slide = asymmetric(insertion: .move(edge: .leading), removal: .move(edge: .trailing))
    slide.description = ".slide"
    return slide
  }()

  /// An effect of your own moves between two values.
  ///
  /// - Parameters:
  ///   - active: The effect on a node that is about to come or has just gone.
  ///   - identity: The effect on a node that is there.
  public static func modifier<E: VisualEffect>(active: E, identity: E) -> AnyTransition {
    let part = TransitionPart.effect { amount, appearance in
      var effect = identity
      effect.animatableData.interpolate(towards: active.animatableData, amount: amount)
      effect.apply(to: &appearance)
    }
    return AnyTransition([part], ".modifier(active: \(active.label), identity: \(identity.label))")
  }

  /// A modifier of your own moves between two values.
  ///
  /// The body of a modifier that is `Animatable` is run for every frame. Of the bodies of others
  /// the effects in the same places move.
  ///
  /// - Parameters:
  ///   - active: The modifier on a node that is about to come or has just gone.
  ///   - identity: The modifier on a node that is there.
  @_disfavoredOverload
  public static func modifier<M: NodeModifier & Sendable>(active: M, identity: M) -> AnyTransition {
    let part = TransitionPart.body { content, amount, _ in
      if let animatable = identity as? any NodeModifier & Animatable, animatable.canMove {
        return animatable.body(content, towards: active, amount: amount)
      }
      return identity.body(content: content).node
        .blended(with: active.body(content: content).node, amount: amount)
    }
    return AnyTransition([part], ".modifier(active: \(active), identity: \(identity))")
  }

  /// A transition that describes itself by its phases.
  public init<T: Transition>(_ transition: T) {
    func part(_ phase: TransitionPhase) -> TransitionPart {
      .body { content, amount, _ in
        transition.body(content: content, phase: .identity).node
          .blended(with: transition.body(content: content, phase: phase).node, amount: amount)
      }
    }
    self.init(
      insertion: Side(parts: [part(.willAppear)]), removal: Side(parts: [part(.didDisappear)]),
      isSymmetric: false, description: "\(transition)")
  }

  /// The node comes in one way and goes in another, each with its own animation if it has one.
  public static func asymmetric(insertion: AnyTransition, removal: AnyTransition) -> AnyTransition {
    AnyTransition(
      insertion: insertion.insertion,
      removal: removal.removal,
      isSymmetric: false,
      description: ".asymmetric(insertion: \(insertion), removal: \(removal))"
    )
  }

  /// Both at once.
  public func combined(with other: AnyTransition) -> AnyTransition {
    AnyTransition(
      insertion: insertion.combined(with: other.insertion),
      removal: removal.combined(with: other.removal),
      isSymmetric: isSymmetric && other.isSymmetric,
      description: "\(self).combined(with: \(other))"
    )
  }

  /// The transition with an animation of its own, in place of that of the commit.
  public func animation(_ animation: Animation?) -> AnyTransition {
    var transition = self
    transition.insertion.animation = animation
    transition.removal.animation = animation
    transition.description += ".animation(\(animation.label))"
    return transition
  }
}

/// The way in which a node comes and goes, by its phases: what it looks like before it has come, while it is
/// there, and after it has gone. What differs between them moves.
///
/// ```swift
/// struct Twirl: Transition {
///   func body(content: Content, phase: TransitionPhase) -> some View {
///     content.opacity(phase.isIdentity ? 1 : 0).rotationEffect(.degrees(90 * phase.value))
///   }
/// }
///
/// node.transition(Twirl())
/// ```
public protocol Transition: Sendable {
  /// The view with the transition around it.
  associatedtype Body: View

  /// The view that comes or goes.
  typealias Content = Node

  /// The view as it looks in a phase.
  @NodeBuilder func body(content: Content, phase: TransitionPhase) -> Body
}

/// The phases of a node between coming and going.
public enum TransitionPhase: Hashable, Sendable {
  /// It is about to come.
  case willAppear
  /// It is there.
  case identity
  /// It has gone.
  case didDisappear

  /// Whether the node is there.
  public var isIdentity: Bool { self == .identity }

  /// -1 before the node comes, 0 while it is there, 1 after it has gone.
  public var value: Double {
    switch self {
    case .willAppear: -1
    case .identity: 0
    case .didDisappear: 1
    }
  }
}

/// A side of a frame.
public enum Edge: String, Hashable, Sendable {
  /// The side above.
  case top
  /// The side where a line of text begins.
  case leading
  /// The side below.
  case bottom
  /// The side where a line of text ends.
  case trailing

  var opposite: Edge {
    switch self {
    case .top: .bottom
    case .leading: .trailing
    case .bottom: .top
    case .trailing: .leading
    }
  }

  /// Some sides of a frame.
  public struct Set: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The side above.
    public static let top = Set(rawValue: 1)
    /// The side where a line of text begins.
    public static let leading = Set(rawValue: 2)
    /// The side below.
    public static let bottom = Set(rawValue: 4)
    /// The side where a line of text ends.
    public static let trailing = Set(rawValue: 8)
    /// Both sides of a line of text.
    public static let horizontal: Set = [.leading, .trailing]
    /// The sides above and below.
    public static let vertical: Set = [.top, .bottom]
    /// All four sides.
    public static let all: Set = [.horizontal, .vertical]
  }
}

/// One of the things that a transition does.
enum TransitionPart: Sendable {
  case opacity
  case scale(Double, UnitPoint)
  case offset(Point)
  case move(Edge)
  case effect(@Sendable (Double, inout Appearance) -> Void)
  /// Puts something around the node: given the node, the amount, and whether it goes.
  case body(@Sendable (Node, Double, Bool) -> Node)

  /// Changes the appearance of a node that is partly there.
  ///
  /// - Parameter amount: 0 for a node that is there, 1 for one that is not.
  func apply(_ amount: Double, to appearance: inout Appearance) {
    switch self {
    case .opacity:
      appearance.opacity *= 1 - amount
    case .scale(let scale, let anchor):
      let factor = 1 + (scale - 1) * amount
      appearance.scale(x: factor, y: factor, anchor: anchor)
    case .offset(let offset):
      appearance.move(x: offset.x * amount, y: offset.y * amount)
    case .move(let edge):
      let frame = appearance.frame
      switch edge {
      case .top: appearance.move(x: 0, y: -frame.height * amount)
      case .bottom: appearance.move(x: 0, y: frame.height * amount)
      case .leading: appearance.move(x: -frame.width * amount, y: 0)
      case .trailing: appearance.move(x: frame.width * amount, y: 0)
      }
    case .effect(let apply):
      apply(amount, &appearance)
    case .body:
      break
    }
  }

  var isBody: Bool {
    if case .body = self { true } else { false }
  }
}

extension NodeModifier where Self: Animatable {
  /// Some content with the modifier around it, on its way to another value.
  fileprivate func body(_ content: Node, towards other: some NodeModifier, amount: Double) -> Node {
    guard let other = other as? Self else { return body(content: content).node }
    var shown = self
    shown.animatableData.interpolate(towards: other.animatableData, amount: amount)
    return shown.body(content: content).node
  }
}
