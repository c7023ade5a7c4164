// D20: stores that are due are woken in the order of their moments, some at a time, without waiting for the next look.

import Foundation
import Rondo
import RondoScheduling
import RondoSeededRandomness
import Testing

@testable import RondoDurable

@Suite struct D20Tests {
  let pump = Pump(Randomness(seed: 20))
  let database = InMemoryJournal.Database()

  /// Stores with a timer each, set by a worker that has ended, and due in an order that chance decides.
  private func stores(_ count: Int, _ random: inout Randomness) throws -> [String] {
    let first = Worker(pump, database, name: "first")
    first.tick()
    let order = (0..<count).map { "s\($0)" }.sorted { _, _ in random.next() % 2 == 0 }
    for (place, name) in order.enumerated() {
      _ = try first.send(.wait(place, seconds: 100 + place, resume: "deadline"), to: name)?.get()
    }
    first.journal.crash()
    return order
  }

  @Test func D20_storesThatAreDueFireInTheOrderOfTheirMoments() throws {
    var random = Randomness(seed: 2001)
    let order = try stores(60, &random)
    database.advance(by: .seconds(1000))
    database.expireLeases()
    let written = LockIsolated<[String]>([])
    let second = Worker(
      pump, database, name: "second",
      hook: .before { call in
        guard case .commit(let turns) = call else { return }
        written.withValue { $0 += turns.filter { $0.row != nil }.map(\.store.name) }
      }
    ) { $0.batch = 8 }
    for _ in 0..<40 { second.tick() }
    #expect(written.value.count == 60)
    // Stores that are found in one look are loaded at the same time.
    for (place, name) in written.value.enumerated() {
      let own = try #require(order.firstIndex(of: name))
      #expect(abs(own - place) <= 16)
    }
  }

  @Test func D20_storesInMemoryFireInTheOrderOfTheirMoments() throws {
    var random = Randomness(seed: 2003)
    let written = LockIsolated<[String]>([])
    let worker = Worker(
      pump, database, name: "first",
      hook: .before { call in
        guard case .commit(let turns) = call else { return }
        written.withValue { $0 += turns.filter { $0.row != nil }.map(\.store.name) }
      }
    ) { $0.idleTime = .seconds(3600) }
    worker.tick()
    let order = (0..<60).map { "s\($0)" }.sorted { _, _ in random.next() % 2 == 0 }
    for name in order.sorted() {
      let place = try #require(order.firstIndex(of: name))
      _ = try worker.send(.wait(place, seconds: 100 + place, resume: "deadline"), to: name)?.get()
    }
    written.withValue { $0 = [] }
    database.advance(by: .seconds(1000))
    worker.clock.timeline.advance(by: .seconds(1000))
    for _ in 0..<4 { worker.tick() }
    #expect(written.value == order)
  }

  @Test func D20_aProcessThatServesWakesAllInOneLook() throws {
    var random = Randomness(seed: 2002)
    _ = try stores(100, &random)
    database.advance(by: .seconds(1000))
    database.expireLeases()
    let second = Worker(pump, database, name: "second") { $0.batch = 8 }
    let serving = second.serve()
    // Time stands still.
    for name in database.stores(of: "ledger") {
      #expect(database.turns(of: StoreKey(kind: "ledger", name: name)).count == 2)
    }
    let waking = pump.run { [stores = second.stores] in await stores.waking }
    #expect(try waking?.get() == 0)
    serving.cancel()
    second.clock.timeline.advance(by: .seconds(10))
    pump.drain()
  }

  @Test func D20_aStoreThatCannotBeLoadedKeepsNoOtherFromWaking() throws {
    var random = Randomness(seed: 2004)
    let order = try stores(40, &random)
    let broken = StoreKey(kind: "ledger", name: order[7])
    try database.damageFirstTurn(of: broken, "nonsense")
    database.advance(by: .seconds(1000))
    database.expireLeases()
    let second = Worker(pump, database, name: "second")
    for _ in 0..<4 { second.tick() }
    for name in order where name != broken.name {
      #expect(database.turns(of: StoreKey(kind: "ledger", name: name)).count == 2)
    }
    let failures = second.events.all.filter {
      if case .cannotActivate(.damaged(broken, _, _)) = $0 { true } else { false }
    }
    #expect(failures.count == 1)
  }

  @Test func D20_storesThatHaveLeftMemoryDoNotPileUp() throws {
    let worker = Worker(pump, database) { $0.idleTime = .seconds(1) }
    worker.tick()
    for number in 0..<300 {
      _ = try worker.send(.wait(number, seconds: 10_000, resume: "deadline"))?.get()
      worker.advance(by: .seconds(3))
      #expect(try worker.activeCount() == 0)
    }
    let count = try pump.value { [stores = worker.stores] in await stores.dueCount }
    #expect(count == 0)
  }

  private struct Ticker: Reducer {
    struct State: Codable, Sendable { var count = 0 }
    enum Action: Codable, Sendable { case tick }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      state.count += 1
      return .durableTimer("tick", 0, after: .zero)
    }
  }

  /// Goes round for ever where one look fires a timer as often as it is due.
  @Test func D20_aTimerThatIsAlwaysDueFiresOnceALook() throws {
    let ticker = DurableFeature("ticker", initialState: { _ in Ticker.State() }) {
      Ticker()
    } work: {
      DurableTimer("tick", onResume: .deadline) { (_: Int) in .tick }
    }
    let stores = DurableStores(
      journal: InMemoryJournal(database), feature: ticker, options: DurableOptions(),
      clock: TestClock<Duration>(), worker: "worker", executor: pump)
    try pump.value { await stores.tick() }
    _ = try pump.value { try await stores["a"].send(.tick) }
    for _ in 0..<5 { try pump.value { await stores.tick() } }
    #expect(try pump.value { try await stores["a"].state.count } == 6)
  }
}
