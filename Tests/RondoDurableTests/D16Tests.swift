// D16: identifiers and random numbers of a turn cannot be computed from what others know.

import Foundation
import RondoSeededRandomness
import Testing

@testable import RondoDurable

@Suite struct D16Tests {
  let pump = Pump(Randomness(seed: 16))
  let database = InMemoryJournal.Database()

  private func drawn(_ database: InMemoryJournal.Database) throws -> String {
    let worker = Worker(pump, database, newKey: { _, _ in .random() })
    worker.tick()
    try _ = worker.send(.draw)?.get()
    return try worker.state().log[0]
  }

  @Test func D16_twoDeploymentsDrawDifferently() throws {
    #expect(try drawn(database) != drawn(InMemoryJournal.Database()))
  }

  @Test func D16_aTurnThatIsReducedAgainDrawsTheSame() throws {
    let first = try drawn(database)
    database.expireLeases()
    let next = Worker(pump, database, name: "next", newKey: { _, _ in .random() })
    next.tick()
    #expect(try next.state().log == [first])
    #expect(next.events.failures.isEmpty)
  }

  @Test func D16_onlyATurnThatDrawsKeepsBits() throws {
    let worker = Worker(pump, database)
    worker.tick()
    try _ = worker.send(.add(1))?.get()
    try _ = worker.send(.draw)?.get()
    let bodies = database.turns(of: StoreKey(kind: "ledger", name: "a")).map {
      String(decoding: $0.body, as: UTF8.self)
    }
    #expect(bodies.map { $0.contains("chance") } == [false, true])
  }

  @Test func D16_aTurnWithoutBitsDrawsTheSameEachTime() throws {
    let worker = Worker(pump, database)
    worker.tick()
    try _ = worker.send(.add(1))?.get()
    // The row as code has written it that did not draw.
    let store = StoreKey(kind: "ledger", name: "a")
    let body = #"{"actions":[{"draw":{}}],"at":0,"cause":"message","digest":"DIGEST"}"#
    let row = TurnRow(number: 1, message: "m", version: 1, body: Data(body.utf8))
    let source = TurnSource(store, newKey: { _ in .random() }) { Date() }
    let stored = StoredStore(turns: [row])
    // The error names the digest of what was drawn; the same each time.
    let digests = (0..<2).map { _ in
      do {
        _ = try StoredState(stored, of: store, .ledger(), source)
        return "none"
      } catch {
        return "\(error)"
      }
    }
    #expect(digests[0] == digests[1] && digests[0] != "none")
  }

  @Test func D16_bitsThatAreDamagedAreRefused() throws {
    for text in ["", "0", String(repeating: "g", count: 64), String(repeating: "+1", count: 32)] {
      #expect(ChanceKey(text) == nil)
    }
    let key = ChanceKey.random()
    #expect(ChanceKey(key.text) == key)
    #expect(key != .random())
  }

  @Test func D16_theBlockIsThatOfTheStandard() {
    // The example of RFC 8439, 2.3.2.
    let block = Chance.block(
      (
        SIMD4(0x0302_0100, 0x0706_0504, 0x0B0A_0908, 0x0F0E_0D0C),
        SIMD4(0x1312_1110, 0x1716_1514, 0x1B1A_1918, 0x1F1E_1D1C)
      ),
      SIMD4(1, 0x0900_0000, 0x4A00_0000, 0))
    #expect(
      block
        == SIMD16(
          0xE4E7_F110, 0x1559_3BD1, 0x1FDD_0F50, 0xC471_20A3, 0xC7F4_D1C7, 0x0368_C033, 0x9AAA_2204,
          0x4E6C_D4C3, 0x4664_82D2, 0x09AA_9F07, 0x05D7_C214, 0xA202_8BD9, 0xD19C_12B5, 0xB94E_16DE,
          0xE883_D0CB, 0x4E3C_50A2))
  }

  @Test func D16_actionsOfOneTurnDrawDifferently() {
    let key = ChanceKey(words: [1, 2, 3, 4])
    var (first, second) = (Chance(key, stream: 0), Chance(key, stream: 1))
    let numbers = (0..<20).flatMap { _ in [first.next(), second.next()] }
    #expect(Set(numbers).count == 40)
  }
}
