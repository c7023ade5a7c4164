// A value whose presentation lags: begin, retarget, decay, end.

import RondoSeededRandomness
import RondoAnimation
import Testing

@Suite struct AnimatedValueTests {
  // CS5
  @Test func theModelIsFinalAtOnce() {
    var x = AnimatedValue(0.0)
    x.set(10, animation: .linear(duration: 1), at: .seconds(5))
    #expect(x.model == 10)
    #expect(x.value(at: .seconds(5)) == 0)
    #expect(x.value(at: .milliseconds(5_500)) == 5)
    #expect(x.value(at: .seconds(6)) == 10)
  }

  // CS2
  @Test func settingTheSameStartsNothing() {
    var x = AnimatedValue(1.0)
    #expect(x.set(1, animation: .linear, at: .zero) == nil)
    #expect(!x.isAnimating(at: .zero))
  }

  // Numbers: retargeting, curve to curve
  @Test func aCurveFadesOverFromTheOldOneWhichRunsOn() {
    var x = AnimatedValue(0.0)
    x.set(100, animation: .linear(duration: 1), at: .zero)
    #expect(x.model == 100)
    #expect(x.value(at: .milliseconds(250)) == 25)
    x.set(0, animation: .linear(duration: 1), at: .milliseconds(500))
    // old(t) + (target − old(t))·f: the old one is at 75, the new one a quarter of the way.
    #expect(x.value(at: .milliseconds(500)) == 50)
    #expect(x.value(at: .milliseconds(750)) == 56.25)
    #expect(x.value(at: .milliseconds(1_000)) == 50)
    #expect(x.value(at: .milliseconds(1_250)) == 25)
    #expect(x.value(at: .milliseconds(1_500)) == 0)
  }

  // Numbers: retargeting, spring to spring
  @Test func aSpringKeepsValueAndVelocity() {
    forEachSeed(200) { random in
      var x = AnimatedValue(random.double(in: -10...10))
      let start = x.model
      let (first, second) = (random.spring(), random.spring())
      x.set(start + 10, animation: .spring(first), at: .zero)
      let turn = Duration.milliseconds(random.int(in: 1..<300))
      let (value, velocity) = (x.value(at: turn), x.velocity(at: turn))
      let target = random.double(in: -100...100)
      x.set(target, animation: .spring(second), at: turn)
      let time = Duration.milliseconds(random.int(in: 0..<200))
      guard x.isAnimating(at: turn + time) else { return }
      let fresh = second.value(
        target: target - value,
        initialVelocity: velocity,
        time: time.seconds
      )
      #expect(x.value(at: turn + time).isClose(to: value + fresh), "\(random)")
    }
  }

  // S1
  @Test func theEffectsOfOneSpringThatIsSetAgainAddUp() {
    let spring = Spring(mass: 1, stiffness: 170, damping: 13)
    let animation = Animation.interpolatingSpring(mass: 1, stiffness: 170, damping: 13)
    var x = AnimatedValue(0.0)
    x.set(100, animation: animation, at: .zero)
    x.set(-100, animation: animation, at: .milliseconds(150))
    for time in [0.2, 0.3, 0.45, 0.8] {
      let first: Double = spring.value(target: 100, time: time)
      let sum = first + spring.value(target: -200, time: time - 0.15)
      #expect(x.value(at: .milliseconds(Int(time * 1_000))).isClose(to: sum), "\(time)")
    }
  }

  @Test func aSpringTakesOverFromACurve() {
    var x = AnimatedValue(0.0)
    x.set(100, animation: .linear(duration: 1), at: .zero)
    x.set(0, animation: .spring, at: .milliseconds(500))
    let expected = 50 + Spring().value(target: -50.0, initialVelocity: 100, time: 0.1)
    #expect(x.value(at: .milliseconds(600)).isClose(to: expected))
  }

  @Test func aDelayedSpringLetsTheOldOneRunOn() {
    var x = AnimatedValue(0.0)
    x.set(100, animation: .linear(duration: 1), at: .zero)
    x.set(0, animation: .spring.delay(0.25), at: .milliseconds(500))
    #expect(x.value(at: .milliseconds(600)) == 60)
    let expected = 75 + Spring().value(target: -75.0, initialVelocity: 100, time: 0.1)
    #expect(x.value(at: .milliseconds(850)).isClose(to: expected))
  }

