// D4: snapshots, versions, digests.

import Foundation
import Rondo
import RondoSeededRandomness
import Testing

@testable import RondoDurable

@Suite struct DurableSnapshotTests {
  let pump = Pump(Randomness(seed: 4))
  let database = InMemoryJournal.Database()
  let key = StoreKey(kind: "ledger", name: "a")

  private func worker(
    _ name: String, _ feature: DurableFeature<Ledger.State, Ledger.Action> = .ledger()
  ) -> Worker {
    database.expireLeases()
    let worker = Worker(pump, database, feature: feature, name: name)
    worker.tick()
    return worker
  }

  /// Expects that the store is refused with an error, and that no row has changed.
  private func expectRefusal(
    of worker: Worker, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let rows = database.turns(of: key).map(\.body)
    let result = worker.send(.add(9), id: "refused")
    guard case .failure(let error)? = result else {
      Issue.record("\(String(describing: result)) is no refusal.", sourceLocation: sourceLocation)
      return
    }
    for word in words {
      #expect("\(error)".contains(word), sourceLocation: sourceLocation)
    }
    #expect(!"\(error)".contains("\n"), sourceLocation: sourceLocation)
    #expect(database.turns(of: key).map(\.body) == rows, sourceLocation: sourceLocation)
  }

  @Test func D4_aSnapshotIsWrittenAfterSoManyTurns() throws {
    let first = worker("first")
    for number in 1...6 { first.send(.add(number)) }
    #expect(database.snapshot(of: key)?.number == 4)
    let second = worker("second")
    #expect(try second.state().log.count == 6)
  }

  @Test func D4_turnsBehindASnapshotAreDeletedAfterTheRetention() throws {
    let worker = Worker(pump, database) { $0.retention = .seconds(100) }
    worker.tick()
    for number in 1...5 { worker.send(.add(number), id: "m\(number)") }
    worker.advance(by: .seconds(90))
    #expect(database.turns(of: key).map(\.number) == [1, 2, 3, 4, 5])
    worker.advance(by: .seconds(10))
    for number in 6...9 { worker.send(.add(number), id: "m\(number)") }
    #expect(database.turns(of: key).map(\.number) == [5, 6, 7, 8, 9])
    // One of the last hundred seconds is known, and one from before is not.
    #expect(try worker.send(.add(5), id: "m5")?.get() == .duplicate)
    #expect(try worker.send(.add(1), id: "m1")?.get() == .handled)
    #expect(try worker.state().log.count == 10)
    #expect(database.doubles.isEmpty)
  }

  @Test func D4_turnsOfAStoreThatIsNotUsedAnyMoreAreDeletedToo() throws {
    let worker = Worker(pump, database) { $0.retention = .seconds(1000) }
    worker.tick()
    for number in 1...3 { worker.send(.add(number)) }
    for _ in 0..<40 { worker.advance(by: .seconds(61)) }
    #expect(try worker.activeCount() == 0)
    #expect(database.turns(of: key).isEmpty)
    let journal = worker.journal
    #expect(try pump.value { try await journal.load(key) }?.wake == nil)
    #expect(try worker.state().log.count == 3)
  }

  @Test func D4_aReducerThatHasChangedIsFoundWithItsTurn() throws {
    let first = worker("first")
    first.send(.add(1))
    first.send(.countDown(1))
    let changed = DurableFeature<Ledger.State, Ledger.Action>(
      "ledger", initialState: { _ in Ledger.State() }
    ) {
      Reduce { state, action in
        // The original logs this.
        if case .countDown = action { return .none }
        return Ledger().reduce(into: &state, action: action)
      }
    }
    expectRefusal(of: worker("second", changed), "ledger/a", "turn 2", ".countDown(1)", "digest")
    // The reducer of before goes on.
    #expect(try worker("third").send(.add(2))?.get() == .handled)
  }

