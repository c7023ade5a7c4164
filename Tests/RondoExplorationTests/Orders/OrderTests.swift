// Orders of what effects do, in test stores (X1, X2, X3).

import RondoTesting
import RondoSeededRandomness
import Testing

@testable import RondoTestStore

@Suite struct OrderTests {
  @Test func withoutAnExplorationEffectsRunFirstInFirstOut() async {
    #expect(await wordsOfTrio() == ["a1", "a2", "b", "c"])
  }

  @Test func theFirstOrderIsFirstInFirstOut() async {
    let (words, chooser) = await inOrder(.firstInFirstOut) { await wordsOfTrio() }
    #expect(words == ["a1", "a2", "b", "c"])
    #expect(chooser.order == .firstInFirstOut)
    #expect(chooser.order.description == "")
  }

  @Test func everyOrderOfIndependentEffectsIsReached() async {
    // All of them in the long form.
    let limit = Soak.isOn ? 10_000 : 600
    let (words, coverage) = await outcomes(OrderSearch(limit: limit)) { await wordsOfTrio() }
    // Four actions, of which two stay in order.
    #expect(words.count == 12)
    #expect(words.allSatisfy { $0.firstIndex(of: "a1")! < $0.firstIndex(of: "a2")! })
    #expect(coverage.isComplete == Soak.isOn)
    #expect(!Soak.isOn || coverage.description == "all 4,200 orders hold")
  }

  @Test func anOrderIsAStringThatGivesTheSameRunAgain() async throws {
    var search = OrderSearch(limit: 300, seed: 7, plan: .sampled(.randomWalk))
    while let policy = search.next() {
      let chooser = OrderChooser(policy)
      let words = await TestSettings.with(\.chooser, chooser) { await wordsOfTrio() }
      search.didRun(chooser.choices)
      let order = try #require(EffectOrder(chooser.order.description))
      let (again, replay) = await inOrder(order) { await wordsOfTrio() }
      #expect(again == words)
      #expect(replay.choices == chooser.choices)
      #expect(replay.mismatch == nil)
    }
    #expect(search.runCount == 300)
  }

  @Test(arguments: [
    "1", "1:2", "1:0/2", "1:2/2", "a:1/2", "3:1/2,2:1/2", "1:1/2,1:1/2", "1:x:1/2", "1/1:2",
    "+1:1/2",
  ])
  func whatIsNoOrderIsNotRead(text: String) {
    #expect(EffectOrder(text) == nil)
  }

  @Test func anOrderThatDoesNotFitSaysSo() async throws {
    let tooLate = try #require(EffectOrder("500:1/2"))
    let (_, late) = await inOrder(tooLate) { await wordsOfTrio() }
    #expect(late.mismatch?.contains("it deviates at choice 500") == true)

    let tooMany = try #require(EffectOrder("0:1/9"))
    let (_, many) = await inOrder(tooMany) { await wordsOfTrio() }
    #expect(
      many.mismatch == "at choice 0 there were 9 to choose from, and now there are 3")
  }

  @Test func whatIsDueAtOneInstantMayComeInAnyOrder() async {
    let (words, _) = await outcomes(OrderSearch(limit: 1_000)) {
      let store = TestStore(initialState: Sleepers.State()) { Sleepers() }
      store.exhaustivity = .off
      await store.send(.start)
      await store.advance(by: .seconds(1))
      await store.skipReceivedActions(strict: false)
      return store.state.log
    }
    // A sleep, a delay, a timer and a debounce, all due after one second.
    #expect(words.count == 24)
  }

  @Test func whatIsDueLaterComesLater() async {
    let (words, _) = await outcomes(OrderSearch(limit: 1_000)) {
      let store = TestStore(initialState: Ladder.State()) { Ladder() }
      store.exhaustivity = .off
      await store.send(.start)
      await store.advance(by: .seconds(9))
      await store.skipReceivedActions(strict: false)
      return store.state.log
    }
    #expect(words == [["1", "2", "3"]])
  }

  @Test func aConcatenationStaysInOrder() async {
    let (words, coverage) = await outcomes(OrderSearch(limit: 1_000)) {
      let store = TestStore(initialState: Chain.State()) { Chain() }
      store.exhaustivity = .off
      await store.send(.start)
      await store.finish()
      await store.skipReceivedActions(strict: false)
      return store.state.log
    }
    #expect(words == [["1", "2", "3"]])
    #expect(coverage.isComplete)
  }

  @Test func workForAtOnceStaysInOrder() async {
    let (words, _) = await outcomes(OrderSearch(limit: 1_000)) {
      let store = TestStore(initialState: Received.State()) { Received() }
      store.exhaustivity = .off
      await store.send(.start)
      await store.advance()
      await store.skipReceivedActions(strict: false)
      return store.state.log
    }
    #expect(words == [["1", "2"]])
  }

  @Test func anActorIsNotGivenUpInTheMiddleOfItsMethod() async {
    let (outcomes, _) = await outcomes(OrderSearch(limit: 1_000)) {
      let store = TestStore(initialState: Guarded.State()) { Guarded() }
      store.exhaustivity = .off
      await store.send(.start)
      await store.finish()
      await store.skipReceivedActions(strict: false)
      return store.state.isBroken
    }
    #expect(outcomes == [false])
  }

  @Test func aTestInWhichNothingCanBeChosenHasOneOrder() async {
    let (_, coverage) = await outcomes(OrderSearch(limit: 1_000)) {
      let store = TestStore(initialState: Chain.State()) { Chain() }
      store.exhaustivity = .off
      await store.send(.stop)
      return true
    }
    #expect(coverage.orderCount == 1)
    #expect(
      coverage.description
        == "there is one order, which holds: nothing that a test store runs could come in another one"
    )
  }
}

