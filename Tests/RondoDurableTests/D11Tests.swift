// D11: what ends the processes that handle it is set aside after some attempts, and nothing else is.

import Foundation
import Rondo
import RondoScheduling
import RondoSeededRandomness
import Synchronization
import Testing

@testable import RondoDurable

/// Workers of one database, of which a new one takes over each time that one has ended.
private final class Fleet: Sendable {
  let pump: Pump
  let database: InMemoryJournal.Database
  let decision: SetAsideDecision
  /// The numbers that end the process.
  let poison: Mutex<Set<Int>>
  private let state = Mutex((current: InMemoryJournal?.none, deaths: [Int]()))

  init(
    _ pump: Pump, _ database: InMemoryJournal.Database, _ decision: SetAsideDecision,
    _ poison: Set<Int>
  ) {
    (self.pump, self.database, self.decision) = (pump, database, decision)
    self.poison = Mutex(poison)
  }

  /// The numbers that have ended a process, in order.
  var deaths: [Int] { state.withLock(\.deaths) }

  /// A worker whose journal writes nothing more from the moment at which it reduces poison.
  func worker(_ name: String) -> Worker {
    let feature = DurableFeature.ledger().whenSetAside(decision).dependencies { values in
      values.trap = { [self] number in
        guard poison.withLock({ $0.contains(number) }) else { return }
        state.withLock { state in
          state.deaths.append(number)
          state.current?.crash()
        }
      }
    }
    let worker = Worker(pump, database, feature: feature, name: name)
    state.withLock { $0.current = worker.journal }
    return worker
  }

  /// Lets workers take over until one does not end; gives up after twelve.
  func untilOneStays(_ body: (Worker) -> Void = { _ in }) -> Worker? {
    for number in 1...12 {
      database.advance(by: .seconds(1))
      database.expireLeases()
      let worker = worker("worker \(number)")
      worker.tick()
      body(worker)
      for _ in 0..<6 where !worker.journal.hasCrashed { worker.advance(by: .milliseconds(500)) }
      if !worker.journal.hasCrashed { return worker }
    }
    return nil
  }
}

@Suite struct D11Tests {
  let pump = Pump(Randomness(seed: 11))
  let database = InMemoryJournal.Database()

  private func fleet(_ decision: SetAsideDecision = .stop, poison: Set<Int> = [666]) -> Fleet {
    Fleet(pump, database, decision, poison)
  }

  /// Puts messages into the inbox, and leaves.
  private func post(_ actions: [(String, Ledger.Action)]) {
    let sender = Worker(pump, database, name: "sender")
    for (index, (name, action)) in actions.enumerated() {
      pump.start { [stores = sender.stores] in
        _ = try? await stores[name].send(action, id: "m\(index)")
      }
      pump.drain()
    }
  }

