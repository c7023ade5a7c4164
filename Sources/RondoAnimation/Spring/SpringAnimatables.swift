// Springs on the moving part of a value.

extension Spring {
  /// The value at a time that a spring pulls from one to another.
  ///
  /// - Parameters:
  ///   - fromValue: Where it starts.
  ///   - toValue: Where it is pulled to.
  ///   - initialVelocity: The velocity of its animatable data at the start, per second.
  ///   - time: Seconds since the start.
  public func value<V: Animatable>(
    fromValue: V,
    toValue: V,
    initialVelocity: V,
    time: Double
  ) -> V {
    let start = fromValue.animatableData
    var result = toValue
    result.animatableData =
      start
      + value(
        target: toValue.animatableData - start,
        initialVelocity: initialVelocity.animatableData,
        time: time
      )
    return result
  }

  /// The velocity of a value that a spring pulls from one to another, per second.
  ///
  /// - Parameters:
  ///   - fromValue: Where it starts.
  ///   - toValue: Where it is pulled to.
  ///   - initialVelocity: The velocity of its animatable data at the start, per second.
  ///   - time: Seconds since the start.
  public func velocity<V: Animatable>(
    fromValue: V,
    toValue: V,
    initialVelocity: V,
    time: Double
  ) -> V {
    var result = toValue
    result.animatableData = velocity(
      target: toValue.animatableData - fromValue.animatableData,
      initialVelocity: initialVelocity.animatableData,
      time: time
    )
    return result
  }

  /// Moves a value and its velocity on by a piece of time.
  ///
  /// - Parameters:
  ///   - value: Where the value is.
  ///   - velocity: Its velocity, per second.
  ///   - target: Where it is pulled to.
  ///   - deltaTime: The length of the step, in seconds.
  @_disfavoredOverload
  public func update<V: Animatable>(
    value: inout V,
    velocity: inout V,
    target: V,
    deltaTime: Double
  ) {
    update(
      value: &value.animatableData,
      velocity: &velocity.animatableData,
      target: target.animatableData,
      deltaTime: deltaTime
    )
  }

  /// The force on the body: k·(toValue − position) − c·velocity.
  public func force<V: Animatable>(fromValue: V, toValue: V, position: V, velocity: V) -> V {
    var result = toValue
    result.animatableData = force(
      target: toValue.animatableData,
      position: position.animatableData,
      velocity: velocity.animatableData
    )
    return result
  }

  /// The seconds after which the spring can be taken to be at rest.
  ///
  /// - Parameters:
  ///   - fromValue: Where the value starts.
  ///   - toValue: Where it is pulled to.
  ///   - initialVelocity: The velocity of its animatable data at the start, per second.
  ///   - epsilon: The distance from the target that counts as rest.
  public func settlingDuration<V: Animatable>(
    fromValue: V,
    toValue: V,
    initialVelocity: V,
    epsilon: Double
  ) -> Double {
    settlingDuration(
      target: toValue.animatableData - fromValue.animatableData,
      initialVelocity: initialVelocity.animatableData,
      epsilon: epsilon
    )
  }
}
