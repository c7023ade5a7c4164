// Sleeping, ticking and timing out on a scheduler.

import Dispatch
import RondoScheduling
import Testing

@Suite(.timeLimit(.minutes(20))) struct AsyncBridgeTests {
  let scheduler = DispatchQueue.test
  let log = Log<Int>()

  // R23
  @Test func aTaskSleeps() async throws {
    let task = Task {
      try await scheduler.sleep(for: .seconds(1))
      log.append(1)
      try await scheduler.sleep(until: scheduler.now.advanced(by: 2))
      log.append(2)
    }
    try await scheduler.timeline.untilWaiting()
    await scheduler.advance(by: 1)
    try await scheduler.timeline.untilWaiting()
    #expect(log.entries == [1])
    await scheduler.advance(by: 2)
    try await task.end
    #expect(log.entries == [1, 2])
  }

  // R23
  @Test func aCancelledSleeperThrowsAtOnceAndLeavesNothingBehind() async throws {
    let task = Task { try await scheduler.sleep(for: .seconds(1)) }
    try await scheduler.timeline.untilWaiting()
    await scheduler.advance()
    #expect(scheduler.timeline.nextDueInstant != nil)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.end }
    #expect(scheduler.timeline.nextDueInstant == nil)
  }

  // R23
  @Test func anImmediateSleepIsOverAtOnce() async throws {
    try await DispatchQueue.immediate.sleep(for: .seconds(1_000))
    try await UIScheduler.shared.sleep(for: .zero)
  }

  // R23
  @Test func cancellingALiveSleeperThrowsAtOnce() async {
    let task = Task { try await DispatchQueue.main.sleep(for: .seconds(1_000)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.end }
  }

  // R23
  @Test func aTimerTicksAndKeepsTicksThatNobodyWaitsFor() async {
    let ticks = scheduler.timer(interval: .seconds(1))
    await scheduler.advance(by: 3)
    var iterator = ticks.makeAsyncIterator()
    for second in 1...3 {
      #expect(await iterator.next() == DispatchQueue.test.now.advanced(by: .seconds(second)))
    }
  }

  // R23
  @Test func aTimerTellsTheTime() async throws {
    let times = Log<DispatchQueue.SchedulerTimeType>()
    let task = Task {
      for await time in scheduler.timer(interval: .seconds(1)).prefix(3) { times.append(time) }
    }
    try await scheduler.timeline.untilWaiting()
    await scheduler.advance(by: 10)
    try await task.end
    #expect(times.entries == (1...3).map { DispatchQueue.test.now.advanced(by: .seconds($0)) })
  }

  // R23
  @Test func aTimerThatIsReleasedLeavesNothingBehind() {
    var ticks: AsyncStream? = scheduler.timer(interval: .seconds(1))
    #expect(scheduler.timeline.nextDueInstant != nil)
    withExtendedLifetime(ticks) {}
    ticks = nil
    #expect(scheduler.timeline.nextDueInstant == nil)
  }

  // R31
  @Test func aTimerWithoutAnIntervalIsAnIssueOfItsCaller() async {
    let line: UInt = #line + 1
    let issues = captureIssues { _ = scheduler.timer(interval: 0) }
    #expect(issues.map(\.position.line) == [line])
  }

  // R23
  @Test func whatIsInTimeIsReturned() async throws {
    let answer = try await scheduler.timeout(for: .seconds(1)) { 42 }
    #expect(answer == 42)
    #expect(scheduler.timeline.nextDueInstant == nil)
  }

  // R23
  @Test func whatTakesTooLongIsCancelled() async throws {
    let task = Task {
      try await scheduler.timeout(for: .seconds(1)) {
        try await scheduler.sleep(for: .seconds(2))
      }
    }
    try await scheduler.timeline.untilWaiting(2)
    await scheduler.advance(by: 1)
    await #expect(throws: TimeoutError.self) { try await task.end }
    #expect(scheduler.timeline.nextDueInstant == nil)
  }

  // R23
  @Test func workIsMeasuredInTheTimeOfTheScheduler() async {
    #expect(scheduler.measure { scheduler.advance(by: 3) } == 3)
    let stride = await scheduler.measure { await scheduler.advance(by: 2) }
    #expect(stride == 2)
  }
}
