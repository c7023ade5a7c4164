// Springs: their properties, their motion, and when they come to rest.

import RondoSeededRandomness
import RondoAnimation
import Testing

@Suite struct SpringTests {
  // Numbers: springs
  @Test func agreesWithTheReferenceTable() {
    for (response, ratio, target, speed, time, value, velocity) in springTable {
      let spring = Spring(response: response, dampingRatio: ratio)
      #expect(
        spring.value(target: target, initialVelocity: speed, time: time)
          .isClose(to: value, within: 1e-8),
        "\(spring) at \(time)"
      )
      #expect(
        spring.velocity(target: target, initialVelocity: speed, time: time)
          .isClose(to: velocity, within: 1e-8),
        "\(spring) at \(time)"
      )
    }
  }

  // Numbers: settling
  @Test func settlesWhenTheReferenceTableSays() {
    for (response, ratio, target, speed, settled) in settlingTable {
      let spring = Spring(response: response, dampingRatio: ratio)
      #expect(
        spring.settlingDuration(target: target, initialVelocity: speed, epsilon: 0.001)
          .isClose(to: settled, within: 1e-8),
        "\(spring)"
      )
    }
  }

  // S1: what SwiftUI was measured to say, to the millisecond.
  @Test(arguments: [(0.15, 0, 0.3), (0.35, 0.15, 0.635), (0.4, 0, 0.6), (0.5, 0.3, 1.045)])
  func theSettlingDurationIsTheOneThatSwiftUISays(
    _ duration: Double, _ bounce: Double, _ settled: Double
  ) {
    let spring = Spring(duration: duration, bounce: bounce)
    #expect(spring.settlingDuration.isClose(to: settled, within: 0.000_5))
    #expect(spring.settlingDuration(target: 1.0) < settled)
  }

  // Numbers: ζ = 1 − bounce, or 1/(1 + bounce) below
  @Test(arguments: [(0, 1), (0.3, 0.7), (1, 0), (-0.2, 1.25), (-0.5, 2)])
  func bounceIsTheOtherSideOfDamping(_ bounce: Double, _ ratio: Double) {
    let spring = Spring(duration: 0.4, bounce: bounce)
    #expect(spring.dampingRatio.isClose(to: ratio))
    #expect(spring.bounce.isClose(to: bounce))
    #expect(spring.duration == 0.4)
  }

  // Numbers: k = mω², c = 2ζmω
  @Test func physicalPropertiesRoundTrip() {
    let spring = Spring(mass: 2, stiffness: 100, damping: 5)
    #expect(spring.mass == 2)
    #expect(spring.stiffness.isClose(to: 100))
    #expect(spring.damping.isClose(to: 5))
    #expect(spring.response.isClose(to: 0.888_576_587_631_673))
    #expect(spring.dampingRatio.isClose(to: 0.176_776_695_296_637))
  }

  // Names: SwiftUI treats such a spring as critically damped.
  @Test func overdampingNeedsLeave() {
    let spring = Spring(mass: 2, stiffness: 200, damping: 100)
    #expect(spring.dampingRatio == 1)
    #expect(spring.damping.isClose(to: 40))
    #expect(spring.bounce == 0)
    let creeping = Spring(mass: 2, stiffness: 200, damping: 100, allowOverDamping: true)
    #expect(creeping.dampingRatio == 2.5)
    #expect(creeping.damping.isClose(to: 100))
    #expect(creeping.bounce.isClose(to: -0.6))
  }

  @Test func dampingBelowTheCriticalOneNeedsNone() {
    let (heeded, clamped) = (
      Spring(stiffness: 100, damping: 5, allowOverDamping: true),
      Spring(stiffness: 100, damping: 5)
    )
    #expect(heeded == clamped)
  }

  @Test func aSpringThatCreepsSaysSo() {
    let creeping = Spring(mass: 2, stiffness: 200, damping: 100, allowOverDamping: true)
    #expect(creeping.description.hasSuffix(", allowOverDamping: true)"))
    #expect(!Spring(mass: 2, stiffness: 200, damping: 10).description.contains("allow"))
  }

  @Test(arguments: [0.2, 0.8, 1, 2])
  func canBeGivenByItsSettlingDuration(_ ratio: Double) {
    let spring = Spring(settlingDuration: 1.5, dampingRatio: ratio)
    #expect(spring.settlingDuration(target: 1.0).isClose(to: 1.5))
    #expect(spring.dampingRatio == ratio)
  }

  // Numbers: presets
  @Test func presetsDifferInBounce() {
    #expect(Spring.smooth == Spring(duration: 0.5, bounce: 0))
    #expect(Spring.snappy == Spring(duration: 0.5, bounce: 0.15))
    #expect(Spring.bouncy == Spring(duration: 0.5, bounce: 0.3))
    #expect(Spring.bouncy(duration: 1, extraBounce: 0.1) == Spring(duration: 1, bounce: 0.4))
    #expect(Spring() == .smooth)
  }

  @Test func staysWithinEpsilonOnceSettled() {
    forEachSeed(100) { random in
      let spring = random.spring()
      let speed = random.double(in: -100...100)
      let target = random.double(in: -10...10)
      let settled = spring.settlingDuration(target: target, initialVelocity: speed)
      for step in 0..<50 {
        let time = settled * (1 + Double(step) / 25)
        let value = spring.value(target: target, initialVelocity: speed, time: time)
        #expect(abs(value - target) <= 0.001_000_001, "\(random) \(spring) at \(time)")
      }
    }
  }

  @Test func obeysItsEquation() {
    forEachSeed(200) { random in
      let spring = random.spring()
      let (speed, time) = (random.double(in: -10...10), random.double(in: 0.01...2))
      func velocity(_ time: Double) -> Double {
        spring.velocity(target: 1, initialVelocity: speed, time: time)
      }
      let step = 1e-5
      let acceleration = (velocity(time + step) - velocity(time - step)) / (2 * step)
      let force = spring.force(
        target: 1,
        position: spring.value(target: 1, initialVelocity: speed, time: time),
        velocity: velocity(time)
      )
      #expect(acceleration.isClose(to: force / spring.mass, within: 1e-5), "\(random) \(spring)")
    }
  }

  @Test func velocityIsTheSlopeOfTheValue() {
    forEachSeed(200) { random in
      let spring = random.spring()
      let (speed, time) = (random.double(in: -10...10), random.double(in: 0.01...2))
      func value(_ time: Double) -> Double {
        spring.value(target: 1, initialVelocity: speed, time: time)
      }
      let slope = (value(time + 1e-6) - value(time - 1e-6)) / 2e-6
      let velocity = spring.velocity(target: 1, initialVelocity: speed, time: time)
      #expect(velocity.isClose(to: slope, within: 1e-6), "\(random) \(spring)")
    }
  }

  @Test func steppingEqualsSeeking() {
    forEachSeed(100) { random in
      let spring = random.spring()
      var (value, velocity, time) = (0.0, 3.0, 0.0)
      for _ in 0..<random.int(in: 1..<40) {
        let step = random.double(in: 0...0.05)
        spring.update(value: &value, velocity: &velocity, target: 10, deltaTime: step)
        time += step
      }
      let sought = spring.value(target: 10.0, initialVelocity: 3, time: time)
      #expect(value.isClose(to: sought), "\(random)")
      let speed = spring.velocity(target: 10.0, initialVelocity: 3, time: time)
      #expect(velocity.isClose(to: speed), "\(random)")
    }
  }

  @Test func hasNoSeamsBetweenTheRegimes() {
    for time in [0.01, 0.1, 0.5, 2] {
      let critical = Spring(response: 0.5, dampingRatio: 1).value(target: 1.0, time: time)
      for ratio in [1 - 1e-9, 1 + 1e-9] {
        let close = Spring(response: 0.5, dampingRatio: ratio).value(target: 1.0, time: time)
        #expect(close.isClose(to: critical, within: 1e-7))
      }
    }
  }

  // R31
  @Test(arguments: [0, -1, Double.infinity, -Double.infinity, .nan])
  func nonsenseIsAtTheTargetAtOnce(_ response: Double) {
    let spring = Spring(response: response, dampingRatio: 0.5)
    #expect(spring.value(target: 3.0, initialVelocity: 100, time: 0) == 3)
    #expect(spring.velocity(target: 3.0, initialVelocity: 100, time: 0.1) == 0)
    #expect(spring.settlingDuration == 0)
  }

  @Test func extremesAreFinite() {
    let springs = [
      Spring(duration: 0.5, bounce: -1), Spring(duration: 0.5, bounce: -10),
      Spring(duration: 0.5, bounce: 2), Spring(response: 0.5, dampingRatio: 1e9),
      Spring(mass: 0, stiffness: 1, damping: 1), Spring(mass: 1, stiffness: 0, damping: 1),
      Spring(mass: -1, stiffness: 1, damping: 1), Spring(settlingDuration: 0, dampingRatio: 0),
    ]
    for spring in springs {
      for time in [-1, 0, 1e-9, 0.1, 1e9, .infinity, .nan] {
        #expect(spring.value(target: 1.0, initialVelocity: 1, time: time).isFinite)
      }
      #expect(!spring.settlingDuration.isNaN)
    }
  }

  @Test func anUndampedSpringNeverSettles() {
    #expect(Spring(duration: 0.5, bounce: 1).settlingDuration == .infinity)
  }
}
