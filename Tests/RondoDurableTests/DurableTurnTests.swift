// D2: one turn is one transaction, and a message is handled once.

import Foundation
import Rondo
import RondoScheduling
import RondoSeededRandomness
import Synchronization
import Testing

@testable import RondoDurable

@Suite struct DurableTurnTests {
  let pump = Pump(Randomness(seed: 2))
  let database = InMemoryJournal.Database()
  let key = StoreKey(kind: "ledger", name: "a")

  #if DEBUG
    // F3
    @Test func F3_aReducerThatTakesLongIsReportedOnce() throws {
      let seconds = Mutex(0)
      let feature = DurableFeature<Ledger.State, Ledger.Action>.ledger().dependencies {
        // A second passes while a reducer is at work.
        $0.workTime = {
          seconds.withLock { $0 += 1 }
          return .seconds(seconds.withLock(\.self))
        }
        $0.reducerTimeLimit = .seconds(1)
      }
      let worker = Worker(pump, database, feature: feature)
      worker.tick()
      let messages = captureIssues {
        for number in 1...3 { worker.send(.add(number)) }
      }.map(\.message)
      #expect(messages.count == 1, "\(messages)")
      #expect(messages.first?.hasPrefix("A reducer took 1000 ms for .add(1).") == true)
    }
  #endif

  // R31
  @Test func R31_aLoopNamesThePlaceWhereTheFeatureWasMade() throws {
    let feature = DurableFeature<Ledger.State, Ledger.Action>.ledger().dependencies {
      $0.loopLimit = LoopLimit(actions: 10)
    }
    let worker = Worker(pump, database, feature: feature)
    worker.tick()
    let issues = captureIssues { worker.send(.countDown(20)) }
    #expect(issues.count == 1)
    #expect(issues.first?.position.description.hasPrefix("RondoDurableTests/Ledger.swift") == true)
  }

  @Test func D2_aMessageIsHandledOnceHoweverOftenItIsSent() throws {
    let worker = Worker(pump, database)
    worker.tick()
    #expect(try worker.send(.add(1), id: "m")?.get() == .handled)
    #expect(try worker.send(.add(1), id: "m")?.get() == .duplicate)
    #expect(try worker.state().log == ["add 1"])
  }

  @Test func D2_aMessageIsKnownAfterSnapshotsAndInAnotherProcess() throws {
    let first = Worker(pump, database)
    first.tick()
    first.send(.add(1), id: "m")
    for number in 2...20 { first.send(.add(number)) }
    first.journal.crash()
    database.expireLeases()
    let second = Worker(pump, database, name: "second")
    second.tick()
    #expect(try second.send(.add(1), id: "m")?.get() == .duplicate)
    #expect(try second.state().log.count == 20)
  }

  @Test func D2_twoDeliveriesAtOnceAreOne() throws {
    let gate = Gate()
    let worker = Worker(pump, database, hook: .gate(gate))
    worker.tick()
    let outcomes = LockIsolated<[DurableDelivery]>([])
    for _ in 0..<3 {
      pump.start { [stores = worker.stores] in
        guard let outcome = try? await stores["a"].send(.add(1), id: "m") else { return }
        outcomes.withValue { $0.append(outcome) }
      }
    }
    pump.drain()
    #expect(outcomes.value.isEmpty)
    gate.open()
    pump.drain()
    #expect(outcomes.value.count { $0 == .handled } == 1)
    #expect(outcomes.value.count { $0 == .duplicate } == 2)
    #expect(try worker.state().log == ["add 1"])
  }

  @Test func D2_aTurnWithAllItsActionsIsOneRow() throws {
    let worker = Worker(pump, database)
    worker.tick()
    worker.send(.countDown(3))
    #expect(database.turns(of: key).count == 1)
  }

