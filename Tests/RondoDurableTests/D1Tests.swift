// D1: stores by name, whose actions are durable when `send` returns.

import Foundation
import Rondo
import RondoDurable
import SeededRandomness
import Testing

@Suite struct D1Tests {
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

  @Test(arguments: ["a\0b", String(repeating: "é", count: 257)])
  func D1_aNameThatADatabaseWouldCutIsRefused(_ name: String) throws {
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
}