@Suite struct OrderSearchTests {
  @Test(arguments: [OrderSearch.Sampling.randomWalk, .partialOrder])
  func samplingReachesEveryOrder(sampling: OrderSearch.Sampling) async {
    let search = OrderSearch(limit: 300, seed: 1, plan: .sampled(sampling))
    let (words, coverage) = await outcomes(search) { await wordsOfTrio() }
    #expect(words.count == 12)
    #expect(!coverage.isComplete)
  }

  @Test func changingPrioritiesReachWhatTwoChangesLeadTo() async {
    let search = OrderSearch(limit: 600, seed: 1, plan: .sampled(.changingPriorities))
    let (words, _) = await outcomes(search) { await wordsOfTrio() }
    #expect(words.contains(["a1", "b", "c", "a2"]))
    #expect(words.contains(["c", "b", "a1", "a2"]))
    #expect(words.count > 9)
  }

  @Test func theSameSeedGivesTheSameOrders() async {
    var runs: [[EffectOrder]] = []
    for _ in 0..<2 {
      var search = OrderSearch(limit: 60, seed: 3, plan: .sampled(.partialOrder))
      var orders: [EffectOrder] = []
      while let policy = search.next() {
        let chooser = OrderChooser(policy)
        _ = await TestSettings.with(\.chooser, chooser) { await wordsOfTrio() }
        search.didRun(chooser.choices)
        orders.append(chooser.order)
      }
      runs.append(orders)
    }
    #expect(runs[0] == runs[1])
  }

  @Test func fewDeviationsComeFirst() async {
    var search = OrderSearch(limit: Soak.count(200, long: 10_000), plan: .fewDeviations)
    var counts: [Int] = []
    var orders: Set<EffectOrder> = []
    while let policy = search.next() {
      let chooser = OrderChooser(policy)
      _ = await TestSettings.with(\.chooser, chooser) { await wordsOfTrio() }
      search.didRun(chooser.choices)
      counts.append(chooser.order.deviationCount)
      orders.insert(chooser.order)
    }
    #expect(counts == counts.sorted())
    #expect(orders.count == counts.count)
  }

  @Test func aFailureShrinksToTheDeviationsItNeeds() async throws {
    // The last of the three is first, and the first is last.
    func hasFailed(_ words: [String]) -> Bool { words.first == "c" && words.last == "a2" }
    var search = OrderSearch(limit: 1_000, seed: 5, plan: .sampled(.randomWalk))
    var largest = EffectOrder.firstInFirstOut
    while let policy = search.next() {
      let chooser = OrderChooser(policy)
      let words = await TestSettings.with(\.chooser, chooser) { await wordsOfTrio() }
      search.didRun(chooser.choices)
      if hasFailed(words), chooser.order.deviationCount > largest.deviationCount {
        largest = chooser.order
      }
    }
    #expect(largest.deviationCount >= 5)
    var shrinker = OrderShrinker(largest)
    while let order = shrinker.next() {
      let (words, chooser) = await inOrder(order) { await wordsOfTrio() }
      shrinker.didRun(failingOrder: hasFailed(words) ? chooser.order : nil)
    }
    #expect(shrinker.order.deviationCount <= 3)
    let (words, _) = await inOrder(shrinker.order) { await wordsOfTrio() }
    #expect(hasFailed(words))
  }
}
