// The search for the next order to run.

import RondoTestStore

/// Goes through the orders of a test or a feature.
///
/// First come all orders with no deviation from first in, first out, then with one, then with two:
/// most bugs need no more. If there are few orders altogether it goes on like that until all have been
/// run. Otherwise the rest of the budget is a mix of random walks, of priorities that change at a few
/// places, and of priorities that are drawn for every step.
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
    /// The number of options of each choice behind the last deviation.
    var counts: [UInt16]
    var firstChoice: Int
    /// The successor that is next.
    var choice = 0
    var option = 1

    mutating func nextSuccessor() -> EffectOrder? {
      while choice < counts.count {
        let count = Int(counts[choice])
        guard option < count else {
          choice += 1
          option = 1
          continue
        }
        defer { option += 1 }
        return order.deviating(at: firstChoice + choice, to: option, of: count)
      }
      return nil
    }
  }

  private var parents: [Parent] = []
  private var nextParents: [Parent] = []
  private var parentIndex = 0
  private var level = 0
  private var storedChoices = 0
  private var isTruncated = false
  private var current: EffectOrder? = .firstInFirstOut

  // MARK: By chance

  private var estimate = OrderEstimate()
  private var currentSampling: Sampling?
  private var sampleCount = 0
  private var averageChoices = 1.0

  package init(limit: Int, seed: UInt64 = 0, plan: Plan = .mixed) {
    self.limit = max(1, limit)
    self.plan = plan
    random = SearchRandom(seed: seed)
  }

  /// A guess at how many orders there are.
  package var estimatedCount: Double { max(Double(runCount), estimate.count) }

  /// Gives the policy of the next run; `nil` when the search is over.
  package mutating func next() -> (any OrderPolicy)? {
    guard runCount < limit, !isComplete else { return nil }
    if runCount == 0 { return FollowedOrder(.firstInFirstOut) }
    if goesOnSystematically {
      if let order = nextSuccessor() {
        current = order
        return FollowedOrder(order)
      }
      if !isTruncated {
        isComplete = true
        return nil
      }
    }
    current = nil
    return sample()
  }

  /// Takes note of the choices that a run has made.
  package mutating func didRun(_ choices: [OrderChoice]) {
    runCount += 1
    if runCount == 1 {
      hasChoices = !choices.isEmpty
      isComplete = choices.isEmpty
      estimate.addFirst(choices)
    } else if currentSampling == .randomWalk {
      estimate.add(choices)
    }
    averageChoices += (Double(choices.count) - averageChoices) / Double(min(runCount, 100))
    if let current { keep(current, choices) }
  }

  private var goesOnSystematically: Bool {
    switch plan {
    case .fewDeviations: true
    case .sampled: false
    case .mixed: (level <= 2 && runCount < limit / 2) || estimatedCount <= Double(limit)
    }
  }

  // MARK: Successors

  private mutating func keep(_ order: EffectOrder, _ choices: [OrderChoice]) {
    let first = (order.deviatingChoices.last ?? -1) + 1
    guard first < choices.count else { return }
    // The memory of some thousand orders is enough for what can be gone through at all.
    guard storedChoices < 1 << 20 else { return isTruncated = true }
    let counts = choices[first...].map { UInt16(clamping: $0.count) }
    storedChoices += counts.count
    nextParents.append(Parent(order: order, counts: counts, firstChoice: first))
  }

  private mutating func nextSuccessor() -> EffectOrder? {
    while true {
      while parentIndex < parents.count {
        if let successor = parents[parentIndex].nextSuccessor() { return successor }
        parentIndex += 1
      }
      guard !nextParents.isEmpty else { return nil }
      parents = nextParents
      nextParents = []
      storedChoices = 0
      parentIndex = 0
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
    currentSampling = sampling
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
