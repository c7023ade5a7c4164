// D3: work that lasts: effects and timers as data, and what becomes of ordinary effects.

import Foundation
import Rondo
import RondoScheduling
import RondoTesting
import RondoSeededRandomness
import Testing

@testable import RondoDurable

@Suite struct DurableWorkTests {
  let pump = Pump(Randomness(seed: 3))
  let database = InMemoryJournal.Database()
  let clock = TestClock<Duration>()
  let performed = Performed()

  private func worker(_ name: String) -> Worker {
    let worker = Worker(
      pump, database, clock: clock, feature: .ledger(performed: performed), name: name)
    worker.tick()
    return worker
  }

  /// Ends a process, lets time pass in which there is none, and starts another.
  private func restart(_ worker: Worker, after seconds: Int) -> Worker {
    worker.journal.crash()
    database.expireLeases()
    database.advance(by: .seconds(seconds))
    return self.worker("after \(worker.stores.worker)")
  }

  @Test func D3_workThatWasInterruptedRunsAgainWithItsKey() throws {
    performed.gate.close()
    let first = worker("first")
    first.send(.double(4))
    #expect(performed.all.count == 1)
    let second = restart(first, after: 20)
    performed.gate.open()
    pump.drain()
    second.tick()
    #expect(performed.all.count == 2)
    #expect(Set(performed.all) == ["ledger/a/1.0"])
    #expect(try second.state().log == ["double 4", "doubled 4 8"])
  }

  @Test func D3_workOfOneTurnHasKeysOfItsOwnAlsoWhereSomeIsCancelled() throws {
    let worker = worker("first")
    worker.send(.doubleTwoAndCancelOne(4))
    #expect(try worker.state().log.sorted() == ["doubled 5 10", "doubled 6 12"])
    #expect(performed.all.sorted() == ["ledger/a/1.1", "ledger/a/1.3"])
  }

  @Test func D3_workThatFollowsAnOrdinaryEffectIsRecorded() throws {
    performed.gate.close()
    let worker = worker("first")
    worker.send(.listenAndDouble(4))
    let second = restart(worker, after: 20)
    performed.gate.open()
    pump.drain()
    second.tick()
    #expect(performed.all.count == 2)
    #expect(Set(performed.all).count == 1)
    #expect(try second.state().log.contains("doubled 4 8"))
    second.advance(by: .seconds(120))
    #expect(try second.activeCount() == 0)
  }

  @Test func D3_whatTheSenderHasOverriddenIsNotSeen() throws {
    let feature = DurableFeature.ledger(performed: performed)
    for feature in [feature, feature.dependencies { $0.tax = 3 }] {
      let database = InMemoryJournal.Database()
      let worker = Worker(pump, database, clock: clock, feature: feature)
      worker.tick()
      pump.run { [stores = worker.stores] in
        try await withDependencies {
          $0.tax = 7
        } operation: {
          try await stores["a"].send(.tax)
          try await stores["a"].send(.double(1))
        }
      }
      worker.journal.crash()
      database.expireLeases()
      let next = Worker(pump, database, clock: clock, feature: feature, name: "next")
      next.tick()
      let log = pump.run { [stores = next.stores] in
        try await withDependencies {
          $0.tax = 7
        } operation: {
          try await stores["a"].state.log
        }
      }
      #expect(try log?.get().first == "tax \(performed.taxes.last ?? 9)")
    }
    #expect(performed.taxes == [0, 3])
  }

  @Test func D3_workThatWasReplacedInATurnThatIsNotWrittenIsCancelled() throws {
    performed.gate.close()
    let worker = Worker(
      pump, database, clock: clock, feature: .ledger(performed: performed),
      hook: .before {
        guard case .commit(let turns) = $0 else { return }
        if turns.contains(where: { $0.row?.number == 2 }) { throw Performed.Failure() }
      })
    worker.tick()
    worker.send(.doubleInstead(1))
    #expect(performed.all.count == 1)
    #expect(throws: DurableError.self) { try worker.send(.doubleInstead(2))?.get() }
    performed.gate.open()
    pump.drain()
    #expect(performed.cancellations == 1)
  }

  @Test func D3_aTimerThatIsNeverDueIsStoredAsAMomentThatADatabaseHas() throws {
    let worker = worker("first")
    worker.send(.wait(1, seconds: 10_000_000_000_000, resume: "deadline"))
    let stored = pump.run { [journal = worker.journal] in
      try await journal.load(StoreKey(kind: "ledger", name: "a"))
    }
    let wake = try #require(try stored?.get()?.wake)
    // The first second of the year 9999.
    #expect(wake == Date(timeIntervalSince1970: 253_370_764_800))
    worker.send(.add(1))
    #expect(try worker.state().log == ["wait 1", "add 1"])
  }

