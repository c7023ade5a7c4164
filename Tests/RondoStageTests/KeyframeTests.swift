// Keyframes and phases.

import RondoStage
import Testing

@Suite struct KeyframeTests {
  private struct Values {
    var angle = Angle.zero
    var scale = 1.0
    var name = "plain"
  }

  private func isClose(_ one: Double, _ other: Double) -> Bool { abs(one - other) < 1e-9 }

  // S3
  @Test func linearKeyframesAreReachedAtAnEvenPace() {
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      LinearKeyframe(10, duration: 1)
      MoveKeyframe(100)
      LinearKeyframe(0, duration: 2, timingCurve: .easeInOut)
    }
    #expect(timeline.duration == 3)
    #expect(timeline.value(time: -1) == 0 && timeline.value(time: 0.25) == 2.5)
    #expect(timeline.value(time: 1) == 100 && timeline.value(time: 2) == 50)
    #expect(timeline.value(time: 3) == 0 && timeline.value(progress: 0.5) > 50)
    #expect(timeline.value(time: .infinity) == 0)
  }

  // S3
  @Test func cubicKeyframesAreASmoothSpline() {
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      CubicKeyframe(10, duration: 1)
      CubicKeyframe(20, duration: 1)
      CubicKeyframe(0, duration: 2)
    }
    #expect(isClose(timeline.value(time: 1), 10) && isClose(timeline.value(time: 2), 20))
    // Catmull and Rom: the velocity at a keyframe is that from the one before to the one behind.
    for (time, velocity) in [(0.0, 0.0), (1, 10), (2, -10.0 / 3), (4, 0)] {
      let step = 1e-6
      let (before, after) = (max(0, time - step), min(4, time + step))
      let slope = (timeline.value(time: after) - timeline.value(time: before)) / (after - before)
      #expect(abs(slope - velocity) < 1e-3, "at \(time): \(slope)")
    }
  }

  // S3
  @Test func cubicKeyframesTakeTheirVelocitiesFromTheirNeighbours() {
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      LinearKeyframe(10, duration: 1)
      CubicKeyframe(20, duration: 1, endVelocity: 5)
    }
    let step = 1e-6
    #expect(abs((timeline.value(time: 1 + step) - timeline.value(time: 1)) / step - 10) < 1e-3)
    #expect(abs((timeline.value(time: 2) - timeline.value(time: 2 - step)) / step - 5) < 1e-3)
  }

  // S3
  @Test func springKeyframesGoOnWithTheirVelocity() {
    let spring = Spring(duration: 0.5, bounce: 0.3)
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      LinearKeyframe(10, duration: 1)
      SpringKeyframe(0, spring: spring)
    }
    #expect(timeline.duration == 1 + spring.settlingDuration)
    let way: Double = spring.value(target: -10, initialVelocity: 10, time: 0.2)
    #expect(isClose(timeline.value(time: 1.2), 10 + way))
    #expect(timeline.value(time: timeline.duration) == 0)
  }

  // S3
  @Test func tracksChangeTheirProperties() {
    let timeline = KeyframeTimeline(initialValue: Values()) {
      KeyframeTrack(\.angle) { LinearKeyframe(.degrees(90), duration: 1) }
      KeyframeTrack(\.scale) {
        for size in [2.0, 1] { LinearKeyframe(size, duration: 1) }
      }
    }
    let value = timeline.value(time: 0.5)
    #expect(isClose(value.angle.degrees, 45) && value.scale == 1.5 && value.name == "plain")
    #expect(timeline.duration == 2 && isClose(timeline.value(time: 1.5).angle.degrees, 90))
  }

  // S3
  @Test func nonsenseTakesNoTime() {
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      LinearKeyframe(1, duration: -.infinity)
      CubicKeyframe(2, duration: .nan)
      SpringKeyframe(3, duration: 0)
    }
    #expect(timeline.duration == 0 && timeline.value(time: 0) == 3)
    #expect(KeyframeTimeline(initialValue: 7.0) { KeyframeTrack {} }.value(time: 1) == 7)
  }
}

@Suite struct AnimatorTests {
  private func x(_ stage: Stage, _ milliseconds: Int) -> Double? {
    stage.frame(at: .milliseconds(milliseconds)).nodes.last?.frame.x
  }

  // S3
  @Test func phasesFollowOneAnotherWhenATriggerChanges() {
    let stage = Stage()
    func tree(_ trigger: Int) -> Node {
      Node.text("A").phaseAnimator([0.0, 8, 4], trigger: trigger) {
        $0.offset(x: $1)
      } animation: {
        .linear(duration: $0 == 8 ? 1 : 2)
      }
    }
    stage.commit(tree(0), at: .zero)
    #expect(!stage.isAnimating && x(stage, 500) == 0)
    stage.commit(tree(1), at: .zero)
    #expect(x(stage, 500) == 4 && x(stage, 1_000) == 8 && x(stage, 2_000) == 6)
    #expect(x(stage, 3_000) == 4 && x(stage, 4_000) == 2 && x(stage, 5_000) == 0)
    // Seeking shows the same.
    #expect(x(stage, 500) == 4)
    stage.advance(to: .seconds(5))
    #expect(!stage.isAnimating && x(stage, 6_000) == 0)
  }

