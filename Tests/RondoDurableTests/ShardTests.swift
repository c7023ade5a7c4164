// D5: many machines: shards, leases, epochs, the inbox.

import Foundation
import Rondo
import RondoScheduling
import RondoTesting
import RondoSeededRandomness
import Testing

@testable import RondoDurable

@Suite struct ShardTests {
  let pump = Pump(Randomness(seed: 5))
  let database = InMemoryJournal.Database()

  private func worker(_ name: String) -> Worker {
    Worker(pump, database, name: name) { $0.shards = 8 }
  }

  @Test func D5_aNameHasItsShardInEveryProcess() {
    #expect(StoreKey(kind: "match", name: "a").shard(of: 16) == 0)
    #expect(StoreKey(kind: "other", name: "a").shard(of: 16) == 0)
    let counts = (0..<1600).reduce(into: [Int: Int]()) {
      $0[StoreKey(kind: "match", name: "m\($1)").shard(of: 16), default: 0] += 1
    }
    #expect(counts.count == 16)
    #expect(counts.values.allSatisfy { (60...140).contains($0) })
  }

  @Test func D5_shardsAreDividedEvenly() throws {
    let first = worker("first")
    first.tick()
    #expect(try first.shards().count == 8)
    let second = worker("second")
    second.tick()
    first.advance(by: .seconds(4))
    second.advance(by: .seconds(4))
    #expect(try first.shards().count == 4)
    #expect(try second.shards().count == 4)
    #expect(try Set(first.shards() + second.shards()).count == 8)
  }

  @Test func D5_aProcessThatEndsWithoutShardsIsNotCounted() throws {
    let first = worker("first")
    first.tick()
    let second = Worker(pump, database, clock: first.clock, name: "second") { $0.shards = 8 }
    let serving = second.serve()
    // It has claimed before the first one gives shards away for it.
    first.advance(by: .seconds(4))
    #expect(try first.shards().count == 4)
    #expect(try second.shards().isEmpty)
    serving.cancel()
    pump.drain()
    first.advance(by: .seconds(4))
    #expect(try first.shards().count == 8)
  }

  @Test(arguments: [false, true])
  func D5_aSenderWithAnotherNumberOfShardsIsHeard(_ isFirst: Bool) throws {
    let (owner, sender) = (worker("owner"), Worker(pump, database) { $0.shards = 64 })
    if !isFirst { owner.tick() }
    for number in 0..<20 {
      pump.start { [stores = sender.stores] in
        _ = try? await stores["s\(number)"].send(.add(number), id: "m")
      }
    }
    pump.drain()
    #expect(database.waiting == 20)
    for _ in 0..<4 { owner.tick() }
    #expect(database.waiting == 0)
    for number in 0..<20 { #expect(try owner.state(of: "s\(number)").log == ["add \(number)"]) }
  }

  @Test func D5_anActionForAStoreOfAnotherIsHandledThere() throws {
    let first = worker("first")
    first.tick()
    let second = worker("second")
    let outcome = second.outcome(of: .add(1), id: "m")
    #expect(outcome.value == nil)
    first.tick()
    second.tick()
    #expect(outcome.value == "handled")
    #expect(try first.state().log == ["add 1"])
    #expect(try second.state().log == ["add 1"])
  }

  @Test func D5_aProcessThatDoesNotServeHearsThatItsActionWasHandled() throws {
    let owner = worker("owner")
    owner.tick()
    let other = worker("other")
    let outcome = other.outcome(of: .add(1), id: "m")
    owner.tick()
    #expect(outcome.value == nil)
    other.clock.timeline.advance(by: .seconds(1))
    pump.drain()
    #expect(outcome.value == "handled")
  }

  @Test func D5_whoWaitsForAnotherProcessHearsOfTheEndOfThisOne() throws {
    let owner = worker("owner")
    owner.tick()
    let other = worker("other")
    let serving = other.serve()
    let outcome = other.outcome(of: .add(1), id: "m")
    #expect(outcome.value == nil)
    serving.cancel()
    pump.drain()
    #expect(outcome.value?.contains("send it again with the same id") == true)
  }

  @Test func D5_optionsWithoutSenseAreTakenForTheNearestOnes() throws {
    let worker = Worker(pump, database) { options in
      options.shards = -3
      options.batch = 0
      options.snapshotInterval = -1
      options.lease = .seconds(-1)
      options.pollInterval = .zero
      options.retention = .seconds(-1)
      options.idleTime = .seconds(-1)
    }
    worker.tick()
    #expect(try worker.shards() == [0])
    #expect(try worker.send(.add(1))?.get() == .handled)
    #expect(try worker.state().log == ["add 1"])
  }

  @Test func D5_theLineOfAnEventHasNoActionAndNoControlCharacters() {
    let key = StoreKey(kind: "ledger", name: "a\nb\u{1B}[2J\u{2028}é")
    let event = DurableEvent.interrupted(store: key, action: "pay(card: 4711)", .drop)
    #expect(
      event.line
        == "ledger/a\\nb\\u{1B}[2J\\u{2028}é: effects of an action were interrupted, decision: drop"
    )
    #expect(DurableEvent.journalFailed("a\nb").line == "the journal has failed: a\\nb")
  }

