// Random programs that can be run again.

import Foundation
import Testing

/// SplitMix64: small, fast, and the same everywhere.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// Checks a property for many seeds, and names the seed of the first that fails together with what
/// the property has to say. `RONDO_SEED=…` in the environment repeats one, `RONDO_CHECKS=20` checks
/// twenty times as many.
///
/// - Parameter property: Nil when it holds, otherwise what is wrong.
@MainActor
func check(
  count: Int = 500, sourceLocation: SourceLocation = #_sourceLocation,
  _ property: (inout SplitMix64) -> String?
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
    var random = SplitMix64(seed: seed)
    guard let failure = property(&random) else { continue }
    Issue.record("RONDO_SEED=\(seed)\n\(failure)", sourceLocation: sourceLocation)
    return
  }
}
