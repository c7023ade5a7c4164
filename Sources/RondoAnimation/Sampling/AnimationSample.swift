// The state of an animation at one time, for code that draws by hand.

/// The state of an animation at one time.
///
/// Every animation, whatever it moves, comes down to two numbers: s, the part of the change that is
/// made, and r, how far a velocity at the start has carried. A change D that starts with the
/// velocity v₀ shows `start + D·s + v₀·r`. A curve knows no velocity: its r is 0.
public struct AnimationSample: Hashable, Sendable {
  /// s, the part of the change that is made: 0 at the start, 1 at the end, and anything between or
  /// beyond on the way.
  public var value: Double

  /// s′, per second.
  public var velocity: Double

  /// r, how far a velocity of 1 per second at the start has carried.
  package var velocityResponse: Double

  /// r′, what is left of a velocity of 1 per second at the start.
  package var velocityResponseRate: Double

  /// Whether the animation is over. From then on the model shows: `value` is 1 and nothing moves.
  public var isFinished: Bool

  /// Whether the change counts as made.
  public var isLogicallyComplete: Bool

  /// The value that shows of a change from one value to another.
  ///
  /// - Parameters:
  ///   - start: Where it starts.
  ///   - end: Where it ends.
  ///   - initialVelocity: The velocity at the start, in units per second. Only springs heed it.
  public func value<V: VectorArithmetic>(
    from start: V,
    to end: V,
    initialVelocity: V = .zero
  ) -> V {
    start.interpolated(towards: end, amount: value)
      + initialVelocity.scaled(by: velocityResponse)
  }
}

extension Animation {
  /// The state of the animation at a time, for a change of 1.
  ///
  /// It is pure: neither the frame rate nor what has been asked before changes the answer.
  ///
  /// ```swift
  /// let sample = Animation.linear(duration: 2).sample(at: 0.5)
  /// sample.value                    // 0.25
  /// sample.value(from: 10, to: 20)  // 12.5
  /// ```
  ///
  /// A spring is over once it stays within a thousandth of its target.
  ///
  /// - Parameter time: Seconds since the start. Before the start, and at a time that is not a
  ///   number, nothing has moved.
  public func sample(at time: Double) -> AnimationSample {
    let duration = form.duration
    let isFinished = time >= duration
    let response = isFinished ? .arrived : form.response(at: time)
    return AnimationSample(
      value: response.value,
      velocity: response.velocity,
      velocityResponse: response.velocityResponse,
      velocityResponseRate: response.velocityResponseRate,
      isFinished: isFinished,
      isLogicallyComplete: isFinished || time >= form.logicalDuration
    )
  }

  /// The part of a change that is shown at a time, as a ``CustomAnimation`` is asked for it, so
  /// that one can be built on another animation.
  ///
  /// - Parameters:
  ///   - value: The whole change.
  ///   - time: Seconds since the start.
  ///   - context: Passed on to a custom animation.
  /// - Returns: What to add to the start; `nil` once the animation is finished.
  public func animate<V: VectorArithmetic>(
    value: V,
    time: Double,
    context: inout AnimationContext<V>
  ) -> V? {
    guard time < form.duration(of: value, velocity: .zero) else { return nil }
    context.isLogicallyComplete = context.isLogicallyComplete || time >= form.logicalDuration
    return form.part(of: value, at: time)
  }
}
