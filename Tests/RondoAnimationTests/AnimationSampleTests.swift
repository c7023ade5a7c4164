// Sampling: where an animation stands at a time, and what the modifiers make of time.

import RondoSeededRandomness
import RondoAnimation
import Testing

@Suite struct AnimationSampleTests {
  /// The presentations at the frames of 60 Hz, of 16,666,667 ns each.
  private func frames(
    _ animation: Animation,
    to target: Double,
    count: ClosedRange<Int>
  ) -> [Double] {
    count.map { frame in
      animation.sample(at: (.nanoseconds(16_666_667) * frame).seconds).value * target
    }
  }

  // SH2
  @Test func anOddNumberOfLegsEndsSmoothly() {
    let animation = Animation.default.repeatCount(5).speed(3)
    let shown = frames(animation, to: -30, count: 0...36)
    #expect(shown[35] == -30 && shown[36] == -30)
    #expect(shown[34] < -28)
    #expect(!animation.sample(at: (.nanoseconds(16_666_667) * 34).seconds).isFinished)
    #expect(animation.sample(at: (.nanoseconds(16_666_667) * 35).seconds).isFinished)
  }

  // SH2
  @Test func anEvenNumberOfLegsEndsAtTheStartAndThenJumps() {
    let shown = frames(.default.repeatCount(6).speed(3), to: -30, count: 0...43)
    #expect(shown[41] > -2)
    #expect(shown[42] == -30 && shown[43] == -30)
  }

  // SH4
  @Test func speedShowsTheSameValuesAtOtherTimes() {
    forEachSeed(100) { random in
      let animation = random.animation()
      let time = random.double(in: 0...2)
      let (fast, usual) = (animation.speed(2).sample(at: time), animation.sample(at: 2 * time))
      #expect(fast.value == usual.value, "\(random) \(animation)")
      #expect(fast.velocity.isClose(to: 2 * usual.velocity), "\(random) \(animation)")
    }
  }

  // Numbers: order matters
  @Test func delayAndSpeedDoNotCommute() {
    let late = Animation.linear(duration: 1).delay(2)
    #expect(late.speed(2).sample(at: 1).value == 0)
    #expect(late.speed(2).sample(at: 1.25).value == 0.5)
    let fast = Animation.linear(duration: 1).speed(2)
    #expect(fast.delay(2).sample(at: 2).value == 0)
    #expect(fast.delay(2).sample(at: 2.25).value == 0.5)
  }

