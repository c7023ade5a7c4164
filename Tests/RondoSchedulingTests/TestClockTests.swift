// A clock that a test moves.

import Testing

@testable import RondoScheduling

@Suite struct TestClockTests {
  let clock = TestClock()
  let log = Log<Duration>()

  // R23
  @Test func aTaskThatSleepsAgainAndAgainKeepsUpWithTime() async {
    let task = Task {
      for _ in 1...10 {
        try await clock.sleep(for: .seconds(1))
        log.append(clock.now.offset)
      }
    }
    await clock.advance(by: .seconds(10))
    #expect(log.entries == (1...10).map { .seconds($0) })
    try? await task.value
  }

  // R23
  @Test @MainActor func itWorksOnTheMainActor() async {
    let task = Task {
      for _ in 1...3 {
        try await clock.sleep(for: .seconds(1))
        log.append(clock.now.offset)
      }
    }
    await clock.advance(by: .seconds(3))
    #expect(log.entries == (1...3).map { .seconds($0) })
    try? await task.value
  }

  // R23
  @Test func nobodyWakesTooEarly() async {
    let task = Task {
      try await clock.sleep(for: .seconds(1))
      log.append(clock.now.offset)
    }
    await clock.advance(by: .milliseconds(999))
    #expect(log.entries == [])
    await clock.advance(by: .milliseconds(1))
    #expect(log.entries == [.seconds(1)])
    try? await task.value
  }

  // R23
  @Test func runGoesOnUntilNobodySleeps() async {
    let task = Task {
      try await clock.sleep(for: .seconds(60))
      try await clock.sleep(for: .seconds(3_600))
      log.append(clock.now.offset)
    }
    await clock.run()
    #expect(log.entries == [.seconds(3_660)])
    try? await task.value
  }

  // R23
  @Test func aCancelledSleeperThrowsAtOnceAndLeavesNothingBehind() async {
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.advance()
    #expect(clock.timeline.waiting.count == 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.timeline.waiting.isEmpty)
    #expect(clock.timeline.wakingCount == 0)
  }

  // R23
  @Test func aTaskThatIsCancelledAlreadyDoesNotSleep() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.timeline.waiting.isEmpty)
  }

  // R23
  @Test func aDeadlineThatHasPassedIsNoSleep() async throws {
    try await clock.sleep(until: clock.now)
    try await clock.sleep(for: .seconds(-1))
  }

  // R23
  @Test func sleepersOfOneInstantWakeInTheOrderInWhichTheyFellAsleep() async {
    var tasks: [Task<Void, any Error>] = []
    for number in 1...5 {
      tasks.append(
        Task {
          try await clock.sleep(for: .seconds(1))
          log.append(.seconds(number))
        }
      )
      while clock.timeline.waiting.count < number { await Task.yield() }
    }
    await clock.advance(by: .seconds(1))
    #expect(log.entries == (1...5).map { .seconds($0) })
    for task in tasks { try? await task.value }
  }

  // R23
  @Test func aSleeperIsNamedForFailureMessages() async {
    let task = WaitOrigin.$current.withValue("load") {
      Task(name: "loader") { try await clock.sleep(for: .seconds(5)) }
    }
    await clock.advance(by: .seconds(2))
    let sleeper = clock.timeline.waiting.first
    #expect(sleeper?.due == TestClock.Instant(offset: .seconds(5)))
    #expect(sleeper?.taskName == "loader")
    #expect(sleeper?.origin as? String == "load")
    task.cancel()
  }

  // R23
  @Test func cancellingAndWakingAtTheSameTimeResumesOnce() async {
    for _ in 0..<200 {
      let clock = TestClock()
      let task = Task { try await clock.sleep(for: .seconds(1)) }
      while clock.timeline.nextDueInstant == nil { await Task.yield() }
      async let cancellation: Void = task.cancel()
      async let advance: Void = clock.timeline.moveForwards(by: .seconds(1))
      _ = await (cancellation, advance)
      _ = await task.result
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
  @Test func runGivesUpOnATaskThatSleepsForEver() async {
    let task = Task {
      while true { try await clock.sleep(for: .seconds(1)) }
    }
    let issues = await captureIssues {
      await clock.timeline.run(givingUpAfter: 10, SourcePosition())
    }
    #expect(issues.count == 1)
    task.cancel()
  }
}

extension TestTimeline {
  /// The synchronous one, where the asynchronous one would be chosen.
  func moveForwards(by duration: Duration) {
    advance(by: duration)
  }
}
