// The schedulers on which no time passes.

import Dispatch
import RondoAnimation
import RondoCompatibility
import RondoScheduling
import Testing

@Suite struct InlineSchedulerTests {
  // R21
  @Test func anImmediateSchedulerRunsEverythingAtOnce() {
    let scheduler = DispatchQueue.immediate
    let log = Log<Int>()
    let start = scheduler.now
    scheduler.schedule { log.append(1) }
    scheduler.schedule(after: start.advanced(by: 1_000)) { log.append(2) }
    let repetition = scheduler.schedule(after: start.advanced(by: 1_000), interval: 1) {
      log.append(3)
    }
    #expect(log.entries == [1, 2, 3])
    #expect(scheduler.now == start)
    repetition.cancel()
  }

  // R28
  @Test func immediateWorkIsUntagged() {
    let tags = Log<Transaction>()
    let scheduler = DispatchQueue.immediate
    withAnimation {
      scheduler.schedule { tags.append(.current) }
      scheduler.schedule(after: scheduler.now) { tags.append(.current) }
      _ = scheduler.schedule(after: scheduler.now, interval: 1) { tags.append(.current) }
    }
    #expect(tags.entries == Array(repeating: Transaction(), count: 3))
  }

  // R14
  @Test func aOneShotRunsOnceAtOnce() {
    let log = Log<Int>()
    let scheduler = DispatchQueue.immediate
    let shot = scheduler.scheduleOnce(after: scheduler.now.advanced(by: 1)) { log.append(1) }
    #expect(log.entries == [1])
    shot.cancel()
  }

  // R21
  @Test func anUnimplementedSchedulerNamesItselfAndRunsNothing() {
    let line: UInt = #line + 1
    let scheduler = AnySchedulerOf<DispatchQueue>.unimplemented("Search.mainQueue")
    let issues = captureIssues {
      scheduler.schedule { Issue.record("ran") }
      let now = scheduler.now
      scheduler.schedule(after: now, tolerance: .zero) { Issue.record("ran") }
      _ = scheduler.schedule(after: now, interval: 1, tolerance: .zero) { Issue.record("ran") }
      _ = scheduler.minimumTolerance
    }
    #expect(issues.count == 5)
    #expect(issues.allSatisfy { $0.position.line == line })
    #expect(
      issues.first?.message == """
        The unimplemented scheduler "Search.mainQueue" was used. \
        Work was scheduled, and nothing has been run. \
        Hand in a test or an immediate scheduler if this use is meant.
        """
    )
  }

  // R20
  @Test func anErasedSchedulerForwardsAllFiveEndpoints() {
    let base = TestSchedulerOf<DispatchQueue>(now: DispatchQueue.test.now, minimumTolerance: 3)
    let scheduler = base.eraseToAnyScheduler()
    let log = Log<Int>()
    #expect(scheduler.minimumTolerance == 3)
    scheduler.schedule { log.append(1) }
    scheduler.schedule(after: scheduler.now.advanced(by: 1)) { log.append(2) }
    let repetition = scheduler.schedule(after: scheduler.now.advanced(by: 2), interval: 1) {
      log.append(3)
    }
    base.advance(by: 3)
    repetition.cancel()
    base.advance(by: 3)
    #expect(log.entries == [1, 2, 3, 3])
    #expect(scheduler.now == base.now)
  }

  // R20
  @Test func optionsAndToleranceReachTheSchedulerUnderneath() {
    let seen = Log<String>()
    let scheduler = AnyScheduler<DispatchQueue.SchedulerTimeType, String>(
      minimumTolerance: { 7 },
      now: { DispatchQueue.test.now },
      scheduleImmediately: { options, _ in seen.append("\(options ?? "-")") },
      delayed: { _, tolerance, options, _ in
        seen.append("\(tolerance.duration) \(options ?? "-")")
      },
      interval: { _, interval, tolerance, options, _ in
        seen.append("\(interval.duration) \(tolerance.duration) \(options ?? "-")")
        return AnyCancellable {}
      }
    )
    .animation()
    scheduler.schedule(options: "a") {}
    scheduler.schedule(after: scheduler.now, options: "b") {}
    scheduler.schedule(after: scheduler.now, tolerance: 1) {}
    _ = scheduler.schedule(after: scheduler.now, interval: 2, options: "c") {}
    _ = scheduler.schedule(after: scheduler.now, interval: 2, tolerance: 1) {}
    #expect(
      seen.entries == [
        "a", "7.0 seconds b", "1.0 seconds -", "2.0 seconds 7.0 seconds c",
        "2.0 seconds 1.0 seconds -",
      ]
    )
  }
}
