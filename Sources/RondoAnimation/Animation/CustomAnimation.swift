// Animations by an algorithm of the user's own.

/// An animation by an algorithm of your own.
///
/// ```swift
/// struct Halves: CustomAnimation {
///   func animate<V: VectorArithmetic>(
///     value: V, time: Double, context: inout AnimationContext<V>
///   ) -> V? {
///     time < 1 ? value.scaled(by: time < 0.5 ? 0 : 0.5) : nil
///   }
/// }
///
/// extension Animation {
///   static var halves: Animation { Animation(Halves()) }
/// }
/// ```
///
/// A frame is a pure function of its instant, so the answer has to depend on the arguments alone:
/// every question is asked with a fresh ``AnimationContext``.
public protocol CustomAnimation: Hashable, Sendable {
  /// The part of the change that is shown.
  ///
  /// - Parameters:
  ///   - value: The whole change: the target minus the start.
  ///   - time: Seconds since the start.
  ///   - context: A place for intermediate results, and for saying that the animation is
  ///     ``AnimationContext/isLogicallyComplete``.
  /// - Returns: What to add to the start; `nil` once the animation is finished.
  func animate<V: VectorArithmetic>(
    value: V,
    time: Double,
    context: inout AnimationContext<V>
  ) -> V?

  /// The speed of what ``animate(value:time:context:)`` returns, per second.
  ///
  /// Without an implementation of your own it is taken from two values close by.
  func velocity<V: VectorArithmetic>(
    value: V,
    time: Double,
    context: AnimationContext<V>
  ) -> V?

  /// Whether this animation goes on in the place of one of the same type that is running on the same
  /// value, instead of running over it.
  ///
  /// It then takes over the time that has passed, and what this method writes into the context: with that
  /// context it is asked from now on, for the whole change from the start of the first animation to the
  /// newest target. So state that bends the way, such as the value shown at the moment of the change,
  /// belongs there.
  ///
  /// An animation with modifiers, such as `speed(_:)`, does not merge, nor does one into such an animation.
  ///
  /// - Parameters:
  ///   - previous: The animation that is running. ``Animation/base`` is the algorithm of it.
  ///   - value: The whole change of that one.
  ///   - time: Seconds since its start.
  ///   - context: What earlier merges have written, to read and to write.
  func shouldMerge<V: VectorArithmetic>(
    previous: Animation,
    value: V,
    time: Double,
    context: inout AnimationContext<V>
  ) -> Bool
}

extension CustomAnimation {
  /// No: both run, the new one over the old one.
  public func shouldMerge<V: VectorArithmetic>(
    previous: Animation,
    value: V,
    time: Double,
    context: inout AnimationContext<V>
  ) -> Bool {
    false
  }

  /// A central difference over a millisecond.
  public func velocity<V: VectorArithmetic>(
    value: V,
    time: Double,
    context: AnimationContext<V>
  ) -> V? {
    let step = 0.000_5
    var (before, after) = (context, context)
    guard
      let later = animate(value: value, time: time + step, context: &after),
      let earlier = animate(value: value, time: max(0, time - step), context: &before)
    else { return nil }
    return (later - earlier).scaled(by: 1 / (time + step - max(0, time - step)))
  }
}

extension Animation {
  /// An animation by an algorithm of your own.
  public init(_ base: some CustomAnimation) {
    self.init(base: .custom(AnyCustomAnimation(base: base)))
  }
}

extension Animation {
  /// The algorithm: that of a custom animation as it was given, without the modifiers around it; for
  /// others one that answers as the animation does.
  public var base: any CustomAnimation {
    guard case .custom(let custom) = form.base else { return StandardAnimation(animation: self) }
    return custom.base
  }
}

/// An animation that is not custom, as an algorithm.
private struct StandardAnimation: CustomAnimation {
  let animation: Animation

  func animate<V: VectorArithmetic>(
    value: V, time: Double, context: inout AnimationContext<V>
  ) -> V? {
    animation.animate(value: value, time: time, context: &context)
  }
}

/// A custom animation of any type, compared by value.
struct AnyCustomAnimation: Hashable, Sendable {
  let base: any CustomAnimation

  static func == (lhs: Self, rhs: Self) -> Bool {
    AnyHashable(lhs.base) == AnyHashable(rhs.base)
  }

  func hash(into hasher: inout Hasher) {
    base.hash(into: &hasher)
  }
}
