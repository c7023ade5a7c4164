// Exploring on all cores.

import Foundation
import Rondo
import RondoScheduling
import RondoTestStore
import Synchronization

/// Explores a feature with all cores of the machine.
///
/// ```swift
/// await exploreOnAllCores(steps: 12, orders: 1_000_000) {
///   Explorer(initialState: Search.State()) { Search() }
///     .actions(.queryChanged("b"), .queryChanged("bl"))
///     .outcomes(of: \.api.search) { [.success([$0])] }
///     .always { $0.results.isEmpty || $0.results == [$0.query] }
/// }
/// ```
///
/// It is for searches of seconds and longer: others are as fast with
/// ``Explorer/explore(steps:orders:within:seed:clock:fileID:function:)``, whose explorer may use what belongs to the
/// test. Each thread makes an explorer of its own. What is found, and what is covered, depends on the seed and
/// not on the number of threads. It is not always the same as with `explore`, because 64 runs are planned at a
/// time. With `.matches` no order is left out because another one leads to the same moment, since the threads cannot
/// compare their models.
///
/// - Parameters:
///   - steps: How many actions are sent in a run.
///   - limit: How many runs are made at most: 10,000, or as many as fit into `duration` where that is given.
///   - duration: How long runs are made at most.
///   - seed: What is drawn by chance is drawn by.
///   - threadCount: How many runs are made at once; as many as the machine has cores, if nothing is said.
///   - clock: What the time is taken of.
///   - fileID: The file of the test, which names the saved orders.
///   - function: The name of the test, which names the saved orders.
///   - makeExplorer: Makes an explorer, each time the same.
/// - Returns: What was covered.
@discardableResult
public nonisolated(nonsending) func exploreOnAllCores<
  State: Equatable & Sendable, Action: SendableMetatype
>(
  steps: Int = 6, orders limit: Int? = nil, within duration: Duration? = nil, seed: UInt64 = 0,
  threads threadCount: Int? = nil, clock: any Clock<Duration> = ContinuousClock(),
  fileID: StaticString = #fileID, function: StaticString = #function,
  _ makeExplorer: @escaping @Sendable () -> Explorer<State, Action>
) async -> ExplorationCoverage {
  // The state of a model is not `Sendable`: threads cannot ask one another whether theirs are equal.
  let explorer = changed(makeExplorer()) { $0.prunes = $0.prunes && $0.makeModels.isEmpty }
  let saved = SavedOrders(
    fileID: "\(fileID)", function: "\(function)", feature: "\(State.self)")
  let isOver = duration.map { Explorer<State, Action>.isOver($0, by: clock) } ?? { false }
  let threadCount = max(1, threadCount ?? ProcessInfo.processInfo.activeProcessorCount)
  let limit = limit ?? (duration == nil ? 10_000 : .max)
  return await explorer.explore(
    steps: steps, limit: limit, within: duration, seed: seed, saved
  ) { orders in
    var search = BatchSearch(
      explorer, orders, steps: steps, threadCount: threadCount, makeExplorer)
    return await search.run(until: isOver)
  }
}

/// Makes runs side by side, a batch after the other.
///
/// What a batch consists of depends on what the batches before have come to, and on nothing else. Its runs are made
/// in any order and noted in the order of the batch, so the number of threads makes no difference.
private struct BatchSearch<State: Equatable & Sendable, Action: SendableMetatype> {
  private let explorer: Explorer<State, Action>
  private let makeExplorer: @Sendable () -> Explorer<State, Action>
  private var search: OrderSearch
  private let steps: Int
  private let threadCount: Int
  private let states = SharedStates<State>()
  private let memories = MemoryTable()
  /// The states that each thread has seen.
  private let known: [KnownStates<State>]
  /// The states in the order in which they were noted: their numbers among `states` depend on the threads.
  private var stateNumbers: [Int: Int] = [:]
  private var runsWithoutNew = 0
  private let goals: GoalTable
  private let reach: ReachTable<Action>
  private var placesOutOfSight: Set<String> = []

  private static var batchSize: Int { 64 }

  init(
    _ explorer: Explorer<State, Action>, _ search: OrderSearch, steps: Int, threadCount: Int,
    _ makeExplorer: @escaping @Sendable () -> Explorer<State, Action>
  ) {
    (self.explorer, self.search, self.steps) = (explorer, search, steps)
    (self.threadCount, self.makeExplorer) = (threadCount, makeExplorer)
    known = (0..<threadCount).map { [states] _ in KnownStates(states) }
    goals = GoalTable(explorer.goals)
    reach = ReachTable(
      endpointCount: explorer.endpoints.count, consequenceCount: explorer.consequences.count)
  }