  // Numbers: untagged mid-flight
  @Test func anUntaggedChangeMovesTheModelAndTheRestDecays() {
    for animation in [Animation.linear(duration: 1), .spring(duration: 0.5)] {
      var x = AnimatedValue(0.0)
      x.set(100, animation: animation, at: .zero)
      var moved = x
      moved.set(130)
      #expect(moved.model == 130)
      for milliseconds in stride(from: 0, to: 2_000, by: 50) {
        let instant = Duration.milliseconds(milliseconds)
        #expect(moved.value(at: instant).isClose(to: x.value(at: instant) + 30))
      }
      #expect(moved.value(at: .seconds(9)) == 130)
    }
  }

  @Test func whatShowsInTheEndIsTheModelToTheLastBit() {
    forEachSeed(100) { random in
      var x = AnimatedValue(0.0)
      x.set(random.double(in: -10...10), animation: .linear(duration: 1), at: .zero)
      x.set(random.double(in: -10...10))
      #expect(x.value(at: .seconds(1)) == x.model, "\(random)")
    }
  }

  @Test func retargetingIsContinuous() {
    forEachSeed(300) { random in
      var x = AnimatedValue(0.0)
      var instant = Duration.zero
      for _ in 0..<random.int(in: 1..<6) {
        let before = x.value(at: instant)
        let animation =
          random.bool()
          ? Animation.spring(random.spring())
          : .timingCurve(random.curve(), duration: random.double(in: 0.1...1))
        x.set(random.double(in: -10...10), animation: animation, at: instant)
        // A spring that has less than a thousandth to go is there already.
        #expect(abs(x.value(at: instant) - before) <= 0.001, "\(random)")
        instant += .milliseconds(random.int(in: 1..<400))
      }
      #expect(x.value(at: .seconds(1_000)) == x.model, "\(random)")
    }
  }

  @Test func velocityIsTheSlope() {
    forEachSeed(200) { random in
      var x = AnimatedValue(0.0)
      x.set(10, animation: .spring(random.spring()), at: .zero)
      x.set(-5, animation: .timingCurve(.circularEaseIn, duration: 1), at: .milliseconds(100))
      x.set(7, animation: .linear(duration: 2), at: .milliseconds(200))
      let instant = Duration.milliseconds(random.int(in: 210..<900))
      let step = Duration.microseconds(10)
      let slope = (x.value(at: instant + step) - x.value(at: instant - step)) / 2e-5
      #expect(x.velocity(at: instant).isClose(to: slope, within: 1e-4), "\(random)")
    }
  }

  // Numbers: seeking to t equals stepping to t, at any frame rate
  @Test func seekingEqualsStepping() {
    forEachSeed(100) { random in
      var x = AnimatedValue(0.0)
      x.set(10, animation: random.animation(), at: .zero)
      x.set(3, animation: random.animation(), at: .milliseconds(120))
      let rate = random.int(in: 1..<1_001)
      var stepped = x
      for frame in 0..<rate * 2 {
        let instant = Duration.seconds(1) * frame / rate
        guard instant >= .milliseconds(120) else { continue }
        stepped.removeFinished(at: instant)
        #expect(stepped.value(at: instant) == x.value(at: instant), "\(random)")
      }
    }
  }

  @Test func finishedAnimationsLeaveNothingBehind() {
    var x = AnimatedValue(0.0)
    for index in 1...50 {
      x.set(Double(index), animation: .linear(duration: 0.1), at: .seconds(index))
    }
    #expect(x.isAnimating(at: .seconds(50)))
    x.removeFinished(at: .seconds(51))
    #expect(!x.isAnimating(at: .seconds(50)))
    #expect(x.value(at: .zero) == 50)
  }

