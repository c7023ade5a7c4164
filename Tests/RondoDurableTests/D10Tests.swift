// D10: leases are renewed whatever comes in, and hints reach those they are for.

import Foundation
import Rondo
import RondoScheduling
import RondoSeededRandomness
import Testing

@testable import RondoDurable

@Suite struct D10Tests {
  let pump = Pump(Randomness(seed: 10))
  let database = InMemoryJournal.Database()

  @Test func D10_aPollThatDoesNotEndKeepsNoLeaseFromBeingRenewed() throws {
    let gate = Gate()
    let owner = Worker(
      pump, database, name: "owner",
      hook: .before { if case .arrivals = $0 { await gate.pass() } })
    let serving = owner.serve()
    // Longer than the lease, which is ten seconds.
    for _ in 0..<200 {
      owner.pass(.milliseconds(100))
    }
    let other = Worker(pump, database, name: "other")
    other.tick()
    #expect(try owner.shards() == [0, 1])
    #expect(try other.shards().isEmpty)
    serving.cancel()
    gate.open()
    pump.drain()
  }

  @Test func D10_timersFireWhileAPollDoesNotEnd() throws {
    let gate = Gate(isOpen: true)
    let owner = Worker(
      pump, database, name: "owner",
      hook: .before { if case .arrivals = $0 { await gate.pass() } })
    let serving = owner.serve()
    _ = try owner.send(.wait(7, seconds: 2, resume: "deadline"))?.get()
    gate.close()
    for _ in 0..<30 {
      owner.pass(.milliseconds(100))
    }
    #expect(try owner.state().log == ["wait 7", "waited 7", "add 7"])
    serving.cancel()
    gate.open()
    pump.drain()
  }

  @Test func D10_answersThatKeepComingKeepNoPollInside() throws {
    let (asked, askedWhenRead) = (LockIsolated(0), LockIsolated<Int?>(nil))
    let serving = LockIsolated<DurableStores<Ledger.State, Ledger.Action>?>(nil)
    let worker = Worker(
      pump, database,
      hook: .before { call in
        if case .arrivals = call { askedWhenRead.withValue { $0 = $0 ?? asked.value } }
        guard case .waiting = call else { return }
        asked.withValue { $0 += 1 }
        // Another message is answered while it is looked for the last.
        let hint = JournalHint(kind: "ledger", shard: 0, event: .handled)
        if asked.value < 1_000, let stores = serving.value { await stores.take(hint) }
      })
    serving.withValue { $0 = worker.stores }
    let other = Worker(pump, database, name: "other")
    // Each has a shard in the end.
    worker.tick()
    other.tick()
    worker.advance(by: .seconds(4))
    other.advance(by: .seconds(4))
    // It waits for somebody else's answer.
    pump.start { [stores = worker.stores] in
      for name in ["a", "b", "c", "d"] { _ = try? await stores[name].send(.add(1)) }
    }
    pump.drain()
    askedWhenRead.withValue { $0 = nil }
    let before = asked.value
    worker.tick()
    #expect(try #require(askedWhenRead.value) - before < 10)
    serving.withValue { $0 = nil }
  }

  @Test func D10_aBacklogIsReadAsSoonAsThereIsRoomForIt() throws {
    let other = Worker(pump, database, name: "other")
    for number in 0..<100 {
      pump.start { [stores = other.stores] in
        _ = try? await stores["s\(number % 7)"].send(.add(number), id: "m\(number)")
      }
    }
    pump.drain()
    #expect(database.waiting == 100)
    let owner = Worker(pump, database, name: "owner") { $0.batch = 4 }
    let serving = owner.serve()
    // No time passes, so there is one poll.
    #expect(database.waiting == 0)
    #expect(database.doubles.isEmpty)
    serving.cancel()
    pump.drain()
  }

  /// Stores on a journal that tells hints, without the time that polls need.
  private func hinted(_ name: String) -> DurableStores<Ledger.State, Ledger.Action> {
    var options = DurableOptions()
    options.shards = 2
    return DurableStores(
      journal: InMemoryJournal(database, tellsHints: true), feature: .ledger(), options: options,
      clock: TestClock<Duration>(), worker: name, executor: pump)
  }