  @Test func D5_messagesOfSeveralPollsAreHandledInTheOrderOfTheInbox() throws {
    for seed in 0..<20 {
      let pump = Pump(Randomness(seed: UInt64(seed)))
      let database = InMemoryJournal.Database()
      let worker = Worker(pump, database)
      worker.tick()
      pump.run { [stores = worker.stores, journal = worker.journal] in
        for number in 1...4 {
          let key = MessageKey(store: StoreKey(kind: "ledger", name: "a"), id: "m\(number)")
          let action = try JSONEncoder().encode(Ledger.Action.add(number))
          _ = try await journal.post(
            JournalMessage(key: key, action: action, version: 1))
          await stores.poll()
        }
      }
      #expect(try worker.state().log == ["add 1", "add 2", "add 3", "add 4"], "seed \(seed)")
      #expect(database.waiting == 0)
    }
  }

  @Test func D5_aSenderThatGivesUpLeavesTheOthersWaiting() throws {
    let owner = worker("owner")
    owner.tick()
    let other = worker("other")
    let outcomes = LockIsolated<[String]>([])
    let tasks = (0..<2).map { number in
      Task(executorPreference: pump) { [stores = other.stores] in
        let result = (try? await stores["a"].send(.add(1), id: "m")).map { "\($0)" } ?? "error"
        outcomes.withValue { $0.append("\(number) \(result)") }
      }
    }
    pump.drain()
    tasks[0].cancel()
    pump.drain()
    #expect(outcomes.value == ["0 error"])
    owner.tick()
    other.tick()
    #expect(outcomes.value.count == 2)
    #expect(outcomes.value.last?.hasPrefix("1 ") == true)
    #expect(outcomes.value.last != "1 error")
  }

  @Test func D5_aSenderElsewhereHearsThatTheOwnerCannotGoOn() throws {
    let key = StoreKey(kind: "ledger", name: "a")
    let first = worker("first")
    first.tick()
    first.send(.add(1))
    try database.damageFirstTurn(of: key)
    first.journal.crash()
    database.expireLeases()
    let owner = worker("owner")
    owner.tick()
    let other = worker("other")
    let outcome = other.outcome(of: .add(2), id: "m")
    for _ in 0..<3 {
      owner.tick()
      other.tick()
    }
    #expect(outcome.value?.contains("turn 1 of the journal cannot be read") == true)
    #expect(outcome.value?.contains("\n") == false)
    // The next owner is not held to it.
    database.expireLeases()
    let journal = other.journal
    let failures = pump.run { try await journal.failures(of: [key]) }
    #expect(try failures?.get().count == 1)
    let next = worker("next")
    next.tick()
    let known = pump.run { try await journal.failures(of: [key]) }
    #expect(try known?.get().isEmpty == true)
  }