  nonisolated(nonsending) mutating func run(
    until isOver: () -> Bool
  ) async -> Explorer<State, Action>.SearchResult {
    var isTimeUp = false
    while !Task.isCancelled, !isTimeUp {
      let batch = nextBatch()
      guard !batch.isEmpty else { break }
      for report in await reports(of: batch) {
        note(report)
        if report.failure != nil || report.misuse != nil { return failure(report) }
      }
      states.endBatch()
      isTimeUp = !search.isComplete && isOver()
    }
    return Explorer<State, Action>.SearchResult(
      reach: reach, goals: goals, coverage: coverage(isTimeUp: isTimeUp))
  }

  private func failure(_ report: RunReport) -> Explorer<State, Action>.SearchResult {
    var coverage = coverage(isTimeUp: false)
    coverage.hasFailed = true
    var result = Explorer<State, Action>.SearchResult(goals: goals, coverage: coverage)
    result.misuse = report.misuse
    // Once more, by the explorer of the caller.
    let run = ExplorerRun(
      explorer, OrderChooser(following: EffectOrder(report.choices), isForSteps: true),
      actionLimit: steps)
    run.run()
    // It may not fail again; then what it has found is said all the same.
    if let failure = report.failure { run.note(failure) }
    result.failure = run
    return result
  }

  private func coverage(isTimeUp: Bool) -> ExplorationCoverage {
    var coverage = ExplorationCoverage(search)
    coverage.note(reach.record.facts)
    coverage.isTimeUp = isTimeUp
    coverage.unreached = reach.unreached(explorer.nameOfEndpoint)
    guard states.isHashed || search.isComplete,
      !reach.record.facts.contains(.changesSharedValues)
    else { return coverage }
    coverage.stateCount = stateNumbers.count
    coverage.hasMoreStates = states.isFull
    coverage.ordersWithoutNewState = states.isFull ? nil : runsWithoutNew
    return coverage
  }

  // MARK: Batches

  /// A run that is to be made.
  private struct Job {
    let policy: any OrderPolicy
    let comparesMoments: Bool
  }

  /// The result of one run.
  private struct RunReport: Sendable {
    var choices: [OrderChoice] = []
    var trace = OrderTrace()
    var visits: [OrderVisit] = []
    var failure: RunFailure?
    var misuse: CallBook.Misuse?
    var goals: [GoalTable.Progress] = []
    /// The cases and outcomes that this run has reached, and the runs before it on its thread.
    var reach: ReachTable<Action>.Record
    var placesOutOfSight: Set<String> = []
  }

  private mutating func nextBatch() -> [Job] {
    var jobs: [Job] = []
    while jobs.count < Self.batchSize, let policy = search.next() {
      jobs.append(Job(policy: policy, comparesMoments: search.comparesMoments))
    }
    return jobs
  }

  /// Makes the runs of a batch.
  ///
  /// - Returns: What they have come to, in the order of the batch, at least up to the first one that fails.
  private nonisolated(nonsending) func reports(of batch: [Job]) async -> [RunReport] {
    let places = placesOutOfSight
    let progress = goals.progress
    let (known, memories, steps, makeExplorer) = (known, memories, steps, makeExplorer)
    let isGuided = search.isGuided
    let count = min(threadCount, batch.count)
    let line = JobLine()
    return await withTaskGroup(of: [(Int, RunReport)].self) { group in
      for thread in 0..<count {
        let states = known[thread]
        group.addTask {
          await Self.reports(
            of: batch, line, makeExplorer(), states, memories, steps: steps, isGuided: isGuided,
            progress,
            places)
        }
      }
      var reports = [RunReport?](repeating: nil, count: batch.count)
      for await some in group { for (index, report) in some { reports[index] = report } }
      // Behind a run that fails some may be missing.
      return Array(reports.prefix { $0 != nil }.map { $0! })
    }
  }

