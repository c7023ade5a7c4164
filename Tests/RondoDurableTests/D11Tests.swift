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

/// Workers that count what they handle, and set it aside after one attempt that has not ended. They come and go in
/// order, with a journal that is slow and fails.
private struct Handovers {
  private let pump: Pump
  private let database = InMemoryJournal.Database()
  private let clock = TestClock<Duration>()
  private var random: Randomness
  private var serving: [(worker: Worker, journal: Trouble, task: Task<Void, Never>)] = []
  private var all: [Worker] = []
  private var journals: [Trouble] = []
  private var sent: [(action: Ledger.Action, name: String)] = []
  private let leasesEnd: Bool

  /// The operations of a journal that is slow or fails from time to time.
  private final class Trouble: Sendable {
    let gates = [Gate(isOpen: true), Gate(isOpen: true), Gate(isOpen: true), Gate(isOpen: true)]
    let failures: Mutex<(isOn: Bool, random: Randomness)>
    /// The attempts that were counted or forgotten while another worker had their shard.
    let strange = LockIsolated<[String]>([])
    private let worker: String
    private let database: InMemoryJournal.Database

    init(_ random: Randomness, _ worker: String, _ database: InMemoryJournal.Database) {
      failures = Mutex((false, random))
      (self.worker, self.database) = (worker, database)
    }

    private func throwAtRandom() throws {
      let fails = failures.withLock { $0.isOn && $0.random.bool() }
      if fails { throw GatedJournal.Away() }
    }

    var hook: GatedJournal.Hook {
      .init { [self] call, operation in
        let attempt: Attempt?
        switch call {
        case .commit: attempt = await pass(0)
        case .release: attempt = await pass(1)
        case .begin(let begun): attempt = await pass(2, begun)
        case .end(let ended): attempt = await pass(3, ended)
        default: return try await operation()
        }
        try throwAtRandom()
        let before = attempt.map(count)
        try await operation()
        if let attempt, count(of: attempt) != before, owner(of: attempt.store) != worker {
          strange.withValue { $0.append(attempt.key) }
        }
        try throwAtRandom()
      }
    }

    private func pass(_ gate: Int, _ attempt: Attempt? = nil) async -> Attempt? {
      await gates[gate].pass()
      return attempt
    }

    private func count(of attempt: Attempt) -> Int? {
      database.tables.withLock { $0.attempts[attempt] }
    }

    private func owner(of store: StoreKey) -> String? {
      database.tables.withLock { $0.shards["ledger"]?.rows[$0.shard(of: store)]?.worker }
    }
  }

  /// - Parameter leasesEnd: Whether owners lose their leases from time to time. What they have counted looks like the work
  ///   of processes that have ended then, so as many attempts are made as there may be.
  init(_ random: Randomness, leasesEnd: Bool) {
    self.random = random
    self.leasesEnd = leasesEnd
    pump = Pump(random)
    for name in ["one", "two"] {
      Worker(pump, database, name: name).tick()
      database.expireLeases()
    }
    begin()
  }

  private mutating func begin() {
    let name = "worker \(all.count)"
    let journal = Trouble(Randomness(seed: random.next()), name, database)
    journals.append(journal)
    let worker = Worker(
      pump, database, clock: clock, name: name, hook: journal.hook
    ) {
      $0.attempts = leasesEnd ? 1000 : 3
      // As long as everything is slow at most, so that no lease ends by itself.
      $0.lease = .seconds(60)
      $0.idleTime = .seconds(2)
      $0.drainTime = .seconds(1)
    }
    serving.append((worker, journal, worker.serve()))
    all.append(worker)
  }

  mutating func step() {
    let one = random.int(in: 0..<max(serving.count, 1))
    switch random.int(in: 0..<12) {
    case 0 where serving.count < 3: begin()
    case 1 where !serving.isEmpty:
      let (_, journal, task) = serving.remove(at: one)
      journal.failures.withLock { $0.isOn = false }
      task.cancel()
      for gate in journal.gates {
        if random.bool() { send() }
        pass(upTo: 3, before: gate.open)
      }
    case 2...3 where !serving.isEmpty:
      let gate = serving[one].journal.gates[random.int(in: 0..<4)]
      gate.close()
      for _ in 0..<random.int(in: 1..<4) { send() }
      // An owner may end while it is closed.
      if random.bool() { pass(upTo: 12, before: gate.open) }
    case 4 where !serving.isEmpty:
      let journal = serving[one].journal
      journal.failures.withLock { $0.isOn.toggle() }
    case 5 where leasesEnd: database.expireLeases()
    case 5...8: send()
    default: pass(upTo: 12)
    }
  }