  @Test func D5_aStoreWhoseRowWasRepairedIsTriedAgain() throws {
    let key = StoreKey(kind: "ledger", name: "a")
    let first = worker("first")
    first.tick()
    first.send(.add(1))
    let row = database.turns(of: key)[0]
    try database.damageFirstTurn(of: key)
    first.journal.crash()
    database.expireLeases()
    let owner = worker("owner")
    owner.tick()
    #expect(throws: DurableError.self) { try owner.send(.add(2))?.get() }
    owner.tick()
    database.replace(row, of: key)
    // Nobody has said so yet.
    for _ in 0..<3 { owner.tick() }
    #expect(throws: DurableError.self) { try owner.send(.add(2))?.get() }

    let other = worker("other")
    let retried = pump.run { [stores = other.stores] in try await stores["a"].retry() }
    #expect(try retried?.get() == false)
    owner.tick()
    #expect(try owner.send(.add(2))?.get() == .handled)
    #expect(try owner.state().log == ["add 1", "add 2"])
  }

  /// Puts a message that cannot be read into the inbox, and one behind it.
  private func postPoison(_ journal: InMemoryJournal) {
    for (id, action) in [("poison", #"{"divide":{"_0":0}}"#), ("next", #"{"add":{"_0":2}}"#)] {
      pump.run {
        let key = MessageKey(store: StoreKey(kind: "ledger", name: "a"), id: id)
        _ = try await journal.post(
          JournalMessage(
            key: key, action: Data(action.utf8), version: 1))
      }
    }
  }

  @Test(arguments: ["owner", "other"])
  func D5_aMessageThatIsDiscardedChangesNothingAndThoseBehindItAreHandled(_ name: String) throws {
    let owner = worker("owner")
    owner.tick()
    owner.send(.add(1))
    postPoison(owner.journal)
    for _ in 0..<3 { owner.tick() }
    let failures = owner.events.all.filter {
      if case .cannotActivate(.cannotHandle(let message, _)) = $0 {
        message.id == "poison"
      } else {
        false
      }
    }
    #expect(failures.count == 1)
    #expect(database.waiting == 2)

    let by = name == "owner" ? owner : worker(name)
    let unknown = pump.run { [stores = by.stores] in try await stores["a"].retry(discarding: "p") }
    #expect(try unknown?.get() == false)
    for _ in 0..<3 { owner.tick() }
    #expect(database.waiting == 2)
    let retried = pump.run { [stores = by.stores] in
      try await stores["a"].retry(discarding: "poison")
    }
    #expect(try retried?.get() == true)
    for _ in 0..<2 { owner.tick() }
    #expect(database.waiting == 0)
    #expect(try owner.state().log == ["add 1", "add 2"])
    // It is known as any other.
    #expect(try owner.send(.add(9), id: "poison")?.get() == .duplicate)
    #expect(database.turns(of: StoreKey(kind: "ledger", name: "a")).count == 3)
    // The next owner reads it as one that changes nothing.
    owner.journal.crash()
    database.expireLeases()
    let next = worker("next")
    next.tick()
    #expect(try next.state().log == ["add 1", "add 2"])
  }

  @Test func D5_anOwnerThatTriesAgainAnswersAtOnce() throws {
    let owner = worker("owner")
    owner.tick()
    postPoison(owner.journal)
    for _ in 0..<2 { owner.tick() }
    #expect(throws: DurableError.self) { try owner.send(.add(3))?.get() }
    pump.run { [stores = owner.stores] in try await stores["a"].retry(discarding: "poison") }
    #expect(try owner.send(.add(3))?.get() == .handled)
  }

  @Test func D5_aRetryThatComesBeforeTheFailureIsWrittenIsNotLost() throws {
    let owner = worker("owner")
    owner.tick()
    postPoison(owner.journal)
    // It fails, and has not told anybody yet.
    pump.run { [stores = owner.stores] in await stores.poll() }
    #expect(throws: DurableError.self) { try owner.send(.add(3))?.get() }
    let other = worker("other")
    let retried = pump.run { [stores = other.stores] in
      try await stores["a"].retry(discarding: "poison")
    }
    #expect(try retried?.get() == true)
    for _ in 0..<3 { owner.tick() }
    #expect(database.waiting == 0)
    #expect(try owner.state().log == ["add 2"])
    // It was tried again before anybody had to be told.
    #expect(owner.events.failures.isEmpty)
  }

  @Test(arguments: [false, true])
  func D5_aRetryWhileTheFailureIsBeingWrittenLeavesNone(_ isWritten: Bool) throws {
    let gate = Gate()
    let owner = Worker(
      pump, database, name: "owner",
      hook: .init { call, operation in
        guard case .fail = call else { return try await operation() }
        if isWritten { try await operation() }
        await gate.pass()
        if !isWritten { try await operation() }
      }
    ) { $0.shards = 8 }
    owner.tick()
    postPoison(owner.journal)
    for _ in 0..<2 { owner.tick() }
    let retried = pump.run { [stores = owner.stores] in
      try await stores["a"].retry(discarding: "poison")
    }
    #expect(try retried?.get() == true)
    gate.open()
    pump.drain()
    for _ in 0..<2 { owner.tick() }
    #expect(try owner.state().log == ["add 2"])
    let key = StoreKey(kind: "ledger", name: "a")
    let failures = pump.run { [journal = owner.journal] in try await journal.failures(of: [key]) }
    #expect(try failures?.get() == [:])
  }

  @Test func D5_aStoreThatFailsAgainAfterARetryIsReportedAgain() throws {
    let owner = worker("owner")
    owner.tick()
    postPoison(owner.journal)
    for _ in 0..<4 { owner.tick() }
    pump.run { [stores = owner.stores] in try await stores["a"].retry() }
    for _ in 0..<4 { owner.tick() }
    #expect(owner.events.failures.count == 2)
    let key = StoreKey(kind: "ledger", name: "a")
    let known = pump.run { [journal = owner.journal] in try await journal.failures(of: [key]) }
    #expect(try known?.get().count == 1)
  }

  @Test func D5_aFailureThatCannotBeWrittenIsReportedAtOnceAndOnce() throws {
    let owner = Worker(
      pump, database, name: "owner",
      hook: .before { if case .fail = $0 { throw GatedJournal.Away() } }
    ) { $0.shards = 8 }
    owner.tick()
    postPoison(owner.journal)
    for _ in 0..<4 { owner.tick() }
    #expect(owner.events.failures.count == 1)
  }

  @Test func D5_messagesOfAStoreThatWasForgottenAreHandledInTheirOrder() throws {
    let names = (1...5).map { "m\($0)" }
    for seed in 0..<200 {
      let pump = Pump(Randomness(seed: UInt64(seed)))
      let database = InMemoryJournal.Database()
      let key = StoreKey(kind: "ledger", name: "a")
      let gate = Gate(isOpen: true)
      // A database that leaves out what others lock: the messages of a transaction that is being written.
      let locked = LockIsolated<Set<Int64>>([])
      let worker = Worker(
        pump, database, name: "owner",
        hook: GatedJournal.Hook { call, operation in
          guard case .commit(let turns) = call else { return try await operation() }
          await gate.pass()
          locked.withValue { $0 = Set(turns.compactMap(\.inboxRow)) }
          await Task.yield()
          try await operation()
          locked.withValue { $0 = [] }
          await Task.yield()
        }.reading { arrivals in
          arrivals.messages.removeAll { locked.value.contains($0.row) }
          await Task.yield()
        }
      ) { $0.batch = 2 }
      worker.tick()
      gate.close()
      for (index, id) in names.enumerated() {
        pump.run { [journal = worker.journal] in
          let action = try JSONEncoder().encode(Ledger.Action.add(index + 1))
          _ = try await journal.post(
            JournalMessage(
              key: MessageKey(store: key, id: id), action: action,
              version: 1))
        }
        if index == 2 { worker.tick() }
      }
      // The first message is taken away while its turn is about to be written.
      pump.run { [journal = worker.journal] in
        let claim = ClaimRequest(
          kind: "ledger", worker: "owner", shards: 2, duration: .seconds(10))
        let lease = try await journal.claim(claim).leases[key.shard(of: 2)]
        _ = try await journal.commit([Turn(store: key, lease: lease, inboxRow: 1)])
      }
      gate.open()
      for _ in 0..<4 { pump.start { [stores = worker.stores] in await stores.poll() } }
      pump.drain()
      for _ in 0..<4 { worker.tick() }
      #expect(try worker.state().log == ["add 2", "add 3", "add 4", "add 5"], "seed \(seed)")
      #expect(database.waiting == 0)
      #expect(database.doubles.isEmpty)
    }
  }

  @Test func D5_anOwnerThatWasCutOffDoesNotAnswerFromMemory() throws {
    let first = worker("first")
    first.tick()
    first.send(.add(1))
    // It does not claim again in time, and another worker takes over.
    database.advance(by: .seconds(11))
    first.clock.timeline.advance(by: .seconds(11))
    let next = worker("next")
    next.tick()
    next.send(.add(2))
    #expect(try first.state().log == ["add 1", "add 2"])
  }

  @Test func D5_aPausedOwnerWritesNothingAndTheOthersGoOn() throws {
    let gate = Gate(isOpen: true)
    let paused = Worker(pump, database, name: "paused", hook: .gate(gate))
    paused.tick()
    paused.send(.add(1))
    gate.close()
    // It has reduced this, and is about to write it.
    #expect(paused.send(.add(2), id: "late") == nil)

    database.expireLeases()
    let next = Worker(pump, database, name: "next")
    next.tick()
    #expect(try next.send(.add(3))?.get() == .handled)

    gate.open()
    pump.drain()
    #expect(paused.events.all.contains { if case .lostShard = $0 { true } else { false } })
    #expect(try next.state().log == ["add 1", "add 3"])
    // The sender does not know of that: its action goes to the new owner.
    next.tick()
    paused.tick()
    #expect(try next.state().log == ["add 1", "add 3", "add 2"])
    #expect(database.doubles.isEmpty)
  }

  @Test func D5_aProcessThatEndsGivesItsShardsAway() throws {
    let first = worker("first")
    first.tick()
    for number in 0..<3 { first.send(.add(number)) }
    let serving = LockIsolated<Task<Void, Never>?>(nil)
    let task = Task(executorPreference: pump) { [stores = first.stores] in await stores.run() }
    serving.withValue { $0 = task }
    pump.drain()
    task.cancel()
    pump.drain()
    #expect(try first.shards().isEmpty)
    // Without any time that passes.
    let second = worker("second")
    second.tick()
    #expect(try second.state().log.count == 3)
    #expect(database.snapshot(of: StoreKey(kind: "ledger", name: "a"))?.number == 3)
  }

  @Test func D5_aShardThatIsBeingGivenAwayIsNotTakenBack() throws {
    let gate = Gate(isOpen: true)
    let old = Worker(pump, database, name: "old", hook: .gate(gate))
    let feature = DurableFeature.ledger(version: 2).migrate { $0.json }
    let new = Worker(pump, database, feature: feature, name: "new")
    for worker in [old, new] { worker.tick() }
    for worker in [old, new] { worker.advance(by: .seconds(4)) }
    let shard = try #require(try old.shards().first)
    let names = (0..<16).map { "s\($0)" }.filter {
      StoreKey(kind: "ledger", name: $0).shard(of: 2) == shard
    }
    // A turn waits to be written while the shard is given to the newer version.
    gate.close()
    #expect(old.send(.add(1), to: names[0]) == nil)
    pump.run { [journal = old.journal, name = names[1]] in
      let action = try JSONEncoder().encode(Ledger.Action.add(1))
      _ = try await journal.post(
        JournalMessage(
          key: MessageKey(store: StoreKey(kind: "ledger", name: name), id: "m"),
          action: action, version: 2))
    }
    old.tick()
    #expect(old.events.all.contains { if case .yieldedShard = $0 { true } else { false } })
    #expect(try old.shards().isEmpty)
    // The newer one ends before that.
    let serving = Task(executorPreference: pump) { [stores = new.stores] in await stores.run() }
    pump.drain()
    serving.cancel()
    pump.drain()
    old.advance(by: .seconds(4))
    #expect(try !old.shards().contains(shard))
    gate.open()
    pump.drain()
    #expect(try !old.shards().contains(shard))
    old.advance(by: .seconds(4))
    #expect(try old.shards() == [0, 1])
    #expect(database.doubles.isEmpty)
  }

  @Test func D5_shardsWhoseReleaseHasFailedAreGivenBackAgainAtOnce() throws {
    let releases = LockIsolated(0)
    let first = Worker(
      pump, database, name: "first",
      hook: .before {
        guard case .release = $0 else { return }
        releases.withValue { $0 += 1 }
        if releases.value == 1 { throw GatedJournal.Away() }
      })
    let second = Worker(pump, database, name: "second")
    for worker in [first, second] { worker.tick() }
    first.advance(by: .seconds(4))
    first.tick()
    #expect(releases.value == 2)
    second.advance(by: .seconds(4))
    #expect(try second.shards().count == 1)
    #expect(try first.shards().count == 1)
  }

  @Test func D5_givingShardsAwayDoesNotWaitForTurnsThatComeLater() throws {
    let gate = Gate(isOpen: true)
    let worker = Worker(pump, database, hook: .gate(gate))
    worker.tick()
    gate.close()
    #expect(worker.send(.add(1)) == nil)
    let isFlushed = LockIsolated(false)
    pump.start { [stores = worker.stores] in
      await stores.flush()
      isFlushed.withValue { $0 = true }
    }
    pump.drain()
    #expect(worker.send(.add(2)) == nil)
    #expect(!isFlushed.value)
    // The first turn is written. The second one waits at the gate.
    gate.open()
    gate.close()
    pump.drain()
    #expect(isFlushed.value)
    #expect(database.turns(of: StoreKey(kind: "ledger", name: "a")).count == 1)
    gate.open()
    pump.drain()
  }

  @Test func D5_whatALeavingProcessCannotWriteIsNotTakenForHandled() throws {
    let gate = Gate(isOpen: true)
    let leaving = Worker(pump, database, name: "leaving", hook: .gate(gate))
    leaving.tick()
    gate.close()
    let outcome = leaving.outcome(of: .add(1), id: "m")
    // It gives its shards away, and waits for its last turn.
    let task = leaving.serve()
    task.cancel()
    pump.drain()
    database.expireLeases()
    let next = Worker(pump, database, name: "next")
    next.tick()

    gate.open()
    pump.drain()
    #expect(outcome.value?.contains("send it again with the same id") == true)
    next.tick()
    #expect(try next.send(.add(1), id: "m")?.get() == .duplicate)
    #expect(try next.state().log == ["add 1"])
  }

  @Test func D5_storesThatAreIdleLeaveMemory() throws {
    let worker = worker("first")
    worker.tick()
    for number in 0..<20 { worker.send(.add(number), to: "s\(number)") }
    worker.advance(by: .seconds(61))
    worker.tick()
    #expect(try worker.activeCount() == 0)
    #expect(try worker.send(.add(7), to: "s3")?.get() == .handled)
    #expect(try worker.state(of: "s3").log == ["add 3", "add 7"])
  }

  // D6: two owners that fight over the shards.
  @Test func D6_twoOwnersThatFightLoseNothingAndDoubleNothing() {
    forEachSeed(20) { random in
      let pump = Pump(random)
      let database = InMemoryJournal.Database()
      let clock = TestClock<Duration>()
      let performed = Performed()
      let gates = [Gate(isOpen: true), Gate(isOpen: true)]
      let workers = gates.enumerated().map { index, gate in
        Worker(
          pump, database, clock: clock, feature: .ledger(performed: performed), name: "\(index)",
          hook: .gate(gate))
      }
      var sent: [String] = []
      for step in 0..<30 {
        let index = random.int(in: 0..<2)
        switch random.int(in: 0..<8) {
        case 0: database.expireLeases()
        case 1: gates[index].close()
        case 2: gates[index].open()
        case 3: workers[index].advance(by: .seconds(random.int(in: 1..<8)))
        case 4: workers[index].tick()
        default:
          let (id, name) = ("m\(step)", ["a", "b", "c"][random.int(in: 0..<3)])
          let action: Ledger.Action = random.bool() ? .add(step) : .double(step)
          sent.append("\(name) \(id)")
          pump.start { [workers] in
            // A sender that tries again, at either of them, until it knows.
            for attempt in 0..<20 {
              let stores = workers[(index + attempt) % 2].stores
              if (try? await stores[name].send(action, id: id)) != nil { return }
            }
          }
          pump.drain()
        }
      }
      for gate in gates { gate.open() }
      for _ in 0..<8 {
        database.expireLeases()
        for worker in workers { worker.advance(by: .seconds(4)) }
      }
      #expect(database.doubles.isEmpty)
      #expect(database.waiting == 0)
      for entry in sent {
        let (name, id) = (String(entry.prefix(1)), String(entry.dropFirst(2)))
        let turns = database.turns(of: StoreKey(kind: "ledger", name: name))
        #expect(turns.count { $0.message == id } == 1, "\(entry)")
      }
      for name in ["a", "b", "c"] {
        let log = (try? workers[0].state(of: name).log) ?? []
        let started = log.filter { $0.hasPrefix("double ") }.map { $0.dropFirst(7) }
        let ended = log.filter { $0.hasPrefix("doubled ") }.map { $0.split(separator: " ")[1] }
        #expect(started.sorted() == ended.sorted(), "\(log)")
      }
    }
  }

  // D5: the leases themselves, in every order of claims, writes, pauses and time.
  @Test func D5_noOrderOfClaimsLetsTwoWorkersWrite() async {
    await Explorer(initialState: LeaseProtocol.State()) { LeaseProtocol() }
      .actions(.claim(0), .claim(1), .release(0), .release(1))
      .actions(.read(0), .read(1), .write(0), .write(1), .expire)
      .always("one writer an epoch") { $0.hasOneWriterAnEpoch }
      .always("epochs go up") { $0.epochsGoUp }
      .always("who writes has read all before") { $0.hasReadAll }
      .explore(steps: 7, orders: Soak.count(200, long: 4_000))
  }
}

/// Two workers, one shard, and the table of leases that the journals keep.
private struct LeaseProtocol: Reducer {
  struct Write: Equatable {
    var worker: Int
    var epoch: Int64
    var hasReadAll: Bool
  }