  @Test func D4_aDamagedRowIsNamedAndNotTouched() throws {
    let first = worker("first")
    first.send(.add(1))
    first.send(.add(2))
    var row = database.turns(of: key)[1]
    row.body = Data(row.body.dropLast(7))
    database.replace(row, of: key)
    expectRefusal(of: worker("second"), "ledger/a", "turn 2", "cannot be read")
  }

  @Test func D4_aDamagedStoreIsDeletedAfterItsRepair() throws {
    let first = worker("first")
    first.send(.add(1))
    let row = database.turns(of: key)[0]
    var damaged = row
    damaged.body = Data("{".utf8)
    database.replace(damaged, of: key)
    let second = worker("second")
    let refused = pump.run { [stores = second.stores] in try await stores["a"].delete() }
    guard case .failure(let error)? = refused else {
      Issue.record("\(String(describing: refused)) is no refusal.")
      return
    }
    #expect("\(error)".contains("turn 1 of the journal cannot be read"))
    #expect("\(error)".contains("repair the row and call 'retry()'"))
    database.replace(row, of: key)
    pump.run { [stores = second.stores] in try await stores["a"].retry() }
    let deleted = pump.run { [stores = second.stores] in try await stores["a"].delete() }
    #expect(try deleted?.get() == .handled)
    #expect(try second.state() == Ledger.State())
  }

  @Test func D4_aChangedStateInASnapshotIsFound() throws {
    let first = worker("first")
    for number in 1...4 { first.send(.add(number)) }
    var snapshot = try #require(database.snapshot(of: key))
    let text = String(decoding: snapshot.body, as: UTF8.self)
    snapshot.body = Data(text.replacing("add 3", with: "add 7").utf8)
    database.replace(snapshot, of: key)
    expectRefusal(of: worker("second"), "ledger/a", "turn 4", "digest")
  }

  @Test func D4_aNewerVersionIsRefused() throws {
    worker("first", .ledger(version: 3)).send(.add(1))
    expectRefusal(of: worker("second", .ledger(version: 2)), "version 3", "version 2")
  }

  @Test func D4_anOlderVersionNeedsToBeBroughtForward() throws {
    worker("first").send(.add(1))
    expectRefusal(of: worker("second", .ledger(version: 2)), "version 1", "migrate")
  }

