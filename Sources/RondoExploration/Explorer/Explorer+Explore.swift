// Running an explorer.

import Rondo
import RondoScheduling
import RondoTestStore

extension Explorer {
  /// Makes up runs until one fails, all have been made, or there were as many as are wanted. A failure
  /// is reported in its smallest form. Outcomes that make no sense are reported at once. No more runs are
  /// made once the task is cancelled, as a test is that takes too long.
  ///
  /// - Parameters:
  ///   - steps: How many actions are sent in a run.
  ///   - limit: How many runs are made at most: 10,000, or as many as fit into `duration` where that is given.
  ///   - duration: How long runs are made at most. The one that is made when the time is up is the last.
  ///   - seed: What is drawn by chance is drawn by.
  ///   - clock: What the time is taken of.
  ///   - fileID: The file of the test, which names the saved orders.
  ///   - function: The name of the test, which names the saved orders.
  /// - Returns: What was covered.
  @discardableResult
  public nonisolated(nonsending) func explore(
    steps: Int = 6, orders limit: Int? = nil, within duration: Duration? = nil, seed: UInt64 = 0,
    clock: any Clock<Duration> = ContinuousClock(),
    fileID: StaticString = #fileID, function: StaticString = #function
  ) async -> ExplorationCoverage {
    let limit = limit ?? (duration == nil ? 10_000 : .max)
    let saved = SavedOrders(
      fileID: "\(fileID)", function: "\(function)", feature: "\(State.self)")
    let isOver = duration.map { Self.isOver($0, by: clock) } ?? { false }
    return await explore(
      steps: steps, limit: limit, within: duration, seed: seed, saved
    ) { orders in
      await search(orders, steps: steps, until: isOver)
    }
  }

  /// Explores by a search, and reports what it finds.
  nonisolated(nonsending) func explore(
    steps: Int, limit: Int, within duration: Duration?, seed: UInt64, _ saved: SavedOrders?,
    _ search: nonisolated(nonsending) (OrderSearch) async -> SearchResult
  ) async -> ExplorationCoverage {
    if let reason = reasonForNothing(steps: steps, limit: limit, within: duration) {
      report(reason)
      return ExplorationCoverage(OrderSearch(limit: 0))
    }
    let found = firstFailure(of: saved)
    let orders = OrderSearch(limit: limit, seed: seed, prunes: prunes, isGuided: true)
    var result = SearchResult(
      goals: GoalTable([]), coverage: ExplorationCoverage(orders, failingAtOnce: found != nil))
    result.failure = found
    if found == nil { result = await search(orders) }
    if let misuse = result.misuse {
      reportIssue(misuse.message, at: misuse.position)
    } else if let found = result.failure {
      let smallest = smallest(found)
      let count = result.coverage.orderCount
      guard smallest.failure != nil else {
        report(textOfFailureThatDoesNotRecur(found, after: count))
        return result.coverage
      }
      let reason = saved?.save("\(smallest.actionLimit)-\(smallest.chooser.order)")
      let text = await text(of: smallest, after: count)
      report(reason.map { "\(text)\n\n\($0)" } ?? text)
    } else if !Task.isCancelled {
      reportWhatWasNotReached(result, steps: steps)
    }
    return result.coverage
  }

  /// Why there is nothing to explore; `nil` where there is something.
  private func reasonForNothing(steps: Int, limit: Int, within duration: Duration?) -> String? {
    if makeActions == nil {
      return "An explorer without actions has nothing to explore. Name some by '.actions(…)'."
    }
    if steps < 1 {
      return "A run of \(steps) steps does nothing. Let 'explore(steps:)' have one at least."
    }
    if limit < 1 {
      return
        "To explore \(limit) orders is to run nothing. Let 'explore(orders:)' have one at least."
    }
    guard let duration, duration <= .zero else { return nil }
    return "In a time of \(seconds(duration)) nothing is run. Let 'explore(within:)' have more."
  }

  /// A closure that says whether a time is over, from now on.
  static func isOver(
    _ duration: Duration, by clock: some Clock<Duration>
  ) -> () -> Bool {
    let start = clock.now
    return { start.duration(to: clock.now) >= duration }
  }

  /// The first run that fails again of those that have failed before.
  private func firstFailure(of saved: SavedOrders?) -> ExplorerRun<State, Action>? {
    for case let (actionLimit, order)? in saved?.all.map(parsed) ?? [] {
      let run = ExplorerRun(
        self, OrderChooser(following: order, isForSteps: true), actionLimit: actionLimit)
      run.run()
      if run.failure != nil, run.misuse == nil { return run }
    }
    return nil
  }

  private func reportWhatWasNotReached(_ result: SearchResult, steps: Int) {
    let facts = result.reach?.record.facts ?? []
    guard facts.contains(.hasSentActions) else {
      return report(
        """
        No run has sent an action, because there was none to send. Name actions by '.actions(…)', or let \
        '.availableActions' give some in the initial state.
        """)
    }
    let count = result.coverage.orderCount
    let runCount = "\(count) run\(count == 1 ? "" : "s")"
    for (goal, nearest) in result.goals.open {
      reportIssue(text(of: goal, nearest, result.coverage, facts, steps: steps), at: goal.position)
    }
    for (endpoint, index) in zip(endpoints, endpoints.indices)
    where result.reach?.isCalled(index) == false {
      reportIssue(
        """
        No run has called '\(nameOfEndpoint(index))', so its outcomes say nothing. Leave them out, or name \
        actions that lead to a call.
        """, at: endpoint.position, severity: .warning)
    }
    for index in result.reach?.consequencesWithoutCause ?? [] {
      reportIssue(
        """
        In \(runCount) this was never asked, because its cause never held: \
        \(description(of: consequences[index])). Allow more steps, actions or outcomes, or mend the cause.
        """, at: consequences[index].cause.position)
    }
    guard !facts.contains(.hasAskedAtEnd) else { return }
    let eventual = conditions.first { $0.kind == .eventually }
    if eventual != nil || !consequences.isEmpty || finishes {
      let name = eventual != nil ? ".eventually" : finishes ? ".eventuallyFinishes()" : ".whenever"
      reportIssue(
        """
        '\(name)' was never asked in \(runCount): in each a call did not \
        come back, or something was still due. Give calls an outcome that ends, or make timers end.
        """, at: eventual?.position ?? consequences.first?.cause.position ?? position)
    }
  }

