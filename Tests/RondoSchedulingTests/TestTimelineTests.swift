// One line of time for a clock, a scheduler and the date.

import Dispatch
import Foundation
import RondoCompatibility
import Testing

@testable import RondoScheduling

@Suite(.timeLimit(.minutes(20))) struct TestTimelineTests {
  let timeline = TestTimeline()
  let log = Log<String>()

  // R23
  @Test func clockSchedulersAndDateGoTogether() {
    timeline.advance(by: .milliseconds(1_500))
    #expect(timeline.clock.now.offset == .milliseconds(1_500))
    #expect(timeline.scheduler.now == DispatchQueue.test.now.advanced(by: 1.5))
    #expect(timeline.date == Date(timeIntervalSinceReferenceDate: 1.5))
    #expect(timeline.runLoopScheduler.now.date == timeline.date)
    #expect(timeline.operationQueueScheduler.now.date == timeline.date)
  }

  // R23
  @Test func oneAdvanceRunsEverythingInOrderOfInstantThenOfScheduling() {
    timeline.runLoopScheduler.schedule(after: SchedulerDate(timeline.date + 2)) { log.append("d") }
    let scheduler = timeline.scheduler
    scheduler.schedule(after: scheduler.now.advanced(by: 1)) { log.append("a") }
    timeline.runLoopScheduler.schedule(after: SchedulerDate(timeline.date + 1)) { log.append("b") }
    scheduler.schedule(after: scheduler.now.advanced(by: 1)) { log.append("c") }
    timeline.advance(by: .seconds(2))
    #expect(log.entries == ["a", "b", "c", "d"])
  }

  // R23
  @Test func aClockAndASchedulerOfOneTimelineTakeTurns() async throws {
    let clock = timeline.clock
    let scheduler = timeline.scheduler
    let task = Task {
      for second in [1, 3] {
        try await clock.sleep(until: .init(offset: .seconds(second)))
        log.append("clock \(second)")
      }
    }
    for second in [2, 4] {
      scheduler.schedule(after: scheduler.now.advanced(by: .seconds(second))) {
        log.append("scheduler \(second)")
      }
    }
    try await timeline.untilWaiting(3)
    await timeline.advance(by: .seconds(1))
    try await timeline.untilWaiting(3)
    await timeline.advance(by: .seconds(2))
    try await task.end
    await timeline.advance(by: .seconds(1))
    #expect(log.entries == ["clock 1", "scheduler 2", "clock 3", "scheduler 4"])
  }

  // R23
  @Test func timeCanBeMovedOneDueInstantAtATime() {
    let scheduler = timeline.scheduler
    for second in [1, 1, 5] {
      scheduler.schedule(after: scheduler.now.advanced(by: .seconds(second))) {
        log.append("\(second)")
      }
    }
    #expect(timeline.nextDueInstant == .init(offset: .seconds(1)))
    #expect(timeline.advanceToNextDue())
    #expect(log.entries == ["1", "1"])
    #expect(timeline.nextDueInstant == .init(offset: .seconds(5)))
    #expect(timeline.advanceToNextDue())
    #expect(!timeline.advanceToNextDue())
    #expect(timeline.now == .init(offset: .seconds(5)))
  }

  // R23
  @Test func whatWaitsCanBeListed() {
    let scheduler = timeline.scheduler
    let repetition = scheduler.schedule(after: scheduler.now.advanced(by: 2), interval: 1) {}
    scheduler.schedule(after: scheduler.now.advanced(by: 1)) {}
    #expect(timeline.waiting.map(\.kind) == [.work, .repetition])
    #expect(timeline.waiting.map(\.due.offset) == [.seconds(1), .seconds(2)])
    repetition.cancel()
  }

  // R23
  @Test func timeEndsWithoutATrap() {
    timeline.advance(by: .seconds(Int64.max))
    timeline.advance(by: Duration(attoseconds: .max))
    timeline.advance(by: Duration(attoseconds: .max))
    #expect(timeline.elapsed == Duration(attoseconds: .max))
    _ = timeline.date
    _ = timeline.scheduler.now
    _ = timeline.runLoopScheduler.now
  }

  // R14
  @Test func aOneShotThatIsCancelledLeavesNothingBehind() {
    let scheduler = timeline.scheduler
    let shot = scheduler.scheduleOnce(after: scheduler.now.advanced(by: 1)) { log.append("shot") }
    shot.cancel()
    #expect(timeline.waiting.isEmpty)
    timeline.advance(by: .seconds(10))
    #expect(log.entries == [])
  }

  // R14
  @Test func aOneShotRunsOnceAndLeavesNothingBehind() {
    let scheduler = timeline.scheduler
    let shot = scheduler.scheduleOnce(after: scheduler.now.advanced(by: 1)) { log.append("shot") }
    timeline.advance(by: .seconds(1_000_000))
    #expect(log.entries == ["shot"])
    #expect(timeline.waiting.isEmpty)
    shot.cancel()
  }
}