  @Test func anAnimationWithoutDurationChangesAtOnce() {
    var x = AnimatedValue(0.0)
    x.set(10, animation: .linear(duration: 1), at: .zero)
    #expect(x.set(3, animation: .linear(duration: 0), at: .milliseconds(500)) == nil)
    #expect(x.value(at: .milliseconds(500)) == 3)
    #expect(!x.isAnimating(at: .milliseconds(500)))
  }

  @Test func saysHowLongItTakes() {
    var x = AnimatedValue(0.0)
    let span = x.set(1, animation: .spring(duration: 0.5).delay(1), at: .seconds(2))
    #expect(span?.begin == .seconds(2))
    #expect(span?.logicalDuration == 1.5)
    #expect(span?.duration == 1 + Spring().settlingDuration(target: 1.0))
  }

  // S1
  @Test(arguments: [1_000.0, 10_000, 1e6])
  func aSpringDoesNotJumpAtItsEndHoweverLongItsWay(_ way: Double) throws {
    for spring in [Spring(duration: 0.5, bounce: 0), Spring(duration: 0.5, bounce: 0.3)] {
      var x = AnimatedValue(0.0)
      let begun = x.set(way, animation: .spring(spring), at: .zero)
      let span = try #require(begun)
      for back in [1e-6, 0.001, 0.01] {
        let last = x.value(at: .seconds(span.duration - back))
        #expect(abs(last - way) < 0.1 * (1 + 40 * back), "\(spring), \(back) s before its end")
      }
    }
  }

  // S1
  @Test(arguments: [
    Animation.linear(duration: 1), .easeIn(duration: 2), .linear(duration: 1).delay(1),
  ])
  func whatRepeatsWithoutAWayIsAtItsEnd(_ animation: Animation) {
    var x = AnimatedValue(0.0)
    x.set(10, animation: .linear(duration: 1).repeatForever(), at: .zero)
    // After two legs it is where it has begun.
    #expect(x.value(at: .seconds(2)) == 0)
    let span = x.set(0, animation: animation.repeatForever(), at: .seconds(2))
    #expect(span == nil)
    #expect(!x.isAnimating(at: .seconds(2)))
    #expect(x.value(at: .milliseconds(2_500)) == 0)
  }

  // S1
  @Test func noInstantTraps() {
    let (first, last) = (Duration.seconds(Int64.min), Duration.seconds(Int64.max))
    for animation in [
      Animation.linear(duration: 1), .spring, .spring.delay(1), .easeIn.repeatForever(),
    ] {
      for begin in [first, .zero, last] {
        var x = AnimatedValue(0.0)
        x.set(10, animation: animation, at: begin)
        for instant in [first, .zero, last] {
          #expect((0.0...20).contains(x.value(at: instant)))
          x.set(x.model + 1, animation: animation, at: instant)
          x.removeFinished(at: instant)
        }
      }
    }
    #expect((last - first).seconds == 0x1p64)
  }

  @Test func movesWholeVectors() {
    var x = AnimatedValue(AnimatablePair(0.0, AnimatablePair(0.0, 8.0)))
    x.set(AnimatablePair(4, AnimatablePair(2, 0)), animation: .linear(duration: 1), at: .zero)
    #expect(x.value(at: .milliseconds(250)) == AnimatablePair(1, AnimatablePair(0.5, 6)))
  }

  // SH3
  @Test func retriggeringTheShakeDoesNotJump() {
    var position = AnimatedValue(0.0)
    func offset(at instant: Duration) -> Double {
      let turn = position.value(at: instant) * 2 * .pi
      return -30 * Spring.sine(turn)
    }
    position.set(2, animation: .linear(duration: 0.5), at: .zero)
    let before = offset(at: .milliseconds(250))
    position.set(4, animation: .linear(duration: 0.5), at: .milliseconds(250))
    #expect(offset(at: .milliseconds(250)) == before)
    #expect(abs(offset(at: .milliseconds(251)) - before) < 2)
  }
}

extension Spring {
  /// The sine, by an undamped spring of the period 2π: r(t) = sin t.
  fileprivate static func sine(_ angle: Double) -> Double {
    Spring(response: 2 * .pi, dampingRatio: 0).value(
      target: 0.0,
      initialVelocity: 1,
      time: angle
    )
  }
}
