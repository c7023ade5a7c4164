// A clock that a test moves.

import Testing

@testable import RondoScheduling

@Suite(.timeLimit(.minutes(20))) struct TestClockTests {
  let clock = TestClock()
  let log = Log<Duration>()

  // R23
  @Test func aTaskThatSleepsAgainAndAgainWakesAtEveryStep() async throws {
    let task = Task {
      for _ in 1...10 {
        try await clock.sleep(for: .seconds(1))
        log.append(clock.now.offset)
      }
    }
    for _ in 1...10 {
      try await clock.timeline.untilWaiting()
      await clock.advance(by: .seconds(1))
    }
    try await task.end
    #expect(log.entries == (1...10).map { .seconds($0) })
  }

  // R23
  @Test @MainActor func itWorksOnTheMainActor() async throws {
    let task = Task {
      for _ in 1...3 {
        try await clock.sleep(for: .seconds(1))
        log.append(clock.now.offset)
      }
    }
    for _ in 1...3 {
      try await clock.timeline.untilWaiting()
      await clock.advance(by: .seconds(1))
    }
    try await task.end
    #expect(log.entries == (1...3).map { .seconds($0) })
  }

  // R23
  @Test func nobodyWakesTooEarly() async throws {
    let task = Task {
      try await clock.sleep(for: .seconds(1))
      log.append(clock.now.offset)
    }
    try await clock.timeline.untilWaiting()
    await clock.advance(by: .milliseconds(999))
    #expect(log.entries == [])
    #expect(clock.timeline.waiting.count == 1)
    await clock.advance(by: .milliseconds(1))
    try await task.end
    #expect(log.entries == [.seconds(1)])
  }

  // R23
  @Test func runGoesOnUntilNobodySleeps() async throws {
    let tasks = [60, 3_660].map { second in
      Task { try await clock.sleep(until: .init(offset: .seconds(second))) }
    }
    try await clock.timeline.untilWaiting(2)
    await clock.run()
    #expect(clock.timeline.waiting.isEmpty)
    #expect(clock.now.offset == .seconds(3_660))
    for task in tasks { try await task.end }
  }

  // R23
  @Test func repeatedRunsBringATaskThatSleepsTwiceToItsEnd() async throws {
    let task = Task {
      try await clock.sleep(for: .seconds(60))
      log.append(clock.now.offset)
      try await clock.sleep(for: .seconds(3_600))
      log.append(clock.now.offset)
    }
    // A run may return before the task sleeps again; then another one is needed.
    try await clock.timeline.untilWaiting()
    await clock.run()
    while log.entries.count < 2 {
      try Task.checkCancellation()
      await clock.run()
    }
    try await task.end
    #expect(log.entries == [.seconds(60), .seconds(3_660)])
  }

  // R23
  @Test func aCancelledSleeperThrowsAtOnceAndLeavesNothingBehind() async throws {
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    try await clock.timeline.untilWaiting()
    await clock.advance()
    #expect(clock.timeline.waiting.count == 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.end }
    #expect(clock.timeline.waiting.isEmpty)
    #expect(clock.timeline.wakingCount == 0)
  }

  // R23
  @Test func aTaskThatIsCancelledAlreadyDoesNotSleep() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await task.end }
    #expect(clock.timeline.waiting.isEmpty)
  }

  // R23
  @Test func aDeadlineThatHasPassedIsReachedByTheNextAdvance() async throws {
    let task = Task {
      try await clock.sleep(until: clock.now)
      try await clock.sleep(for: .seconds(-1))
    }
    await clock.advance()
    try await task.value
  }

  // R23
  @Test func sleepersOfOneInstantWakeInTheOrderInWhichTheyFellAsleep() async throws {
    var tasks: [Task<Void, any Error>] = []
    for number in 1...5 {
      tasks.append(
        Task {
          try await clock.sleep(for: .seconds(1))
          log.append(.seconds(number))
        }
      )
      try await clock.timeline.untilWaiting(number)
    }
    // One at a time: each is to have written its number before the next one is woken.
    for number in 1...5 {
      #expect(clock.timeline.runNext(dueBy: .seconds(1)))
      while log.entries.count < number {
        try Task.checkCancellation()
        await Task.yield()
      }
    }
    for task in tasks { try await task.end }
    #expect(log.entries == (1...5).map { .seconds($0) })
  }

  // R23
  @Test func aSleeperIsNamedForFailureMessages() async throws {
    final class Load: Sendable {}
    let origin = Load()
    let task = WaitOrigin.$current.withValue(origin) {
      Task(name: "loader") { try await clock.sleep(for: .seconds(5)) }
    }
    try await clock.timeline.untilWaiting()
    await clock.advance(by: .seconds(2))
    let sleeper = clock.timeline.waiting.first
    #expect(sleeper?.due == TestInstant(offset: .seconds(5)))
    #expect(sleeper?.taskName == "loader")
    #expect(sleeper?.origin as? Load === origin)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.end }
  }

  // R23
  @Test func cancellingAndWakingAtTheSameTimeResumesOnce() async throws {
    for _ in 0..<200 {
      let clock = TestClock()
      let task = Task { try await clock.sleep(for: .seconds(1)) }
      try await clock.timeline.untilWaiting()
      async let cancellation: Void = task.cancel()
      async let advance: Void = clock.timeline.moveForwards(by: .seconds(1))
      _ = await (cancellation, advance)
      _ = try? await task.end
      #expect(clock.timeline.waiting.isEmpty)
    }
  }

  // R31
  @Test func advancingToThePastIsAnIssue() async {
    await clock.advance(by: .seconds(3))
    let issues = await captureIssues { await clock.advance(to: .init(offset: .seconds(2))) }
    #expect(
      issues.map(\.message) == [
        """
        Test time is at 3.0 seconds and cannot go back to 2.0 seconds. \
        Nothing has been run; advance by zero or more, or to an instant that has not passed.
        """
      ]
    )
    #expect(clock.now.offset == .seconds(3))
  }

  // R31
  @Test func whatReschedulesItselfForTheSameInstantForEverIsGivenUpInAnAsynchronousTest() async {
    let timeline = clock.timeline
    @Sendable func again() { timeline.scheduler.schedule(again) }
    again()
    let issues = await captureIssues {
      await timeline.moveForwards(
        to: TestInstant(offset: .seconds(1)), givingUpAfter: 100, SourcePosition())
      await timeline.run(givingUpAfter: 100, SourcePosition())
    }
    #expect(issues.count == 2)
    #expect(issues.allSatisfy { $0.message.hasPrefix("Test time is stuck at 0.0 seconds") })
  }

  // R31
  @Test func runGivesUpOnTasksThatSleepForEver() async throws {
    // One more than the limit: ten wakings leave at least one asleep, however late the others are.
    let tasks: [Task<Void, any Error>] = (1...11).map { _ in
      Task {
        while true { try await clock.sleep(for: .seconds(1)) }
      }
    }
    try await clock.timeline.untilWaiting(11)
    let issues = await captureIssues {
      await clock.timeline.run(givingUpAfter: 10, SourcePosition())
    }
    #expect(issues.count == 1)
    for task in tasks {
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.end }
    }
  }
}

extension TestTimeline {
  /// The synchronous one, where the asynchronous one would be chosen.
  func moveForwards(by duration: Duration) {
    advance(by: duration)
  }
}
