// When an animation counts as complete.

/// When an animation counts as complete for the completion of its transaction.
public struct AnimationCompletionCriteria: Hashable, Sendable {
  enum Moment: Hashable, Sendable {
    case logicallyComplete, removed
  }

  let moment: Moment

  /// When the change is made, as far as one can see: a curve when it is finished, a spring after
  /// its response, though it may still swing; earlier where the animation says so itself with
  /// ``Animation/logicallyComplete(after:)``. What happens to the value later does not matter.
  public static let logicallyComplete = Self(moment: .logicallyComplete)

  /// When nothing of the animation is left, nor of any that has taken over from it on the same
  /// property.
  public static let removed = Self(moment: .removed)
}

extension AnimationCompletionCriteria: CustomStringConvertible {
  public var description: String { ".\(moment)" }
}