  @Test func D11_aMessageThatTrapsEndsFiveWorkersAndStopsItsStoreAlone() throws {
    post([("a", .add(1)), ("a", .trap(666)), ("a", .add(2)), ("b", .add(3))])
    let fleet = fleet()
    let last = try #require(fleet.untilOneStays())
    #expect(fleet.deaths.count == 5)
    #expect(try last.state(of: "b").log == ["add 3"])
    // It waits, with what is behind it.
    #expect(database.waiting == 2)
    let reported = last.events.all.compactMap { event in
      if case .cannotActivate(let error) = event { "\(error)" } else { nil }
    }
    #expect(
      reported == [
        "ledger/a: the message 'm1' has ended 5 processes that handled it, so it is handled no more. Mend the "
          + "feature and call 'retry()', which tries it once, or leave a message out with 'retry(discarding:)'."
      ])
    let wasWaiting = pump.run { try await last.stores["a"].retry(discarding: "m1") }
    #expect(try wasWaiting?.get() == true)
    for _ in 0..<4 { last.advance(by: .milliseconds(200)) }
    #expect(try last.state(of: "a").log == ["add 1", "add 2"])
    #expect(database.waiting == 0)
    #expect(database.doubles.isEmpty)
  }

  @Test func D11_aStoreGoesOnWithoutTheMessageIfTheKindSaysSo() throws {
    post([("a", .add(1)), ("a", .trap(666)), ("a", .add(2))])
    let fleet = fleet(.goOn)
    let last = try #require(fleet.untilOneStays())
    #expect(fleet.deaths.count == 5)
    #expect(try last.state(of: "a").log == ["add 1", "add 2"])
    #expect(database.waiting == 0)
    let entries = try pump.value { try await last.stores.setAside }
    #expect(entries.map(\.attempt.key) == ["message m1"])
    #expect(
      entries.first.map { String(decoding: $0.data, as: UTF8.self) }?.contains("666") == true)
    let told = last.events.all.contains { if case .setAside = $0 { true } else { false } }
    #expect(told)
    // Its id is known.
    #expect(try last.send(.trap(666), id: "m1")?.get() == .duplicate)
    #expect(fleet.deaths.count == 5)
  }

  @Test(arguments: [SetAsideDecision.stop, .goOn])
  func D11_timersAndOutcomesThatTrapAreSetAside(_ decision: SetAsideDecision) throws {
    for action in [Ledger.Action.trapLater(666, seconds: 1), .trapAfterWork(666)] {
      let database = InMemoryJournal.Database()
      let fleet = Fleet(pump, database, decision, [666])
      let first = fleet.worker("first")
      first.tick()
      _ = first.send(action, to: "a", id: "begin")
      first.advance(by: .seconds(1))
      let last = try #require(fleet.untilOneStays())
      #expect(fleet.deaths.count == 5)
      let sent = last.send(.add(1), to: "a")
      switch decision {
      case .goOn:
        #expect(try sent?.get() == .handled)
        #expect(try pump.value { try await last.stores.setAside.count } == 1)
      case .stop:
        #expect(throws: DurableError.self) { try sent?.get() }
        #expect(last.events.all.contains { if case .cannotActivate = $0 { true } else { false } })
      }
      #expect(try last.send(.add(1), to: "b")?.get() == .handled)
      #expect(database.doubles.isEmpty)
    }
  }

  @Test func D11_aSenderOfTheOwnersProcessIsRefusedAndTheStoreGoesOn() throws {
    let fleet = fleet()
    // A client that sends again whenever it has no answer.
    let last = try #require(
      fleet.untilOneStays { worker in _ = worker.send(.trap(666), to: "a", id: "m") })
    #expect(fleet.deaths.count == 5)
    #expect(throws: DurableError.self) { try last.send(.trap(666), to: "a", id: "m")?.get() }
    #expect(try last.send(.add(1), to: "a", id: "n")?.get() == .handled)
    // Also much later, when nobody has reason to be careful, and by an owner that has loaded it anew.
    last.advance(by: .seconds(3600))
    let next = fleet.worker("next")
    database.expireLeases()
    next.tick()
    #expect(throws: DurableError.self) { try next.send(.trap(666), to: "a", id: "m")?.get() }
    #expect(fleet.deaths.count == 5)
    #expect(try next.state().log == ["add 1"])
  }

  @Test func D11_whatIsHandledBesidePoisonIsNeverSetAside() throws {
    var actions: [(String, Ledger.Action)] = (0..<40).map { ("s\($0 % 8)", .add($0)) }
    actions.insert(("s3", .trap(666)), at: 17)
    actions.insert(("s5", .trap(667)), at: 29)
    post(actions)
    let fleet = fleet(.goOn, poison: [666, 667])
    let last = try #require(fleet.untilOneStays())
    for poison in [666, 667] { #expect(fleet.deaths.count { $0 == poison } <= 5) }
    #expect(database.waiting == 0)
    let entries = try pump.value { try await last.stores.setAside }
    #expect(entries.map(\.attempt.key).sorted() == ["message m17", "message m29"])
    let all = try (0..<8).flatMap { try last.state(of: "s\($0)").log }
    #expect(all.sorted() == (0..<40).map { "add \($0)" }.sorted())
    #expect(database.doubles.isEmpty)
  }

  @Test func D11_afterARetryAMendedFeatureHandlesIt() throws {
    post([("a", .trap(666)), ("a", .add(2))])
    let fleet = fleet()
    let last = try #require(fleet.untilOneStays())
    #expect(database.waiting == 2)
    fleet.poison.withLock { $0 = [] }
    _ = pump.run { try await last.stores["a"].retry() }
    for _ in 0..<4 { last.advance(by: .milliseconds(200)) }
    #expect(try last.state(of: "a").log == ["trap 666", "add 2"])
  }

  @Test func D11_afterARetryPoisonEndsOneWorkerMore() throws {
    post([("a", .trap(666))])
    let fleet = fleet()
    let last = try #require(fleet.untilOneStays())
    _ = pump.run { try await last.stores["a"].retry() }
    last.advance(by: .milliseconds(200))
    #expect(last.journal.hasCrashed)
    _ = try #require(fleet.untilOneStays())
    #expect(fleet.deaths.count == 6)
  }

  @Test func D11_aStoreThatTrapsWhileItIsLoadedIsSetAside() throws {
    let first = Worker(pump, database, name: "first")
    first.tick()
    _ = first.send(.trap(666), to: "a", id: "m")
    // A version that traps where the one before did not.
    let fleet = fleet()
    let last = try #require(
      fleet.untilOneStays { worker in _ = worker.send(.add(1), to: "a", id: "n") })
    #expect(fleet.deaths.count <= 5)
    #expect(throws: DurableError.self) { try last.send(.add(1), to: "a", id: "n")?.get() }
    #expect(try last.send(.add(1), to: "b")?.get() == .handled)
    #expect(database.turns(of: StoreKey(kind: "ledger", name: "a")).count == 1)
  }

  /// A worker that counts what it handles, because two have ended, and gives up after one attempt of its own.
  private func carefulWorker(_ writing: GatedJournal.Writing) -> Worker {
    for name in ["one", "two"] {
      Worker(pump, database, name: name).tick()
      database.expireLeases()
    }
    let worker = Worker(pump, database, name: "three", writing: writing) {
      $0.attempts = 3
      $0.idleTime = .seconds(1)
    }
    worker.tick()
    return worker
  }

  @Test func D11_anAttemptThatCannotBeForgottenIsNoCrash() throws {
    let fails = Mutexed(true)
    let worker = carefulWorker(
      .init(end: { journal, attempt in
        if attempt.key == "store", fails.value {
          fails.withLock { $0 = false }
          throw GatedJournal.Away()
        }
        try await journal.end(attempt)
      }))
    _ = try worker.send(.add(1))?.get()
    #expect(!fails.value)
    for _ in 0..<3 { worker.advance(by: .seconds(2)) }
    #expect(try worker.activeCount() == 0)
    #expect(try worker.send(.add(2))?.get() == .handled)
  }

  @Test func D11_anAttemptThatWasCountedAndNotMadeIsNoCrash() throws {
    let fails = Mutexed(true)
    let worker = carefulWorker(
      .init(begin: { journal, attempt, limit in
        let before = try await journal.begin(attempt, limit: limit)
        if attempt.key == "message m", fails.value {
          fails.withLock { $0 = false }
          throw GatedJournal.Away()
        }
        return before
      }))
    #expect(throws: DurableError.self) { try worker.send(.add(1), id: "m")?.get() }
    #expect(!fails.value)
    #expect(try worker.send(.add(1), id: "m")?.get() == .handled)
  }

  @Test func D11_attemptsThatCannotBeForgottenAreForgottenBeforeTheProcessEnds() throws {
    let fails = Mutexed(true)
    let worker = carefulWorker(
      .init(end: { journal, attempt in
        if fails.value { throw GatedJournal.Away() }
        try await journal.end(attempt)
      }))
    let serving = worker.serve()
    _ = try worker.send(.add(1))?.get()
    fails.withLock { $0 = false }
    serving.cancel()
    worker.pass(.seconds(1))
    let next = Worker(pump, database, name: "next") { $0.attempts = 3 }
    next.tick()
    #expect(try next.send(.add(2))?.get() == .handled)
  }

  @Test func D11_nothingIsCountedWhereNoWorkersHaveEndedSoonAfterAnother() throws {
    for number in 1...6 {
      database.expireLeases()
      database.advance(by: .seconds(301))
      let worker = Worker(pump, database, name: "worker \(number)")
      worker.tick()
      let before = worker.journal.writes
      _ = try worker.send(.add(number), to: "s\(number)", id: "m")?.get()
      #expect(worker.journal.writes == before + 1)
    }
  }
}
