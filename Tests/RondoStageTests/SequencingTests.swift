// Steps after and beside one another: SU1 to SU7.

import RondoSeededRandomness
import Dispatch
import RondoScheduling
import RondoStage
import Testing

@MainActor
@Suite struct SequencingTests {
  let scheduler: TestSchedulerOf<DispatchQueue>
  let performer: Performer
  let label: Sprite
  let button: Sprite

  init() {
    scheduler = DispatchQueue.test
    performer = Performer(scheduler: scheduler)
    label = Sprite("label", performer: performer, alpha: 0)
    button = Sprite("button", performer: performer, alpha: 0)
  }

  /// When a value that starts at 0 is seen to move, by whole seconds.
  private func moving(_ seconds: ClosedRange<Int>, _ value: (Duration) -> Double) -> [Int] {
    seconds.filter { second in
      scheduler.advance(to: .init(.init(uptimeNanoseconds: UInt64(second) * 1_000_000_000 + 1)))
      let now = Duration.seconds(second)
      return value(now) != value(now + .milliseconds(500))
    }
  }

  // SU1
  @Test func stepsRunInSequence() {
    label.animate([.fadeIn(duration: 3), .move(byX: 0, y: 50, duration: 3)])
    var alphas: [Int] = []
    let ys = moving(0...8) { now in
      if label.alpha(at: now) != label.alpha(at: now + .milliseconds(500)) {
        alphas.append(Int(now.components.seconds))
      }
      return label.frame(at: now).y
    }
    #expect(Set(alphas) == [0, 1, 2])
    #expect(ys == [3, 4, 5])
    #expect(label.frame == Rect(x: 0, y: 50, width: 0, height: 0) && label.alpha == 1)
  }

  // SU1
  @Test func inParallelEndsWithTheLongest() {
    let log = Log()
    let token = label.animate(
      inParallel: .fadeIn(duration: 3),
      .move(byX: 5, y: 0, duration: 1)
    )
    token.perform { log.add("end") }
    scheduler.advance(by: .milliseconds(2_999))
    #expect(log.entries == [])
    scheduler.advance(by: .milliseconds(1))
    #expect(log.entries == ["end"])
  }

  // SU2
  @Test func theSecondStartsWhenTheFirstHasEnded() {
    animate([
      label.animate([.fadeIn(duration: 3), .move(byX: 0, y: 50, duration: 3)]),
      button.animate([.fadeIn(duration: 3)]),
    ])
    #expect(moving(0...10) { button.alpha(at: $0) } == [6, 7, 8])
  }

  // SU2
  @Test func aGroupOfTwoPerformersKeepsTheTimeOfEach() {
    scheduler.advance(by: .seconds(5))
    // Its time begins five seconds later.
    let other = Performer(scheduler: scheduler)
    let icon = Sprite("icon", performer: other, alpha: 0)
    animate([label.animate([.fadeIn(duration: 1)]), icon.animate([.fadeIn(duration: 2)])])
    scheduler.advance(by: .seconds(2))
    #expect(label.alpha(at: performer.now) == 1)
    #expect(other.now == .seconds(2) && icon.alpha(at: other.now) == 0.5)
    animate(inParallel: [
      icon.animate([.fadeOut(duration: 2)]), label.animate([.fadeOut(duration: 2)]),
    ])
    scheduler.advance(by: .seconds(1))
    #expect(icon.alpha(at: other.now) > 0.25 && label.alpha(at: performer.now) == 0.5)
  }

  // SU3
  @Test func aTokenThatNobodyCapturesPerformsItselfWhenReleased() {
    label.animate(.fadeIn(duration: 1))
    #expect(label.alpha == 1)
    var token: SpriteToken? = button.animate(.fadeIn(duration: 1))
    #expect(button.alpha == 0)
    _ = token
    token = nil
    #expect(button.alpha == 1)
  }

  // SU3
  @Test func aTokenPerformsOnce() {
    var token: SpriteToken? = label.animate(.move(byX: 10, y: 0, duration: 1))
    token?.perform()
    token?.perform()
    animate(token!)
    token = nil
    scheduler.advance(by: .seconds(10))
    #expect(label.frame.x == 10)
  }

  // SU4
  @Test func emptyListsCompleteAtOnce() {
    let log = Log()
    animate([]) { log.add("none") }
    animate(inParallel: [SpriteToken]()) { log.add("none in parallel") }
    animate(label.animate([])) { log.add("empty") }
    #expect(log.entries == ["none", "none in parallel", "empty"])
  }

  // SU4
  @Test func variadicAndArrayFormsAgree() {
    animate([label.animate([.fadeIn(duration: 1), .fadeOut(duration: 1)])])
    animate(button.animate(.fadeIn(duration: 1), .fadeOut(duration: 1)))
    for step in 0..<5 {
      let now = Duration.milliseconds(500 * step)
      #expect(label.alpha(at: now) == button.alpha(at: now))
      scheduler.advance(by: .milliseconds(500))
    }
  }

  // SU4
  @Test func withoutAGroupTwoViewsStartTogether() {
    label.animate(.fadeIn(duration: 1))
    button.animate(.fadeIn(duration: 1))
    #expect(label.alpha(at: .half) == 0.5 && button.alpha(at: .half) == 0.5)
  }