  // Numbers: order matters
  @Test func delayInsideARepetitionWaitsEachTime() {
    let inside = Animation.linear(duration: 1).delay(1).repeatCount(3, autoreverses: false)
    #expect(
      [0.5, 1.5, 2.5, 3.5, 5.5].map { inside.sample(at: $0).value } == [0, 0.5, 0, 0.5, 0.5]
    )
    #expect(inside.sample(at: 6).isFinished && !inside.sample(at: 5.99).isFinished)
    let outside = Animation.linear(duration: 1).repeatCount(3, autoreverses: false).delay(1)
    #expect([0.5, 1.5, 2.5, 3.5].map { outside.sample(at: $0).value } == [0, 0.5, 0.5, 0.5])
    #expect(outside.sample(at: 4).isFinished)
  }

  // Numbers: repeatCount counts legs
  @Test func everyOtherLegRunsBackwards() {
    let animation = Animation.linear(duration: 1).repeatCount(3)
    #expect([0.25, 1.25, 2.25].map { animation.sample(at: $0).value } == [0.25, 0.75, 0.25])
    #expect([0.25, 1.25, 2.25].map { animation.sample(at: $0).velocity } == [1, -1, 1])
    #expect(animation.sample(at: 1).value == 1 && animation.sample(at: 2).value == 0)
    #expect(animation.sample(at: 3).isFinished && !animation.sample(at: 2.999).isFinished)
  }

  // CS13
  @Test func repeatForeverReversesUnlessToldOtherwise() {
    let turning = Animation.linear(duration: 1).repeatForever(autoreverses: false)
    #expect(turning.sample(at: 1_000_000.25).value == 0.25)
    #expect(turning.sample(at: 1_000_001.25).value == 0.25)
    let swinging = Animation.linear(duration: 1).repeatForever()
    #expect(swinging.sample(at: 1_000_001.25).value == 0.75)
    #expect(!swinging.sample(at: 1e18).isFinished)
  }

  // Numbers: finished at t ≥ duration, and shows the model from then on
  @Test func aCurveIsFinishedAtItsDuration() {
    let animation = Animation.easeIn(duration: 0.2)
    #expect(!animation.sample(at: 0.2.nextDown).isFinished)
    let sample = animation.sample(at: 0.2)
    #expect(sample.isFinished && sample.value == 1 && sample.velocity == 0)
  }

  // Numbers: springs
  @Test func aSpringIsItsFormula() {
    for (response, ratio, _, _, time, _, _) in springTable {
      let spring = Spring(response: response, dampingRatio: ratio)
      let sample = Animation.spring(spring).sample(at: time)
      guard !sample.isFinished else { continue }
      #expect(sample.value == spring.value(target: 1, time: time))
      #expect(sample.velocity == spring.velocity(target: 1, time: time))
      #expect(sample.velocityResponse == spring.value(target: 0, initialVelocity: 1, time: time))
      #expect(
        sample.velocityResponseRate == spring.velocity(target: 0, initialVelocity: 1, time: time)
      )
    }
  }

  // Numbers: presets
  @Test func springAnimationsMeanTheirSprings() {
    let pairs: [(Animation, Spring)] = [
      (.spring, Spring(duration: 0.5, bounce: 0)),
      (.spring(response: 0.5, dampingFraction: 0.825), Spring(response: 0.5, dampingRatio: 0.825)),
      (.smooth(extraBounce: 0.1), Spring(duration: 0.5, bounce: 0.1)),
      (.snappy, Spring(duration: 0.5, bounce: 0.15)),
      (.bouncy(duration: 1), Spring(duration: 1, bounce: 0.3)),
      (.interactiveSpring, Spring(duration: 0.15, bounce: 0.15)),
      (.interactiveSpring(extraBounce: 0.1), Spring(duration: 0.15, bounce: 0.25)),
      (
        .interactiveSpring(response: 0.15, dampingFraction: 0.86),
        Spring(response: 0.15, dampingRatio: 0.86)
      ),
      (
        .interpolatingSpring(stiffness: 100, damping: 40),
        Spring(stiffness: 100, damping: 40, allowOverDamping: true)
      ),
    ]
    for (animation, spring) in pairs {
      #expect(animation.sample(at: 0.123).value == spring.value(target: 1, time: 0.123))
    }
  }

  // Numbers: interpolatingSpring
  @Test func aSpringsOwnVelocityIsAShareOfTheChange() {
    let thrown = Animation.interpolatingSpring(stiffness: 100, damping: 10, initialVelocity: 5)
    let spring = Spring(stiffness: 100, damping: 10)
    let expected = spring.value(target: 1, initialVelocity: 5, time: 0.1)
    #expect(thrown.sample(at: 0.1).value.isClose(to: expected))
    #expect(thrown.sample(at: 0).velocity.isClose(to: 5))
  }

  // Numbers: completion
  @Test func logicalCompletionComesBeforeRemoval() {
    let spring = Animation.spring(duration: 0.5, bounce: 0.3)
    #expect(!spring.sample(at: 0.499).isLogicallyComplete)
    #expect(spring.sample(at: 0.5).isLogicallyComplete)
    #expect(!spring.sample(at: 0.5).isFinished)
    #expect(spring.logicallyComplete(after: 0.2).sample(at: 0.2).isLogicallyComplete)
    #expect(spring.logicallyComplete(after: 9).sample(at: 0.5).isLogicallyComplete)
    // This one swings for ever, and is shown once.
    let endless = Animation.spring(duration: 0.5, bounce: 1).repeatCount(1)
    #expect(!endless.sample(at: 0.499).isLogicallyComplete)
    #expect(endless.sample(at: 0.5).isLogicallyComplete)
    #expect(!Animation.linear(duration: 1).sample(at: 0.99).isLogicallyComplete)
    #expect(
      Animation.linear(duration: 1).logicallyComplete(after: 0.3).delay(1)
        .sample(at: 1.3).isLogicallyComplete
    )
  }

  // R31
  @Test(arguments: [0, -1, Double.infinity, -Double.infinity, .nan])
  func aDurationThatIsNoneChangesAtOnce(_ duration: Double) {
    let animations: [Animation] = [
      .linear(duration: duration), .easeInOut(duration: duration),
      .timingCurve(0.1, 2, 0.3, 4, duration: duration), .spring(duration: duration),
      .spring(response: duration), .smooth(duration: duration),
      .linear(duration: duration).repeatForever(), .linear(duration: duration).repeatCount(3),
      .linear(duration: duration).speed(2),
    ]
    for animation in animations {
      let sample = animation.sample(at: 0)
      #expect(sample.isFinished && sample.isLogicallyComplete && sample.value == 1)
    }
  }

  // R31
  @Test func nonsenseNeverTraps() {
    let numbers: [Double] = [
      0, -1, 1e300, -1e300, .infinity, -.infinity, .nan, .leastNonzeroMagnitude,
    ]
    for number in numbers {
      let animations: [Animation] = [
        .linear.delay(number), .linear.speed(number), .spring.delay(number).speed(number),
        .linear.logicallyComplete(after: number), .spring(duration: 0.5, bounce: number),
        .interpolatingSpring(mass: number, stiffness: number, damping: number),
        .interpolatingSpring(duration: 1, bounce: 0, initialVelocity: number),
        .linear.repeatCount(-1), .linear.repeatCount(.max), .linear.repeatCount(.min),
        .linear.speed(number).repeatForever(), .linear(duration: number).delay(number),
      ]
      for animation in animations {
        for time in [-1, 0, 0.1, 1e300, -.infinity, .infinity, .nan] {
          let sample = animation.sample(at: time)
          #expect(!sample.value.isNaN && !sample.velocity.isNaN, "\(animation) at \(time)")
        }
      }
    }
  }

  @Test func nothingMovesBeforeTheStart() {
    #expect(Animation.spring.sample(at: -1).value == 0)
    #expect(Animation.linear.delay(1).sample(at: 0.999).value == 0)
    #expect(Animation.linear(duration: 1).delay(-0.5).sample(at: 0).value == 0.5)
    #expect(!Animation.linear.speed(0).sample(at: 1e9).isFinished)
  }

  @Test func derivativesAreSlopes() {
    forEachSeed(300) { random in
      let animation = Animation.spring(random.spring()).speed(random.double(in: 0.5...2))
        .delay(random.double(in: 0...0.1))
      let time = random.double(in: 0.11...0.3)
      let (before, after) = (animation.sample(at: time - 1e-6), animation.sample(at: time + 1e-6))
      let sample = animation.sample(at: time)
      guard !after.isFinished else { return }
      #expect(
        sample.velocity.isClose(to: (after.value - before.value) / 2e-6, within: 1e-5),
        "\(random)"
      )
      let slope = (after.velocityResponse - before.velocityResponse) / 2e-6
      #expect(sample.velocityResponseRate.isClose(to: slope, within: 1e-5), "\(random)")
    }
  }

  @Test func samplesMixValuesOfAnyType() {
    let sample = Animation.linear(duration: 1).sample(at: 0.25)
    #expect(sample.value(from: 10.0, to: 20) == 12.5)
    let pair = sample.value(from: AnimatablePair(0.0, Float(4)), to: AnimatablePair(1, 8))
    #expect(pair == AnimatablePair(0.25, 5))
    let spring = Animation.spring(duration: 0.5).sample(at: 0.1)
    #expect(
      spring.value(from: 0.0, to: 1, initialVelocity: 2).isClose(
        to: Spring().value(target: 1, initialVelocity: 2, time: 0.1)
      )
    )
  }

  @Test func customAnimationsAreAskedAtTheirOwnTime() {
    let animation = Animation(Step(at: 0.5)).delay(1)
    #expect(animation.sample(at: 1.49).value == 0)
    #expect(animation.sample(at: 1.51).value == 1)
    #expect(!animation.sample(at: 1.49).isFinished)
    #expect(animation.sample(at: 1.500_001).isFinished)
    #expect(Animation(Step(at: 1)).repeatCount(2).sample(at: 1.999).value == 0)
  }

  @Test func customAnimationsCanBeBuiltOnOthers() {
    let animation = Animation(Doubled(base: .linear(duration: 1)))
    #expect(animation.sample(at: 0.25).value == 0.5)
    #expect(animation.sample(at: 0.25).velocity.isClose(to: 2))
    #expect(animation.sample(at: 0.8).isLogicallyComplete)
    #expect(!animation.sample(at: 0.8).isFinished)
    #expect(animation.sample(at: 1).isFinished)
  }
}

/// Twice what another animation does, complete after half a second.
private struct Doubled: CustomAnimation {
  var base: Animation

  func animate<V: VectorArithmetic>(
    value: V,
    time: Double,
    context: inout AnimationContext<V>
  ) -> V? {
    let part = base.animate(value: value, time: time, context: &context)
    context.isLogicallyComplete = time >= 0.5
    return part?.scaled(by: 2)
  }
}
