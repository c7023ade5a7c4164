// D12: deployments: versions side by side, revisions, processes that end in order, and a look before.

import Foundation
import Rondo
import RondoScheduling
import RondoSeededRandomness
import Testing

@testable import RondoDurable

@Suite struct D12Tests {
  let pump = Pump(Randomness(seed: 12))
  let database = InMemoryJournal.Database()
  let names = (0..<8).map { "s\($0)" }

  private func worker(
    _ name: String, version: Int = 1, performed: Performed = Performed(),
    hook: GatedJournal.Hook? = nil, options: (inout DurableOptions) -> Void = { _ in }
  ) -> Worker {
    let feature = DurableFeature.ledger(version: version, performed: performed).migrate { $0.json }
    return Worker(pump, database, feature: feature, name: name, hook: hook, options: options)
  }

  /// Revisions of a ledger that note another number for the same action.
  private func revision(
    _ revision: Int, tax: Int, _ decision: RevisionDecision = .keep
  ) -> Worker {
    let feature = DurableFeature(
      "ledger", revision: revision, initialState: { _ in Ledger.State() }
    ) {
      Ledger()
    }.dependencies { $0.tax = tax }.whenRevised(decision)
    return Worker(pump, database, feature: feature, name: "revision \(revision)") {
      $0.snapshotInterval = 100
    }
  }

  // MARK: Versions side by side

  @Test func D12_nothingFailsWhileTwoVersionsRun() throws {
    let old = worker("old")
    old.tick()
    for name in names { _ = try old.send(.add(1), to: name)?.get() }
    let new = worker("new", version: 2)
    let all = [old, new]
    func goOn() {
      for _ in 0..<8 {
        database.advance(by: .seconds(2))
        for worker in all {
          worker.clock.timeline.advance(by: .seconds(2))
          pump.drain()
          worker.tick()
        }
      }
    }
    goOn()
    #expect(try old.shards().count == 1)
    #expect(try new.shards().count == 1)
    // Each version sends to all stores, through the inbox where it does not own them.
    let outcomes = names.flatMap { name in
      all.map { $0.outcome(of: .add(2), to: name, id: $0.stores.worker) }
    }
    goOn()
    #expect(outcomes.map(\.value) == Array(repeating: "handled", count: 16))
    #expect(old.events.failures + new.events.failures == [])
    for name in names {
      #expect(try new.state(of: name).log == ["add 1", "add 2", "add 2"])
    }
    // The newer worker has the shards of stores that an older one cannot read.
    #expect(try new.shards().count == 2)
    #expect(database.doubles.isEmpty)
  }

  @Test func D12_messagesOfANewerVersionAreHandledWhenAWorkerOfItComes() throws {
    let (old, new) = (worker("old"), worker("new", version: 2))
    old.tick()
    // It only sends at first, and nobody knows its version.
    let outcomes = names.map { new.outcome(of: .add(1), to: $0, id: "m") }
    for _ in 0..<2 { old.tick() }
    #expect(old.events.failures.count == 8)
    #expect(throws: DurableError.self) { try old.send(.add(2), to: "s0")?.get() }
    for _ in 0..<8 {
      database.advance(by: .seconds(2))
      for worker in [old, new] {
        worker.clock.timeline.advance(by: .seconds(2))
        pump.drain()
        worker.tick()
      }
    }
    #expect(database.waiting == 0)
    for name in names { #expect(try new.state(of: name).log == ["add 1"]) }
    #expect(
      outcomes.compactMap(\.value).filter { $0 != "handled" }
        .allSatisfy { $0.contains("waits in the inbox until another can") })
    #expect(try new.shards().count == 2)
  }

