// Virtual time, one behaviour at a time.

import Dispatch
import Foundation
import RondoAnimation
import Testing

@testable import RondoScheduling

@Suite struct TestSchedulerTests {
  let scheduler = DispatchQueue.test
  let log = Log<Int>()

  private func after(_ seconds: Double) -> DispatchQueue.SchedulerTimeType {
    scheduler.now.advanced(by: .seconds(seconds))
  }

  // R22
  @Test func nothingRunsBeforeTimeHasCome() {
    scheduler.schedule { log.append(0) }
    scheduler.schedule(after: after(1)) { log.append(1) }
    #expect(log.entries == [])
    scheduler.advance()
    #expect(log.entries == [0])
    scheduler.advance(by: .milliseconds(999))
    #expect(log.entries == [0])
    scheduler.advance(by: .milliseconds(1))
    #expect(log.entries == [0, 1])
  }

  // R22
  @Test func sameInstantRunsInTheOrderOfScheduling() {
    for number in 1...3 {
      scheduler.schedule(after: after(1)) { log.append(number) }
    }
    scheduler.advance(by: 1)
    #expect(log.entries == [1, 2, 3])
  }

  // R22
  @Test func workForTheCurrentInstantRunsInTheSameAdvance() {
    scheduler.schedule(after: after(1)) {
      scheduler.schedule { log.append(2) }
      log.append(1)
    }
    scheduler.schedule(after: after(1)) { log.append(3) }
    scheduler.advance(by: 1)
    #expect(log.entries == [1, 3, 2])
  }

  // R22
  @Test func nowIsTheDueDateDuringWork() {
    let dates = Log<DispatchQueue.SchedulerTimeType>()
    let due = [1, 2.5, 7].map { after($0) }
    for date in due { scheduler.schedule(after: date) { dates.append(scheduler.now) } }
    scheduler.advance(by: 10)
    #expect(dates.entries == due)
    #expect(scheduler.now == DispatchQueue.test.now.advanced(by: 10))
  }

  // R22
  @Test func workForThePastIsWorkForNow() {
    scheduler.advance(by: 10)
    scheduler.schedule { log.append(1) }
    scheduler.schedule(after: after(-5)) { log.append(2) }
    scheduler.advance()
    #expect(log.entries == [1, 2])
  }

  // R22
  @Test func aRepetitionRunsAtItsIntervalUntilCancelled() {
    let timer = scheduler.schedule(after: after(1), interval: 2) { log.append(0) }
    scheduler.advance(by: 5)
    #expect(log.entries.count == 3)
    timer.cancel()
    scheduler.advance(by: 100)
    #expect(log.entries.count == 3)
  }

  // R22
  @Test func aRepetitionKeepsItsPlaceInLine() {
    let timer = scheduler.schedule(after: after(1), interval: 1) { log.append(1) }
    scheduler.schedule(after: after(2)) { log.append(2) }
    scheduler.advance(by: 2)
    #expect(log.entries == [1, 1, 2])
    timer.cancel()
  }

  // R22
  @Test func aRepetitionCancelsItselfWhileItRuns() {
    let timers = Log<any Cancellable>()
    timers.append(
      scheduler.schedule(after: after(1), interval: 1) {
        log.append(0)
        if log.entries.count == 2 { timers.entries[0].cancel() }
      }
    )
    scheduler.run()
    #expect(log.entries.count == 2)
  }

  // R22
  @Test func cancelledWorkIsReleasedAtOnce() {
    let object = Probe()
    weak let weakObject = object
    func start(_ object: Probe) -> any Cancellable {
      scheduler.schedule(after: after(1), interval: 1) { object.touch() }
    }
    let timer = start(object)
    _ = consume object
    #expect(weakObject != nil)
    timer.cancel()
    #expect(weakObject == nil)
  }

  // R22
  @Test func workThatHasRunIsReleased() {
    weak var weakObject: Probe?
    do {
      let object = Probe()
      weakObject = object
      scheduler.schedule { object.touch() }
    }
    #expect(weakObject != nil)
    scheduler.advance()
    #expect(weakObject == nil)
  }

