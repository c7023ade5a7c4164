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
}

extension CustomAnimation {
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
    self.init(form: .custom(AnyCustomAnimation(base: base)))
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