  @Test func D12_aProcessThatEndsWhileItLooksForANewerVersionOwnsNothingAfterwards() throws {
    let (gate, hasEnded) = (Gate(isOpen: true), LockIsolated(false))
    let old = worker("old", hook: .before { if case .claim = $0 { await gate.pass() } })
    let serving = Task(executorPreference: pump) { [stores = old.stores] in
      await stores.run()
      hasEnded.withValue { $0 = true }
    }
    pump.drain()
    #expect(try old.shards() == [0, 1])
    let new = worker("new", version: 2)
    gate.close()
    new.send(.add(1), to: "s0", id: "m")
    old.pass(.milliseconds(100))
    serving.cancel()
    old.pass(.milliseconds(100))
    gate.open()
    old.pass(.milliseconds(100))
    #expect(hasEnded.value)
    #expect(try old.shards() == [])
    // Without any lease that has to expire.
    new.tick()
    #expect(try new.shards() == [0, 1])
    #expect(try new.state(of: "s0").log == ["add 1"])
  }

  @Test func D12_theJournalIsAskedByNoTaskThatIsCancelled() throws {
    let (gate, cancelled) = (Gate(isOpen: true), LockIsolated<[String]>([]))
    let ending = worker(
      "ending",
      hook: .before { call in
        switch call {
        case .claim, .release, .arrivals, .fail:
          await gate.pass()
          if Task.isCancelled { cancelled.withValue { $0.append("\(call)") } }
        default: break
        }
      })
    let serving = ending.serve()
    _ = try ending.send(.add(1))?.get()
    gate.close()
    ending.pass(.seconds(4))
    serving.cancel()
    pump.drain()
    gate.open()
    for _ in 0..<4 { ending.pass(.seconds(2)) }
    #expect(cancelled.value == [])
    #expect(try ending.shards() == [])
  }

  @Test func D12_afterARollbackWhatTheOldVersionCanReadGoesOn() throws {
    let old = worker("old")
    old.tick()
    _ = try old.send(.add(1), to: "s0")?.get()
    _ = try old.send(.add(1), to: "s1")?.get()
    database.expireLeases()
    let new = worker("new", version: 2)
    new.tick()
    _ = try new.send(.add(2), to: "s1")?.get()
    database.expireLeases()
    let rolledBack = worker("rolled back")
    rolledBack.tick()
    #expect(try rolledBack.shards() == [0, 1])
    #expect(try rolledBack.send(.add(3), to: "s0")?.get() == .handled)
    #expect(throws: DurableError.self) { try rolledBack.send(.add(3), to: "s1")?.get() }
    // The newer one comes back, and gets what only it can read.
    let again = worker("again", version: 2)
    for _ in 0..<6 {
      database.advance(by: .seconds(4))
      for worker in [again, rolledBack] {
        worker.clock.timeline.advance(by: .seconds(4))
        pump.drain()
        worker.tick()
      }
    }
    #expect(try again.send(.add(4), to: "s1")?.get() == .handled)
    #expect(try again.state(of: "s1").log == ["add 1", "add 2", "add 4"])
    #expect(database.doubles.isEmpty)
  }

  @Test func D12_oldAndNewWorkersShareAndNobodyTakesBack() {
    var table = ShardTable()
    let start = Date(timeIntervalSinceReferenceDate: 0)
    func claim(_ worker: String, _ version: Int, at second: Double) -> Claim {
      table.claim(
        ClaimRequest(
          kind: "k", worker: worker, shards: 8, duration: .seconds(10), version: version),
        now: start.addingTimeInterval(second))
    }
    #expect(claim("old", 1, at: 0).leases.count == 8)
    #expect(claim("new", 2, at: 1).leases.isEmpty)
    let old = claim("old", 1, at: 2)
    #expect(old.share == 4)
    #expect(old.newestVersion == 2)
    table.release(Array(old.leases.dropFirst(4)), of: "old", now: start.addingTimeInterval(2))
    #expect(claim("new", 2, at: 3).leases.count == 4)
    // A newer worker that gives shards back leaves them to those that know its version.
    let other = claim("other", 2, at: 4)
    table.release(claim("new", 2, at: 5).leases, of: "new", now: start.addingTimeInterval(5))
    #expect(claim("old", 1, at: 6).leases.count == 4)
    #expect(other.leases.isEmpty)
    #expect(claim("other", 2, at: 7).leases.count == 4)
    // When nobody of that version is there any more, the old one takes them.
    for second in [12.0, 16.0] { _ = claim("old", 1, at: second) }
    #expect(claim("old", 1, at: 18).leases.count == 8)
    #expect(claim("old", 1, at: 19).foreign.isEmpty)
    // They are given to a newer one that comes back.
    _ = claim("new", 2, at: 20)
    #expect(claim("old", 1, at: 21).foreign.count == 4)
  }