  private mutating func pass(upTo seconds: Int, before body: () -> Void = {}) {
    for _ in 0..<random.int(in: 0..<seconds) { all[0].pass(.seconds(1)) }
    body()
    pump.drain()
  }

  private mutating func send() {
    let (name, number) = (["a", "b", "c", "d"][random.int(in: 0..<4)], sent.count)
    let action: Ledger.Action =
      switch random.int(in: 0..<4) {
      case 0: .double(number)
      case 1: .trapLater(number, seconds: 1)
      default: .add(number)
      }
    sent.append((action, name))
    let stores = all[random.int(in: 0..<all.count)].stores
    pump.start { _ = try? await stores[name].send(action, id: "m\(number)") }
    if random.bool() { pump.drain() }
  }

  /// The journal after all workers have ended in order, and after another worker has handled all messages.
  struct End {
    /// The attempts that were counted before the last worker.
    var attempts: [String]
    /// The actions that the stores have handled.
    var log: [String] = []
    /// The actions that were sent.
    var expected: [String] = []
    /// The stores with which a worker could not go on.
    var stops: [String] = []
    /// The attempts that were counted or forgotten by workers while others had their shards.
    var strange: [String] = []
  }

  mutating func end() throws -> End {
    for (_, journal, task) in serving {
      journal.failures.withLock { $0.isOn = false }
      for gate in journal.gates { gate.open() }
      task.cancel()
    }
    for _ in 0..<8 { all[0].pass(.seconds(1)) }
    // A worker that has owned no shard is counted for the time of a lease.
    all[0].pass(.seconds(60))
    var end = End(attempts: try attempts(database, pump))
    begin()
    for (number, (action, name)) in sent.enumerated() {
      _ = try all.last?.send(action, to: name, id: "m\(number)")?.get()
      switch action {
      case .add: end.expected.append("add \(number)")
      case .double: end.expected.append("doubled \(number) \(2 * number)")
      default: break
      }
    }
    for _ in 0..<3 { all[0].pass(.seconds(1)) }
    for name in ["a", "b", "c", "d"] { end.log += try all.last?.state(of: name).log ?? [] }
    end.strange = journals.flatMap(\.strange.value)
    end.log = end.log.filter { $0.hasPrefix("add") || $0.hasPrefix("doubled") }.sorted()
    end.expected.sort()
    end.stops = all.flatMap(\.events.all).compactMap { event in
      switch event {
      case .cannotActivate(let error), .setAside(let error): "\(error)"
      default: nil
      }
    }
    return end
  }
}

