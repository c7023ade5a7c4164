// How a node comes into a container, and how it leaves it.

import RondoAnimation

/// How a node comes into a container that is shown already, and how it leaves it.
///
/// It describes and never causes: a node comes and goes at once, unless the commit is animated.
///
/// ```swift
/// node.transition(.asymmetric(insertion: .scale, removal: .move(edge: .bottom)))
/// ```
public struct Transition: CustomStringConvertible, Sendable {
  let insertion: [TransitionPart]
  let removal: [TransitionPart]
  /// Whether coming is going backwards.
  let isSymmetric: Bool
  var animation: Animation?
  /// The call that makes the transition.
  public private(set) var description: String

  private init(_ parts: [TransitionPart], _ description: String) {
    insertion = parts
    removal = parts
    isSymmetric = true
    self.description = description
  }

  private init(
    insertion: [TransitionPart],
    removal: [TransitionPart],
    isSymmetric: Bool,
    animation: Animation?,
    description: String
  ) {
    self.insertion = insertion
    self.removal = removal
    self.isSymmetric = isSymmetric
    self.animation = animation
    self.description = description
  }
}

/// The same type under the name that it has elsewhere.
public typealias AnyTransition = Transition

extension Transition {
  /// The node is there or not.
  public static let identity = Transition([], ".identity")

  /// The node fades in and out. It is what a node does that says nothing else.
  public static let opacity = Transition([.opacity], ".opacity")

  /// The node grows from its centre, and shrinks to it.
  public static let scale = Transition([.scale(0)], ".scale")

  /// The node grows from a part of its size, and shrinks to it.
  public static func scale(scale: Double) -> Transition {
    Transition([.scale(scale)], ".scale(scale: \(spell: scale))")
  }

  /// The node comes from a distance, in cells, and goes back there.
  public static func offset(x: Double = 0, y: Double = 0) -> Transition {
    Transition([.offset(Point(x: x, y: y))], ".offset(x: \(spell: x), y: \(spell: y))")
  }

  /// The node comes from beyond an edge of its frame, and goes back there.
  public static func move(edge: Edge) -> Transition {
    Transition([.move(edge)], ".move(edge: .\(edge))")
  }

  /// The node comes from the leading edge and goes to the trailing one.
  public static let slide: Transition = {
    var slide = asymmetric(insertion: .move(edge: .leading), removal: .move(edge: .trailing))
    slide.description = ".slide"
    return slide
  }()

  /// An effect of your own moves between two values.
  ///
  /// - Parameters:
  ///   - active: The effect on a node that is about to come or has just gone.
  ///   - identity: The effect on a node that is there.
  public static func modifier<E: VisualEffect>(active: E, identity: E) -> Transition {
    let part = TransitionPart.effect { amount, appearance in
      var effect = identity
      effect.animatableData.interpolate(towards: active.animatableData, amount: amount)
      effect.apply(to: &appearance)
    }
    return Transition([part], ".modifier(active: \(active.label), identity: \(identity.label))")
  }

  /// The node comes in one way and goes in another.
  public static func asymmetric(insertion: Transition, removal: Transition) -> Transition {
    Transition(
      insertion: insertion.insertion,
      removal: removal.removal,
      isSymmetric: false,
      animation: insertion.animation ?? removal.animation,
      description: ".asymmetric(insertion: \(insertion), removal: \(removal))"
    )
  }

  /// Both at once.
  public func combined(with other: Transition) -> Transition {
    Transition(
      insertion: insertion + other.insertion,
      removal: removal + other.removal,
      isSymmetric: isSymmetric && other.isSymmetric,
      animation: animation ?? other.animation,
      description: "\(self).combined(with: \(other))"
    )
  }

  /// The transition with an animation of its own, in place of that of the commit.
  public func animation(_ animation: Animation?) -> Transition {
    var transition = self
    transition.animation = animation
    transition.description += ".animation(\(animation.label))"
    return transition
  }
}

/// A side of a frame.
public enum Edge: String, Hashable, Sendable {
  case top, leading, bottom, trailing
}

/// One of the things that a transition does.
enum TransitionPart: Sendable {
  case opacity
  case scale(Double)
  case offset(Point)
  case move(Edge)
  case effect(@Sendable (Double, inout Appearance) -> Void)

  /// Changes the appearance of a node that is partly there.
  ///
  /// - Parameter amount: 0 for a node that is there, 1 for one that is not.
  func apply(_ amount: Double, to appearance: inout Appearance) {
    switch self {
    case .opacity:
      appearance.opacity *= 1 - amount
    case .scale(let scale):
      let factor = 1 + (scale - 1) * amount
      appearance.scale(x: factor, y: factor)
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
    }
  }
}