  @Test(arguments: [false, true])
  func D2_aCommitThatLandsLateIsWrittenOnceOrNotAtAll(_ landsAfterTheClaim: Bool) throws {
    let late = LockIsolated<[Turn]>([])
    let worker = Worker(
      pump, database,
      hook: .before {
        guard case .commit(let turns) = $0, late.value.isEmpty else { return }
        late.withValue { $0 = turns }
        throw Performed.Failure()
      })
    worker.tick()
    #expect(throws: DurableError.self) { try worker.send(.add(1), id: "m")?.get() }
    worker.send(.add(1), id: "m")
    if landsAfterTheClaim { worker.tick() }
    pump.run { [journal = worker.journal] in try await journal.commit(late.value) }
    for _ in 0..<3 { worker.tick() }
    #expect(database.doubles.isEmpty)
    #expect(database.waiting == 0)
    #expect(try worker.state().log == ["add 1"])
  }

  @Test func D2_aTurnWhoseMessageIsGoneIsNotWritten() throws {
    let gate = Gate(isOpen: true)
    let worker = Worker(pump, database, hook: .gate(gate))
    // No process owns the store yet, so this goes to the inbox.
    worker.send(.add(1), id: "m")
    gate.close()
    worker.tick()
    let outcome = worker.outcome(of: .add(2))
    // Its turn is about to be written when the message is taken.
    let taken = pump.run { [journal = worker.journal, key] in
      let claim = ClaimRequest(kind: "ledger", worker: "worker", shards: 2, duration: .seconds(10))
      let lease = try await journal.claim(claim).leases[key.shard(of: 2)]
      return try await journal.commit([Turn(store: key, lease: lease, inboxRow: 1)])
    }
    #expect(try taken?.get() == CommitConflicts())
    gate.open()
    pump.drain()
    #expect(outcome.value == "handled")
    #expect(try worker.state().log == ["add 2"])
    #expect(database.turns(of: key).count == 1)
  }