  // R22
  @Test func runGoesOnUntilNothingIsLeft() {
    scheduler.schedule(after: after(1)) {
      log.append(1)
      scheduler.schedule(after: after(1_000)) { log.append(2) }
    }
    scheduler.run()
    #expect(log.entries == [1, 2])
    #expect(scheduler.now == DispatchQueue.test.now.advanced(by: 1_001))
  }

  // R22
  @Test func workMayAdvanceTimeItself() {
    scheduler.schedule(after: after(1)) {
      scheduler.advance(by: 5)
      log.append(1)
    }
    scheduler.schedule(after: after(3)) { log.append(3) }
    scheduler.advance(by: 2)
    #expect(log.entries == [3, 1])
    #expect(scheduler.now == DispatchQueue.test.now.advanced(by: 6))
  }

  // R22
  @Test func twoThreadsMayAdvanceAndSchedule() async {
    await withTaskGroup { group in
      for number in 0..<8 {
        group.addTask {
          for step in 0..<200 {
            scheduler.schedule(after: after(0.01)) { log.append(number) }
            if step % 10 == 0 { advanceSynchronously() }
          }
        }
      }
    }
    advanceSynchronously()
    #expect(log.entries.count == 1_600)
    func advanceSynchronously() { scheduler.advance(by: 0.01) }
  }

  // R28
  @Test func workIsUntaggedWhereverItIsAdvanced() {
    let tags = Log<Transaction>()
    withAnimation { scheduler.schedule { tags.append(.current) } }
    scheduler.schedule { tags.append(.current) }
    withAnimation {
      scheduler.advance()
      #expect(Transaction.current == Transaction(animation: .default))
    }
    #expect(tags.entries == [Transaction(), Transaction()])
  }

