// The duration of an animation, and the time from which on its change counts as made.

extension Animation.Form {
  /// Seconds until an animation of a change of 1 is over; infinite if it does not end.
  var duration: Double { duration(of: 1.0, velocity: 0) }

  /// Seconds until an animation is over; infinite if it does not end.
  ///
  /// Only a spring's duration depends on how far it has to go and how fast it starts: it is at rest
  /// when it stays within a thousandth of its range, and within 0.1 where that is less: nobody sees the
  /// jump to the target then. The range is the change, and how far the velocity would carry an undamped
  /// body: |D| + |v₀|/ω. The legs of a repetition last as long as a change of 1 does, so that what
  /// repeats together stays in phase.
  func duration<V: VectorArithmetic>(of change: V, velocity: V) -> Double {
    switch self {
    case .default:
      return Animation.defaultDuration
    case .curve(_, let duration):
      return duration.isFinite ? max(0, duration) : 0
    case .spring(let form):
      let start = velocity + change.scaled(by: form.initialVelocity)
      let carried = start.magnitudeSquared.squareRoot() / form.spring.angularFrequency
      let range = change.magnitudeSquared.squareRoot() + (carried.isFinite ? carried : 0)
      guard range > 0 else { return 0 }
      return form.spring.settlingDuration(
        target: change.scaled(by: 1 / range),
        initialVelocity: start.scaled(by: 1 / range),
        epsilon: min(0.001, 0.1 / range)
      )
    case .custom(let custom):
      return custom.base.firstTime { time, context in
        custom.base.animate(value: change, time: time, context: &context) == nil
      }
    case .delayed(let form, let delay):
      return max(0, form.duration(of: change, velocity: velocity) + delay.orIgnored(0))
    case .sped(let form, let speed):
      let speed = speed.orIgnored(1)
      guard speed > 0 else { return .infinity }
      return form.duration(of: change, velocity: velocity.scaled(by: 1 / speed)) / speed
    case .repeated(let form, let count, _):
      return count > 0 ? Double(count) * form.duration : 0
    case .repeatedForever(let form, _):
      return form.duration > 0 ? .infinity : 0
    case .logicallyComplete(let form, _):
      return form.duration(of: change, velocity: velocity)
    }
  }

  /// Seconds until the change counts as made: a curve when it is over, a spring after its response.
  var logicalDuration: Double {
    switch self {
    case .default, .curve:
      return duration
    case .spring(let form):
      let response = form.spring.response
      return response.isFinite ? max(0, response) : 0
    case .custom(let custom):
      return custom.base.firstTime { (time, context: inout AnimationContext<Double>) in
        custom.base.animate(value: 1.0, time: time, context: &context) == nil
          || context.isLogicallyComplete
      }
    case .delayed(let form, let delay):
      return max(0, form.logicalDuration + delay.orIgnored(0))
    case .sped(let form, let speed):
      let speed = speed.orIgnored(1)
      return speed > 0 ? form.logicalDuration / speed : .infinity
    case .repeated(let form, let count, _):
      // Shown once, an animation has no time before its last turn, even where it never ends: zero times infinity
      // would be no number.
      let before = count > 1 ? Double(count - 1) * form.duration : 0
      return count > 0 ? before + form.logicalDuration : 0
    case .repeatedForever(let form, _):
      return form.duration > 0 ? .infinity : 0
    case .logicallyComplete(let form, let duration):
      return min(form.logicalDuration, duration.isFinite ? max(0, duration) : .infinity)
    }
  }

  /// Seconds before anything moves.
  var leadIn: Double {
    switch self {
    case .default, .curve, .spring, .custom:
      return 0
    case .delayed(let form, let delay):
      return max(0, form.leadIn + delay.orIgnored(0))
    case .sped(let form, let speed):
      let speed = speed.orIgnored(1)
      return speed > 0 ? form.leadIn / speed : .infinity
    case .repeated(let form, _, _), .repeatedForever(let form, _),
      .logicallyComplete(let form, _):
      return form.leadIn
    }
  }

  /// Whether the animation goes on from the velocity that it finds.
  var hasMomentum: Bool {
    switch self {
    case .default, .curve, .custom:
      false
    case .spring:
      true
    case .delayed(let form, _), .sped(let form, _), .repeated(let form, _, _),
      .repeatedForever(let form, _), .logicallyComplete(let form, _):
      form.hasMomentum
    }
  }
}

extension CustomAnimation {
  /// The first time at which a condition holds that stays true from then on, to the nanosecond;
  /// infinite if it does not hold within a year. About seventy questions.
  fileprivate func firstTime<V: VectorArithmetic>(
    _ holds: (Double, inout AnimationContext<V>) -> Bool
  ) -> Double {
    func isTrue(at time: Double) -> Bool {
      var context = AnimationContext<V>()
      return holds(time, &context)
    }
    guard !isTrue(at: 0) else { return 0 }
    var high = 1.0
    while !isTrue(at: high) {
      high *= 2
      guard high < 0x1p25 else { return .infinity }
    }
    var low = high > 1 ? high / 2 : 0
    while high - low > 1e-9, low < (low + high) / 2, (low + high) / 2 < high {
      let middle = (low + high) / 2
      if isTrue(at: middle) { high = middle } else { low = middle }
    }
    return high
  }
}

extension Animation {
  /// Seconds until an animation of a change of 1 is over; infinite if it does not end.
  package var duration: Double { form.duration }
}
