// D1: stores by name, whose actions are durable when `send` returns.

import Foundation
import Rondo
import RondoDurable
import RondoSeededRandomness
import Testing

@Suite struct DurableSendTests {
  let pump = Pump(Randomness(seed: 1))
  let database = InMemoryJournal.Database()

  @Test func D1_whatWasSentIsThereInAnotherProcess() throws {
    let first = Worker(pump, database)
    first.tick()
    #expect(try first.send(.add(3))?.get() == .handled)
    #expect(try first.send(.countDown(2))?.get() == .handled)
    first.journal.crash()
    database.expireLeases()

    let second = Worker(pump, database, name: "second")
    second.tick()
    #expect(
      try second.state().log == ["add 3", "count 2", "add 2", "count 1", "add 1", "count 0"])
  }

  @Test func D1_aStoreThatHandledNothingIsInItsInitialState() throws {
    let worker = Worker(pump, database)
    worker.tick()
    #expect(try worker.state() == Ledger.State())
    #expect(database.stores(of: "ledger").isEmpty)
  }

  @Test func D1_sendReturnsWhenTheActionIsInTheJournal() throws {
    let worker = Worker(pump, database)
    worker.tick()
    worker.send(.add(1))
    #expect(database.turns(of: StoreKey(kind: "ledger", name: "a")).count == 1)
  }

  @Test func D1_withoutAnOwnerAnActionWaitsInTheInbox() throws {
    let worker = Worker(pump, database)
    #expect(worker.send(.add(1)) == nil)
    #expect(database.waiting == 1)
    worker.tick()
    worker.tick()
    #expect(database.waiting == 0)
    #expect(try worker.state().log == ["add 1"])
  }

  @Test(arguments: ["", "a\0b", String(repeating: "é", count: 257), "e\u{301}"])
  func D1_aNameThatADatabaseWouldNotFindAgainIsRefused(_ name: String) throws {
    let worker = Worker(pump, database)
    worker.tick()
    for result in [worker.send(.add(1), to: name), worker.send(.add(1), id: name)] {
      guard case .failure(let error)? = result else {
        Issue.record("\(String(describing: result)) is no refusal.")
        continue
      }
      #expect("\(error)".hasPrefix("ledger: the "))
      #expect("\(error)".contains("at most 512 bytes"))
      #expect(!"\(error)".contains("\n") && !"\(error)".contains("\0"))
    }
    #expect(throws: DurableError.self) { try worker.state(of: name) }
    #expect(database.stores(of: "ledger").isEmpty)
    let longest = String(repeating: "é", count: 256)
    #expect(try worker.send(.add(1), to: longest, id: longest)?.get() == .handled)
  }

  private let key = StoreKey(kind: "ledger", name: "a")

  @Test func D1_aStoreThatWasDeletedIsInItsInitialStateAlsoInAnotherProcess() throws {
    let first = Worker(pump, database)
    first.tick()
    for number in 1...6 { first.send(.add(number), id: "m\(number)") }
    let deleted = pump.run { [stores = first.stores] in try await stores["a"].delete(id: "gone") }
    #expect(try deleted?.get() == .handled)
    #expect(try first.state() == Ledger.State())
    #expect(try first.send(.add(9), id: "m1")?.get() == .duplicate)
    #expect(try first.send(.add(1), id: "m7")?.get() == .handled)
    let again = pump.run { [stores = first.stores] in try await stores["a"].delete(id: "gone") }
    #expect(try again?.get() == .duplicate)
    first.journal.crash()
    database.expireLeases()
    let second = Worker(pump, database, name: "second")
    second.tick()
    #expect(try second.state().log == ["add 1"])
    #expect(database.doubles.isEmpty)
  }

  @Test func D1_aDeletedStoreLeavesTheIDsOfItsMessagesForTheRetention() throws {
    let worker = Worker(pump, database) { $0.retention = .seconds(100) }
    worker.tick()
    for number in 1...6 { worker.send(.add(number), id: "m\(number)") }
    worker.send(.double(1))
    pump.run { [stores = worker.stores] in try await stores["a"].delete(id: "gone") }
    let rows = database.turns(of: key)
    #expect(rows.map(\.message).prefix(6) == ["m1", "m2", "m3", "m4", "m5", "m6"])
    #expect(rows.dropLast().allSatisfy { $0.body.isEmpty && $0.message != nil })
    #expect(rows.last?.message == "gone")
    // A message that arrived before, and is read again.
    let isNew = pump.run { [journal = worker.journal, key] in
      try await journal.post(
        JournalMessage(
          key: MessageKey(store: key, id: "m2"), action: Data("1".utf8), version: 1))
    }
    #expect(try isNew?.get() == false)
    worker.advance(by: .seconds(101))
    worker.advance(by: .seconds(101))
    #expect(database.turns(of: key).isEmpty)
    #expect(try worker.send(.add(1), id: "m1")?.get() == .handled)
    #expect(database.doubles.isEmpty)
  }

  @Test func D1_theTimersAndEffectsOfADeletedStoreAreGone() throws {
    let performed = Performed()
    performed.gate.close()
    let worker = Worker(pump, database, feature: .ledger(performed: performed))
    worker.tick()
    worker.send(.wait(1, seconds: 5, resume: "deadline"))
    worker.send(.double(4))
    #expect(performed.all.count == 1)
    pump.run { [stores = worker.stores] in try await stores["a"].delete() }
    performed.gate.open()
    pump.drain()
    worker.advance(by: .seconds(9))
    #expect(try worker.state() == Ledger.State())
    #expect(database.turns(of: key).last?.number == 3)
    // Work that starts later has a key of its own.
    worker.send(.double(4))
    #expect(Set(performed.all).count == 2)
  }

  @Test func D1_aStoreOfAnotherProcessIsDeletedInTheOrderOfTheInbox() throws {
    let owner = Worker(pump, database, name: "owner")
    owner.tick()
    owner.send(.add(1))
    let other = Worker(pump, database, name: "other")
    let done = LockIsolated(0)
    pump.start { [stores = other.stores] in
      _ = try? await stores["a"].send(.add(2))
      done.withValue { $0 += 1 }
    }
    pump.drain()
    pump.start { [stores = other.stores] in
      _ = try? await stores["a"].delete()
      done.withValue { $0 += 1 }
    }
    pump.drain()
    pump.start { [stores = other.stores] in
      _ = try? await stores["a"].send(.add(3))
      done.withValue { $0 += 1 }
    }
    pump.drain()
    #expect(database.waiting == 3)
    for _ in 0..<3 {
      owner.tick()
      other.tick()
    }
    #expect(done.value == 3)
    #expect(try owner.state().log == ["add 3"])
    #expect(database.waiting == 0)
  }

  @Test func D1_whatIsSentWhileADeletionIsBeingWrittenComesAfterIt() throws {
    let gate = Gate(isOpen: true)
    let worker = Worker(pump, database, hook: .gate(gate))
    worker.tick()
    worker.send(.add(1))
    gate.close()
    pump.start { [stores = worker.stores] in _ = try? await stores["a"].delete() }
    pump.drain()
    #expect(worker.send(.add(2)) == nil)
    gate.open()
    pump.drain()
    #expect(try worker.state().log == ["add 2"])
    #expect(database.doubles.isEmpty)
  }
}
