// D19: stores in memory that have nothing to do cost next to nothing, and nothing of theirs is late for that.

import Foundation
import RondoScheduling
import RondoSeededRandomness
import Testing

@testable import RondoDurable

@Suite struct D19Tests {
  let pump = Pump(Randomness(seed: 19))
  let database = InMemoryJournal.Database()

  @Test func D19_timersOfManyStoresFireInTheLookInWhichTheyAreDue() throws {
    let worker = Worker(pump, database) { $0.idleTime = .seconds(1000) }
    worker.tick()
    var random = Randomness(seed: 1900)
    let seconds = (0..<60).map { _ in Int(random.next() % 20) + 1 }
    for (number, seconds) in seconds.enumerated() {
      _ = try worker.send(.wait(number, seconds: seconds, resume: "deadline"), to: "s\(number)")?
        .get()
    }
    // One is cancelled, and one is set again for later.
    _ = try worker.send(.stopWaiting, to: "s7")?.get()
    _ = try worker.send(.wait(8, seconds: 30, resume: "deadline"), to: "s8")?.get()
    for second in 1...31 {
      worker.advance(by: .seconds(1))
      for (number, due) in seconds.enumerated() where number != 7 && number != 8 {
        #expect(try worker.state(of: "s\(number)").log.contains("add \(number)") == (due <= second))
      }
    }
    #expect(try !worker.state(of: "s7").log.contains("add 7"))
    #expect(try worker.state(of: "s8").log.filter { $0 == "add 8" }.count == 1)
  }

  @Test func D19_whatHasNothingToDoIsNotLookedAt() throws {
    let worker = Worker(pump, database) { $0.idleTime = .seconds(1000) }
    worker.tick()
    for number in 0..<20 { _ = try worker.send(.add(number), to: "s\(number)")?.get() }
    worker.tick()
    func next() throws -> Duration? {
      try pump.value { [stores = worker.stores] in await stores.firstDue }
    }
    #expect(try next() == nil)
    _ = try worker.send(.wait(1, seconds: 50, resume: "deadline"), to: "s1")?.get()
    #expect(try next() == database.now.addingTimeInterval(50).sinceReference)
    worker.advance(by: .seconds(51))
    #expect(try next() == nil)
  }

  @Test func D19_idleStoresLeaveMemorySoonAfterTheirTime() throws {
    let worker = Worker(pump, database) { $0.idleTime = .seconds(16) }
    worker.tick()
    for number in 0..<20 {
      _ = try worker.send(.add(number), to: "s\(number)")?.get()
      worker.advance(by: .milliseconds(500))
    }
    #expect(try worker.activeCount() == 20)
    for _ in 0..<14 { worker.advance(by: .milliseconds(500)) }
    #expect(try worker.activeCount() > 10)
    for _ in 0..<24 { worker.advance(by: .milliseconds(500)) }
    #expect(try worker.activeCount() == 0)
  }
}
