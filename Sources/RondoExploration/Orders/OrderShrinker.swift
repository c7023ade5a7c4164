// Making an order that fails smaller.

import RondoTestStore

/// Finds an order with fewer deviations that still fails.
///
/// ```swift
/// while let order = shrinker.next() { shrinker.didRun(failingOrder: run(order)) }
/// ```
package struct OrderShrinker {
  /// The smallest order so far.
  package private(set) var order: EffectOrder

  /// The number of runs that may still be made.
  private var budget: Int
  private var candidates: [EffectOrder]

  package init(_ order: EffectOrder, budget: Int = 300) {
    self.order = order
    self.budget = budget
    candidates = order.smaller
  }

  /// The next order to try; `nil` when no smaller one fails, or the budget is spent.
  package mutating func next() -> EffectOrder? {
    guard budget > 0 else { return nil }
    budget -= 1
    return candidates.popLast()
  }

  /// Takes note of a run.
  ///
  /// - Parameter failed: The order that was really run, if it has failed.
  package mutating func didRun(failingOrder failed: EffectOrder?) {
    guard let failed, failed.isSmaller(than: order) else { return }
    order = failed
    candidates = failed.smaller
  }
}

extension EffectOrder {
  /// Orders that are a little smaller, the one to try first at the end.
  fileprivate var smaller: [EffectOrder] {
    var smaller: [EffectOrder] = []
    // From behind: what comes last has the fewest consequences.
    for distance in [0, -1, 1, -2, 2] {
      for index in (0..<deviationCount).reversed() {
        if let order = removing(at: index, moving: distance) { smaller.append(order) }
      }
    }
    for index in 0..<deviationCount {
      for option in 1..<max(1, option(at: index)) {
        if let order = lowering(at: index, to: option) { smaller.append(order) }
      }
    }
    return smaller.reversed()
  }

  /// Whether it deviates less often, or as often and to what came earlier.
  fileprivate func isSmaller(than other: EffectOrder) -> Bool {
    if deviationCount != other.deviationCount { return deviationCount < other.deviationCount }
    return weight < other.weight
  }

  private var weight: Int { (0..<deviationCount).reduce(0) { $0 + option(at: $1) } }
}
