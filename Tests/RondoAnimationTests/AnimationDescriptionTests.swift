// An animation prints as the call that makes it, and is equal to what was made alike.

import RondoAnimation
import Testing

@Suite struct AnimationDescriptionTests {
  @Test(arguments: [
    (Animation.default, ".default"),
    (.linear, ".linear"),
    (.linear(duration: 0.2), ".linear(duration: 0.2)"),
    (.easeIn, ".easeIn"),
    (.easeOut(duration: 1), ".easeOut(duration: 1)"),
    (.easeInOut(duration: 0.35), ".easeInOut"),
    (.timingCurve(0.1, -0.2, 0.3, 1.4), ".timingCurve(0.1, -0.2, 0.3, 1.4)"),
    (.timingCurve(0.1, 0, 0.3, 1, duration: 2), ".timingCurve(0.1, 0, 0.3, 1, duration: 2)"),
    (.timingCurve(.circularEaseIn, duration: 1), ".timingCurve(.circularEaseIn, duration: 1)"),
    (.spring, ".spring"),
    (.spring(), ".spring"),
    (.spring(duration: 0.4, bounce: 0.2), ".spring(duration: 0.4, bounce: 0.2)"),
    (
      .spring(response: 0.5, dampingFraction: 0.825),
      ".spring(response: 0.5, dampingFraction: 0.825)"
    ),
    (
      .spring(Spring(response: 1, dampingRatio: 0.5)),
      ".spring(Spring(response: 1, dampingRatio: 0.5))"
    ),
    (.smooth, ".smooth"),
    (.snappy(duration: 0.3), ".snappy(duration: 0.3)"),
    (.bouncy(extraBounce: 0.1), ".bouncy(extraBounce: 0.1)"),
    (.interactiveSpring, ".interactiveSpring"),
    (
      .interpolatingSpring(stiffness: 100, damping: 10),
      ".interpolatingSpring(stiffness: 100, damping: 10)"
    ),
    (
      .interpolatingSpring(mass: 2, stiffness: 100, damping: 10, initialVelocity: 3),
      ".interpolatingSpring(mass: 2, stiffness: 100, damping: 10, initialVelocity: 3)"
    ),
    (.interpolatingSpring, ".interpolatingSpring"),
    (.easeInOut(duration: 0.2).delay(0.5), ".easeInOut(duration: 0.2).delay(0.5)"),
    (.default.repeatCount(5).speed(3), ".default.repeatCount(5).speed(3)"),
    (.linear.repeatCount(2, autoreverses: false), ".linear.repeatCount(2, autoreverses: false)"),
    (.linear.repeatForever(), ".linear.repeatForever()"),
    (
      .linear.repeatForever(autoreverses: false),
      ".linear.repeatForever(autoreverses: false)"
    ),
    (.spring.logicallyComplete(after: 0.2), ".spring.logicallyComplete(after: 0.2)"),
  ])
  func readsLikeTheCall(_ animation: Animation, _ call: String) {
    #expect(animation.description == call)
  }

  @Test func equalWhenMadeAlike() {
    #expect(Animation.easeIn == .easeIn(duration: 0.35))
    #expect(Animation.spring == .spring(duration: 0.5, bounce: 0))
    #expect(Animation.linear.delay(1).speed(2) != Animation.linear.speed(2).delay(1))
    #expect(Animation.default != .easeInOut)
    #expect(Set([Animation.linear, .linear, .default]).count == 2)
  }

  @Test func customAnimationsCompareByValue() {
    #expect(Animation(Step(at: 1)) == Animation(Step(at: 1)))
    #expect(Animation(Step(at: 1)) != Animation(Step(at: 2)))
    #expect(Animation(Step(at: 1)).delay(2).description == "Animation(Step(at: 1.0)).delay(2)")
  }
}

/// Nothing until a moment, then everything.
struct Step: CustomAnimation {
  var at: Double

  func animate<V: VectorArithmetic>(
    value: V,
    time: Double,
    context: inout AnimationContext<V>
  ) -> V? {
    time < at ? .zero : nil
  }
}