  @Test func D4_migrateBringsSnapshotsAndTurnsForward() throws {
    let first = worker("first")
    for number in 1...5 { first.send(.add(number)) }
    let kinds = LockIsolated<[String]>([])
    let feature = DurableFeature.ledger(version: 2).migrate { data in
      kinds.withValue { $0.append("\(data.kind) \(data.version)") }
      guard data.kind == .state else { return data.json }
      return Data(String(decoding: data.json, as: UTF8.self).replacing("add", with: "plus").utf8)
    }
    let second = worker("second", feature)
    #expect(try second.send(.add(6))?.get() == .handled)
    #expect(
      try second.state().log == ["plus 1", "plus 2", "plus 3", "plus 4", "add 5", "add 6"])
    #expect(kinds.value == ["state 1", "action 1"])
  }

  /// With a snapshot behind the turn that has started the work, and without one.
  @Test(arguments: [0, 4])
  func D12_migrateBringsTheInputsOfWorkInFlightForward(actionsAfterwards: Int) throws {
    struct Clock: Codable, Sendable { var number: Int }
    func feature(migrates: Bool) -> DurableFeature<Ledger.State, Ledger.Action> {
      DurableFeature("ledger", version: 2, initialState: { _ in Ledger.State() }) {
        Ledger()
      } work: {
        DurableTimer("deadline", onResume: .deadline) { (clock: Clock) in .waited(clock.number) }
      }.migrate { data in
        guard migrates, data.kind == .input(of: "deadline") else { return data.json }
        return Data(#"{"number":\#(String(decoding: data.json, as: UTF8.self))}"#.utf8)
      }
    }
    let first = worker("first")
    first.send(.wait(7, seconds: 5, resume: "deadline"))
    for number in 0..<actionsAfterwards { first.send(.add(number)) }
    first.journal.crash()
    let careless = worker("careless", feature(migrates: false))
    let check = try pump.value { try await careless.stores.check() }
    let words = "turn 1 of the journal has started the timer 'deadline', whose input cannot be read"
    #expect(check.errors.map { "\($0)".contains(words) } == [true])
    expectRefusal(of: careless, words)
    careless.journal.crash()
    let second = worker("second", feature(migrates: true))
    #expect(try pump.value { try await second.stores.check() }.errors.isEmpty)
    second.advance(by: .seconds(6))
    #expect(try second.state().log.suffix(2) == ["waited 7", "add 7"])
  }

  @Test func D12_anEffectWhoseInputCannotBeReadStopsItsStore() throws {
    let performed = Performed()
    performed.gate.close()
    let first = worker("first", .ledger(performed: performed))
    first.send(.double(2))
    first.journal.crash()
    let feature = DurableFeature<Ledger.State, Ledger.Action>(
      "ledger", initialState: { _ in Ledger.State() }
    ) {
      Ledger()
    } work: {
      DurableEffect("double") { (text: String, _) in
        text
      } then: { _, _ in
        .stopWaiting
      }
    }
    expectRefusal(of: worker("second", feature), "turn 1", "the effect 'double'", "cannot be read")
    performed.gate.open()
    pump.drain()
  }

  @Test func D4_aDigestDoesNotDependOnTheOrderOfSetsAndDictionaries() throws {
    var random = Randomness(seed: 1)
    for _ in 0..<50 {
      let numbers = (0..<20).map { _ in random.int(in: 0..<1000) }
      var first = Ledger.State()
      var second = Ledger.State()
      second.seen.reserveCapacity(500)
      for number in numbers {
        first.seen.insert(number)
        first.sums["\(number)"] = number
      }
      for number in numbers.reversed() {
        second.seen.insert(number)
        second.sums["\(number)"] = number
      }
      #expect(try StateDigest.of(first) == StateDigest.of(second))
    }
  }

  @Test func D4_aDigestIsTheSameForAStateThatWasStoredAndRead() throws {
    struct Order: Codable {
      var price = Decimal(string: "1.500")!
      var prices = ["a": Decimal(sign: .plus, exponent: 3, significand: 2)]
      var link = URL(string: "17", relativeTo: URL(string: "https://example.org/orders/"))!
      var data: Data? = Data([0, 255])
      var zero = -0.0
      var small = [-0.0, Double.leastNonzeroMagnitude, 0.1, 1e22]
      var number: Float = 0.1
      var date = Date(timeIntervalSinceReferenceDate: 781_234_567.1)
    }
    let order = Order()
    let digest = try StateDigest.of(order)
    let read = try DurableCoding.decode(Order.self, from: DurableCoding.encode(order))
    #expect(try StateDigest.of(read) == digest)
    var other = order
    other.price += 1
    #expect(try StateDigest.of(other) != digest)
    other = order
    other.data = Data([0, 254])
    #expect(try StateDigest.of(other) != digest)
    other = order
    other.link = URL(string: "https://example.org/orders/18")!
    #expect(try StateDigest.of(other) != digest)
  }

  @Test func D4_aDigestIsTheSameInEveryProcessAndTellsValuesApart() throws {
    struct Value: Encodable {
      var a: Int?
      var b = ["x"]
      var c = 1.5
    }
    let digest = try StateDigest.of(Value(a: 1))
    #expect(digest == 4_928_073_654_639_458_640)
    let others = [
      Value(a: nil), Value(a: 2), Value(a: 1, b: []), Value(a: 1, b: ["x", "x"]),
      Value(a: 1, c: -1.5),
    ]
    let digests = try others.map { try StateDigest.of($0) } + [try StateDigest.of(Value(a: 1))]
    #expect(Set(digests).count == 6)
  }
}