  // R31
  @Test func advancingToThePastIsAnIssueAndDoesNothing() {
    scheduler.advance(by: 3)
    let line: UInt = #line + 1
    let issues = captureIssues { scheduler.advance(by: -2) }
    #expect(
      issues.map(\.message) == [
        """
        Test time is at 3.0 seconds and cannot go back to 1.0 seconds. \
        Nothing has been run; advance by zero or more, or to an instant that has not passed.
        """
      ]
    )
    #expect(issues.first?.position.line == line)
    #expect(scheduler.now == DispatchQueue.test.now.advanced(by: 3))
  }

  // R31
  @Test(arguments: [0, -1]) func anIntervalThatIsNotPositiveIsAnIssue(seconds: Int) {
    let issues = captureIssues {
      _ = scheduler.schedule(after: after(0), interval: .seconds(seconds)) { log.append(0) }
      scheduler.run()
    }
    #expect(
      issues.map(\.message) == [
        """
        Work on a test scheduler was asked to repeat at an interval of zero or less. \
        Nothing has been scheduled; pass a positive interval, or schedule the work once.
        """
      ]
    )
    #expect(log.entries == [])
  }

  // R31
  @Test func whatReschedulesItselfForTheSameInstantForEverIsGivenUp() {
    let (scheduler, log) = (scheduler, log)
    @Sendable func again() {
      log.append(0)
      scheduler.schedule(again)
    }
    scheduler.schedule(after: after(1), again)
    let issues = captureIssues {
      #expect(
        !scheduler.timeline.runAll(dueBy: .seconds(3), givingUpAfter: 1_000, SourcePosition()))
    }
    #expect(
      issues.map(\.message) == [
        """
        Test time is stuck at 1.0 seconds, where work puts more work on the same instant, 1000 times \
        over by now. What is left has not been run, and time goes no further. Schedule such work for \
        later, or let it stop.
        """
      ]
    )
    #expect(log.entries.count == 1_000)
    #expect(scheduler.timeline.elapsed == .seconds(1))
    let others = captureIssues { scheduler.timeline.run(givingUpAfter: 1_000, SourcePosition()) }
    #expect(others.count == 1)
    #expect(log.entries.count == 2_000)
  }

  // H18
  @Test func theNextInstantIsGivenUpWhereItNeverEnds() {
    let (scheduler, log) = (scheduler, log)
    @Sendable func again() {
      log.append(0)
      if log.entries.count < 1_500 { scheduler.schedule(again) }
    }
    scheduler.schedule(after: after(1), again)
    let issues = captureIssues {
      #expect(!scheduler.timeline.advanceToNextDue(givingUpAfter: 1_000, SourcePosition()))
    }
    #expect(issues.count == 1)
    #expect(log.entries.count == 1_000)
    // Work that waits for ever would keep its scheduler alive.
    scheduler.advance()
    #expect(log.entries.count == 1_500)
  }

  // R22
  @Test func howMuchIsDueAtAnInstantMakesNoDifference() {
    let (scheduler, log) = (scheduler, log)
    for _ in 0..<100 {
      scheduler.schedule { scheduler.schedule { log.append(0) } }
    }
    let timer = scheduler.schedule(after: after(0), interval: 1) { log.append(1) }
    let issues = captureIssues {
      #expect(
        scheduler.timeline.runAll(dueBy: .seconds(99), givingUpAfter: 2, SourcePosition()))
    }
    #expect(issues.isEmpty)
    #expect(log.entries.count == 200)
    timer.cancel()
  }

  // H18
  @Test func runGivesUpOnWorkThatSchedulesItselfForLaterForEver() {
    let (scheduler, log) = (scheduler, log)
    @Sendable func again() {
      log.append(0)
      scheduler.schedule(after: scheduler.now.advanced(by: 1), again)
    }
    scheduler.schedule(again)
    let issues = captureIssues {
      scheduler.timeline.run(givingUpAfter: 100, SourcePosition())
    }
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("after 1000 repetitions in a row") == true)
    #expect(log.entries.count == 1_000)
  }

  // H18
  @Test func runGoesOnHoweverMuchWorkWasThereBefore() {
    let (scheduler, log) = (scheduler, log)
    for index in 0..<100 {
      scheduler.schedule(after: after(Double(index))) { scheduler.schedule { log.append(0) } }
    }
    let issues = captureIssues { scheduler.timeline.run(givingUpAfter: 11, SourcePosition()) }
    #expect(issues.isEmpty)
    #expect(log.entries.count == 100)
  }

  // R22
  @Test func runGivesUpOnWhatRepeatsForEver() {
    let timer = scheduler.schedule(after: after(0), interval: .nanoseconds(1)) {}
    let issues = captureIssues {
      scheduler.timeline.run(givingUpAfter: 1_000, SourcePosition())
    }
    #expect(
      issues.map(\.message) == [
        """
        run() gave up at 1e-06 seconds, after 1000 repetitions in a row. \
        Something repeats for ever; cancel it first, or use advance(by:).
        """
      ]
    )
    timer.cancel()
  }

  // R22
  @Test func workThatRunsOnceIsNoRepetition() async {
    let (scheduler, log) = (scheduler, log)
    func scheduleAll() -> [AnyCancellable] {
      (1...20).map { index in
        scheduler.scheduleOnce(after: after(Double(index))) { log.append(index) }
      }
    }
    let handles = scheduleAll()
    var issues = captureIssues { scheduler.timeline.run(givingUpAfter: 10, SourcePosition()) }
    let later = scheduleAll()
    issues += await captureIssues {
      await scheduler.timeline.run(givingUpAfter: 10, SourcePosition())
    }
    #expect(issues.isEmpty)
    #expect(log.entries == Array(1...20) + Array(1...20))
    withExtendedLifetime((handles, later)) {}
  }

  // R22
  @Test func timeEndsWithoutATrap() {
    let end = after(.greatestFiniteMagnitude)
    scheduler.schedule(after: end) { log.append(1) }
    let timer = scheduler.schedule(after: end, interval: 1) { log.append(2) }
    scheduler.advance(to: end)
    scheduler.advance(by: 1_000)
    #expect(log.entries == [1, 2])
    timer.cancel()
  }

  // R22
  @Test func copiesAreTheSameScheduler() {
    let copy = scheduler
    copy.schedule { log.append(0) }
    scheduler.advance(by: 1)
    #expect(log.entries == [0])
    #expect(copy.now == scheduler.now)
  }
}

/// An object whose end of life a test watches.
final class Probe: Sendable {
  func touch() {}
}
