// Bugs that need many deviations are found sooner by going on from rare states (X13).

import RondoSeededRandomness
import RondoTesting
import Testing

@testable import RondoExploration

@Suite struct DeepBugTests {
  // X13
  @Test func aDeepBugIsFoundByGoingOnFromRareStates() async {
    let limit = 400
    #expect(await DeepBug.handshake.ordersNeeded(seed: 1, limit: limit, isGuided: true) != nil)
    #expect(await DeepBug.handshake.ordersNeeded(seed: 1, limit: limit, isGuided: false) == nil)
  }

  /// The long form: twenty times sooner, in the median of twenty seeds.
  // X13
  @Test(.enabled(if: Soak.isOn), arguments: DeepBug.allCases, [5, 6, 7])
  func deepBugsAreFoundSoonerByGuiding(bug: DeepBug, depth: Int) async {
    let seeds = (1...20).map { UInt64($0) }
    var needed: [Int] = []
    for seed in seeds {
      needed.append(
        await bug.ordersNeeded(seed: seed, limit: 5_000, isGuided: true, depth: depth) ?? .max)
    }
    let median = needed.sorted()[seeds.count / 2]
    guard median < 5_000 else {
      Issue.record("\(bug) is found in 5,000 runs with fewer than half of the seeds: \(needed)")
      return
    }
    // Enough of them are the median: more than half do not find it in twenty times as many runs.
    var (foundCount, notFoundCount) = (0, 0)
    for seed in seeds where max(foundCount, notFoundCount) <= seeds.count / 2 {
      let plain = await bug.ordersNeeded(
        seed: seed, limit: 20 * median, isGuided: false, depth: depth)
      if plain == nil { notFoundCount += 1 } else { foundCount += 1 }
    }
    print(
      "\(bug), \(depth) steps: \(median) runs of \(needed); "
        + "not in \(20 * median) without guiding, \(notFoundCount) times")
    // The others are found sooner than without guiding, but not so much, as the page says.
    guard bug == .handshake || bug == .retries else { return }
    #expect(notFoundCount > foundCount, "\(needed)")
  }
}
