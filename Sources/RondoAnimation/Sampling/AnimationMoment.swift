// The moment of a curve or spring, after an animation's modifiers have mapped the time.

/// The moment that the modifiers of an animation map a time to.
enum AnimationMoment {
  /// The animation has not begun: the old value shows.
  case waiting
  /// The animation is over: the model shows.
  case arrived
  /// The innermost form is at a time of its own.
  case running(Animation.Form, Clock)

  /// The time of the innermost form, and how it runs.
  struct Clock {
    /// Seconds since the start of the leg in progress.
    var time: Double
    /// Seconds that pass inside for each outside; negative on the way back.
    var rate = 1.0
    /// Whether this is the first leg, the one that a velocity from before the start carries into.
    var isFirstLeg = true
  }
}

extension Animation.Form {
  /// The moment that the modifiers map a time to, in seconds since the start. O(number of modifiers).
  func moment(at time: Double) -> AnimationMoment {
    guard time >= 0 || isDelayed else { return .waiting }
    switch self {
    case .default, .curve, .spring, .custom:
      return .running(self, AnimationMoment.Clock(time: time))
    case .logicallyComplete(let form, _):
      return form.moment(at: time)
    case .delayed(let form, let delay):
      return form.moment(at: time - delay.orIgnored(0))
    case .sped(let form, let speed):
      let speed = speed.orIgnored(1)
      guard speed > 0 else { return .waiting }
      return form.moment(at: time * speed).adjusted { $0.rate *= speed }
    case .repeated(let form, let count, let autoreverses):
      let legs = Double(max(0, count))
      return form.leg(at: time, of: legs, autoreverses: autoreverses)
    case .repeatedForever(let form, let autoreverses):
      return form.leg(at: time, of: .infinity, autoreverses: autoreverses)
    }
  }

  private var isDelayed: Bool {
    if case .delayed = self { true } else { false }
  }

  /// The moment in the leg that is in progress.
  private func leg(at time: Double, of legs: Double, autoreverses: Bool) -> AnimationMoment {
    let duration = duration
    guard legs > 0, duration > 0, time < legs * duration else { return .arrived }
    // An animation that does not end never comes to its second leg.
    guard duration.isFinite else { return moment(at: time) }
    // The quotient can round up to a leg that is not there.
    let leg = min((time / duration).rounded(.down), legs - 1)
    let local = min(max(0, time - leg * duration), duration)
    let isReversed = autoreverses && leg.truncatingRemainder(dividingBy: 2) == 1
    return moment(at: isReversed ? duration - local : local).adjusted {
      $0.isFirstLeg = $0.isFirstLeg && leg == 0
      if isReversed { $0.rate.negate() }
    }
  }
}

extension AnimationMoment {
  fileprivate func adjusted(_ change: (inout Clock) -> Void) -> AnimationMoment {
    guard case .running(let form, var clock) = self else { return self }
    change(&clock)
    return .running(form, clock)
  }
}

extension Double {
  /// The number, unless it is not finite: then what stands for none.
  func orIgnored(_ none: Double) -> Double {
    isFinite ? self : none
  }
}
