// Fades in place of movement, for people who feel unwell when things move.

import RondoAnimation

/// The slot of ``RondoAnimation/Transaction/reducesMotion``.
public struct ReducesMotionKey: TransactionKey {
  public static var defaultValue: Bool { false }
}

extension Transaction {
  /// Whether nodes fade in place of moving.
  ///
  /// A node that would come to another place, turn or grow fades out where it is, and in where it belongs;
  /// transitions that move are fades; keyframes and phases do not play; matched geometry and text that rolls
  /// stay in their places. Opacities, colours and shapes change as ever. Set it at the root of a tree, and it
  /// holds for all of it, whoever shows it:
  ///
  /// ```swift
  /// tree(for: state).transaction { $0.reducesMotion = settings.reducesMotion }
  /// ```
  public var reducesMotion: Bool {
    get { self[ReducesMotionKey.self] }
    set { self[ReducesMotionKey.self] = newValue }
  }

  /// The animation of what moves.
  var movement: Animation? { animation.flatMap { reducesMotion ? nil : $0 } }
}

extension AnyTransition {
  /// The transition as a transaction shows it.
  func reduced(by transaction: Transaction) -> AnyTransition {
    guard (insertion.parts + removal.parts).contains(where: { !$0.isFade }),
      transaction.reducesMotion
    else { return self }
    var transition = AnyTransition.opacity
    transition.insertion = insertion.withoutMovement
    transition.removal = removal.withoutMovement
    return transition
  }
}

extension AnyTransition.Side {
  fileprivate var withoutMovement: AnyTransition.Side {
    AnyTransition.Side(parts: parts.isEmpty ? [] : [.opacity], animation: animation)
  }
}

extension TransitionPart {
  fileprivate var isFade: Bool {
    if case .opacity = self { true } else { false }
  }
}