  /// Makes one run, as a failure of ``explore(steps:orders:within:seed:clock:fileID:function:)`` gives it.
  public nonisolated(nonsending) func replay(_ order: String) async {
    guard let (actionLimit, effects) = parsed(order) else {
      return report(
        """
        "\(order)" is not an order of an explorer. Copy the string that a failure of 'explore' shows.
        """)
    }
    let chooser = OrderChooser(following: effects, keepsSteps: true, isForSteps: true)
    let run = ExplorerRun(self, chooser, actionLimit: actionLimit, isRecorded: true)
    run.run()
    var known: Set<String> = []
    await run.noteWorkThatLeaves(&known)
    if let misuse = run.misuse { return reportIssue(misuse.message, at: misuse.position) }
    if let mismatch = chooser.mismatch {
      report(
        """
        The order "\(order)" does not fit this feature any more: \(mismatch). The feature, or what the \
        explorer is told, has changed since. Find an order anew with 'explore'.
        """)
    }
    if run.failure != nil { report(await text(of: run, after: nil)) }
  }

  private func parsed(_ order: String) -> (actionLimit: Int, order: EffectOrder)? {
    let parts = order.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let limit = Int(parts[0]), limit >= 0,
      let effects = EffectOrder(String(parts[1]))
    else { return nil }
    return (limit, effects)
  }

  func report(_ message: String) {
    reportIssue(message, at: position)
  }

  // MARK: Searching

  struct SearchResult {
    var failure: ExplorerRun<State, Action>?
    var misuse: CallBook.Misuse?
    /// The cases, outcomes and causes that the runs have reached; `nil` where one has failed.
    var reach: ReachTable<Action>?
    let goals: GoalTable
    var coverage: ExplorationCoverage
  }

  /// Makes runs until one fails.
  ///
  /// - Parameter isOver: Whether no more runs are to be made, although there are more.
  nonisolated(nonsending) func search(
    _ search: OrderSearch, steps: Int, until isOver: () -> Bool = { false }
  ) async -> SearchResult {
    var search = search
    let states = StateTable<State>()
    var (stateCount, runsWithoutNew) = (0, 0)
    let goals = GoalTable(goals)
    let reach = ReachTable<Action>(
      endpointCount: endpoints.count, consequenceCount: consequences.count)
    var isTimeUp = false
    var placesOutOfSight: Set<String> = []
    func coverage() -> ExplorationCoverage {
      var coverage = ExplorationCoverage(search)
      coverage.note(reach.record.facts)
      coverage.isTimeUp = isTimeUp
      coverage.unreached = reach.unreached(nameOfEndpoint)
      guard states.isHashed || search.isComplete,
        !reach.record.facts.contains(.changesSharedValues)
      else { return coverage }
      coverage.stateCount = stateCount
      // A table that is full does not know what is new.
      coverage.hasMoreStates = states.isFull
      coverage.ordersWithoutNewState = states.isFull ? nil : runsWithoutNew
      return coverage
    }
    // One for all runs: what they need memory for is needed again.
    let chooser = OrderChooser(following: .firstInFirstOut, isForSteps: true)
    let history = RunHistory()
    let memories = MemoryTable()
    while !Task.isCancelled, !isTimeUp, let policy = search.next() {
      chooser.begin(policy)
      let comparesMoments = search.comparesMoments
      let run = ExplorerRun(
        self, chooser, actionLimit: steps,
        states: comparesMoments || states.isHashed ? states : nil,
        history: comparesMoments ? history : nil, memories: memories,
        goals: goals, reach: reach, isGuided: search.isGuided)
      run.run()
      await run.noteWorkThatLeaves(&placesOutOfSight)
      search.didRun(chooser.choices, chooser.trace, visits: run.visits)
      if goals.isAnyOpen {
        goals.note("\(steps)-\(chooser.order)", of: run.visits.map(\.place))
      }
      runsWithoutNew = states.count > stateCount ? 0 : runsWithoutNew + 1
      stateCount = states.count
      if run.failure != nil || run.misuse != nil {
        var coverage = coverage()
        coverage.hasFailed = true
        return SearchResult(
          failure: run, misuse: run.misuse, goals: goals, coverage: coverage)
      }
      isTimeUp = !search.isComplete && isOver()
      // Other tests have to come to their turns.
      if search.runCount % 64 == 0 { await Task.yield() }
    }
    return SearchResult(reach: reach, goals: goals, coverage: coverage())
  }

  // MARK: Shrinking

  /// Finds a smaller run that fails in the same way, and makes it once more with all its steps.
  func smallest(_ found: ExplorerRun<State, Action>) -> ExplorerRun<State, Action> {
    var shrinker = RunShrinker(self, found)
    return shrinker.smallest()
  }
}