  // MARK: Revisions

  @Test func D12_statesThatWereAcknowledgedStayUnlessTheFeatureSaysOtherwise() throws {
    let first = revision(1, tax: 19)
    first.tick()
    _ = try first.send(.tax)?.get()
    database.expireLeases()
    let second = revision(2, tax: 20)
    second.tick()
    let before = database.turns(of: StoreKey(kind: "ledger", name: "a")).count
    let error = #expect(throws: DurableError.self) { try second.send(.tax)?.get() }
    #expect(
      error?.description
        == "ledger/a: turn 1 was written by revision 1 of the feature, and leads to another state under "
        + "revision 2; nothing was changed. Run revision 1 and end it, so that it stores the state, or say "
        + "'whenRevised(.replace)'.")
    #expect(database.turns(of: StoreKey(kind: "ledger", name: "a")).count == before)

    // The old revision ends in order, and stores the state.
    database.expireLeases()
    let again = revision(1, tax: 19)
    let serving = again.serve()
    #expect(try again.state().log == ["tax 19"])
    serving.cancel()
    pump.drain()
    let third = revision(2, tax: 20)
    third.tick()
    #expect(try third.send(.tax)?.get() == .handled)
    #expect(try third.state().log == ["tax 19", "tax 20"])
  }

  @Test func D12_aReplacedStateIsReportedBeforeAnythingIsWritten() throws {
    let first = revision(1, tax: 19)
    first.tick()
    for _ in 0..<3 { _ = try first.send(.tax)?.get() }
    database.expireLeases()
    let second = revision(2, tax: 20, .replace)
    second.tick()
    let before = second.journal.writes
    #expect(try second.state().log == ["tax 20", "tax 20", "tax 20"])
    #expect(second.journal.writes == before)
    let told = second.events.all.filter { if case .replayed = $0 { true } else { false } }
    #expect(
      told.map(\.description) == [
        "ledger/a: turns 1 to 3, of version 1, revision 1, were reduced again, and lead to another state from "
          + "turn 1 on"
      ])
    _ = try second.send(.tax)?.get()
    // The first turn stores the state, so it is not found again.
    database.expireLeases()
    let third = revision(2, tax: 20)
    third.tick()
    #expect(try third.state().log == ["tax 20", "tax 20", "tax 20", "tax 20"])
    #expect(!third.events.all.contains { if case .replayed = $0 { true } else { false } })
  }

  @Test func D12_aRevisionThatMakesTheSameStatesGoesOn() throws {
    let first = revision(1, tax: 19)
    first.tick()
    _ = try first.send(.add(1))?.get()
    database.expireLeases()
    let second = revision(2, tax: 20)
    second.tick()
    #expect(try second.send(.tax)?.get() == .handled)
    #expect(try second.state().log == ["add 1", "tax 20"])
    // Back to the old revision: its turns, and those of the new one, which are in a snapshot.
    database.expireLeases()
    let third = revision(1, tax: 19)
    third.tick()
    #expect(try third.state().log == ["add 1", "tax 20"])
  }

  @Test func D12_withoutANewRevisionAnotherStateIsDamage() throws {
    let first = revision(1, tax: 19)
    first.tick()
    _ = try first.send(.tax)?.get()
    database.expireLeases()
    let second = revision(1, tax: 20, .replace)
    second.tick()
    let error = #expect(throws: DurableError.self) { try second.state() }
    guard case .damaged = error else { return #expect(Bool(false), "\(String(describing: error))") }
  }

  // MARK: The end of a process

  private func end(_ worker: Worker, after body: () throws -> Void) throws -> [Int] {
    let serving = worker.serve()
    try body()
    serving.cancel()
    pump.drain()
    return try worker.shards()
  }

  @Test func D12_effectsEndBeforeTheShardsAreGivenAway() throws {
    let performed = Performed()
    performed.gate.close()
    let first = worker("first", performed: performed)
    let shards = try end(first) { _ = try first.send(.double(2))?.get() }
    // It waits for the effect, and takes no work meanwhile.
    #expect(shards == [0, 1])
    first.send(.add(7), id: "m")
    #expect(database.waiting == 1)
    performed.gate.open()
    pump.drain()
    first.clock.timeline.advance(by: .milliseconds(200))
    pump.drain()
    #expect(try first.shards().isEmpty)
    // Another one owns the shards without waiting for any time.
    let second = worker("second")
    second.tick()
    second.tick()
    #expect(try second.shards() == [0, 1])
    #expect(try second.state().log == ["double 2", "doubled 2 4", "add 7"])
    #expect(performed.all.count == 1)
  }

  @Test func D12_aProcessThatIsAboutToEndTakesNoMoreShards() throws {
    let performed = Performed()
    performed.gate.close()
    let first = worker("first", performed: performed)
    let second = worker("second")
    for worker in [first, second] { worker.tick() }
    for worker in [first, second] { worker.advance(by: .seconds(4)) }
    let own = try first.shards()
    #expect(own.count == 1)
    let name = try #require(
      names.first { StoreKey(kind: "ledger", name: $0).shard(of: 2) == own[0] })
    #expect(try end(first) { _ = try first.send(.double(2), to: name)?.get() } == own)
    // The other one ends, and nobody else is there.
    #expect(try end(second) {} == [])
    database.advance(by: .seconds(4))
    first.clock.timeline.advance(by: .seconds(4))
    pump.drain()
    #expect(try first.shards() == own)
    performed.gate.open()
    pump.drain()
    first.clock.timeline.advance(by: .seconds(1))
    pump.drain()
    #expect(try first.shards().isEmpty)
  }

  @Test func D12_whatDoesNotEndIsStoredAndGoesOnElsewhere() throws {
    let performed = Performed()
    performed.gate.close()
    let first = worker("first", performed: performed)
    let shards = try end(first) { _ = try first.send(.double(2))?.get() }
    #expect(shards == [0, 1])
    first.clock.timeline.advance(by: .seconds(6))
    pump.drain()
    #expect(try first.shards().isEmpty)
    // The state is stored, with the work in it.
    #expect(database.snapshot(of: StoreKey(kind: "ledger", name: "a"))?.number == 1)
    let next = Performed()
    let second = worker("second", performed: next)
    second.tick()
    second.tick()
    #expect(next.all == performed.all)
    #expect(try second.state().log == ["double 2", "doubled 2 4"])
    performed.gate.open()
    pump.drain()
    #expect(database.doubles.isEmpty)
  }

  // MARK: A look before

  @Test func D12_aCheckSaysWhatADeploymentWouldFindAndWritesNothing() throws {
    let first = revision(1, tax: 19)
    first.tick()
    for name in names { _ = try first.send(.add(1), to: name)?.get() }
    _ = try first.send(.tax, to: "s3")?.get()
    let next = revision(2, tax: 20)
    let check = try pump.value { try await next.stores.check() }
    #expect(check.stores == 8)
    #expect(check.replays.count == 7)
    #expect(check.replays.allSatisfy { $0.replay.changed == nil })
    #expect(check.errors.map { "\($0)".prefix(16) } == ["ledger/s3: turn "])
    #expect(next.journal.writes == 0)
    #expect(try next.shards().isEmpty)
    let few = try pump.value { try await next.stores.check(limit: 3) }
    #expect(few.stores == 3)
  }
}