  struct State: Equatable {
    var table = ShardTable()
    var now = Date(timeIntervalSinceReferenceDate: 0)
    /// The lease that each worker takes for its own.
    var leases: [Lease?] = [nil, nil]
    /// The number of writes that each worker has read under its lease.
    var known: [Int?] = [nil, nil]
    var written: [Write] = []

    var hasOneWriterAnEpoch: Bool {
      var workers: [Int64: Set<Int>] = [:]
      for write in written { workers[write.epoch, default: []].insert(write.worker) }
      return workers.values.allSatisfy { $0.count == 1 }
    }

    var epochsGoUp: Bool {
      let epochs = written.map(\.epoch)
      return epochs == epochs.sorted()
    }

    var hasReadAll: Bool { written.allSatisfy(\.hasReadAll) }
  }

  enum Action: Equatable {
    case claim(Int), release(Int), read(Int), write(Int), expire
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .claim(let worker):
      let claim = state.table.claim(
        ClaimRequest(kind: "k", worker: "\(worker)", shards: 1, duration: .seconds(10)),
        now: state.now)
      if state.leases[worker] != claim.leases.first { state.known[worker] = nil }
      state.leases[worker] = claim.leases.first
    case .release(let worker):
      if let lease = state.leases[worker] {
        state.table.release([lease], of: "\(worker)", now: state.now)
      }
      state.leases[worker] = nil
      state.known[worker] = nil
    case .read(let worker):
      if state.leases[worker] != nil, state.known[worker] == nil {
        state.known[worker] = state.written.count
      }
    case .write(let worker):
      guard let lease = state.leases[worker], let known = state.known[worker],
        state.table.holds(lease)
      else { return .none }
      state.written.append(
        Write(worker: worker, epoch: lease.epoch, hasReadAll: known == state.written.count))
      state.known[worker] = known + 1
    case .expire: state.now.addTimeInterval(11)
    }
    return .none
  }
}