/// The stores and keys of the attempts that are counted.
private func attempts(_ database: InMemoryJournal.Database, _ pump: Pump) throws -> [String] {
  let journal = InMemoryJournal(database)
  return try ["a", "b", "c", "d"].flatMap { name in
    let stored = try pump.value { try await journal.load(StoreKey(kind: "ledger", name: name)) }
    return stored?.attempts.sorted().map { "\(name): \($0)" } ?? []
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
    #expect(
      last.events.failures == [
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
      let sent = last.send(.add(1))
      switch decision {
      case .goOn:
        #expect(try sent?.get() == .handled)
        #expect(try pump.value { try await last.stores.setAside.count } == 1)
      case .stop:
        #expect(throws: DurableError.self) { try sent?.get() }
        #expect(!last.events.failures.isEmpty)
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
    _ = first.send(.trap(666), id: "m")
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
  private func carefulWorker(_ hook: GatedJournal.Hook) -> Worker {
    for name in ["one", "two"] {
      Worker(pump, database, name: name).tick()
      database.expireLeases()
    }
    let worker = Worker(pump, database, name: "three", hook: hook) {
      $0.attempts = 3
      $0.idleTime = .seconds(1)
    }
    worker.tick()
    return worker
  }

  @Test func D11_anAttemptThatCannotBeForgottenIsNoCrash() throws {
    let fails = LockIsolated(true)
    let worker = carefulWorker(
      .before {
        guard case .end(let attempt) = $0, attempt.key == "store", fails.value else { return }
        fails.withValue { $0 = false }
        throw GatedJournal.Away()
      })
    _ = try worker.send(.add(1))?.get()
    #expect(!fails.value)
    for _ in 0..<3 { worker.advance(by: .seconds(2)) }
    #expect(try worker.activeCount() == 0)
    #expect(try worker.send(.add(2))?.get() == .handled)
  }

  @Test func D11_anAttemptThatWasCountedAndNotMadeIsNoCrash() throws {
    let fails = LockIsolated(true)
    let worker = carefulWorker(
      .after {
        guard case .begin(let attempt) = $0, attempt.key == "message m", fails.value else { return }
        fails.withValue { $0 = false }
        throw GatedJournal.Away()
      })
    #expect(throws: DurableError.self) { try worker.send(.add(1), id: "m")?.get() }
    #expect(!fails.value)
    #expect(try worker.send(.add(1), id: "m")?.get() == .handled)
  }

  @Test func D11_attemptsThatCannotBeForgottenAreForgottenBeforeTheProcessEnds() throws {
    let fails = LockIsolated(true)
    let worker = carefulWorker(
      .before { if case .end = $0, fails.value { throw GatedJournal.Away() } })
    let serving = worker.serve()
    _ = try worker.send(.add(1))?.get()
    fails.withValue { $0 = false }
    serving.cancel()
    worker.pass(.seconds(1))
    let next = Worker(pump, database, name: "next") { $0.attempts = 3 }
    next.tick()
    #expect(try next.send(.add(2))?.get() == .handled)
  }

  @Test func D11_whatWaitsToBeCountedWhenItsShardMovesIsNoCrash() throws {
    let (gate, begun) = (Gate(isOpen: true), LockIsolated<[String]>([]))
    let worker = carefulWorker(
      .before { call in
        if case .commit = call { await gate.pass() }
        if case .begin(let attempt) = call { begun.withValue { $0.append(attempt.store.name) } }
      })
    let serving = worker.serve()
    gate.close()
    for (name, id) in [("a", "m1"), ("b", "m2")] {
      pump.start { [stores = worker.stores] in _ = try? await stores[name].send(.add(1), id: id) }
      pump.drain()
    }
    serving.cancel()
    worker.pass(.seconds(6))
    gate.open()
    worker.pass(.seconds(1))
    // The other one was not counted at any time.
    #expect(Set(begun.value) == ["a"])
    #expect(try attempts(database, pump) == [])
    let next = Worker(pump, database, name: "next") { $0.attempts = 3 }
    next.tick()
    #expect(try next.send(.add(2), to: "b")?.get() == .handled)
  }

  /// Between the question whether it may be handled, and the answer, the shard is given away.
  @Test func D11_whatIsBeingCountedWhenItsShardMovesIsNoCrash() throws {
    let gate = Gate(isOpen: true)
    let worker = carefulWorker(.before { if case .begin = $0 { await gate.pass() } })
    let serving = worker.serve()
    gate.close()
    worker.send(.add(1), id: "m")
    serving.cancel()
    worker.pass(.seconds(6))
    let next = Worker(pump, database, name: "next") { $0.attempts = 3 }
    next.tick()
    // Nobody else has a shard as long as an attempt in it may still be counted.
    #expect(try next.shards() == [])
    gate.open()
    worker.pass(.seconds(1))
    #expect(try attempts(database, pump) == [])
    next.advance(by: .seconds(4))
    #expect(try next.send(.add(2))?.get() == .handled)
  }

  @Test func D11_anAttemptThatCannotBeForgottenBeforeItsShardMovesIsNoCrash() throws {
    let isAway = LockIsolated(true)
    let worker = carefulWorker(
      .before { if case .end = $0, isAway.value { throw GatedJournal.Away() } })
    // The last shard is the one that is given away.
    let name = try #require(
      ["a", "b", "c"].first { StoreKey(kind: "", name: $0).shard(of: 2) == 1 })
    _ = try worker.send(.add(1), to: name)?.get()
    let other = Worker(pump, database, clock: worker.clock, name: "other") { $0.attempts = 3 }
    other.tick()
    worker.advance(by: .seconds(5))
    other.advance(by: .seconds(4))
    // Nobody gets a shard whose attempts are not forgotten.
    #expect(try other.shards() == [])
    isAway.withValue { $0 = false }
    worker.tick()
    other.advance(by: .seconds(4))
    #expect(try other.shards() == [1])
    #expect(try attempts(database, pump) == [])
    #expect(try other.send(.add(2), to: name)?.get() == .handled)
  }

  @Test func D11_theOwnerBeforeForgetsNoAttemptOfTheNextOne() throws {
    let isAway = LockIsolated(false)
    let worker = carefulWorker(
      .before {
        switch $0 {
        case .commit, .end: if isAway.value { throw GatedJournal.Away() }
        default: break
        }
      })
    _ = try worker.send(.add(1))?.get()
    isAway.withValue { $0 = true }
    #expect(throws: DurableError.self) { try worker.send(.add(2), id: "m")?.get() }
    worker.pass(.seconds(11))
    let gate = Gate(isOpen: true)
    let next = Worker(pump, database, name: "next", hook: .gate(gate))
    next.tick()
    gate.close()
    #expect(next.send(.add(2), id: "m") == nil)
    isAway.withValue { $0 = false }
    worker.tick()
    #expect(try attempts(database, pump) == ["a: message m"])
    gate.open()
    pump.drain()
    #expect(try attempts(database, pump) == [])
  }

  /// Another worker, which owns all shards now, and makes as many attempts as it needs.
  private func nextWorker(_ hook: GatedJournal.Hook? = nil) -> Worker {
    database.expireLeases()
    let next = Worker(pump, database, name: "next", hook: hook) { $0.attempts = 9 }
    next.tick()
    return next
  }

  @Test func D11_noAttemptIsCountedForAWorkerWhoseShardAnotherOneHas() throws {
    let gate = Gate(isOpen: true)
    let worker = carefulWorker(.before { if case .begin = $0 { await gate.pass() } })
    _ = try worker.send(.add(1))?.get()
    gate.close()
    #expect(worker.send(.add(2), id: "m") == nil)
    let next = nextWorker()
    #expect(try next.send(.add(2), id: "m")?.get() == .handled)
    gate.open()
    pump.drain()
    #expect(try attempts(database, pump) == [])
    #expect(try worker.shards() == [1])
    #expect(try next.state().log == ["add 1", "add 2"])
  }

  @Test func D11_aWorkerWhoseShardAnotherOneHasForgetsNoAttempt() throws {
    let (gate, nextGate) = (Gate(isOpen: true), Gate(isOpen: true))
    func hook(_ gate: Gate) -> GatedJournal.Hook {
      .before { if case .end = $0 { await gate.pass() } }
    }
    let worker = carefulWorker(hook(gate))
    _ = try worker.send(.add(1))?.get()
    gate.close()
    #expect(worker.send(.add(2), id: "m") == nil)
    let next = nextWorker(hook(nextGate))
    _ = try next.state()
    nextGate.close()
    #expect(next.send(.add(2), id: "m") == nil)
    gate.open()
    pump.drain()
    #expect(try attempts(database, pump) == ["a: message m"])
    nextGate.open()
    pump.drain()
    #expect(try attempts(database, pump) == [])
  }

  @Test func D11_aWorkerWhoseShardAnotherOneHasSetsNothingAside() throws {
    let gates = [Gate(isOpen: true), Gate(isOpen: false)]
    // The first one ends when it has counted the message, and the second one has only one attempt.
    let first = carefulWorker(
      .after {
        guard case .begin(let attempt) = $0 else { return }
        if attempt.key != "store" { gates[0].close() }
        await gates[0].pass()
      })
    post([("a", .add(1))])
    first.tick()
    database.expireLeases()
    let second = Worker(
      pump, database, feature: .ledger().whenSetAside(.goOn), name: "second",
      hook: .before { if case .setAside = $0 { await gates[1].pass() } }
    ) { $0.attempts = 3 }
    second.tick()
    let next = nextWorker()
    #expect(try next.state().log == ["add 1"])
    gates[1].open()
    pump.drain()
    #expect(try pump.value { try await next.stores.setAside } == [])
    #expect(!second.events.all.contains { if case .setAside = $0 { true } else { false } })
  }

  @Test func D11_anAttemptThatIsNeverForgottenKeepsNoShardForLongerThanItsLease() throws {
    let worker = carefulWorker(.before { if case .end = $0 { throw GatedJournal.Away() } })
    _ = try worker.send(.add(1), to: "b")?.get()
    let other = Worker(pump, database, clock: worker.clock, name: "other")
    for _ in 0..<12 {
      other.tick()
      worker.advance(by: .seconds(2))
      other.advance(by: .seconds(2))
    }
    #expect(try worker.shards().count == 1)
    #expect(try other.shards().count == 1)
  }

  @Test func D11_countingKeepsNoOtherShardFromBeingGivenAway() throws {
    let gate = Gate(isOpen: true)
    let worker = carefulWorker(.before { if case .begin = $0 { await gate.pass() } })
    gate.close()
    // Its store is in the first shard, which is kept.
    #expect(worker.send(.add(1), to: "a") == nil)
    let other = Worker(pump, database, clock: worker.clock, name: "other")
    other.tick()
    worker.advance(by: .seconds(5))
    other.advance(by: .seconds(4))
    #expect(try other.shards() == [1])
    gate.open()
    pump.drain()
  }

  @Test(arguments: Randomness.seeds(Soak.isOn ? 40 : 15), [false, true])
  func D11_noStoreIsSetAsideWhereNoProcessHasEnded(_ seed: UInt64, leasesEnd: Bool) throws {
    var handovers = Handovers(Randomness(seed: seed), leasesEnd: leasesEnd)
    for _ in 0..<24 { handovers.step() }
    let end = try handovers.end()
    if !leasesEnd { #expect(end.attempts == []) }
    #expect(end.log == end.expected)
    #expect(end.stops == [])
    #expect(end.strange == [])
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
