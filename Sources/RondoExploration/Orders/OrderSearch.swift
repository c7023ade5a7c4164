// The search for the next order to run.

import RondoTestStore

/// Goes through the orders of a test or a feature.
///
/// First come all orders with no deviation from first in, first out, then with one, then with two:
/// most bugs need no more. If there are few orders altogether it goes on like that until all have been
/// run. Otherwise the rest of the budget is a mix of random walks, of priorities that change at a few
/// places, and of priorities that are drawn for every step.
///
/// Where the moments of runs can be compared, an option is run once at each moment, and not once for every
/// order that leads there.
///
/// Where runs say which states they have come to, others go on from one that few runs have come to, once the first runs
/// have not been enough: three of four while that shows something new, and every second one otherwise.
///
/// The same seed gives the same orders. The memory that it needs does not grow with their number.
package struct OrderSearch {
  /// The largest number of orders to run.
  private let limit: Int
  private let plan: Plan
  private var random: SearchRandom

  /// The number of orders that have been run.
  package private(set) var runCount = 0

  /// Whether all orders that there are have been run.
  package private(set) var isComplete = false

  /// The number of deviations up to which all orders have been run, or come to the same as others that have.
  package private(set) var deviationCount = 0

  /// Whether there is anything to choose.
  package private(set) var hasChoices = false

  /// The ways of choosing that a search uses.
  package enum Plan: Sendable {
    /// All of them.
    case mixed
    /// Orders with few deviations only.
    case fewDeviations
    /// One of the others only.
    case sampled(Sampling)

    var isSampled: Bool { if case .sampled = self { true } else { false } }
  }

  /// A way to choose by chance.
  package enum Sampling: CaseIterable, Sendable {
    /// Everything that may run is equally likely.
    case randomWalk
    /// Every task has a priority, which changes at two choices of the run.
    case changingPriorities
    /// Every step has a priority, drawn when it could first run.
    case partialOrder
  }

  // MARK: Few deviations

  /// An order that has been run and whose successors, with one deviation more, are to be run.
  private struct Parent {
    var order: EffectOrder
    var branches: [Branch] = []
    /// Numbers for the options of all branches, where moments can be compared.
    var options: [UInt64] = []
    /// The branch that is next.
    var index = 0

    mutating func nextSuccessor(_ graph: MomentGraph?) -> EffectOrder? {
      while index < branches.count {
        let branch = branches[index]
        guard branch.option < branch.count else {
          index += 1
          continue
        }
        branches[index].option += 1
        if let first = branch.firstOption, let graph,
          graph.isRun(options[Int(first + branch.option)])
        {
          continue
        }
        return order.deviating(
          at: Int(branch.choice), to: Int(branch.option), of: Int(branch.count))
      }
      return nil
    }
  }

  /// A choice of an order behind its last deviation.
  private struct Branch {
    var choice: Int32
    var count: Int32
    /// The option that is next.
    var option: Int32 = 1
    /// The place of its first option among those of the parent.
    var firstOption: Int32?
  }

  private var parents: [Parent] = []
  private var nextParents: [Parent] = []
  private var parentIndex = 0
  private var level = 0
  private var storedChoices = 0
  private var isTruncated = false
  /// The moments so far; `nil` where they cannot be compared.
  private var graph: MomentGraph?
  private var isStartingAgain = false

  // MARK: Under way

  /// A run whose policy was given, and that is not over.
  private struct RunUnderWay {
    /// The order that it follows; `nil` where it goes by chance.
    var order: EffectOrder?
    var sampling: Sampling?
    let generation: Int
  }

  /// The runs that are not over, the oldest first. There are several where they are made side by side.
  private var underWay: [RunUnderWay] = []
  /// The number of times that the search has begun again. Results of runs from before are not kept.
  private var generation = 0

  // MARK: Guided

  /// The states that runs have come to; `nil` where the search is not guided.
  private var archive: OrderArchive?
  /// The number of runs that were planned since the last one that was not guided.
  private var guidedCount = 0
  /// The run that has shown a value of a property last that was new.
  private var lastNewRun = 0

  /// The number of runs after which others go on from rare states. Small explorations end before. Where there are so many
  /// orders that few can be run, it is soon.
  private var firstGuidedRun: Int { estimatedCount > 1e6 ? 16 : 128 }

  /// Whether the next runs are to say which states they have come to.
  package var isGuided: Bool { archive != nil }

  // MARK: By chance

  private var estimate = OrderEstimate()
  private var sampleCount = 0
  private var averageChoices = 1.0

  /// - Parameters:
  ///   - limit: The largest number of orders to run.
  ///   - seed: What is drawn by chance is drawn by.
  ///   - plan: The ways of choosing.
  ///   - prunes: Whether orders that lead to moments that are known are left out.
  ///   - isGuided: Whether runs go on from states that few runs have come to.
  package init(
    limit: Int, seed: UInt64 = 0, plan: Plan = .mixed, prunes: Bool = false, isGuided: Bool = false
  ) {
    self.limit = max(1, limit)
    self.plan = plan
    if prunes, !plan.isSampled { graph = MomentGraph() }
    if isGuided { archive = OrderArchive() }
    random = SearchRandom(seed: seed)
  }

  /// A guess at how many orders there are.
  package var estimatedCount: Double { max(Double(runCount), estimate.count) }

  /// The number of orders that those stand for that were run.
  package var orderCount: Double {
    guard isComplete, let graph else { return Double(runCount) }
    return max(graph.orderCount, 1)
  }

  /// Whether moments of the next run are wanted.
  package var comparesMoments: Bool { graph != nil && underWay.last?.order != nil }

  /// Gives the policy of the next run; `nil` when the search is over, or where the runs that are under way
  /// say what comes next.
  package mutating func next() -> (any OrderPolicy)? {
    guard runCount + underWay.count < limit, !isComplete else { return nil }
    if runCount == 0 || isStartingAgain {
      guard underWay.isEmpty else { return nil }
      isStartingAgain = false
      return following(.firstInFirstOut)
    }
    if let policy = nextGuided() { return policy }
    if goesOnSystematically {
      if let order = nextSuccessor() { return following(order) }
      guard !isOrderUnderWay else { return nil }
      if !isTruncated {
        isComplete = true
        return nil
      }
    }
    return sample()
  }

  /// Whether a run is not over that may have successors: those by chance have none.
  private var isOrderUnderWay: Bool { underWay.contains { $0.order != nil } }

  private mutating func following(_ order: EffectOrder) -> FollowedOrder {
    underWay.append(RunUnderWay(order: order, generation: generation))
    return FollowedOrder(order)
  }

  private mutating func nextGuided() -> ContinuedOrder? {
    // Half of the runs are unguided where guiding has shown nothing new for a while.
    let mostInARow = runCount - lastNewRun < 128 ? 3 : 1
    let isTurn =
      guidedCount < mostInARow && runCount >= firstGuidedRun && archive?.isEmpty == false
    guidedCount = isTurn ? guidedCount + 1 : 0
    guard isTurn else { return nil }
    underWay.append(RunUnderWay(generation: generation))
    return archive?.next(&random)
  }

  /// Takes note of the choices that a run has made: the oldest of those under way.
  ///
  /// - Parameters:
  ///   - trace: The moments at which it has made them, if they were wanted.
  ///   - visits: The places that it has come to, if they were wanted.
  package mutating func didRun(
    _ choices: [OrderChoice], _ trace: OrderTrace = OrderTrace(), visits: [OrderVisit] = []
  ) {
    let run = underWay.isEmpty ? RunUnderWay(generation: generation) : underWay.removeFirst()
    runCount += 1
    let valueCount = archive?.valueCount
    archive?.add(visits, choices)
    if archive?.valueCount != valueCount { lastNewRun = runCount }
    if runCount == 1 {
      hasChoices = !choices.isEmpty
      isComplete = choices.isEmpty
      estimate.addFirst(choices)
    } else if run.sampling == .randomWalk {
      estimate.add(choices)
    }
    averageChoices += (Double(choices.count) - averageChoices) / Double(min(runCount, 100))
    if let order = run.order, run.generation == generation { keep(order, choices, trace) }
  }

  /// The largest number of runs that go through all orders one by one, where there are more: a search that
  /// is limited by time alone has to come to others.
  private static let systematicLimit = 250_000

  private var goesOnSystematically: Bool {
    switch plan {
    case .fewDeviations: true
    case .sampled: false
    case .mixed:
      (runCount < min(limit / 2, Self.systematicLimit) && (level <= 2 || graph != nil))
        || estimatedCount <= Double(min(limit, 2 * Self.systematicLimit))
    }
  }

  // MARK: Successors

  private mutating func keep(
    _ order: EffectOrder, _ choices: [OrderChoice], _ trace: OrderTrace
  ) {
    // Most of a large space is still new.
    guard storedChoices < 1 << 20, graph?.isFull != true else { return isTruncated = true }
    let first = (order.deviatingChoices.last ?? -1) + 1
    var parent = Parent(order: order)
    if graph != nil {
      guard trace.isComparable, let new = graph?.add(trace, choices, knownCount: first) else {
        return startAgain()
      }
      for moment in new {
        parent.branches.append(
          Branch(
            choice: Int32(moment.choice), count: Int32(moment.count),
            firstOption: Int32(parent.options.count)))
        parent.options += trace.options[moment.firstOption..<moment.firstOption + moment.count]
      }
    } else {
      for choice in choices.indices.dropFirst(first) {
        parent.branches.append(
          Branch(choice: Int32(choice), count: Int32(clamping: choices[choice].count)))
      }
    }
    guard !parent.branches.isEmpty else { return }
    storedChoices += parent.branches.count
    nextParents.append(parent)
  }

  /// Begins again without comparing moments: they have turned out not to be comparable.
  private mutating func startAgain() {
    graph = nil
    generation += 1
    (parents, nextParents) = ([], [])
    (parentIndex, level, storedChoices, deviationCount) = (0, 0, 0, 0)
    isStartingAgain = true
  }

  private mutating func nextSuccessor() -> EffectOrder? {
    while true {
      while parentIndex < parents.count {
        if let successor = parents[parentIndex].nextSuccessor(graph) { return successor }
        parentIndex += 1
      }
      // The successors of those under way belong to the same level.
      guard !nextParents.isEmpty, !isOrderUnderWay else { return nil }
      parents = nextParents
      nextParents = []
      storedChoices = 0
      parentIndex = 0
      // Orders that were not kept would have successors at this level, too.
      if !isTruncated { deviationCount = level }
      level += 1
      guard goesOnSystematically else {
        isTruncated = true
        return nil
      }
    }
  }

  // MARK: Samples

  private mutating func sample() -> any OrderPolicy {
    let sampling: Sampling =
      if case .sampled(let sampling) = plan { sampling } else {
        Sampling.allCases[sampleCount % Sampling.allCases.count]
      }
    sampleCount += 1
    underWay.append(RunUnderWay(sampling: sampling, generation: generation))
    let seed = random.next()
    switch sampling {
    case .randomWalk: return RandomWalk(seed: seed)
    case .changingPriorities:
      return ChangingPriorities(seed: seed, changes: 2, choices: Int(averageChoices) + 1)
    case .partialOrder: return PartialOrderSampling(seed: seed)
    }
  }
}

/// A guess at how many orders there are: along a random walk, the product of the numbers of options is
/// that on average.
private struct OrderEstimate {
  private var sum = 0.0
  private var samples = 0.0
  private var first = 1.0

  var count: Double { samples > 0 ? sum / samples : first }

  mutating func addFirst(_ choices: [OrderChoice]) { first = product(choices) }

  mutating func add(_ choices: [OrderChoice]) {
    sum += product(choices)
    samples += 1
  }

  private func product(_ choices: [OrderChoice]) -> Double {
    choices.reduce(1) { $0 * Double($1.count) }
  }
}