  // S3
  @Test func phasesRepeatWithoutATrigger() {
    let stage = Stage()
    stage.commit(
      Node.text("A").phaseAnimator([0.0, 8]) {
        $0.offset(x: $1)
      } animation: { _ in
        .linear(duration: 1)
      }, at: .seconds(10))
    for (milliseconds, shown) in [(10_500, 4.0), (11_000, 8), (11_250, 6), (3_610_500, 4)] {
      #expect(x(stage, milliseconds) == shown)
    }
    #expect(stage.isAnimating)
    stage.commit(Node.empty, at: .seconds(20))
    stage.advance(to: .seconds(21))
    #expect(!stage.isAnimating)
  }

  // S3
  @Test func phasesWithoutAnEndAreDrawnInBoundedNumber() {
    let stage = Stage()
    var count = 0
    stage.commit(
      Node.text("A").phaseAnimator([0.0, 8]) {
        count += 1
        return $0.offset(x: $1)
      } animation: { _ in
        .linear(duration: 1).repeatForever().logicallyComplete(after: 0.1)
      }, at: .zero)
    func drawn(_ seconds: Int) -> Int {
      count = 0
      _ = x(stage, seconds * 1_000)
      return count
    }
    #expect(drawn(3_600) == drawn(60))
  }

  // S3
  @Test func aPhaseWhoseSpringStillSwingsGoesOnSmoothly() {
    let stage = Stage()
    stage.commit(
      Node.text("A").phaseAnimator([0.0, 8, 2]) {
        $0.offset(x: $1)
      } animation: { _ in
        .bouncy
      }, at: .zero)
    var before = x(stage, 0)!
    for milliseconds in 1...4_000 {
      let now = x(stage, milliseconds)!
      #expect(abs(now - before) < 0.2, "at \(milliseconds)")
      before = now
    }
  }

  // S3
  @Test func aPhaseWhoseAnimationDoesNotEndStays() {
    let stage = Stage()
    stage.commit(
      Node.text("A").phaseAnimator([0.0, 8, 100]) {
        $0.offset(x: $1)
      } animation: { _ in
        .linear(duration: 1).repeatForever()
      }, at: .zero)
    #expect(x(stage, 500) == 4 && x(stage, 1_250) == 6 && x(stage, 10_500) == 4)
  }

  // S3
  @Test func aPhaseWithoutAnAnimationJumps() {
    let stage = Stage()
    func tree(_ trigger: Int) -> Node {
      Node.text("A").phaseAnimator([0.0, 8, 4], trigger: trigger) {
        $0.offset(x: $1)
      } animation: {
        $0 == 8 ? nil : .linear(duration: 1)
      }
    }
    stage.commit(tree(0), at: .zero)
    stage.commit(tree(1), at: .zero)
    #expect(x(stage, 0) == 8 && x(stage, 500) == 6)
  }

  // S3
  @Test func keyframesPlayWhenATriggerChanges() {
    let stage = Stage()
    func tree(_ trigger: Int) -> Node {
      Node.text("A").keyframeAnimator(initialValue: 0.0, trigger: trigger) {
        $0.offset(x: $1)
      } keyframes: { _ in
        LinearKeyframe(8, duration: 1)
        LinearKeyframe(6, duration: 1)
      }
    }
    stage.commit(tree(0), at: .zero)
    #expect(x(stage, 500) == 0)
    stage.commit(tree(1), at: .zero)
    #expect(x(stage, 500) == 4 && x(stage, 1_500) == 7)
    stage.advance(to: .seconds(3))
    #expect(!stage.isAnimating && x(stage, 3_000) == 6)
    // The next run goes on from where the last one has ended, and so does one in the middle of it.
    stage.commit(tree(2), at: .seconds(4))
    #expect(x(stage, 4_000) == 6 && x(stage, 4_500) == 7)
    stage.commit(tree(3), at: .milliseconds(4_500))
    #expect(x(stage, 4_500) == 7 && x(stage, 5_000) == 7.5)
  }

  // S3
  @Test(arguments: [true, false])
  func keyframesPlayFromTheBeginning(_ repeats: Bool) {
    let stage = Stage()
    stage.commit(
      Node.text("A").keyframeAnimator(initialValue: 0.0, repeating: repeats) {
        $0.offset(x: $1)
      } keyframes: { _ in
        LinearKeyframe(8, duration: 1)
      }, at: .zero)
    #expect(x(stage, 500) == 4 && x(stage, 1_250) == (repeats ? 2 : 8))
    stage.advance(to: .seconds(2))
    #expect(stage.isAnimating == repeats)
  }
}
