// Moving virtual time forwards while tasks that run elsewhere take part.

import RondoAnimation

extension TestTimeline {
  /// Moves time forwards, and lets the tasks run that wake on the way.
  ///
  /// Before time moves, every task that has been started on the concurrent pool or on the main actor
  /// comes to its next suspension. Time then stops at every instant at which something is due, until
  /// the tasks that it woke, one after another, have come to their next suspension as well. So a task
  /// that sleeps a second ten times over wakes ten times in
  /// `await timeline.advance(by: .seconds(10))`.
  ///
  /// This holds for tasks of the pool and of actors that run on it, however busy the machine is. It
  /// does not hold, and time may overtake a task, where the task
  ///
  /// - waits for something outside of Swift's concurrency: a queue of Dispatch, a socket, real time;
  /// - computes for more than 20 ms, or blocks its thread for a second, without being suspended;
  /// - belongs to an actor with an executor of its own, or was started before the first timeline
  ///   of the process was made.
  ///
  /// - Parameter duration: How far. Zero, the default, runs what is due now. A negative one is
  ///   reported, and nothing happens.
  ///
  /// What puts more on the same instant for ever is given up and reported, here after a hundred thousand
  /// times over.
  public nonisolated(nonsending) func advance(
    by duration: Duration = .zero,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await advance(by: duration, SourcePosition(fileID, filePath, line, column))
  }

  /// Moves time forwards to an instant, and lets the tasks run that wake on the way.
  ///
  /// - Parameter instant: Where to. One in the past is reported, and nothing happens.
  public nonisolated(nonsending) func advance(
    to instant: Instant,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await advance(to: instant, SourcePosition(fileID, filePath, line, column))
  }

  nonisolated(nonsending) func advance(by duration: Duration, _ position: SourcePosition) async {
    guard let instant = instant(after: duration, position) else { return }
    await moveForwards(to: instant, position)
  }

  nonisolated(nonsending) func advance(to instant: Instant, _ position: SourcePosition) async {
    guard isReachable(instant, position) else { return }
    await moveForwards(to: instant, position)
  }

  nonisolated(nonsending) func moveForwards(
    to instant: Instant, givingUpAfter limit: Int = 100_000, _ position: SourcePosition
  ) async {
    await settle()
    var rounds = Rounds(limit: limit)
    while let due = nextDueInstant, due <= instant, !rounds.areEndless {
      while let item = next(dueBy: due.offset, &rounds) { await runAndSettle(item) }
    }
    guard came(toAnEnd: rounds, position) else { return }
    arrive(at: instant.offset)
  }

  /// Runs an item, and lets the tasks that it wakes or starts come to their next suspension.
  private nonisolated(nonsending) func runAndSettle(_ item: TimelineItem) async {
    if case .sleeper(let sleeper) = item, !sleeper.isHosted, isOnMainQueue() {
      // A task of the pool may rely on not being on the main thread.
      await runElsewhere(item)
    } else {
      await runHere(item)
    }
    if runHosts() { await settle() }
  }

  @concurrent private func runElsewhere(_ item: TimelineItem) async { await runHere(item) }

  private nonisolated(nonsending) func runHere(_ item: TimelineItem) async {
    let insertion = insertionCount
    let jobs = TakenJobs.run { withAmbientTransaction(Transaction(), item.run) }
    // A task that sleeps again is at rest. Any other one may be over, or on its way to the main
    // actor.
    let wakesTask =
      if case .sleeper(let sleeper) = item { !sleeper.isHosted } else { jobs.count > 0 }
    if wakesTask, jobs.isFull || insertionCount == insertion { await settle() }
  }

  /// Moves time forwards until nothing is waiting any more, and lets the tasks run that wake on the
  /// way.
  ///
  /// After a hundred thousand repetitions and sleepers in a row it gives up and reports that.
  public nonisolated(nonsending) func run(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await run(givingUpAfter: 100_000, SourcePosition(fileID, filePath, line, column))
  }

  nonisolated(nonsending) func run(timeout: Duration, _ position: SourcePosition) async {
    await run(givingUpAfter: 100_000, by: .now + timeout, position)
  }

  nonisolated(nonsending) func run(
    givingUpAfter limit: Int, by deadline: ContinuousClock.Instant? = nil,
    _ position: SourcePosition
  ) async {
    var repetitions = 0
    var rounds = Rounds(limit: limit, isRun: true)
    await settle()
    while repetitions < limit, let item = next(dueBy: .longest, &rounds) {
      if let deadline, .now > deadline {
        item.run()
        await settle()
        return nextDueInstant == nil ? () : reportTimeout(position)
      }
      repetitions = item.isOnce ? 0 : repetitions + 1
      await runAndSettle(item)
    }
    guard came(toAnEnd: rounds, position) else { return }
    guard repetitions == limit || rounds.areEndlessTogether else { return }
    let count = repetitions == limit ? limit : 10 * limit
    if nextDueInstant != nil { reportEndlessRun(count, position) }
  }
}

extension TestTimeline {
  /// Lets other tasks run, and throws if something is waiting for time to pass then.
  nonisolated(nonsending) func checkSuspension() async throws {
    await settle()
    guard waiting.isEmpty else { throw SuspensionError() }
  }

  private func reportTimeout(_ position: SourcePosition) {
    reportIssue(
      """
      run(timeout:) has used up its timeout at \(now.offset), and something is still waiting. \
      Something repeats for ever, or takes long: cancel it first, or pass a longer timeout.
      """,
      at: position)
  }
}

// MARK: - Turns for others

extension TestTimeline {
  /// Lets other tasks run: those that have just been started come to their first suspension, those
  /// that have been woken to their next one.
  private nonisolated(nonsending) func settle() async {
    if PoolHook.isFollowing {
      await PoolJobs.settle(mainActor: state.withLock(\.needOfMainActor))
    } else {
      for _ in 0..<8 { await Task.turn() }
    }
    // A sleeper of an actor with an executor of its own is not a job of the pool. The limit is for
    // a task that cannot get a thread, because this very test blocks its executor.
    var patience = 10_000
    while wakingCount > 0, patience > 0 {
      await Task.turn()
      patience -= 1
    }
    runHosts()
  }
}

extension Task<Never, Never> {
  /// Goes to the end of the line of the concurrent pool, and back to where it came from.
  fileprivate nonisolated(nonsending) static func turn() async {
    let priority = currentPriority
    await Task<Void, Never>.detached(priority: priority) { await Task.yield() }.value
  }
}
