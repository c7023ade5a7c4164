// Custom animations that go on in the place of others.

import RondoAnimation
import Testing

@Suite struct MergingTests {
  // S3
  @Test func anAnimationThatDoesNotMergeRunsOverTheOtherOne() {
    var x = AnimatedValue(0.0)
    x.set(10, animation: Animation(Even(merges: false)), at: .zero)
    x.set(20, animation: Animation(Even(merges: false)), at: .milliseconds(500))
    // The old one is at 7.5, and the new one a quarter of the way from there.
    #expect(x.value(at: .milliseconds(750)) == 10.625)
  }

  // S3
  @Test func oneThatMergesTakesOverTimeAndState() {
    var x = AnimatedValue(0.0)
    x.set(10, animation: Animation(Even(merges: true)), at: .zero)
    let span = x.set(20, animation: Animation(Even(merges: true)), at: .milliseconds(500))
    // It goes on from 5 and has half a second left.
    #expect(x.value(at: .milliseconds(500)) == 5)
    #expect(x.value(at: .milliseconds(750)) == 12.5)
    #expect(span?.begin == .milliseconds(500) && abs(span!.duration - 0.5) < 1e-6)
    #expect(x.value(at: .seconds(1)) == 20 && !x.isAnimating(at: .seconds(1)))
  }

  // S3
  @Test func manyMergesKeepTheirStateHoweverOftenTheyAreAsked() {
    var (asked, x) = (AnimatedValue(0.0), AnimatedValue(0.0))
    for step in 1...9 {
      let instant = Duration.milliseconds(step * 100)
      for other in 0..<step { _ = asked.value(at: .milliseconds(other * 100)) }
      asked.set(Double(step * step), animation: Animation(Even(merges: true)), at: instant)
      x.set(Double(step * step), animation: Animation(Even(merges: true)), at: instant)
    }
    for step in 9...12 {
      let instant = Duration.milliseconds(step * 100)
      #expect(asked.value(at: instant) == x.value(at: instant))
      #expect(asked.velocity(at: instant) == x.velocity(at: instant))
    }
    #expect(x.value(at: .seconds(3)) == 81)
  }

  // S3
  @Test func onlyAnimationsOfTheSameTypeMerge() {
    var x = AnimatedValue(0.0)
    x.set(10, animation: .linear(duration: 1), at: .zero)
    x.set(20, animation: Animation(Even(merges: true)), at: .milliseconds(500))
    #expect(x.value(at: .milliseconds(750)) == 10.625)
    #expect(x.value(at: .milliseconds(1_500)) == 20)
  }

  @Test func anAnimationKnowsItsAlgorithm() {
    #expect(Animation(Even(merges: true)).delay(1).base as? Even == Even(merges: true))
    var context = AnimationContext<Double>()
    let base = Animation.linear(duration: 1).base
    #expect(base.animate(value: 8.0, time: 0.25, context: &context) == 2)
    #expect(base.animate(value: 8.0, time: 1, context: &context) == nil)
  }
}

/// Takes a second, at an even pace; when it merges, for the rest of the way in the rest of the time.
private struct Even: CustomAnimation {
  var merges: Bool

  func animate<V: VectorArithmetic>(
    value: V, time: Double, context: inout AnimationContext<V>
  ) -> V? {
    guard time < 1 else { return nil }
    let begun = context.state[Begun<V>.self]
    return begun.value
      + (value - begun.value).scaled(by: (time - begun.time) / (1 - begun.time))
  }

  func shouldMerge<V: VectorArithmetic>(
    previous: Animation, value: V, time: Double, context: inout AnimationContext<V>
  ) -> Bool {
    guard merges, previous.base is Even else { return false }
    let shown = previous.base.animate(value: value, time: time, context: &context)
    context.state[Begun<V>.self] = Begun(value: shown ?? value, time: time)
    return true
  }
}

private struct Begun<V: VectorArithmetic>: AnimationStateKey {
  var value = V.zero
  var time = 0.0

  static var defaultValue: Self { Self() }
}
