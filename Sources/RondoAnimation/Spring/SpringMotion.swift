// The motion of a spring: the closed solution of its equation in the three regimes of damping.

/// The motion of a body on a spring from 0 at rest to 1, and from 0 to 0 with a velocity of 1.
///
/// The equation is linear. With D the change and v₀ the velocity at the start, the value is
/// `start + D·s(t) + v₀·r(t)` for any type of vector. This type gives s, r and their derivatives;
/// s′ = ω²·r in every regime.
///
/// Source: the textbook solution of the damped harmonic oscillator x″ + 2ζω·x′ + ω²·x = 0.
struct SpringMotion {
  private enum Regime {
    /// The target is reached at once.
    case rigid
    /// ζ < 1, with the damped frequency ω√(1 − ζ²).
    case under(Double)
    case critical
    /// ζ > 1, with half the distance between the two decay rates, ω√(ζ² − 1).
    case over(Double)
  }

  private let regime: Regime
  /// ω
  private let frequency: Double
  /// ζω
  private let decay: Double

  init(_ spring: Spring) {
    let (response, ratio) = (spring.response, spring.dampingRatio)
    frequency = spring.angularFrequency
    decay = ratio * frequency
    if !(response > 0 && response.isFinite && frequency.isFinite) {
      regime = .rigid
    } else if ratio < 1 {
      regime = .under(frequency * (1 - ratio * ratio).squareRoot())
    } else if ratio == 1 {
      regime = .critical
    } else {
      regime = .over(frequency * (ratio * ratio - 1).squareRoot())
    }
  }

  /// s, r and their derivatives at a time in seconds. A negative time counts as 0.
  func response(at time: Double) -> MotionResponse {
    guard time.isFinite, !isRigid else { return .arrived }
    let t = max(0, time)
    let (displacement, r, slope) = freeMotion(at: t)
    return MotionResponse(
      value: 1 - displacement,
      velocity: frequency * frequency * r,
      velocityResponse: r,
      velocityResponseRate: slope
    )
  }

  private var isRigid: Bool {
    if case .rigid = regime { true } else { false }
  }

  /// 1 − s, r and r′.
  private func freeMotion(at t: Double) -> (displacement: Double, r: Double, slope: Double) {
    switch regime {
    case .rigid:
      return (0, 0, 0)
    case .under(let damped):
      let envelope = Elementary.exp(-decay * t)
      let (sin, cos) = Elementary.sinCos(damped * t)
      let r = envelope * sin / damped
      return (envelope * cos + decay * r, r, envelope * cos - decay * r)
    case .critical:
      let envelope = Elementary.exp(-frequency * t)
      let r = envelope * t
      return (envelope + frequency * r, r, envelope - frequency * r)
    case .over(let split):
      let (even, r) = creep(at: t, split: split)
      return (even + decay * r, r, even - decay * r)
    }
  }

  /// e^(−ζωt)·cosh(δt) and e^(−ζωt)·sinh(δt)/δ, which neither overflow for large t nor lose
  /// digits for small ones.
  private func creep(at t: Double, split: Double) -> (even: Double, odd: Double) {
    guard split * t > 1 else {
      let envelope = Elementary.exp(-decay * t)
      let (sinh, cosh) = Elementary.sinhCosh(split * t)
      return (envelope * cosh, envelope * sinh / split)
    }
    // The slow rate ζω − δ as ω²/(ζω + δ), which does not cancel.
    let slow = Elementary.exp(-frequency * frequency / (decay + split) * t)
    let fast = Elementary.exp(-(decay + split) * t)
    return ((slow + fast) / 2, (slow - fast) / (2 * split))
  }
}

// MARK: - Coming to rest

extension SpringMotion {
  /// When a spring comes to rest: the time from which its value stays within `epsilon` of the
  /// target, by an envelope of its motion.
  ///
  /// - Parameters:
  ///   - change: |D|, how far the target is from the start.
  ///   - residual: |ζωD − v₀|, which is how the velocity enters the envelope in every regime.
  /// - Returns: Seconds; infinite for a spring without damping.
  func settlingDuration(change: Double, residual: Double, epsilon: Double) -> Double {
    guard !isRigid else { return 0 }
    let epsilon = epsilon > 0 && epsilon.isFinite ? epsilon : 0.001
    guard change.isFinite, residual.isFinite else { return 0 }
    switch regime {
    case .rigid:
      return 0
    case .under(let damped):
      // e^(−ζωt)·(|D| + |ζωD − v₀|/ω_d) = ε
      let amplitude = change + residual / damped
      guard amplitude > epsilon else { return 0 }
      guard decay > 0 else { return .infinity }
      return Elementary.log(amplitude / epsilon) / decay
    case .critical:
      // e^(−ωt)·(|D| + |ωD − v₀|·t) = ε
      return crossing(epsilon, rate: frequency) {
        (change + residual * $0) * Elementary.exp(-frequency * $0)
      }
    case .over(let split):
      // e^(−ζωt)·(|D|·cosh δt + |ζωD − v₀|·sinh(δt)/δ) = ε
      return crossing(epsilon, rate: frequency * frequency / (decay + split)) {
        let (even, odd) = creep(at: $0, split: split)
        return change * even + residual * odd
      }
    }
  }

  /// The last time at which an envelope that decays at a rate is above a level, by doubling and
  /// bisection to the last bit or two.
  private func crossing(
    _ level: Double,
    rate: Double,
    envelope: (Double) -> Double
  ) -> Double {
    // Past 1/rate every envelope here falls; before, it can rise by less than e.
    var high = 1 / rate
    while envelope(high) > level { high *= 2 }
    guard high > 1 / rate || envelope(0) > level || envelope(high / 2) > level else { return 0 }
    var low = high > 1 / rate ? high / 2 : 0
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if envelope(middle) > level { low = middle } else { high = middle }
    }
    return high
  }
}
