// Springs, curves, repetitions and retargets against numerics that share nothing with them: an
// integration of the equation of motion, a bisection, a walk leg by leg.

import RondoSeededRandomness
import RondoAnimation
import Testing

@Suite struct NumericsTests {
  // Numbers: springs, in all three regimes
  @Test(arguments: [0.05...0.95, 1...1, 1.05...4])
  func aSpringMovesAsItsEquationIntegrates(_ ratios: ClosedRange<Double>) {
    forEachSeed(30) { random in
      let spring = Spring(
        response: random.double(in: 0.2...1.5), dampingRatio: random.double(in: ratios))
      let (target, speed) = (random.double(in: -5...5), random.double(in: -20...20))
      let time = random.double(in: 0.01...1.5)
      let (value, velocity) = Self.integrate(spring, target: target, speed: speed, until: time)
      #expect(
        spring.value(target: target, initialVelocity: speed, time: time)
          .isClose(to: value, within: 1e-6), "\(random) \(spring)")
      #expect(
        spring.velocity(target: target, initialVelocity: speed, time: time)
          .isClose(to: velocity, within: 1e-5), "\(random) \(spring)")
    }
  }

  // Numbers: k = mω², c = 2ζmω
  @Test func aSpringByItsPhysicsObeysNewton() {
    forEachSeed(30) { random in
      let (mass, stiffness) = (random.double(in: 0.2...3), random.double(in: 20...300))
      let damping = random.double(in: 0.5...60)
      let spring = Spring(
        mass: mass, stiffness: stiffness, damping: damping, allowOverDamping: true)
      let time = random.double(in: 0.01...1)
      let (value, _) = Self.integrate(from: 0, speed: 2, until: time) { position, velocity in
        (stiffness * (1 - position) - damping * velocity) / mass
      }
      #expect(
        spring.value(target: 1, initialVelocity: 2, time: time).isClose(to: value, within: 1e-6),
        "\(random) \(spring)")
    }
  }

  // Numbers: Beziers, y within and beyond 0…1
  @Test(arguments: [0...1, -3...4])
  func aBezierIsWhereItsBisectionIs(_ heights: ClosedRange<Double>) {
    forEachSeed(100) { random in
      let (x1, x2) = (random.double(in: 0...1), random.double(in: 0...1))
      let (y1, y2) = (random.double(in: heights), random.double(in: heights))
      let curve = UnitCurve.bezier(
        startControlPoint: UnitPoint(x: x1, y: y1), endControlPoint: UnitPoint(x: x2, y: y2))
      for _ in 0..<10 {
        let x = random.double(in: 0.001...0.999)
        let t = Self.bisect { Self.bezier(x1, x2, $0) < x }
        // x is solved to 2⁻²⁰, which a steep curve makes more of.
        let slope = abs(
          (Self.bezier(y1, y2, min(1, t + 1e-6)) - Self.bezier(y1, y2, max(0, t - 1e-6)))
            / max(
              Self.bezier(x1, x2, min(1, t + 1e-6)) - Self.bezier(x1, x2, max(0, t - 1e-6)), 1e-9))
        #expect(
          abs(curve.value(at: x) - Self.bezier(y1, y2, t)) <= 2e-6 * (1 + slope),
          "\(random) \(curve) at \(x)")
      }
    }
  }

  // Numbers: repeatCount counts legs; speed and delay map time
  @Test func aRepetitionIsWhereAWalkLegByLegIs() {
    forEachSeed(200) { random in
      let (duration, legs) = (random.double(in: 0.1...1), random.int(in: 1..<6))
      let (autoreverses, speed) = (random.bool(), random.double(in: 0.5...3))
      let delay = random.double(in: 0...0.5)
      let curve = random.curve()
      let animation = Animation.timingCurve(curve, duration: duration)
        .repeatCount(legs, autoreverses: autoreverses).speed(speed).delay(delay)
      let time = random.double(in: 0...4)

      var (rest, leg) = (max(0, time - delay) * speed, 0)
      while rest >= duration, leg < legs { (rest, leg) = (rest - duration, leg + 1) }
      let isOver = leg >= legs
      let progress = autoreverses && leg % 2 == 1 ? 1 - rest / duration : rest / duration
      // Subtracting the legs one by one rounds differently at their very ends.
      guard isOver || (0.001...0.999).contains(progress) else { return }
      let sample = animation.sample(at: time)
      #expect(sample.isFinished == isOver, "\(random) \(animation) at \(time)")
      let expected = isOver ? 1 : curve.value(at: progress)
      #expect(sample.value.isClose(to: expected, within: 1e-4), "\(random) \(animation) at \(time)")
    }
  }

  // Numbers: retargeting, spring to spring
  @Test func aChainOfSpringsMovesAsItsEquationsIntegrate() {
    forEachSeed(30) { random in
      var value = AnimatedValue(0.0)
      var (position, velocity, instant) = (0.0, 0.0, 0)
      for _ in 0..<4 {
        let spring = Spring(
          response: random.double(in: 0.3...1.5), dampingRatio: random.double(in: 0.2...2))
        let target = random.double(in: -100...100)
        value.set(target, animation: .spring(spring), at: .milliseconds(instant))
        let pause = random.int(in: 20..<200)
        let force = spring.angularFrequencySquared
        (position, velocity) = Self.integrate(
          from: position, speed: velocity, until: Double(pause) / 1_000
        ) {
          force * (target - $0) - spring.damping * $1
        }
        instant += pause
        // A spring that has less than a thousandth to go is there already.
        guard value.isAnimating(at: .milliseconds(instant)) else { break }
        #expect(
          value.value(at: .milliseconds(instant)).isClose(to: position, within: 1e-5), "\(random)")
        #expect(
          value.velocity(at: .milliseconds(instant)).isClose(to: velocity, within: 1e-4),
          "\(random)")
      }
    }
  }

  // MARK: - The numerics

  private static func integrate(
    _ spring: Spring, target: Double, speed: Double, until end: Double
  ) -> (value: Double, velocity: Double) {
    integrate(from: 0, speed: speed, until: end) { position, velocity in
      spring.angularFrequencySquared * (target - position)
        - 2 * spring.dampingRatio * spring.angularFrequencySquared.squareRoot() * velocity
    }
  }

  /// The classical Runge–Kutta method of fourth order, in 4,000 steps.
  private static func integrate(
    from start: Double,
    speed: Double,
    until end: Double,
    acceleration: (_ position: Double, _ velocity: Double) -> Double
  ) -> (value: Double, velocity: Double) {
    let steps = 4_000
    let h = end / Double(steps)
    var (x, v) = (start, speed)
    for _ in 0..<steps {
      let (x1, v1) = (v, acceleration(x, v))
      let (x2, v2) = (v + h / 2 * v1, acceleration(x + h / 2 * x1, v + h / 2 * v1))
      let (x3, v3) = (v + h / 2 * v2, acceleration(x + h / 2 * x2, v + h / 2 * v2))
      let (x4, v4) = (v + h * v3, acceleration(x + h * x3, v + h * v3))
      x += h / 6 * (x1 + 2 * x2 + 2 * x3 + x4)
      v += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4)
    }
    return (x, v)
  }

  /// One coordinate of a cubic from 0 to 1.
  private static func bezier(_ first: Double, _ second: Double, _ t: Double) -> Double {
    let s = 1 - t
    return 3 * s * s * t * first + 3 * s * t * t * second + t * t * t
  }

  /// The last number of 0…1 that is below something.
  private static func bisect(_ isBelow: (Double) -> Bool) -> Double {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<80 {
      let middle = (low + high) / 2
      if isBelow(middle) { low = middle } else { high = middle }
    }
    return low
  }
}

extension Spring {
  /// k/m
  fileprivate var angularFrequencySquared: Double { stiffness / mass }
}