  @Test func D10_aSenderThatDoesNotServeHearsWithoutWaitingForAnyTime() throws {
    let (owner, sender) = (hinted("owner"), hinted("sender"))
    let serving = Task(executorPreference: pump) { await owner.run() }
    pump.drain()
    // No time passes: the owner learns of the message, and the sender of its end, by hints alone.
    let outcome = pump.run { try await sender["a"].send(.add(1), id: "m") }
    #expect(try outcome?.get() == .handled)
    serving.cancel()
    pump.drain()
  }

  @Test func D10_whatIsTakenIsNotReadAgain() throws {
    let gate = Gate()
    let reads = LockIsolated<[[Int64]]>([])
    let owner = Worker(
      pump, database, name: "owner",
      hook: .gate(gate).reading { read in reads.withValue { $0.append(read.messages.map(\.row)) } })
    owner.tick()
    let other = Worker(pump, database, name: "other")
    for number in 1...3 {
      pump.start { [stores = other.stores] in
        _ = try? await stores["a"].send(.add(number), id: "m\(number)")
      }
    }
    pump.drain()
    // The turns wait at the gate, and the inbox is asked several times meanwhile.
    for _ in 0..<4 { owner.tick() }
    #expect(reads.value.flatMap { $0 }.sorted() == [1, 2, 3])
    gate.open()
    pump.drain()
    #expect(try owner.state().log.sorted() == ["add 1", "add 2", "add 3"])
  }

  @Test func D10_moreThanTheNextTransactionsTakeIsLeftInTheInbox() throws {
    let gate = Gate()
    let owner = Worker(pump, database, name: "owner", hook: .gate(gate)) {
      $0.batch = 4
    }
    owner.tick()
    let other = Worker(pump, database, name: "other")
    for number in 0..<40 {
      pump.start { [stores = other.stores] in
        _ = try? await stores["s\(number)"].send(.add(number), id: "m\(number)")
      }
    }
    pump.drain()
    for _ in 0..<20 { owner.tick() }
    #expect(try owner.activeCount() <= 8)
    gate.open()
    pump.drain()
    for _ in 0..<20 { owner.tick() }
    #expect(database.waiting == 0)
    #expect(database.doubles.isEmpty)
  }

  @Test func D10_kindsDoNotTakeEachOthersHints() async {
    let hints = JournalHints()
    var (first, second) = (
      hints.hints(of: "a").makeAsyncIterator(), hints.hints(of: "b").makeAsyncIterator()
    )
    hints.tell(JournalHint(kind: "a", shard: 1, event: .arrived))
    hints.tell(JournalHint(kind: "b", shard: 2, event: .handled))
    hints.tellOfGap()
    #expect(await first.next() == JournalHint(kind: "a", shard: 1, event: .arrived))
    #expect(await first.next() == .some(nil))
    #expect(await second.next() == JournalHint(kind: "b", shard: 2, event: .handled))
    #expect(await second.next() == .some(nil))
  }

  @Test func D10_oneListensForAllAndEndsWithTheLast() {
    let hints = JournalHints()
    #expect(!hints.begin())
    var stream: AsyncStream<JournalHint?>? = hints.hints(of: "a")
    #expect(hints.begin())
    #expect(!hints.begin())
    #expect(!hints.endsIfUnused())
    withExtendedLifetime(stream) {}
    stream = nil
    #expect(hints.endsIfUnused())
    #expect(!hints.begin())
  }

  @Test(arguments: ["", "arrived", "arrived 1", "arrived 1 ", "arrived x k", "lost 1 k"])
  func D10_aTextThatIsNoHintIsNone(text: String) {
    #expect(JournalHint(text) == nil)
  }

  @Test func D10_aHintIsReadAsItWasWritten() {
    let hint = JournalHint(kind: "a kind with spaces", shard: 15, event: .handled)
    #expect(JournalHint(hint.text) == hint)
  }
}
