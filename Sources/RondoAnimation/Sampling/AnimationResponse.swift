// The response of an animation's curve or spring at the moment that its modifiers map the time to.

extension Animation.Form {
  /// s, r and their derivatives at a time in seconds. A spring goes on past its settling duration.
  func response(at time: Double) -> MotionResponse {
    switch moment(at: time) {
    case .waiting:
      return .waiting
    case .arrived:
      return .arrived
    case .running(let base, let clock):
      var response = base.response(at: clock.time)
      response.velocity *= clock.rate
      response.velocityResponse = clock.isFirstLeg ? response.velocityResponse / clock.rate : 0
      response.velocityResponseRate = clock.isFirstLeg ? response.velocityResponseRate : 0
      return response
    }
  }

  /// The part of a change that is shown at a time.
  ///
  /// It is the change scaled by s, except with a custom animation, which may treat large changes
  /// otherwise than small ones.
  ///
  /// - Parameter context: What a custom animation is asked with.
  func part<V: VectorArithmetic>(
    of change: V, at time: Double, _ context: AnimationContext<V> = AnimationContext()
  ) -> V {
    guard case .running(.custom(let custom), let clock) = moment(at: time) else {
      return change.scaled(by: response(at: time).value)
    }
    var context = context
    return custom.base.animate(value: change, time: clock.time, context: &context) ?? change
  }

  /// The speed of ``part(of:at:)``, per second.
  func speed<V: VectorArithmetic>(
    of change: V, at time: Double, _ context: AnimationContext<V> = AnimationContext()
  ) -> V {
    guard case .running(.custom(let custom), let clock) = moment(at: time) else {
      return change.scaled(by: response(at: time).velocity)
    }
    let velocity = custom.base.velocity(
      value: change,
      time: clock.time,
      context: context
    )
    return velocity?.scaled(by: clock.rate) ?? .zero
  }
}

extension Animation.Base {
  /// s, r and their derivatives at a time in seconds.
  fileprivate func response(at time: Double) -> MotionResponse {
    switch self {
    case .default:
      return UnitCurve.easeInOut.response(at: time, duration: Animation.defaultDuration)
    case .curve(let curve, let duration):
      return curve.response(at: time, duration: duration)
    case .spring(let form):
      return form.response(at: time)
    case .custom:
      let form = Animation.Form(base: self)
      return MotionResponse(
        value: form.part(of: 1.0, at: time),
        velocity: form.speed(of: 1.0, at: time),
        velocityResponse: 0,
        velocityResponseRate: 0
      )
    }
  }
}

extension UnitCurve {
  fileprivate func response(at time: Double, duration: Double) -> MotionResponse {
    guard time < duration, duration.isFinite else { return .arrived }
    return MotionResponse(
      value: value(at: time / duration),
      velocity: velocity(at: time / duration) / duration,
      velocityResponse: 0,
      velocityResponseRate: 0
    )
  }
}

extension SpringForm {
  /// The spring's own velocity is a share of the change, so it belongs to s.
  fileprivate func response(at time: Double) -> MotionResponse {
    var response = SpringMotion(spring).response(at: time)
    let own = initialVelocity
    response.value += own * response.velocityResponse
    response.velocity += own * response.velocityResponseRate
    return response
  }
}
