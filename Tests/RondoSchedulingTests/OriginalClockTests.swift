// K7, K10, K23: clocks and schedulers as suites from elsewhere use them.

import Dispatch
import Foundation
import RondoCompatibility
import RondoScheduling
import Testing

@Suite struct OriginalClockTests {
  // K37
  @Test func theDurationsOfAnInstantAreInferred() {
    #expect(TestClock.Instant() == TestClock().now)
    #expect(ImmediateClock.Instant() == ImmediateClock().now)
    #expect(TestClock.Instant(offset: .seconds(1)).offset == .seconds(1))
    #expect(ImmediateClock(now: .init(offset: .seconds(1))).now.offset == .seconds(1))
  }

  // K38a
  @Test func aSleepUntilThePastIsOverAtOnce() async throws {
    let clock = TestClock(now: TestInstant(offset: .seconds(1)))
    try await clock.sleep(until: TestInstant())
    try await clock.sleep(for: .seconds(-1))
    #expect(clock.timeline.waiting.isEmpty)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(until: TestInstant())
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  // K7
  @Test func aSleepThatIsDueNowWaitsForTheClock() async throws {
    let clock = TestClock()
    let task = Task { try await clock.sleep(for: .zero) }
    while clock.timeline.waiting.isEmpty { await Task.yield() }
    #expect(clock.timeline.waiting.map(\.due) == [TestInstant()])
    await clock.advance()
    try await task.value
    #expect(clock.now == TestInstant())
  }

  // K7
  @Test func aCancelledSleepThatIsDueNowEnds() async {
    let clock = TestClock()
    let task = Task { try await clock.sleep(for: .zero) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.timeline.waiting.isEmpty)
  }

  // K23
  @Test func theTypeOfAClockNamesThatOfItsDurations() async throws {
    let clock: TestClock<Duration> = TestClock()
    let immediate: ImmediateClock<Duration> = ImmediateClock()
    let unimplemented: UnimplementedClock<Duration> = UnimplementedClock()
    let all: [any Clock<Duration>] = [clock, immediate, unimplemented]
    #expect(all.count == 3)
    try await immediate.sleep(for: .seconds(2))
    #expect(immediate.now == TestInstant(offset: .seconds(2)))
    #expect(TestClock(now: TestInstant(offset: .seconds(1))).now.offset == .seconds(1))
  }

  // K23
  @Test func nobodySleeps() async throws {
    let clock = TestClock()
    try await clock.checkSuspension()
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    while clock.timeline.waiting.isEmpty { await Task.yield() }
    await #expect(throws: SuspensionError.self) { try await clock.checkSuspension() }
    await clock.advance(by: .seconds(1))
    try await task.value
    try await clock.checkSuspension()
  }

  // K23
  @Test func aRunEndsWithinItsTimeout() async throws {
    let clock = TestClock()
    let task = Task { for _ in 0..<3 { try await clock.sleep(for: .seconds(1)) } }
    await clock.run(timeout: .seconds(600))
    try await task.value
    #expect(clock.now.offset == .seconds(3))
  }

  // K23
  @Test func aRunThatUsesUpItsTimeoutIsReported() async {
    let clock = TestClock()
    let task = Task { while true { try await clock.sleep(for: .seconds(1)) } }
    let issues = await captureIssues { await clock.run(timeout: .zero) }
    #expect(issues.count == 1)
    task.cancel()
    _ = await task.result
  }

  // K10
  @Test func virtualTimeStartsWhereItDoesElsewhere() {
    #expect(RunLoop.test.now.date == Date(timeIntervalSince1970: 0))
    #expect(OperationQueue.test.now.date == Date(timeIntervalSince1970: 0))
    #expect(RunLoop.immediate.now.date == Date(timeIntervalSince1970: 0))
    #expect(DispatchQueue.test.now.dispatchTime == DispatchTime(uptimeNanoseconds: 1))
    #expect(DispatchQueue.immediate.now.dispatchTime == DispatchTime(uptimeNanoseconds: 1))
  }

  // K23
  @Test func workOfAVirtualSchedulerMayUseWhatBelongsToTheTest() {
    final class Log { var lines: [String] = [] }
    let log = Log()
    let scheduler = DispatchQueue.test
    scheduler.schedule { log.lines.append("now") }
    scheduler.schedule(after: scheduler.now.advanced(by: 1)) { log.lines.append("later") }
    let repetition = scheduler.schedule(after: scheduler.now, interval: 1) {
      log.lines.append("tick")
    }
    scheduler.advance()
    scheduler.advance(by: 1)
    repetition.cancel()
    scheduler.advance(by: 1)
    #expect(log.lines == ["now", "tick", "later", "tick"])
    DispatchQueue.immediate.schedule { log.lines = [] }
    #expect(log.lines.isEmpty)
  }

  // K26
  @Test func aCancellableOfAnyTypeIsKept() {
    let scheduler = DispatchQueue.test
    let count = Counter()
    var cancellables: Set<AnyCancellable> = []
    let repetition: Cancellable = scheduler.schedule(after: scheduler.now, interval: 1) {
      count.value += 1
    }
    repetition.store(in: &cancellables)
    scheduler.advance()
    cancellables.first?.cancel()
    scheduler.advance(by: 5)
    #expect(count.value == 1)
    let other: any Cancellable = AnyCancellable(repetition)
    other.cancel()
  }

  private final class Counter { var value = 0 }
}