  // SU5
  @Test func nestingAddsUp() {
    func step(_ duration: Double) -> Choreography { .step(duration: duration) { _ in } }
    let whole = Choreography.sequence(
      .parallel(step(1), step(3)),
      .sequence(step(1), step(1)),
      .parallel(.sequence(step(1), step(2)), step(2))
    )
    #expect(whole.duration == 8)
    let log = Log()
    performer.perform(whole) { log.add("end") }
    scheduler.advance(by: .milliseconds(7_999))
    #expect(log.entries == [])
    scheduler.advance(by: .milliseconds(1))
    #expect(log.entries == ["end"])
  }

  // SU5
  @Test func anyNumberOfStepsEndAtOnce() {
    let log = Log()
    let steps = (1...100_000).map { step in
      Choreography.step(duration: 0) { _ in if step % 50_000 == 0 { log.add("\(step)") } }
    }
    performer.perform(.sequence(steps)) { log.add("end") }
    #expect(log.entries == ["50000", "100000", "end"])
  }

  // SU5
  @Test func durationsOfRandomChoreographiesAreTheirEnds() {
    forEachSeed(50) { random in
      func make(_ depth: Int, _ random: inout Randomness) -> Choreography {
        guard depth > 0, random.int(in: 0..<4) > 0 else {
          return .step(duration: Double(random.int(in: 0..<4))) { _ in }
        }
        let parts = (0..<random.int(in: 0..<4)).map { _ in make(depth - 1, &random) }
        return random.bool() ? .sequence(parts) : .parallel(parts)
      }
      let choreography = make(4, &random)
      let scheduler = DispatchQueue.test
      let performer = Performer(scheduler: scheduler)
      var end: Duration?
      performer.perform(choreography) { end = performer.now }
      scheduler.advance(by: .seconds(1_000))
      #expect(end == .seconds(choreography.duration), "\(random)")
    }
  }

  // SU6
  @Test func movesAreRelativeAndTakeEffectWhenTheirStepStarts() {
    label.animate(.move(byX: 10, y: 0, duration: 1), .move(byX: 5, y: 0, duration: 1))
    #expect(label.frame.x == 10)
    label.setFrame(Rect(x: 100, y: 0, width: 0, height: 0), animation: nil, at: .zero)
    scheduler.advance(by: .seconds(1))
    #expect(label.frame.x == 105)
  }

  // SU6
  @Test func stepsTakeThreeTenthsUnlessToldOtherwise() {
    label.animate(.fadeIn(), .fadeOut())
    scheduler.advance(by: .milliseconds(299))
    #expect(label.alpha == 1)
    scheduler.advance(by: .milliseconds(1))
    #expect(label.alpha == 0)
  }

  // SU7
  @Test func droppingAPendingGroupCancelsIt() {
    var tokens = [label.animate(.fadeIn(duration: 1)), button.animate(.fadeIn(duration: 1))]
    var group: SpriteToken? = .sequence(tokens)
    _ = group
    group = nil
    scheduler.advance(by: .seconds(10))
    #expect(label.alpha == 0 && button.alpha == 0)
    tokens = []
    #expect(tokens.isEmpty)
    scheduler.advance(by: .seconds(10))
    #expect(label.alpha == 0 && button.alpha == 0)
  }

  // SU7
  @Test func cancellingARunningGroupStopsWhatRemains() {
    let performance = animate(
      label.animate(.fadeIn(duration: 1)),
      button.animate(.fadeIn(duration: 1))
    )
    scheduler.advance(by: .milliseconds(500))
    performance?.cancel()
    scheduler.advance(by: .seconds(10))
    #expect(label.alpha == 1 && button.alpha == 0)
  }

  @Test func aCompletionRunsOnceAlsoWhenItsPerformanceIsCancelled() {
    let log = Log()
    let performance = animate(
      label.animate(.fadeIn(duration: 1)), button.animate(.fadeIn(duration: 1))
    ) { log.add("completion") }
    scheduler.advance(by: .milliseconds(500))
    performance?.cancel()
    performance?.cancel()
    #expect(log.entries == ["completion"])
    scheduler.advance(by: .seconds(10))
    #expect(log.entries == ["completion"])
    #expect(performance?.isCancelled == true)
  }

  @Test func cancellingAPerformanceThatIsOverDoesNothing() {
    let log = Log()
    let performance = label.animate(.fadeIn(duration: 1)).perform { log.add("completion") }
    scheduler.advance(by: .seconds(1))
    performance?.cancel()
    #expect(log.entries == ["completion"])
  }

  @Test func aCompletionRunsOnceAlsoWhenItsSchedulerDropsTheWork() {
    let log = Log()
    Performer(scheduler: NeverScheduler()).perform(.step(duration: 1) { _ in }) {
      log.add("completion")
    }
    #expect(log.entries == ["completion"])
  }
}

/// A scheduler that drops all work, as one that is being shut down does.
private struct NeverScheduler: Scheduler {
  typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
  typealias SchedulerOptions = Never

  var now: SchedulerTimeType { SchedulerTimeType(.init(uptimeNanoseconds: 1)) }
  var minimumTolerance: SchedulerTimeType.Stride { .zero }

  func schedule(options: Never?, _ work: @escaping @Sendable () -> Void) {}

  func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: Never?,
    _ work: @escaping @Sendable () -> Void
  ) {}

  func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: Never?,
    _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable { AnyCancellable {} }
}