  /// Makes the next runs of a batch on one thread, up to the first one that fails.
  ///
  /// - Parameter line: Gives out the runs in the order of the batch: a thread that has finished one takes the next. So
  ///   all runs before one that was taken are made, too.
  private nonisolated static func reports(
    of batch: [Job], _ line: JobLine, _ explorer: Explorer<State, Action>,
    _ states: KnownStates<State>, _ memories: MemoryTable, steps: Int, isGuided: Bool,
    _ progress: [GoalTable.Progress],
    _ known: Set<String>
  ) async -> [(Int, RunReport)] {
    let chooser = OrderChooser(following: .firstInFirstOut, isForSteps: true)
    let history = RunHistory()
    var known = known
    var reports: [(Int, RunReport)] = []
    let reach = ReachTable<Action>(
      endpointCount: explorer.endpoints.count, consequenceCount: explorer.consequences.count)
    func number(_ state: UnsafePointer<State>, _ step: UInt64) -> UInt64 {
      states.number(of: state.pointee, after: step)
    }
    while let index = line.next(below: batch.count) {
      let job = batch[index]
      chooser.begin(job.policy)
      let goals = GoalTable(explorer.goals, progress: progress)
      let run = ExplorerRun(
        explorer, chooser, actionLimit: steps,
        numberOfState: job.comparesMoments || states.isHashed ? number : nil,
        history: job.comparesMoments ? history : nil, memories: memories, goals: goals,
        reach: reach,
        isGuided: isGuided)
      run.run()
      await run.noteWorkThatLeaves(&known)
      var report = RunReport(reach: reach.record)
      report.choices = chooser.choices
      report.trace = chooser.trace
      report.visits = run.visits
      report.failure = run.failure
      report.misuse = run.misuse
      report.goals = goals.progress
      report.placesOutOfSight = known
      reports.append((index, report))
      if report.failure != nil || report.misuse != nil { break }
    }
    return reports
  }

  // MARK: Noting

  private mutating func note(_ report: RunReport) {
    let count = stateNumbers.count
    var visits: [OrderVisit] = []
    for visit in report.visits { visits.append(renumbered(visit)) }
    visits = goals.add(
      report.goals, order: "\(steps)-\(EffectOrder(report.choices))", visits: visits)
    search.didRun(report.choices, report.trace, visits: visits)
    reach.add(report.reach)
    runsWithoutNew = stateNumbers.count > count ? 0 : runsWithoutNew + 1
    placesOutOfSight.formUnion(report.placesOutOfSight)
  }

  /// A visit with the number that its state has whatever the threads do.
  private mutating func renumbered(_ visit: OrderVisit) -> OrderVisit {
    guard case .state(let number) = visit.place else { return visit }
    if let known = stateNumbers[number] { return visit.at(.state(known), []) }
    stateNumbers[number] = stateNumbers.count + 1
    return visit.at(.state(stateNumbers.count), StateProperty.all(of: states.state(number)))
  }
}

/// Gives the runs of a batch to threads.
private final class JobLine: Sendable {
  private let count = Atomic(0)

  /// The index of the next run; `nil` behind the last one.
  func next(below limit: Int) -> Int? {
    let index = count.add(1, ordering: .relaxed).oldValue
    return index < limit ? index : nil
  }
}

/// The states of all runs, for several threads.
///
/// It takes all states of a batch, and is full only from one batch to the next: in the middle of one it would depend
/// on the threads which states come too late.
final class SharedStates<State: Equatable & Sendable>: Sendable {
  private let table = Mutex(StateTable<State>(limit: .max))
  private let limit: Int

  /// Whether states are found at once.
  let isHashed = State.self is any Hashable.Type

  /// - Parameter limit: The number of states from which on a batch is the last one that adds some.
  init(limit: Int = StateTable<State>.usualLimit) { self.limit = limit }

  /// Takes no more states from now on, if there are enough.
  func endBatch() {
    table.withLock { if $0.count >= limit { $0.close() } }
  }

  /// - Parameter step: A number for what has led to the state.
  func number(of state: State, after step: UInt64) -> UInt64 {
    table.withLock { table in
      withUnsafePointer(to: state) { table.number(of: $0, after: step) }
    }
  }

  func state(_ number: Int) -> State { table.withLock { $0.state(number) } }

  var isFull: Bool { table.withLock { $0.isFull } }
}

/// The states that the runs of one thread have come to, with the numbers that they have for all. Most were seen before,
/// and threads that compare values in memory of their own do not wait for each other.
private final class KnownStates<State: Equatable & Sendable>: Sendable {
  private let states: SharedStates<State>
  // Only one thread uses it at a time.
  private let known = Mutex((table: StateTable<State>(), numbers: [UInt64]()))

  init(_ states: SharedStates<State>) { self.states = states }

  var isHashed: Bool { states.isHashed }

  /// - Parameter step: A number for what has led to the state.
  func number(of state: State, after step: UInt64) -> UInt64 {
    known.withLock { known in
      let count = known.table.count
      let own = withUnsafePointer(to: state) { known.table.number(of: $0, after: step) }
      guard own > 0 else { return states.number(of: state, after: step) }
      if known.table.count > count { known.numbers.append(states.number(of: state, after: step)) }
      return known.numbers[Int(own) - 1]
    }
  }
}
