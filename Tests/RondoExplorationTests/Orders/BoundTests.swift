// Searches that are not complete are so up to a number of deviations (X14).

import RondoSeededRandomness
import RondoTestStore
import RondoTesting
import Testing

@testable import RondoExploration

@Suite struct BoundTests {
  private static let programCount = Soak.count(4, long: 300)
  private static let orderLimit = 1_500

  /// The states in which the orders end that have at most so many deviations: all are run, one by one, and nothing
  /// is compared or left out. `nil` where they are too many.
  private func ends(
    of program: RandomProgram, deviations limit: Int
  ) -> Set<RandomProgram.Feature.State>? {
    let seen = RandomProgram.SeenStates()
    let explorer = program.explorer(seen, again: true)
    var orders: [(order: EffectOrder, count: Int)] = [(.firstInFirstOut, 0)]
    var next = 0
    while next < orders.count {
      guard orders.count < Self.orderLimit else { return nil }
      let (order, count) = orders[next]
      next += 1
      let chooser = OrderChooser(following: order, isForSteps: true)
      ExplorerRun(explorer, chooser, actionLimit: 2).run()
      guard count < limit else { continue }
      for index in chooser.choices.indices.dropFirst((order.deviatingChoices.last ?? -1) + 1) {
        let options = chooser.choices[index].count
        for option in 0..<options where option > 0 {
          orders.append((order.deviating(at: index, to: option, of: options), count + 1))
        }
      }
    }
    return seen.last
  }

  // X14
  @Test func allOrdersUpToABoundAreAmongThoseThatWereRun() async throws {
    var (seed, compared) = (UInt64(0), 0)
    var bounds: Set<Int> = []
    while compared < Self.programCount {
      defer { seed += 1 }
      let program = RandomProgram.withEqualWaits(seed: seed, size: 4)
      let seen = RandomProgram.SeenStates()
      let coverage = await program.explorer(seen, again: true)
        .search(OrderSearch(limit: 60 + Int(seed % 5) * 60, prunes: seed % 4 > 0), steps: 2)
        .coverage
      guard !coverage.isComplete, coverage.deviationCount > 0,
        let ends = ends(of: program, deviations: coverage.deviationCount)
      else { continue }
      compared += 1
      bounds.insert(coverage.deviationCount)
      #expect(
        seen.last.isSuperset(of: ends),
        "RONDO_SEED=\(seed): up to \(coverage.deviationCount) deviations of \(program)")
    }
    #expect(bounds.contains(1) && bounds.contains { $0 > 1 })
  }

  // X14
  @Test func theBoundIsSaid() async throws {
    let program = RandomProgram.withEqualWaits(seed: 2, size: 5)
    var texts: [String] = []
    for limit in [2, 400] {
      let coverage = await program.explorer(RandomProgram.SeenStates(), again: true)
        .search(OrderSearch(limit: limit), steps: 2).coverage
      texts.append(coverage.description)
    }
    #expect(!texts[0].contains("deviation"))
    #expect(texts[1].contains("among them all with "), "\(texts[1])")
  }
}