  @Test func D3_workThatThrowsIsTriedAgainAfterASecondAndThenTwo() throws {
    performed.fail(2)
    let worker = worker("first")
    worker.send(.double(4))
    #expect(performed.all.count == 1)
    worker.advance(by: .seconds(1))
    #expect(performed.all.count == 2)
    worker.advance(by: .seconds(1))
    #expect(performed.all.count == 2)
    worker.advance(by: .seconds(1))
    #expect(try worker.state().log == ["double 4", "doubled 4 8"])
    #expect(worker.events.all.count { if case .workFailed = $0 { true } else { false } } == 2)
  }

  @Test func D3_workThatThrowsACancellationOfItsOwnIsTriedAgain() throws {
    performed.fail(1, with: CancellationError())
    let worker = worker("first")
    worker.send(.double(4))
    worker.advance(by: .seconds(1))
    #expect(try worker.state().log == ["double 4", "doubled 4 8"])
  }

  @Test func D3_aTimerIsDueAtItsTime() throws {
    let worker = worker("first")
    worker.send(.wait(1, seconds: 5, resume: "deadline"))
    worker.advance(by: .seconds(4))
    #expect(try worker.state().log == ["wait 1"])
    worker.advance(by: .seconds(1))
    #expect(try worker.state().log == ["wait 1", "waited 1", "add 1"])
    worker.advance(by: .seconds(60))
    #expect(try worker.state().log.count == 3)
  }

  @Test func D3_aTimerUnderTheSameIDIsReplacedAndACancelledOneIsNotDue() throws {
    let worker = worker("first")
    worker.send(.wait(1, seconds: 2, resume: "deadline"))
    worker.send(.wait(2, seconds: 4, resume: "deadline"))
    worker.advance(by: .seconds(3))
    #expect(try worker.state().log == ["wait 1", "wait 2"])
    worker.send(.stopWaiting)
    worker.advance(by: .seconds(9))
    #expect(try worker.state().log == ["wait 1", "wait 2", "stop"])
  }

  @Test(arguments: [("deadline", 5), ("remaining", 25), ("restart", 32)])
  func D3_aTimerOnResume(_ resume: String, _ due: Int) throws {
    // Started at 0 for 5 seconds; a crash at 2; nobody until 22.
    let first = worker("first")
    first.send(.wait(1, seconds: resume == "restart" ? 10 : 5, resume: resume))
    first.advance(by: .seconds(2))
    let second = restart(first, after: 20)
    for second_ in 22...40 {
      second.tick()
      let isDone = try second.state().log.contains("waited 1")
      #expect(isDone == (second_ >= due), "\(resume) at \(second_) s")
      second.advance(by: .seconds(1))
    }
  }

  @Test func D3_aStoreThatWasPutAwayWakesForItsTimer() throws {
    let worker = worker("first")
    worker.send(.wait(1, seconds: 300, resume: "restart"))
    for _ in 0..<9 { worker.advance(by: .seconds(20)) }
    #expect(try worker.activeCount() == 0)
    for _ in 0..<6 { worker.advance(by: .seconds(20)) }
    worker.tick()
    let turns = database.turns(of: StoreKey(kind: "ledger", name: "a"))
    #expect(turns.count == 2)
  }

  // K42
  @Test func anOrdinaryEffectReadsTheStateAsItIs() throws {
    let gate = Gate()
    let worker = Worker(
      pump, database, clock: clock,
      feature: .ledger().dependencies { $0.ears = { _ in await gate.pass() } })
    worker.tick()
    worker.send(.listenToSum)
    worker.send(.add(3))
    worker.send(.add(4))
    gate.open()
    pump.drain()
    #expect(try worker.state().log == ["add 3", "add 4", "heard 7"])
  }

  @Test(arguments: [true, false])
  func D3_anOrdinaryEffectIsRestartedOrDroppedAndReported(_ restarts: Bool) throws {
    let gate = Gate()
    let heard = LockIsolated(0)
    let feature = DurableFeature.ledger().dependencies {
      $0.ears = { _ in
        heard.withValue { $0 += 1 }
        await gate.pass()
      }
    }.whenInterrupted { _ in restarts ? .restart : .drop }
    let first = Worker(pump, database, clock: clock, feature: feature, name: "first")
    first.tick()
    first.send(.add(1))
    first.send(.listen(7))
    #expect(heard.value == 1)
    first.journal.crash()
    database.expireLeases()
    let second = Worker(pump, database, clock: clock, feature: feature, name: "second")
    second.tick()
    second.tick()
    #expect(heard.value == (restarts ? 2 : 1))
    let reports = second.events.all.compactMap {
      if case .interrupted(_, let action, let decision) = $0 {
        "\(action) \(decision)"
      } else {
        nil
      }
    }
    #expect(reports == [".listen(7) \(restarts ? "restart" : "drop")"])
    gate.open()
    pump.drain()
    #expect(
      try second.state().log == ["add 1", "listen 7"] + (restarts ? ["heard 7"] : []))

