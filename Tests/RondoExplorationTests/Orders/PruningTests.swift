// Leaving out orders that lead to moments that are known (X4, X5).

import RondoTesting
import RondoSeededRandomness
import Testing

@testable import RondoExploration

@Suite struct PruningTests {
  /// The exploration of a program, with pruning and without.
  private func explorations(
    of program: RandomProgram, limit: Int
  ) async -> (
    all: (seen: RandomProgram.SeenStates, search: ExplorationCoverage),
    pruned: (seen: RandomProgram.SeenStates, search: ExplorationCoverage)
  ) {
    let (all, pruned) = (RandomProgram.SeenStates(), RandomProgram.SeenStates())
    let searchOfAll = await program.explorer(all)
      .search(OrderSearch(limit: limit), steps: 1).coverage
    let searchPruned = await program.explorer(pruned)
      .search(OrderSearch(limit: limit, prunes: true), steps: 1).coverage
    return ((all, searchOfAll), (pruned, searchPruned))
  }

  @Test func pruningReachesTheSameStatesAsAllOrders() async {
    var (programCount, orderCount, runCount) = (0, 0, 0)
    let seeds = Randomness.seeds(Soak.isOn ? 5 : 3)
    for seed in seeds {
      let program = RandomProgram(seed: seed)
      let (all, pruned) = await explorations(of: program, limit: 200)
      guard all.search.isComplete else { continue }
      #expect(pruned.search.isComplete, "seed \(seed): \(program)")
      #expect(all.seen.last == pruned.seen.last, "seed \(seed): \(program)")
      #expect(all.seen.all == pruned.seen.all, "seed \(seed): \(program)")
      #expect(
        pruned.search.standsFor == Double(all.search.orderCount), "seed \(seed): \(program)")
      #expect(pruned.search.orderCount <= all.search.orderCount, "seed \(seed): \(program)")
      programCount += 1
      orderCount += all.search.orderCount
      runCount += pruned.search.orderCount
    }
    #expect(programCount > seeds.count / 3 || seeds.count == 1)
    print("\(programCount) programs: \(runCount) runs stand for \(orderCount) orders")
  }

  @Test func effectsThatShareMemoryAreNotPrunedAmiss() async {
    var programCount = 0
    let seeds = Randomness.seeds(Soak.isOn ? 5 : 3)
    for seed in seeds {
      let program = RandomProgram(seed: seed, hasBox: true)
      let (all, pruned) = await explorations(of: program, limit: 200)
      guard all.search.isComplete, pruned.search.isComplete else { continue }
      #expect(all.seen.last == pruned.seen.last, "seed \(seed): \(program)")
      programCount += 1
    }
    #expect(programCount > seeds.count / 4 || seeds.count == 1)
  }

  @Test func aMomentThatIsReachedInTwoWaysIsExploredOnce() async {
    let steps = [RandomProgram.Step.add(1)]
    let program = RandomProgram(trees: [.merge([.run(steps), .run(steps), .run(steps)])])
    let unreached = "; never reached: .answered, .failed, a call of search"
    let pruned = await program.explorer(RandomProgram.SeenStates())
      .search(OrderSearch(limit: 5_000, prunes: true), steps: 1).coverage
    #expect(
      pruned.description
        == "all 1,680 orders hold: 162 were run, the others come to the same unless a dependency "
        + "remembers something; 5 states" + unreached)
    guard Soak.isOn else { return }
    let all = await explorations(of: program, limit: 5_000).all
    #expect(all.search.description == "all 1,680 orders hold" + unreached)
  }

  @Test func largeNumbersOfOrdersAreSaidInWords() {
    let counts: [(Double, String)] = [
      (812, "812"), (54_321, "54,000"), (1.1e6, "1.1 million"), (2e9, "2.0 billion"),
      (3e18, "10^18"), (1e300, "10^300"), (.infinity, "more than 10^308"),
    ]
    for (count, text) in counts {
      #expect(ExplorationCoverage.text(ofCount: count, isExact: false) == text)
    }
    #expect(ExplorationCoverage.text(ofCount: 54_321, isExact: true) == "54,321")
  }

  @Test func memoryThatEffectsShareIsNoticed() async {
    let box = LockIsolated(0)
    let coverage = await Explorer(initialState: Trio.State()) {
      Reduce<Trio.State, Trio.Action> { state, action in
        guard action == .start else { return .none }
        return .merge(
          .run { send in
            box.withValue { $0 += 1 }
            await send(.said("a"))
          },
          .run { send in await send(.said("b")) })
      }
    }
    .actions(.start)
    .explore(steps: 1)
    #expect(coverage.isComplete)
    #expect(coverage.standsFor == Double(coverage.orderCount))
  }

  /// The order in which effects wait for their turn shows in nothing else.
  // X18
  @Test(arguments: [1, 2]) func effectsThatWaitForTheirTurnAreToldApart(failing: Int) async {
    struct State: Hashable { var log = "" }
    enum Action: Equatable { case tapped(Int), loaded, failed(Int) }
    let issues = await captureIssues {
      await RondoExplorationTests.explore(State()) { (state: inout State, action: Action) in
        switch action {
        case .tapped(let number):
          state.log += "tap "
          return load("x", { _ in .loaded }, failed: .failed(number))
            .cancellable(id: "turn", policy: .atMost(1))
        case .loaded: break
        case .failed(let number): state.log += "\(number) "
        }
        return .none
      }
      .outcomes(of: \.server.load) { _ in [.success(""), .failure(Offline())] }
      .availableActions { $0.log.isEmpty ? [.tapped(0)] : [.tapped(1), .tapped(2)] }
      .always { $0.log != "tap tap 0 \(failing) " }
      .explore(steps: 2, orders: 100_000)
    }
    #expect(issues.count == 1)
  }
}
