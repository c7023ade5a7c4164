// The clocks that no test moves, and the timer on any clock.

import RondoCompatibility
import RondoScheduling
import Testing

@Suite(.timeLimit(.minutes(20))) struct ClockTests {
  // R23
  @Test func anImmediateClockMovesToTheDeadline() async throws {
    let clock = ImmediateClock()
    try await clock.sleep(for: .seconds(60))
    try await clock.sleep(for: .seconds(60))
    #expect(clock.now.offset == .seconds(120))
  }

  // R23
  @Test func anImmediateClockHeedsCancellation() async {
    let task = Task {
      while true { try await ImmediateClock().sleep(for: .seconds(1)) }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.end }
  }

  // R23
  @Test func anUnimplementedClockNamesItself() async {
    let clock = UnimplementedClock("Timer.clock")
    let issues = await captureIssues {
      await #expect(throws: CancellationError.self) {
        try await clock.sleep(until: .init(offset: .seconds(1)))
      }
    }
    #expect(
      issues.map(\.message) == [
        """
        The unimplemented clock "Timer.clock" was used. \
        A task was to sleep on it, and has been ended. \
        Hand in a test or an immediate clock if this use is meant.
        """
      ]
    )
  }

  // R23
  @Test func anErasedClockIsTheOneUnderneath() async throws {
    let base = TestClock()
    base.timeline.moveForwards(by: .seconds(5))
    let clock = AnyClock(base)
    #expect(clock.now.offset == .zero)
    let task = Task {
      try await clock.sleep(until: clock.now.advanced(by: .seconds(2)))
      return base.now.offset
    }
    try await base.timeline.untilWaiting()
    await base.advance(by: .seconds(2))
    #expect(try await task.end == .seconds(7))
    #expect(clock.now.offset == .seconds(2))
  }

  // R23
  @Test func aTimerTicksAtItsInterval() async throws {
    let clock = TestClock()
    let log = Log<Duration>()
    let task = Task {
      for await instant in clock.timer(interval: .seconds(1)).prefix(3) {
        log.append(instant.offset)
      }
    }
    for _ in 1...3 {
      try await clock.timeline.untilWaiting()
      await clock.advance(by: .seconds(1))
    }
    try await task.end
    await clock.advance(by: .seconds(7))
    #expect(log.entries == [.seconds(1), .seconds(2), .seconds(3)])
  }

  // R23
  @Test func aTimerThatIsLateTicksOnceAndKeepsItsPace() async throws {
    let clock = TestClock()
    let log = Log<Duration>()
    let bePastTicks = { clock.timeline.advance(by: .milliseconds(4_500)) }
    let task = Task {
      for await instant in clock.timer(interval: .seconds(1)).prefix(4) {
        log.append(instant.offset)
        if instant.offset == .seconds(1) { bePastTicks() }
      }
    }
    for step in [1000, 500, 1000] {
      try await clock.timeline.untilWaiting()
      await clock.advance(by: .milliseconds(step))
    }
    try await task.end
    #expect(log.entries == [.seconds(1), .milliseconds(5_500), .seconds(6), .seconds(7)])
  }

  // R23
  @Test func aTimerEndsWithItsTask() async throws {
    let clock = TestClock()
    let task = Task {
      for await _ in clock.timer(interval: .seconds(1)) {}
    }
    for _ in 1...3 {
      try await clock.timeline.untilWaiting()
      await clock.advance(by: .seconds(1))
    }
    try await clock.timeline.untilWaiting()
    task.cancel()
    try await task.end
    #expect(clock.timeline.nextDueInstant == nil)
  }

  // R31
  @Test func aTimerWithoutAnIntervalIsAnIssueAndHasNoTicks() async {
    let issues = await captureIssues {
      for await _ in TestClock().timer(interval: .zero) {}
    }
    #expect(
      issues.map(\.message) == [
        """
        A timer was asked to tick at an interval of zero or less. \
        It has no ticks; pass a positive interval.
        """
      ]
    )
  }

  // R25
  @Test func instantsOfAnErasedClockStopAtTheEndOfTime() async {
    let base = TestClock()
    let clock = AnyClock(base)
    await base.advance(by: .seconds(1))
    let end = clock.now.advanced(by: Duration(attoseconds: .max))
    #expect(end.offset == Duration(attoseconds: .max))
    let beginning = clock.now.advanced(by: Duration(attoseconds: .min))
    #expect(beginning.duration(to: end) == Duration(attoseconds: .max))
  }
}