  @Test func D2_oneStoreThatTheDatabaseRefusesDoesNotKeepTheOthersFromBeingWritten() throws {
    let gate = Gate(isOpen: true)
    let worker = Worker(
      pump, database,
      hook: .before {
        guard case .commit(let turns) = $0 else { return }
        await gate.pass()
        let isBad = turns.contains { $0.store.name == "bad" && $0.row?.number == 2 }
        if isBad { throw JournalRefusal("the number is out of range") }
      })
    worker.tick()
    worker.send(.add(1), to: "bad")
    gate.close()
    let outcomes = ["first", "a", "bad", "b"].map {
      worker.outcome(of: .add(2), to: $0, id: "m")
    }
    gate.open()
    pump.drain()
    var values = outcomes.map { $0.value ?? "" }
    #expect(
      values.remove(at: 2).hasPrefix("ledger/bad: the database refuses a turn (the number is"))
    #expect(values == ["handled", "handled", "handled"])
    #expect(try worker.state(of: "bad").log == ["add 1"])
    // From the inbox it would come again.
    let other = Worker(pump, database, name: "other")
    other.send(.add(3), to: "bad")
    for _ in 0..<5 { worker.tick() }
    let failures = worker.events.all.filter {
      if case .cannotActivate(.cannotHandle) = $0 { true } else { false }
    }
    #expect(failures.count == 1)
    #expect(try worker.state(of: "a").log == ["add 2"])
  }

  @Test(arguments: [1, 100])
  func D2_aTurnThatTheDatabaseRefusesIsTheErrorOfItsSenderAlone(_ snapshotInterval: Int) throws {
    let gate = Gate(isOpen: true)
    let worker = Worker(
      pump, database,
      hook: .before {
        guard case .commit(let turns) = $0 else { return }
        await gate.pass()
        let isBad = turns.contains {
          $0.row.map { String(decoding: $0.body, as: UTF8.self).contains("666") } ?? false
        }
        if isBad { throw JournalRefusal("the number is out of range") }
      }
    ) { $0.snapshotInterval = snapshotInterval }
    worker.tick()
    worker.send(.add(1))
    gate.close()
    let outcomes = [2, 666, 3].map { worker.outcome(of: .add($0), id: "\($0)") }
    let log = LockIsolated<[String]?>(nil)
    pump.start { [stores = worker.stores] in
      let state = try? await stores["a"].state
      log.withValue { $0 = state?.log }
    }
    pump.drain()
    gate.open()
    pump.drain()
    let refusal = outcomes[1].value
    #expect(refusal?.contains("the number is out of range") == true)
    #expect(refusal?.contains("the turn stores the state as well") == (snapshotInterval == 1))
    #expect(outcomes[0].value == "handled")
    #expect(outcomes[2].value == "handled")
    #expect(try worker.state().log == ["add 1", "add 2", "add 3"])
    // It was read behind the first turn, and no turn is in it that was not written.
    #expect([["add 1", "add 2"], ["add 1", "add 2", "add 3"]].contains(log.value))
    #expect(database.doubles.isEmpty)
  }

  @Test func D2_nothingIsSeenBeforeItIsWritten() throws {
    let gate = Gate()
    let performed = Performed()
    let heard = LockIsolated(0)
    let feature = DurableFeature.ledger(performed: performed).dependencies {
      $0.ears = { _ in heard.withValue { $0 += 1 } }
    }
    let worker = Worker(pump, database, feature: feature, hook: .gate(gate))
    worker.tick()
    #expect(worker.send(.double(2)) == nil)
    #expect(worker.send(.listen(3)) == nil)
    #expect(performed.all.isEmpty)
    #expect(heard.value == 0)
    #expect(throws: CancellationError.self) { try worker.state() }
    gate.open()
    pump.drain()
    #expect(performed.all.count == 1)
    #expect(heard.value == 1)
    #expect(
      try worker.state().log == ["double 2", "listen 3", "doubled 2 4", "heard 3"]
        || worker.state().log == ["double 2", "listen 3", "heard 3", "doubled 2 4"])
  }

  @Test func D2_turnsThatWaitAreWrittenTogether() throws {
    let gate = Gate()
    let worker = Worker(pump, database, hook: .gate(gate))
    worker.tick()
    let before = worker.journal.writes
    for number in 0..<50 {
      pump.start { [stores = worker.stores] in
        _ = try? await stores["s\(number)"].send(.add(number))
      }
    }
    pump.drain()
    gate.open()
    pump.drain()
    #expect(worker.journal.writes - before <= 2)
    #expect(database.stores(of: "ledger").count == 50)
  }

  @Test(arguments: [nil, [0]])
  func D2_theContentOfATurnIsReadAsItWas(_ runs: [Int]?) throws {
    var body = TurnBody<Ledger.Action>(
      cause: .message, at: 781_234_567.125,
      actions: [.add(1), .wait(2, seconds: 3, resume: "\"é\"")], digest: "00ff", runs: runs)
    for _ in 0..<2 {
      let data = try body.encoded()
      let read = try JSONDecoder().decode(TurnBody<Ledger.Action>.self, from: data)
      #expect(read.cause == body.cause && read.at == body.at && read.digest == body.digest)
      #expect(read.actions == body.actions && read.runs == runs && read.started == nil)
      let plain = try JSONDecoder().decode(
        TurnBody<Ledger.Action>.self, from: JSONEncoder().encode(body))
      #expect(plain.actions == read.actions)
      body.actions = []
    }
    body.at = .infinity
    #expect(throws: (any Error).self) { try body.encoded() }
  }

  @Test func D2_aTurnThatCannotBeEncodedIsRefusedAndTheStoreGoesOn() throws {
    let stores = DurableStores(
      journal: InMemoryJournal(database),
      feature: DurableFeature("scale", initialState: { _ in Scale.State() }) { Scale() },
      options: DurableOptions(), clock: ContinuousClock(), worker: "w", executor: pump)
    pump.run { await stores.tick() }
    pump.run { try await stores["a"].send(.put(1)) }
    let refused = pump.run { try await stores["a"].send(.put(.infinity)) }
    #expect(throws: DurableError.self) { try refused?.get() }
    let state = pump.run { try await stores["a"].state }
    #expect(try state?.get() == Scale.State(weight: 1))
  }

  @Test func D2_turnsBeforeOneThatCannotBeEncodedAreWritten() throws {
    let gate = Gate(isOpen: true)
    let stores = DurableStores(
      journal: GatedJournal(InMemoryJournal(database), .gate(gate)), feature: Scale.feature,
      options: DurableOptions(), clock: ContinuousClock(), worker: "w", executor: pump)
    pump.run { await stores.tick() }
    gate.close()
    let outcome = LockIsolated<String>("waits")
    pump.start {
      do {
        try await stores["a"].send(.put(1))
        outcome.withValue { $0 = "handled" }
      } catch {
        outcome.withValue { $0 = "\(error)" }
      }
    }
    pump.drain()
    let refused = pump.run { try await stores["a"].send(.put(.infinity)) }
    #expect(throws: DurableError.self) { try refused?.get() }
    gate.open()
    pump.drain()
    #expect(outcome.value == "handled")
    let state = pump.run { try await stores["a"].state }
    #expect(try state?.get() == Scale.State(weight: 1))
  }

  @Test(arguments: [false, true])
  func D2_aStateThatCannotBeStoredIsReportedOnceAndItsTurnsAreWritten(_ isFromInbox: Bool) throws {
    let events = LockIsolated<[String]>([])
    var options = DurableOptions()
    options.snapshotInterval = 2
    options.onEvent = { event in
      if case .tookShard = event { return }
      events.withValue { $0.append("\(event)") }
    }
    let stores = DurableStores(
      journal: InMemoryJournal(database), feature: Scale.feature,
      options: options, clock: ContinuousClock(), worker: "w", executor: pump)
    if !isFromInbox { pump.run { await stores.tick() } }
    for _ in 0..<9 {
      pump.start { _ = try? await stores["a"].send(.put(1e308)) }
      pump.drain()
    }
    for _ in 0..<20 { pump.run { await stores.tick() } }
    #expect(events.value.count == 1)
    #expect(
      events.value.first?.hasPrefix("scale/a: the state after turn 2 cannot be encoded (") == true)
    #expect(database.waiting == 0)
    #expect(database.turns(of: StoreKey(kind: "scale", name: "a")).count == 9)
    // Another process reads the same state from the turns.
    database.expireLeases()
    let other = DurableStores(
      journal: InMemoryJournal(database), feature: Scale.feature,
      options: options, clock: ContinuousClock(), worker: "other", executor: pump)
    pump.run { await other.tick() }
    let state = pump.run { try await other["a"].state }
    #expect(try state?.get() == Scale.State(weight: .infinity))
  }

  @Test func D2_aDeletionWhoseStateCannotBeEncodedFailsItsStoreOnce() throws {
    let events = LockIsolated<[String]>([])
    var options = DurableOptions()
    options.onEvent = { event in
      if case .cannotActivate(let error) = event { events.withValue { $0.append("\(error)") } }
    }
    let feature = DurableFeature("scale", initialState: { _ in Scale.State(weight: .infinity) }) {
      Scale()
    }
    let stores = DurableStores(
      journal: InMemoryJournal(database), feature: feature, options: options,
      clock: ContinuousClock(), worker: "w", executor: pump)
    // No process owns the store yet, so this goes to the inbox.
    pump.start { _ = try? await stores["a"].delete(id: "gone") }
    pump.drain()
    for _ in 0..<20 { pump.run { await stores.tick() } }
    #expect(events.value.count == 1)
    #expect(events.value.first?.contains("the message 'gone' of the inbox") == true)
    #expect(events.value.first?.contains("cannot be encoded") == true)
    #expect(events.value.first?.contains("\n") == false)
    // In the process of the owner the one who deletes hears of it.
    let deleted = pump.run { try await stores["b"].delete() }
    #expect(throws: DurableError.self) { try deleted?.get() }
    #expect(events.value.count == 1)
  }
}

private struct Scale: Reducer {
  struct State: Codable, Equatable, Sendable { var weight = 0.0 }
  enum Action: Codable, Equatable, Sendable { case put(Double) }

  static let feature = DurableFeature("scale", initialState: { _ in State() }) { Scale() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .put(let weight): state.weight += weight
    }
    return .none
  }
}
