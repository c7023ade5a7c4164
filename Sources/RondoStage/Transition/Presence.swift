// The part of a node that is there while it comes or goes.

import RondoAnimation

/// The part of a node that is there while it comes or goes by its transition.
///
/// Two amounts move: how far it has still to come, and how far it has gone. A transition that is
/// the same in both directions uses the first one for both, so that a node which comes back while it
/// goes turns around where it is.
final class Presence: AnimatedSlot {
  let transition: AnyTransition
  private var amounts: AnimatedValue<AnimatablePair<Double, Double>>
  private(set) var isLeaving = false

  /// The presence of a node that has not entered the tree yet.
  static func absent(_ transition: AnyTransition) -> Presence {
    Presence(transition, AnimatablePair(1, 0))
  }

  /// The presence of a node that is in the tree and at rest.
  static func present(_ transition: AnyTransition) -> Presence {
    Presence(transition, AnimatablePair(0, 0))
  }

  private init(_ transition: AnyTransition, _ amounts: AnimatablePair<Double, Double>) {
    self.transition = transition
    self.amounts = AnimatedValue(amounts)
  }

  func enter(with animation: Animation?, at instant: Duration) -> AnimationSpan? {
    isLeaving = false
    return amounts.set(.zero, animation: animation, at: instant)
  }

  func leave(with animation: Animation?, at instant: Duration) -> AnimationSpan? {
    isLeaving = true
    let gone = transition.isSymmetric ? AnimatablePair(1.0, 0.0) : AnimatablePair(0, 1)
    return amounts.set(gone, animation: animation, at: instant)
  }

  func apply(at instant: Duration, to appearance: inout Appearance) {
    let amounts = amounts.value(at: instant)
    if amounts.first != 0 {
      for part in transition.insertion.parts { part.apply(amounts.first, to: &appearance) }
    }
    if amounts.second != 0 {
      for part in transition.removal.parts { part.apply(amounts.second, to: &appearance) }
    }
  }

  /// Whether the transition puts something around the node.
  var hasBody: Bool { transition.hasBody }

  /// The node with what the transition puts around it at an instant.
  func wrap(_ content: Node, at instant: Duration) -> Node {
    let amounts = amounts.value(at: instant)
    var node = content
    for part in transition.insertion.parts where amounts.first != 0 {
      if case .body(let body) = part { node = body(node, amounts.first, false) }
    }
    for part in transition.removal.parts where amounts.second != 0 {
      if case .body(let body) = part { node = body(node, amounts.second, true) }
    }
    return node
  }

  /// Whether the node has gone by an instant.
  func hasLeft(at instant: Duration) -> Bool {
    isLeaving && !amounts.isAnimating(at: instant)
  }

  override var motion: Motion? {
    amounts.inProgress.map { progress in
      Motion(
        property: "transition", from: isLeaving ? "there" : "gone",
        to: isLeaving ? "gone" : "there",
        animation: progress.animation, span: progress.span)
    }
  }

  override func settle(at instant: Duration) -> Bool {
    amounts.removeFinished(at: instant)
    return !amounts.isAnimating(at: instant)
  }
}
