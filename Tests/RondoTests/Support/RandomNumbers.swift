// Random programs that can be run again.

import SeededRandomness
import Foundation
import Testing

/// Checks a property for many seeds, and names the seed of the first that fails together with what
/// the property has to say. `RONDO_SEED=…` in the environment repeats one, `RONDO_CHECKS=20` checks
/// twenty times as many.
///
/// - Parameter property: Nil when it holds, otherwise what is wrong.
@MainActor
func check(
  count: Int = 500, sourceLocation: SourceLocation = #_sourceLocation,
  _ property: (inout Randomness) -> String?
) {
  let environment = ProcessInfo.processInfo.environment
  let seeds: [UInt64]
  if let given = environment["RONDO_SEED"].flatMap(UInt64.init) {
    seeds = [given]
  } else {
    let times = environment["RONDO_CHECKS"].flatMap(Int.init) ?? 1
    seeds = (0..<times * count).map { _ in .random(in: 0..<(.max)) }
  }
  for seed in seeds {
    var random = Randomness(seed: seed)
    guard let failure = property(&random) else { continue }
    Issue.record("RONDO_SEED=\(seed)\n\(failure)", sourceLocation: sourceLocation)
    return
  }
}
