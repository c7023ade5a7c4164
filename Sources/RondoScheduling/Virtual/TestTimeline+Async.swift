// Moving virtual time forwards while tasks that run elsewhere take part.

import RondoAnimation

extension TestTimeline {
  nonisolated(nonsending) func moveForwards(
    to instant: Instant, givingUpAfter limit: Int = 100_000, _ position: SourcePosition
  ) async {
    await settleNewTasks()
    var rounds = Rounds(limit: limit)
    while let due = nextDueInstant, due <= instant, !rounds.areEndless {
      await runAllAndSettle(dueBy: due, &rounds)
    }
    guard came(toAnEnd: rounds, position) else { return }
    arrive(at: instant.offset)
  }

  /// Runs what is due at one instant. What wakes a task, or may, is followed by turns for the task, so
  /// that sleepers of one instant go on in their order; work that runs once is not, one by one. Where
  /// all is of hosts, these say whether a task may still run elsewhere. If none may, there are turns
  /// once for the instant, for tasks that effects have started and do not wait for.
  private nonisolated(nonsending) func runAllAndSettle(
    dueBy instant: Instant, _ rounds: inout Rounds
  ) async {
    var isSettled = true
    while let item = next(dueBy: instant.offset, &rounds) {
      withAmbientTransaction(Transaction(), item.run)
      isSettled = !runHosts() && !item.isOnce
      if isSettled { await settle() }
    }
    if !isSettled { await settleNewTasks() }
  }

  package nonisolated(nonsending) func run(timeout: Duration, _ position: SourcePosition) async {
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
      repetitions = item.isRepeated || item.isSleeper ? repetitions + 1 : 0
      withAmbientTransaction(Transaction(), item.run)
      runHosts()
      await settle()
    }
    guard came(toAnEnd: rounds, position) else { return }
    guard repetitions == limit || rounds.areEndlessTogether else { return }
    let count = repetitions == limit ? limit : 10 * limit
    if nextDueInstant != nil { reportEndlessRun(count, position) }
  }
}

extension TestTimeline {
  /// Lets other tasks run, and throws if something is waiting for time to pass then.
  package nonisolated(nonsending) func checkSuspension() async throws {
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
  /// Lets those tasks run that may have been started since time stood still.
  ///
  /// Where all that ever was on the timeline is of hosts, whose tasks are at rest, and nobody has given
  /// the concurrent pool a job since the timeline was made, a task that is still on its way can only be
  /// one of the main actor. A caller that is there as well lets it run first. A task goes through the
  /// main queue for each call of a function of the main actor; four are more than is usual.
  private nonisolated(nonsending) func settleNewTasks() async {
    for known in state.withLock({ $0.hosts }) { await known.host?.settle() }
    guard isOnMainActor(#isolation), runHosts(),
      let count = state.withLock({ $0.jobCountAtStart }), count == ConcurrentPool.count
    else { return await settle() }
    for _ in 0..<4 { await MainQueueLine.shared.passThrough() }
    guard runHosts(), count == ConcurrentPool.count else { return await settle() }
  }

  /// Lets other tasks run: those that have just been started come to their first suspension, those
  /// that have been woken to their next one.
  ///
  /// Turns on the queue of this task's priority let those pass that are in line there already. The
  /// queue of background work is served when a core has nothing better to do, which is when the
  /// others have come to rest, unless there are more cores than work. The numbers are measured: of
  /// 10,000 wakings that each go on through four hops to actors and a stream, none was overtaken,
  /// on two cores, idle and busy. Without the background one in a thousand was.
  private nonisolated(nonsending) func settle() async {
    for known in state.withLock({ $0.hosts }) { await known.host?.settle() }
    for _ in 0..<8 { await Task.turn(priority: Task.currentPriority) }
    for _ in 0..<2 { await Task.turn(priority: .background) }
    // A busy machine may take longer to give a woken task a thread. The limit is for a task that
    // cannot get one, because this very test blocks its executor.
    var patience = 10_000
    while wakingCount > 0, patience > 0 {
      await Task.turn(priority: Task.currentPriority)
      patience -= 1
    }
    // The turns were jobs of the pool themselves.
    state.withLock { $0.jobCountAtStart = nil }
    runHosts()
  }
}

extension Task<Never, Never> {
  /// Goes to the end of the line of the concurrent pool, and back to where it came from.
  fileprivate nonisolated(nonsending) static func turn(priority: TaskPriority) async {
    await Task<Void, Never>.detached(priority: priority) { await Task.yield() }.value
  }
}

/// Somebody sleeps on a clock that nobody was to sleep on.
public struct SuspensionError: Error {}
