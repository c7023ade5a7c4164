// Springs on values: place, velocity and force.

extension Spring {
  /// The value at a time that a spring pulls from zero to a target.
  ///
  /// ```swift
  /// Spring(duration: 0.5, bounce: 0.3).value(target: 100.0, time: 0.2)  // 87.37…
  /// ```
  ///
  /// - Parameters:
  ///   - target: Where it is pulled to.
  ///   - initialVelocity: Its velocity at the start, in units per second.
  ///   - time: Seconds since the start.
  public func value<V: VectorArithmetic>(
    target: V,
    initialVelocity: V = .zero,
    time: Double
  ) -> V {
    let response = SpringMotion(self).response(at: time)
    return target.scaled(by: response.value)
      + initialVelocity.scaled(by: response.velocityResponse)
  }

  /// The velocity of a value that a spring pulls from zero to a target, in units per second.
  ///
  /// - Parameters:
  ///   - target: Where it is pulled to.
  ///   - initialVelocity: Its velocity at the start, in units per second.
  ///   - time: Seconds since the start.
  public func velocity<V: VectorArithmetic>(
    target: V,
    initialVelocity: V = .zero,
    time: Double
  ) -> V {
    let response = SpringMotion(self).response(at: time)
    return target.scaled(by: response.velocity)
      + initialVelocity.scaled(by: response.velocityResponseRate)
  }

  /// Moves a value and its velocity on by a piece of time.
  ///
  /// The step is exact: two of them equal one that is as long, up to rounding.
  ///
  /// - Parameters:
  ///   - value: Where the value is.
  ///   - velocity: Its velocity, in units per second.
  ///   - target: Where it is pulled to.
  ///   - deltaTime: The length of the step, in seconds.
  public func update<V: VectorArithmetic>(
    value: inout V,
    velocity: inout V,
    target: V,
    deltaTime: Double
  ) {
    let response = SpringMotion(self).response(at: deltaTime)
    let change = target - value
    value +=
      change.scaled(by: response.value) + velocity.scaled(by: response.velocityResponse)
    velocity =
      change.scaled(by: response.velocity)
      + velocity.scaled(by: response.velocityResponseRate)
  }

  /// The force on the body: k·(target − position) − c·velocity.
  ///
  /// Divide by the ``mass`` for the acceleration.
  public func force<V: VectorArithmetic>(target: V, position: V, velocity: V) -> V {
    (target - position).scaled(by: stiffness) - velocity.scaled(by: damping)
  }

  /// The seconds that SwiftUI says for a change of 1 that starts at rest, and a distance of 0.001.
  ///
  /// It is later than ``settlingDuration(target:initialVelocity:epsilon:)``, by which animations end: for a
  /// spring that bounces −ln(ε / (1 + ζω)) / ζω, whose amplitude is not divided by the damped frequency;
  /// for the others the first multiple of 0.1 s at which the spring is at rest.
  public var settlingDuration: Double {
    guard dampingRatio < 1 else {
      let settled = settlingDuration(target: 1.0)
      return (settled * 10).rounded(.up) / 10
    }
    let decay = dampingRatio * angularFrequency
    guard decay.isFinite, response > 0, response.isFinite else { return 0 }
    return decay > 0 ? Elementary.log((1 + decay) / 0.001) / decay : .infinity
  }

  /// The seconds after which the spring can be taken to be at rest.
  ///
  /// It is the time from which an envelope of the motion stays within `epsilon`. For a spring that
  /// bounces this is −ln(ε / (|D| + |ζωD − v₀|/ω_d)) / ζω; for the others the envelope is solved
  /// numerically.
  ///
  /// - Parameters:
  ///   - target: D, the change.
  ///   - initialVelocity: v₀, in units per second.
  ///   - epsilon: The distance from the target that counts as rest.
  /// - Returns: Seconds; infinite for a spring without damping.
  public func settlingDuration<V: VectorArithmetic>(
    target: V,
    initialVelocity: V = .zero,
    epsilon: Double = 0.001
  ) -> Double {
    let residual = target.scaled(by: dampingRatio * angularFrequency) - initialVelocity
    return SpringMotion(self).settlingDuration(
      change: target.magnitudeSquared.squareRoot(),
      residual: residual.magnitudeSquared.squareRoot(),
      epsilon: epsilon
    )
  }
}
