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
    var velocity = velocity
    // From the outside to the innermost repetition, whose legs do not depend on the change.
    var index = modifiers.endIndex
    var duration: Double?
    while index > 0, duration == nil {
      index -= 1
      switch modifiers[index] {
      case .delayed, .logicallyComplete:
        continue
      case .sped(let speed):
        let speed = speed.orIgnored(1)
        if speed > 0 { velocity.scale(by: 1 / speed) } else { duration = .infinity }
      case .repeated(let count, _, let leg):
        duration = count > 0 ? Double(count) * leg : 0
      case .repeatedForever(_, let leg):
        duration = leg > 0 ? .infinity : 0
      }
    }
    let outside = duration == nil ? modifiers[...] : modifiers[(index + 1)...]
    return outside.reduce(duration ?? base.duration(of: change, velocity: velocity)) {
      switch $1 {
      case .delayed(let delay): max(0, $0 + delay.orIgnored(0))
      case .sped(let speed): $0 / speed.orIgnored(1)
      case .repeated, .repeatedForever, .logicallyComplete: $0
      }
    }
  }

  /// Seconds until the change counts as made: a curve when it is over, a spring after its response.
  var logicalDuration: Double {
    modifiers.reduce(base.logicalDuration) { duration, modifier in
      switch modifier {
      case .delayed(let delay):
        return max(0, duration + delay.orIgnored(0))
      case .sped(let speed):
        let speed = speed.orIgnored(1)
        return speed > 0 ? duration / speed : .infinity
      case .repeated(let count, _, let leg):
        // Shown once, an animation has no time before its last turn, even where it never ends: zero times
        // infinity would be no number.
        let before = count > 1 ? Double(count - 1) * leg : 0
        return count > 0 ? before + duration : 0
      case .repeatedForever(_, let leg):
        return leg > 0 ? .infinity : 0
      case .logicallyComplete(let limit):
        return min(duration, limit.isFinite ? max(0, limit) : .infinity)
      }
    }
  }

  /// Seconds before anything moves.
  var leadIn: Double {
    modifiers.reduce(0) { leadIn, modifier in
      switch modifier {
      case .delayed(let delay):
        return max(0, leadIn + delay.orIgnored(0))
      case .sped(let speed):
        let speed = speed.orIgnored(1)
        return speed > 0 ? leadIn / speed : .infinity
      case .repeated, .repeatedForever, .logicallyComplete:
        return leadIn
      }
    }
  }

  /// Whether the animation goes on from the velocity that it finds.
  var hasMomentum: Bool {
    if case .spring = base { true } else { false }
  }
}

extension Animation.Base {
  /// Seconds until the course is over.
  fileprivate func duration<V: VectorArithmetic>(of change: V, velocity: V) -> Double {
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
    }
  }

  /// Seconds until the change counts as made.
  fileprivate var logicalDuration: Double {
    switch self {
    case .default, .curve:
      return duration(of: 1.0, velocity: 0)
    case .spring(let form):
      let response = form.spring.response
      return response.isFinite ? max(0, response) : 0
    case .custom(let custom):
      return custom.base.firstTime { (time, context: inout AnimationContext<Double>) in
        custom.base.animate(value: 1.0, time: time, context: &context) == nil
          || context.isLogicallyComplete
      }
    }
  }
}

extension CustomAnimation {
  /// The first time at which a condition holds that stays true from then on, to the nanosecond;
  /// infinite if it does not hold within a year. About seventy questions.
  ///
  /// - Parameters:
  ///   - start: The time to begin at.
  ///   - context: What the condition is asked with.
  fileprivate func firstTime<V: VectorArithmetic>(
    from start: Double = 0,
    _ context: AnimationContext<V> = AnimationContext(),
    _ holds: (Double, inout AnimationContext<V>) -> Bool
  ) -> Double {
    func isTrue(at time: Double) -> Bool {
      var context = context
      return holds(time, &context)
    }
    guard !isTrue(at: start) else { return start }
    var step = 1.0
    while !isTrue(at: start + step) {
      step *= 2
      guard step < 0x1p25 else { return .infinity }
    }
    var (low, high) = (start + (step > 1 ? step / 2 : 0), start + step)
    while high - low > 1e-9, low < (low + high) / 2, (low + high) / 2 < high {
      let middle = (low + high) / 2
      if isTrue(at: middle) { high = middle } else { low = middle }
    }
    return high
  }

  /// Seconds until the animation is over that has merged with others.
  func duration<V: VectorArithmetic>(
    of change: V, from start: Double, _ context: AnimationContext<V>
  ) -> Double {
    firstTime(from: start, context) { animate(value: change, time: $0, context: &$1) == nil }
  }
}

extension Animation {
  /// Seconds until an animation of a change of 1 is over; infinite if it does not end.
  package var duration: Double { form.duration }

  /// Seconds until its change counts as made.
  package var logicalDuration: Double { min(form.duration, form.logicalDuration) }
}
