// D14: a turn of a large state costs what one of a small state does.

import Foundation
import Rondo
import RondoSeededRandomness
import RondoScheduling
import Synchronization
import Testing

@testable import RondoDurable

/// A list of numbers that counts how often it is copied, and how often a number of it is encoded.
private struct Thread: Reducer {
  struct State: Codable, Sendable {
    var messages = Messages()
  }

  enum Action: Codable, Sendable {
    case append(Int)
  }

  struct Messages: Codable, Sendable {
    private var numbers: [Counted] = []
    private var owner: Owner? = Owner()

    /// One reference for each value that shares the storage.
    private final class Owner: Sendable {}

    private enum CodingKeys: CodingKey { case numbers }

    mutating func append(_ number: Int) {
      if !isKnownUniquelyReferenced(&owner) {
        Thread.copies.withLock { $0 += 1 }
        owner = Owner()
      }
      numbers.append(Counted(number: number))
    }

    var count: Int { numbers.count }
    var isInOrder: Bool { numbers.indices.allSatisfy { numbers[$0].number == $0 } }

    init() {}

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      numbers = try container.decode([Counted].self, forKey: .numbers)
    }
  }

  struct Counted: Codable, Sendable {
    var number: Int

    init(number: Int) { self.number = number }
    init(from decoder: any Decoder) throws {
      number = try decoder.singleValueContainer().decode(Int.self)
    }
    func encode(to encoder: any Encoder) throws {
      Thread.encodings.withLock { $0 += 1 }
      var container = encoder.singleValueContainer()
      try container.encode(number)
    }
  }

  static let copies = Mutex(0)
  static let encodings = Mutex(0)

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .append(let number): state.messages.append(number)
    }
    return .none
  }

  static let feature = DurableFeature<State, Action>(
    "thread", initialState: { _ in State() }, reducer: { Thread() })
}

@Suite(.serialized) struct D14Tests {
  let pump = Pump(Randomness(seed: 14))
  let database = InMemoryJournal.Database()

  private func stores(_ name: String) -> DurableStores<Thread.State, Thread.Action> {
    var options = DurableOptions()
    options.shards = 1
    return DurableStores(
      journal: InMemoryJournal(database), feature: Thread.feature, options: options,
      clock: TestClock<Duration>(), worker: name, executor: pump)
  }

  /// Appends numbers; returns how many numbers were encoded for it, and how often the list was copied.
  private func append(
    _ numbers: Range<Int>, _ stores: DurableStores<Thread.State, Thread.Action>
  ) -> (encodings: Int, copies: Int) {
    let before = (Thread.encodings.withLock { $0 }, Thread.copies.withLock { $0 })
    pump.run {
      for number in numbers { try await stores["a"].send(.append(number)) }
    }
    return (
      Thread.encodings.withLock { $0 } - before.0, Thread.copies.withLock { $0 } - before.1
    )
  }

  @Test func D14_theCostOfATurnDoesNotGrowWithTheState() {
    let stores = stores("one")
    pump.run { await stores.tick() }
    let first = append(0..<400, stores)
    let later = append(400..<1600, stores)
    // Digests take 64 values a turn at most, and snapshots some more; a digest of all in each turn would be
    // 1,200,000 here.
    #expect(first.encodings < 400 * 100)
    #expect(later.encodings < 1200 * 100)
    #expect(first.copies == 0)
    #expect(later.copies == 0)
  }

  @Test func D14_aStateWithFewDigestsIsReadAgain() throws {
    let one = stores("one")
    pump.run { await one.tick() }
    _ = append(0..<990, one)
    database.expireLeases()
    let two = stores("two")
    pump.run { await two.tick() }
    let state = try pump.value { try await two["a"].state }
    #expect(state.messages.count == 990)
    #expect(state.messages.isInOrder)
  }

  @Test func D14_aTurnWithoutADigestThatWasChangedIsFoundByTheNextOne() throws {
    let one = stores("one")
    pump.run { await one.tick() }
    _ = append(0..<780, one)
    let store = StoreKey(kind: "thread", name: "a")
    let rows = database.turns(of: store)
    let snapshot = try #require(database.snapshot(of: store)).number
    let hasDigest = { (row: TurnRow) in
      String(decoding: row.body, as: UTF8.self).contains("digest")
    }
    let last = try #require(rows.last(where: hasDigest)).number
    var changed = try #require(
      rows.last { $0.number > snapshot && $0.number < last && !hasDigest($0) })
    let body = String(decoding: changed.body, as: UTF8.self)
    changed.body = Data(
      body.replacing("\"_0\":\(changed.number - 1)", with: "\"_0\":7").utf8)
    #expect(String(decoding: changed.body, as: UTF8.self) != body)
    database.replace(changed, of: store)
    database.expireLeases()
    let two = stores("two")
    pump.run { await two.tick() }
    let outcome = pump.run { try await two["a"].state }
    #expect {
      _ = try outcome?.get()
    } throws: {
      "\($0)".contains("one of the turns from")
    }
  }
}
