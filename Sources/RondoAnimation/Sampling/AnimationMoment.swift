// The moment of a curve or spring, after an animation's modifiers have mapped the time.

/// The moment that the modifiers of an animation map a time to.
enum AnimationMoment {
  /// The animation has not begun: the old value shows.
  case waiting
  /// The animation is over: the model shows.
  case arrived
  /// The course inside of all modifiers is at a time of its own.
  case running(Animation.Base, Clock)

  /// The time of the course inside, and how it runs.
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
    var clock = AnimationMoment.Clock(time: time)
    // Asked for every value of every frame, most of which have no modifiers.
    var index = modifiers.endIndex
    while index > 0 {
      index -= 1
      let modifier = modifiers[index]
      if case .delayed(let delay) = modifier {
        clock.time -= delay.orIgnored(0)
        continue
      }
      guard clock.time >= 0 else { return .waiting }
      switch modifier {
      case .delayed, .logicallyComplete:
        continue
      case .sped(let speed):
        let speed = speed.orIgnored(1)
        guard speed > 0 else { return .waiting }
        clock.time *= speed
        clock.rate *= speed
      case .repeated(let count, let autoreverses, let leg):
        let legs = Double(max(0, count))
        guard clock.enterLeg(of: legs, lasting: leg, autoreverses) else { return .arrived }
      case .repeatedForever(let autoreverses, let leg):
        guard clock.enterLeg(of: .infinity, lasting: leg, autoreverses) else { return .arrived }
      }
    }
    return clock.time >= 0 ? .running(base, clock) : .waiting
  }
}

extension AnimationMoment.Clock {
  /// Goes on to the time in the leg that is in progress.
  ///
  /// - Returns: Whether there is one.
  fileprivate mutating func enterLeg(
    of legs: Double, lasting duration: Double, _ autoreverses: Bool
  ) -> Bool {
    guard legs > 0, duration > 0, time < legs * duration else { return false }
    // An animation that does not end never comes to its second leg.
    guard duration.isFinite else { return true }
    // The quotient can round up to a leg that is not there.
    let leg = min((time / duration).rounded(.down), legs - 1)
    time = min(max(0, time - leg * duration), duration)
    isFirstLeg = isFirstLeg && leg == 0
    if autoreverses, leg.truncatingRemainder(dividingBy: 2) == 1 {
      time = duration - time
      rate.negate()
    }
    return true
  }
}

extension Double {
  /// The number, unless it is not finite: then what stands for none.
  func orIgnored(_ none: Double) -> Double {
    isFinite ? self : none
  }
}