    // An effect that has ended is not reported again.
    second.journal.crash()
    database.expireLeases()
    let third = Worker(pump, database, clock: clock, feature: feature, name: "third")
    third.tick()
    third.tick()
    #expect(try third.state().log.count == (restarts ? 3 : 2))
    #expect(third.events.all.allSatisfy { if case .interrupted = $0 { false } else { true } })
  }

  @Test func D3_workWithoutARegistrationIsReportedAndStaysRecorded() throws {
    let first = worker("first")
    first.send(.wait(1, seconds: 5, resume: "unknown"))
    first.advance(by: .seconds(9))
    first.journal.crash()
    database.expireLeases()
    let second = worker("second")
    _ = try second.state()
    #expect(second.events.all.contains { if case .unknownWork = $0 { true } else { false } })
  }

  @Test func D3_aTimerWhoseInputCannotBeReadStopsItsStoreOnce() throws {
    let first = worker("first")
    first.send(.add(1))
    first.send(.wait(1, seconds: 5, resume: "deadline"))
    first.journal.crash()
    database.expireLeases()
    let feature = DurableFeature<Ledger.State, Ledger.Action>(
      "ledger", initialState: { _ in Ledger.State() }
    ) {
      Ledger()
    } work: {
      DurableTimer("deadline", onResume: .deadline) { (_: String) in .stopWaiting }
    }
    let second = Worker(pump, database, clock: clock, feature: feature, name: "second")
    second.tick()
    for _ in 0..<10 { second.advance(by: .seconds(1)) }
    let events = second.events.all.filter { if case .tookShard = $0 { false } else { true } }
    #expect(events.count == 1)
    let words = "ledger/a: turn 2 of the journal has started the timer 'deadline', whose input"
    #expect(events.first?.description.hasPrefix(words + " cannot be read") == true)
    #expect(try second.activeCount() == 0)
    guard case .failure? = second.send(.add(2)) else {
      Issue.record("The store goes on.")
      return
    }
    // The version that has set the timer goes on.
    second.journal.crash()
    let third = restart(second, after: 0)
    third.tick()
    #expect(try third.state().log.last == "add 1")
  }

  @Test func D3_storesThatAreReleasedEndTheirOrdinaryEffects() throws {
    let ended = LockIsolated(0)
    func listen() {
      let feature = DurableFeature.ledger().dependencies {
        $0.ears = { _ in
          let (stream, end) = AsyncStream<Never>.makeStream()
          for await _ in stream {}
          end.finish()
          ended.withValue { $0 += 1 }
        }
      }
      let worker = Worker(pump, database, feature: feature)
      worker.tick()
      worker.send(.listen(1))
      #expect(ended.value == 0)
    }
    listen()
    pump.drain()
    #expect(ended.value == 1)
  }

  /// A process whose feature knows the store, and none of its work.
  private func workerWithoutTimers(_ name: String) -> Worker {
    let feature = DurableFeature<Ledger.State, Ledger.Action>(
      "ledger", initialState: { _ in Ledger.State() }
    ) {
      Ledger()
    }
    return Worker(pump, database, clock: clock, feature: feature, name: name)
  }

  @Test func D3_aTimerThatAProcessDidNotKnowWakesItsStoreInOneThatDoes() throws {
    let first = worker("first")
    first.send(.wait(1, seconds: 5, resume: "deadline"))
    first.journal.crash()
    database.expireLeases()
    let second = workerWithoutTimers("second")
    second.tick()
    second.send(.add(7))
    let third = restart(second, after: 20)
    third.tick()
    let turns = database.turns(of: StoreKey(kind: "ledger", name: "a"))
    #expect(turns.count == 3)
  }

  @Test func D3_aStoreWithAnUnknownTimerThatIsDueIsNotLoadedAgainAndAgain() throws {
    let first = worker("first")
    first.send(.wait(1, seconds: 5, resume: "deadline"))
    first.journal.crash()
    database.expireLeases()
    let second = workerWithoutTimers("second")
    second.advance(by: .seconds(6))
    for _ in 0..<10 { second.tick() }
    let loads = pump.run { [stores = second.stores] in await stores.lastActivation }
    #expect(try loads?.get() == 1)
    second.send(.add(7))
    second.advance(by: .seconds(61))
    for _ in 0..<10 { second.tick() }
    let later = pump.run { [stores = second.stores] in await stores.lastActivation }
    #expect(try #require(try later?.get()) <= 3)
  }

  /// - Parameter isTaken: Whether an action comes after the takeover, or the store only waits.
  @Test(arguments: [true, false])
  func D3_aTimerThatWasMovedByATakeoverWakesItsStoreAtItsNewTime(isTaken: Bool) throws {
    let first = worker("first")
    first.send(.wait(1, seconds: 100, resume: "restart"))
    let second = restart(first, after: 90)
    if isTaken { second.send(.add(1)) } else { _ = try second.state() }
    second.advance(by: .seconds(61))
    second.tick()
    #expect(try second.activeCount() == 0)
    #expect(try second.stored()?.wake == Date(timeIntervalSinceReferenceDate: 190))
  }

  @Test func D3_aFeatureIsTestedWithoutAJournal() async {
    let requests = LockIsolated<[DurableRequest]>([])
    let store = TestStore(initialState: Ledger.State()) {
      Ledger()
    } withDependencies: {
      $0.durableRequests = { request in requests.withValue { $0.append(request) } }
    }
    await store.send(.double(4)) { $0.log = ["double 4"] }
    #expect(requests.value.map(\.name) == ["double"])
  }

  @Test func D3_aStoreThatIsNotDurableReportsDurableWork() async {
    let store = StoreActor(initialState: Ledger.State()) { Ledger() }
    await withKnownIssue {
      await store.send(.double(4)).finish()
    } matching: {
      "\($0)".contains("its store is not durable")
    }
  }

  @Test func D3_chanceAndIdentifiersAreTheSameWhenReducedAgain() throws {
    let first = worker("first")
    first.send(.draw)
    first.send(.draw)
    let drawn = try first.state().log
    #expect(Set(drawn).count == 2)
    let second = restart(first, after: 1)
    #expect(try second.state().log == drawn)
  }

  @Test func D3_anEffectOnAnotherThreadTakesNothingOfATurn() throws {
    func stores(
      _ worker: String, _ meeting: Drawing.Meeting?
    ) -> (DurableStores<Drawing.State, Drawing.Action>, InMemoryJournal) {
      let journal = InMemoryJournal(database)
      let feature = DurableFeature("drawing", initialState: { _ in Drawing.State() }) {
        Drawing(meeting: meeting)
      }
      let stores = DurableStores(
        journal: journal, feature: feature, options: DurableOptions(), clock: clock,
        worker: worker, executor: pump)
      pump.run { await stores.tick() }
      return (stores, journal)
    }
    let meeting = Drawing.Meeting()
    let (first, journal) = stores("first", meeting)
    pump.run { try await first["a"].send(.drawInAnEffect) }
    pump.run { try await first["a"].send(.draw) }
    let drawn = try pump.value { try await first["a"].state }
    #expect(drawn.ids.count == 1)
    journal.crash()
    database.expireLeases()
    let (second, _) = stores("second", nil)
    let read = try pump.value { try await second["a"].state }
    #expect(read == drawn)
  }
}

/// Draws identifiers in a reducer and, while it is at work, on another thread.
private struct Drawing: Reducer {
  struct State: Codable, Equatable, Sendable {
    var ids: [UUID] = []
  }

  enum Action: Codable, Equatable, Sendable {
    case drawInAnEffect
    case draw
  }

  /// Lets a thread draw while a reducer is at work.
  final class Meeting: Sendable {
    private let hasBegun = DispatchSemaphore(value: 0)
    private let hasDrawn = DispatchSemaphore(value: 0)

    /// Called by the reducer.
    func wait() {
      hasBegun.signal()
      hasDrawn.wait()
    }

    func drawOnAnotherThread(_ draw: @escaping @Sendable () -> Void) {
      Thread.detachNewThread { [self] in
        hasBegun.wait()
        draw()
        hasDrawn.signal()
      }
    }
  }

  let meeting: Meeting?

  @Dependency(\.uuid) var uuid

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .drawInAnEffect:
      return .run { [uuid, meeting] _ in meeting?.drawOnAnotherThread { _ = uuid() } }
    case .draw:
      meeting?.wait()
      state.ids.append(uuid())
      return .none
    }
  }
}
