// Making an order that fails smaller.

import RondoTestStore

/// Finds an order with fewer deviations that still fails.
package struct OrderShrinker {
  /// The smallest order so far.
  package private(set) var order: EffectOrder

  /// How many more runs may be made.
  private var budget: Int

  package init(_ order: EffectOrder, budget: Int = 300) {
    self.order = order
    self.budget = budget
  }

  /// Tries smaller orders until none fails, or the budget is spent.
  ///
  /// - Parameter run: Runs an order. It gives back the order that was really run if that has failed.
  package mutating func shrink(
    _ run: nonisolated(nonsending) (EffectOrder) async -> EffectOrder?
  ) async {
    while await shrinkOnce(run) {}
  }

  private mutating func shrinkOnce(
    _ run: nonisolated(nonsending) (EffectOrder) async -> EffectOrder?
  ) async -> Bool {
    // From behind: what comes last has the fewest consequences.
    for distance in [0, -1, 1, -2, 2] {
      for index in (0..<order.deviationCount).reversed() {
        guard let smaller = order.removing(at: index, moving: distance) else { continue }
        if await attempt(smaller, run) { return true }
      }
    }
    for index in 0..<order.deviationCount {
      for option in 1..<max(1, order.option(at: index)) {
        guard let lowered = order.lowering(at: index, to: option) else { continue }
        if await attempt(lowered, run) { return true }
      }
    }
    return false
  }

  private mutating func attempt(
    _ smaller: EffectOrder, _ run: nonisolated(nonsending) (EffectOrder) async -> EffectOrder?
  ) async -> Bool {
    guard budget > 0 else { return false }
    budget -= 1
    guard let failed = await run(smaller), failed.isSmaller(than: order) else { return false }
    order = failed
    return true
  }
}

extension EffectOrder {
  /// Whether it deviates less often, or as often and to what came earlier.
  fileprivate func isSmaller(than other: EffectOrder) -> Bool {
    if deviationCount != other.deviationCount { return deviationCount < other.deviationCount }
    return weight < other.weight
  }

  private var weight: Int { (0..<deviationCount).reduce(0) { $0 + option(at: $1) } }
}
