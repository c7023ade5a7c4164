// The journals on databases: what each of them promises, by the same tests.

import CSQLite
import Foundation
import Rondo
import RondoDurable
import RondoTesting
import Testing

@testable import PostgresJournal
@testable import SQLiteJournal

/// The journals that can be tested here. The variable `RONDO_POSTGRES` names a database.
enum Host: String, Sendable, CustomTestStringConvertible {
  case memory, sqlite, postgres

  var testDescription: String { rawValue }

  static let address = ProcessInfo.processInfo.environment["RONDO_POSTGRES"]

  static var here: [Host] {
    address == nil ? [.memory, .sqlite] : [.memory, .sqlite, .postgres]
  }

  func journal(_ folder: TemporaryFolder) async throws -> any Journal {
    switch self {
    case .memory: InMemoryJournal(InMemoryJournal.Database())
    case .sqlite: try SQLiteJournal(path: folder.path())
    case .postgres: try await PostgresJournal(Host.address ?? "")
    }
  }
}

/// A folder of one test, which is deleted with all that is in it when the test has ended.
final class TemporaryFolder: Sendable {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// The path of a file that is not there yet.
  func path() -> String { folder.appending(path: "\(UUID().uuidString).sqlite").path }
}

@Suite struct JournalTests {
  /// A kind that no other test has: the tests share one database.
  let kind = UUID().uuidString
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func claim(
    _ journal: any Journal, _ worker: String, shards: Int = 4, of kind: String? = nil
  ) async throws -> Claim {
    try await journal.claim(
      ClaimRequest(
        kind: kind ?? self.kind, worker: worker, shards: shards, duration: .seconds(60)))
  }

  private func turn(
    _ number: Int64, _ lease: Lease, message: String? = nil, store: String = "a"
  ) -> Turn {
    Turn(
      store: StoreKey(kind: kind, name: store), lease: lease,
      row: TurnRow(number: number, message: message, version: 1, body: Data("{\(number)}".utf8)))
  }

  @Test(arguments: Host.here)
  func D5_aWorkerGetsTheFreeShardsAndKeepsThem(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let first = try await claim(journal, "one")
    #expect(first.leases.map(\.shard) == [0, 1, 2, 3])
    #expect(first.leases.allSatisfy { $0.epoch == 1 && $0.downtime < 1 })
    let again = try await claim(journal, "one")
    #expect(again.leases == first.leases)
  }

  @Test(arguments: Host.here)
  func D5_whatIsGivenBackGoesToTheNextWithTheNextEpoch(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let first = try await claim(journal, "one")
    #expect(try await claim(journal, "two").leases.isEmpty)
    try await journal.release(Array(first.leases[2...]), of: kind, worker: "one")
    let second = try await claim(journal, "two")
    #expect(second.leases.map(\.shard) == [2, 3])
    #expect(second.leases.allSatisfy { $0.epoch == 2 })
    #expect(try await claim(journal, "one").leases.map(\.shard) == [0, 1])
  }

  @Test(arguments: Host.here)
  func D5_aWorkerGetsNoShardThatItDoesNotWant(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let leases = try await claim(journal, "one").leases
    try await journal.release([leases[2]], of: kind, worker: "one")
    var request = ClaimRequest(kind: kind, worker: "one", shards: 4, duration: .seconds(60))
    request.except = [2]
    #expect(try await journal.claim(request).leases.map(\.shard) == [0, 1, 3])
    // The shards that it has are still its own.
    request.except = Set(0..<4)
    #expect(try await journal.claim(request).leases.map(\.shard) == [0, 1, 3])
    #expect(try await claim(journal, "one").leases.map(\.shard) == [0, 1, 2, 3])
  }

  @Test(arguments: Host.here)
  func D5_aWorkerThatHasGivenAllBackIsNotCounted(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    try await journal.release(try await claim(journal, "one").leases, of: kind, worker: "one")
    #expect(try await claim(journal, "two").leases.count == 4)
    // Nor is one that has had none.
    #expect(try await claim(journal, "one").share == 2)
    try await journal.release([], of: kind, worker: "one")
    #expect(try await claim(journal, "two").share == 4)
  }

  @Test(arguments: Host.here)
  func D5_workersOfOneKindDoNotCountForAnother(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    #expect(try await claim(journal, "one").leases.count == 4)
    let other = UUID().uuidString
    #expect(try await claim(journal, "two", of: other).leases.count == 4)
    #expect(try await claim(journal, "one").share == 4)
  }

  @Test(arguments: Host.here.filter { $0 != .memory }, [3, 5])
  func D5_anotherNumberOfShardsIsRefused(_ host: Host, _ shards: Int) async throws {
    let journal = try await host.journal(folder)
    let leases = try await claim(journal, "one").leases
    await #expect {
      try await claim(journal, "two", shards: shards)
    } throws: {
      "\($0)".contains("has 4 shards for '\(kind)'") && !"\($0)".contains("\n")
    }
    #expect(try await claim(journal, "one").leases == leases)
  }

  @Test(arguments: Host.here)
  func D5_aWorkerThatHasJustJoinedStaysWhenAnotherGivesShardsBack(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let first = try await claim(journal, "one", shards: 6)
    #expect(try await claim(journal, "two", shards: 6).leases.isEmpty)
    #expect(try await claim(journal, "three", shards: 6).leases.isEmpty)
    try await journal.release(Array(first.leases[5...]), of: kind, worker: "one")
    #expect(try await claim(journal, "one", shards: 6).share == 2)
  }

  @Test(arguments: Host.here)
  func D2_whatIsCommittedIsLoaded(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let lease = try await claim(journal, "one").leases[0]
    let key = StoreKey(kind: kind, name: "a \"b\" \\c, {d} é")
    #expect(try await journal.load(key) == nil)
    var first = turn(1, lease, message: "m \"1\" \\", store: key.name)
    first.row?.body = Data((0...255).map { UInt8($0) })
    first.wake = .at(Date(timeIntervalSince1970: 4_000_000_000.25))
    var second = turn(2, lease, store: key.name)
    second.snapshot = Snapshot(number: 1, version: 7, body: Data([0, 1, 255]))
    #expect(try await journal.commit([first, second]).isEmpty)

    let stored = try #require(try await journal.load(key))
    #expect(stored.snapshot?.number == 1)
    #expect(stored.snapshot?.version == 7)
    #expect(stored.snapshot?.body == Data([0, 1, 255]))
    #expect(stored.turns.map(\.number) == [2])
    #expect(stored.wake == Date(timeIntervalSince1970: 4_000_000_000.25))
    let known = MessageKey(store: key, id: "m \"1\" \\")
    let unknown = MessageKey(store: key, id: "m2")
    #expect(try await journal.handled([known, unknown]) == [known])

    var third = turn(3, lease, store: key.name)
    third.wake = .never
    _ = try await journal.commit([third])
    #expect(try await journal.load(key)?.wake == nil)
  }

  @Test(arguments: Host.here)
  func D2_bytesComeBackAsTheyWere(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let lease = try await claim(journal, "one").leases[0]
    var turn = turn(1, lease)
    let body = Data((0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) })
    turn.row?.body = body
    _ = try await journal.commit([turn])
    #expect(try await journal.load(turn.store)?.turns.first?.body == body)
  }

  @Test(arguments: Host.here)
  func D18_anAnswerIsThatOfOneAskerAndTheFirstCounts(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let lease = try await claim(journal, "one").leases[0]
    var (first, second) = (turn(1, lease), turn(2, lease))
    first.answers = [
      JournalAnswer(message: "m", content: .value(Data("1".utf8))),
      JournalAnswer(message: "n", content: .refusal("it is \"so\"")),
      JournalAnswer(message: "m", content: .value(Data("2".utf8))),
    ]
    second.answers = [JournalAnswer(message: "m", content: .value(Data("3".utf8)))]
    #expect(try await journal.commit([first]).isEmpty)
    #expect(try await journal.commit([second]).isEmpty)
    func ask(_ id: String, _ asker: String) -> AskKey {
      AskKey(message: MessageKey(store: first.store, id: id), asker: asker)
    }
    #expect(try await journal.takeAnswers([]).isEmpty)
    let asks = [ask("m", "x"), ask("n", "x"), ask("o", "x")]
    let expected: [AskKey: JournalAnswer.Content] = [
      asks[0]: .value(Data("1".utf8)), asks[1]: .refusal("it is \"so\""),
    ]
    #expect(try await journal.takeAnswers(asks) == expected)
    // The answer may have been lost on its way.
    #expect(try await journal.takeAnswers(asks) == expected)
    let others = [ask("m", "y"), ask("n", "y")]
    #expect(
      try await journal.takeAnswers(others) == [others[0]: .given, others[1]: .given])
  }

  @Test(arguments: Host.here)
  func D18_ofManyAskersAtOnceOneGetsTheAnswer(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let lease = try await claim(journal, "one").leases[0]
    var turn = turn(1, lease)
    turn.answers = [JournalAnswer(message: "m", content: .value(Data("1".utf8)))]
    _ = try await journal.commit([turn])
    let key = MessageKey(store: turn.store, id: "m")
    let given = try await withThrowingTaskGroup(of: JournalAnswer.Content?.self) { group in
      for number in 0..<20 {
        group.addTask {
          try await journal.takeAnswers([AskKey(message: key, asker: "\(number)")]).values.first
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(given.count { $0 == .value(Data("1".utf8)) } == 1)
    #expect(given.count { $0 == .given } == 19)
  }

  @Test(arguments: Host.here)
  func D18_answersAreDeletedAndEmptiedWithTheirTurns(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let lease = try await claim(journal, "one").leases[0]
    for number in 1...3 {
      var turn = turn(Int64(number), lease)
      turn.answers = [JournalAnswer(message: "m\(number)", content: .value(Data("1".utf8)))]
      _ = try await journal.commit([turn])
    }
    var next = turn(4, lease)
    next.snapshot = Snapshot(number: 4, version: 1, body: Data())
    next.deletedThrough = 1
    #expect(try await journal.commit([next]).isEmpty)
    var last = turn(5, lease)
    last.emptiedThrough = 2
    #expect(try await journal.commit([last]).isEmpty)
    let asks = (1...3).map {
      AskKey(message: MessageKey(store: next.store, id: "m\($0)"), asker: "x")
    }
    #expect(
      try await journal.takeAnswers(asks) == [asks[1]: .given, asks[2]: .value(Data("1".utf8))])
  }

  @Test(arguments: Host.here)
  func D18_anAnswerOfATurnThatIsNotWrittenIsNotThere(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let old = try await claim(journal, "one").leases[0]
    try await journal.release([old], of: kind, worker: "one")
    var late = turn(1, old)
    late.answers = [JournalAnswer(message: "m", content: .value(Data("1".utf8)))]
    #expect(try await journal.commit([late]).shards == [0])
    let ask = AskKey(message: MessageKey(store: late.store, id: "m"), asker: "x")
    #expect(try await journal.takeAnswers([ask]).isEmpty)
  }

  @Test(arguments: Host.here)
  func D18_theLastTurnsOfStoresAreKnown(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let lease = try await claim(journal, "one").leases[0]
    var second = turn(2, lease)
    second.snapshot = Snapshot(number: 2, version: 1, body: Data())
    second.deletedThrough = 2
    let other = turn(1, lease, store: "b")
    _ = try await journal.commit([turn(1, lease)])
    #expect(try await journal.commit([second, other]).isEmpty)
    let stores = ["a", "b", "c"].map { StoreKey(kind: kind, name: $0) }
    #expect(try await journal.lastTurns(of: stores) == [stores[0]: 2, stores[1]: 1])
  }

  @Test(arguments: Host.here)
  func D5_anOldEpochWritesNothing(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let old = try await claim(journal, "one").leases
    try await journal.release(old, of: kind, worker: "one")
    #expect(try await journal.commit([turn(1, old[0])]).shards == [0])
    let new = try await claim(journal, "two").leases
    let kept = new.first { $0.shard == 1 } ?? new[0]
    var late = turn(1, old[0])
    late.snapshot = Snapshot(number: 1, version: 1, body: Data())
    late.wake = .at(Date())
    let lost = try await journal.commit([late, turn(1, kept, store: "b")])
    #expect(lost == CommitConflicts(shards: [0]))
    #expect(try await journal.load(late.store) == nil)
    #expect(try await journal.load(StoreKey(kind: kind, name: "b"))?.turns.count == 1)
  }

  @Test(arguments: Host.here)
  func D5_aMessageWaitsOnceUntilItsTurnIsWritten(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let lease = try await claim(journal, "one").leases[0]
    let key = MessageKey(store: StoreKey(kind: kind, name: "a"), id: "m")
    let message = JournalMessage(key: key, action: Data("x".utf8), version: 1)
    #expect(try await journal.post(message))
    #expect(try await !journal.post(message))
    var request = ArrivalsRequest(kind: kind, shards: [0], except: [], limit: 10)
    let arrived = try await journal.arrivals(request).messages
    #expect(arrived.map(\.key) == [key])
    #expect(arrived.first?.action == Data("x".utf8))
    request.except = ["a"]
    #expect(try await journal.arrivals(request).messages.isEmpty)
    request.except = []
    request.shards = [1]
    #expect(try await journal.arrivals(request).messages.isEmpty)

    var turn = turn(1, lease, message: "m")
    turn.inboxRow = arrived.first?.row
    _ = try await journal.commit([turn])
    request.shards = [0]
    #expect(try await journal.arrivals(request).messages.isEmpty)
    // It was handled, so it does not wait again.
    #expect(try await !journal.post(message))
    #expect(try await journal.arrivals(request).messages.isEmpty)
  }

  @Test(arguments: Host.here)
  func D5_storesWithSomethingToDoAreListedFromTheirMomentOn(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let lease = try await claim(journal, "one").leases[0]
    var (due, later) = (turn(1, lease, store: "due"), turn(1, lease, store: "later"))
    due.wake = .at(Date(timeIntervalSinceReferenceDate: -1))
    later.wake = .at(Date(timeIntervalSince1970: 4_000_000_000))
    _ = try await journal.commit([due, later])
    var request = ArrivalsRequest(kind: kind, shards: [0], except: [], limit: 10)
    #expect(try await journal.arrivals(request).wakes.map(\.name) == ["due"])
    request.wakesAfter = try await journal.arrivals(request).wakes.last
    #expect(try await journal.arrivals(request).wakes.isEmpty)
  }

  @Test(arguments: Host.here)
  func D20_storesToWakeComeInTheOrderOfTheirMoments(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let leases = try await claim(journal, "one").leases
    // Some moments are equal, and each shard has some.
    let turns = (0..<40).map { number -> Turn in
      var turn = turn(1, leases[number % 4], store: "s\((number * 7) % 40)")
      turn.wake = .at(Date(timeIntervalSince1970: 900_000_000.123456 + Double(number * 13 % 20)))
      return turn
    }
    #expect(try await journal.commit(turns).isEmpty)
    let expected = turns.compactMap { turn -> StoreWake? in
      guard case .at(let due) = turn.wake else { return nil }
      return StoreWake(name: turn.store.name, due: due)
    }.sorted()
    var request = ArrivalsRequest(kind: kind, shards: [0, 1, 2, 3], except: [], limit: 7)
    var found: [String] = []
    while true {
      let wakes = try await journal.arrivals(request).wakes
      found += wakes.map(\.name)
      guard let last = wakes.last else { break }
      #expect(wakes.count <= 7)
      request.wakesAfter = last
    }
    #expect(found == expected.map(\.name))
  }

  @Test(arguments: Host.here)
  func D20_storesAreLoadedTogetherAsOneByOne(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let lease = try await claim(journal, "one").leases[0]
    var second = turn(2, lease, message: "m", store: "b")
    second.snapshot = Snapshot(number: 1, version: 3, body: Data([1]))
    second.wake = .at(Date(timeIntervalSince1970: 4_000_000_000))
    _ = try await journal.commit([turn(1, lease), turn(1, lease, store: "b"), second])
    let stores = ["a", "b", "c"].map { StoreKey(kind: kind, name: $0) }
    let loaded = try await journal.load(stores)
    #expect(loaded.count == 2)
    #expect(loaded[stores[0]]?.turns.map(\.number) == [1])
    #expect(loaded[stores[1]]?.snapshot?.version == 3)
    #expect(loaded[stores[1]]?.turns.map(\.message) == ["m"])
    #expect(loaded[stores[1]]?.wake == Date(timeIntervalSince1970: 4_000_000_000))
    let single = try await journal.load(stores[1])
    #expect(single?.turns.map(\.body) == loaded[stores[1]]?.turns.map(\.body))
  }

  @Test(arguments: Host.here)
  func D17_operatorsSeeKindsTurnsMessagesAndFigures(_ host: Host) async throws {
    let journal = try #require(try await host.journal(folder) as? any OperableJournal)
    let lease = try await claim(journal, "one").leases[0]
    let store = StoreKey(kind: kind, name: "a")
    var second = turn(2, lease)
    second.snapshot = Snapshot(number: 2, version: 1, body: Data())
    second.wake = .at(Date(timeIntervalSinceReferenceDate: -1))
    _ = try await journal.commit([turn(1, lease, message: "m"), second])
    _ = try await post("n", journal)
    try await journal.fail(store, under: lease, reason: "it is bad")
    try await journal.setAside(
      SetAside(Attempt(store: store, key: "message x"), reason: "why", data: Data()), under: lease)
    #expect(try await journal.kinds().contains(kind))
    // Turns behind a snapshot, too.
    #expect(try await journal.turns(of: store, after: 0, limit: 9).map(\.number) == [1, 2])
    #expect(try await journal.turns(of: store, after: 0, limit: 1).map(\.message) == ["m"])
    #expect(try await journal.turns(of: store, after: 1, limit: 9).map(\.number) == [2])
    #expect(try await journal.inbox(of: store, limit: 9).map(\.key.id) == ["n"])
    let figures = try await journal.figures(of: kind)
    #expect(figures.inbox == 1)
    #expect(figures.due == 1)
    #expect(figures.setAside == 1)
    #expect(figures.failures == [store: "it is bad"])
    #expect(figures.shards.map(\.number) == [0, 1, 2, 3])
    #expect(figures.shards.allSatisfy { $0.worker == "one" && $0.epoch == 1 && $0.age < 60 })
  }

  @Test(arguments: Host.here)
  func D4_rowsUpToANumberAreDeletedWithTheirMessages(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let lease = try await claim(journal, "one").leases[0]
    let key = StoreKey(kind: kind, name: "a")
    _ = try await journal.commit([turn(1, lease, message: "m1"), turn(2, lease, message: "m2")])
    _ = try await journal.commit([turn(1, lease, message: "m1", store: "b")])
    // One of the rows comes with the same call.
    var last = turn(4, lease, message: "m4")
    last.snapshot = Snapshot(number: 4, version: 1, body: Data())
    last.deletedThrough = 3
    #expect(try await journal.commit([turn(3, lease, message: "m3"), last]).isEmpty)
    let messages = (1...4).map { MessageKey(store: key, id: "m\($0)") }
    #expect(try await journal.handled(messages) == [messages[3]])
    let other = MessageKey(store: StoreKey(kind: kind, name: "b"), id: "m1")
    #expect(try await journal.handled([other]) == [other])
    // The next one goes on behind the snapshot.
    var next = turn(5, lease)
    next.snapshot = Snapshot(number: 5, version: 1, body: Data())
    next.deletedThrough = 4
    _ = try await journal.commit([next])
    _ = try await journal.commit([turn(6, lease)])
    let stored = try #require(try await journal.load(key))
    #expect(stored.snapshot?.number == 5)
    #expect(stored.turns.map(\.number) == [6])
  }

  @Test(arguments: Host.here)
  func D4_rowsUpToANumberAreEmptiedAndTheirMessagesStay(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let lease = try await claim(journal, "one").leases[0]
    let key = StoreKey(kind: kind, name: "a")
    _ = try await journal.commit([turn(1, lease, message: "m1"), turn(2, lease)])
    _ = try await journal.commit([turn(1, lease, message: "m1", store: "b")])
    // Two of the rows come with the same call.
    var last = turn(5, lease, message: "m5")
    last.emptiedThrough = 4
    _ = try await journal.commit([turn(3, lease, message: "m3"), turn(4, lease), last])
    let rows = try #require(try await journal.load(key)).turns
    #expect(rows.map(\.number) == [1, 3, 5])
    #expect(rows.map(\.body) == [Data(), Data(), Data("{5}".utf8)])
    let messages = [1, 3, 5].map { MessageKey(store: key, id: "m\($0)") }
    #expect(try await journal.handled(messages) == Set(messages))
    let other = try #require(try await journal.load(StoreKey(kind: kind, name: "b")))
    #expect(other.turns.map(\.body) == [Data("{1}".utf8)])
  }

  @Test(arguments: Host.here.filter { $0 != .memory })
  func D2_whatTheDatabaseCannotKeepIsRefusedAsSuch(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let lease = try await claim(journal, "one").leases[0]
    var (good, bad) = (turn(1, lease), turn(1, lease, store: "bad"))
    good.wake = .at(Date(timeIntervalSince1970: 253_370_764_800))
    bad.wake = .at(Date(timeIntervalSince1970: .nan))
    await #expect(throws: JournalRefusal.self) { try await journal.commit([good, bad]) }
    #expect(try await journal.load(good.store) == nil)
    #expect(try await journal.commit([good]).isEmpty)
    #expect(try await journal.load(good.store)?.turns.count == 1)
    // A row that is there already is another matter.
    await #expect {
      try await journal.commit([good])
    } throws: {
      !($0 is JournalRefusal)
    }
  }

  /// Posts a message for a store, and returns its row of the inbox.
  private func post(_ id: String, _ journal: any Journal) async throws -> Int64 {
    let key = MessageKey(store: StoreKey(kind: kind, name: "a"), id: id)
    _ = try await journal.post(
      JournalMessage(key: key, action: Data("x".utf8), version: 1))
    let request = ArrivalsRequest(kind: kind, shards: [0], except: [], limit: 10)
    return try #require(try await journal.arrivals(request).messages.last).row
  }

  @Test(arguments: Host.here)
  func D2_aTurnWhoseMessageIsGoneIsLeftOutWithTheOthersOfItsStore(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let lease = try await claim(journal, "one").leases[0]
    var first = turn(1, lease, message: "m")
    first.inboxRow = try await post("m", journal)
    #expect(try await journal.commit([first]).isEmpty)

    var second = turn(2, lease, message: "n")
    second.inboxRow = try await post("n", journal)
    let removal = Turn(store: second.store, lease: lease, inboxRow: second.inboxRow)
    #expect(try await journal.commit([removal]).isEmpty)
    var third = turn(3, lease)
    third.snapshot = Snapshot(number: 3, version: 1, body: Data())
    third.deletedThrough = 2
    third.wake = .at(Date())
    let other = turn(1, lease, store: "b")
    let conflicts = try await journal.commit([second, third, other])
    #expect(conflicts == CommitConflicts(stores: [second.store]))
    let stored = try #require(try await journal.load(second.store))
    #expect(stored.snapshot == nil)
    #expect(stored.turns.map(\.number) == [1])
    #expect(stored.wake == nil)
    #expect(try await journal.load(other.store)?.turns.count == 1)
    // A row without a turn may be gone.
    #expect(try await journal.commit([removal]).isEmpty)
  }

  @Test(arguments: Host.here)
  func D2_aTurnWhoseMessageAndLeaseAreGoneIsThatOfALostShard(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let leases = try await claim(journal, "one").leases
    var turn = turn(1, leases[0], message: "m")
    turn.inboxRow = .max
    try await journal.release(leases, of: kind, worker: "one")
    #expect(try await journal.commit([turn]) == CommitConflicts(shards: [0]))
    #expect(try await journal.load(turn.store) == nil)
  }

  @Test(arguments: Host.here)
  func D5_aFailureIsRemovedAndItsMessageDiscarded(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let lease = try await claim(journal, "one").leases[0]
    let key = StoreKey(kind: kind, name: "a")
    let row = try await post("m", journal)
    try await journal.fail(key, under: lease, reason: "reason")
    #expect(try await !journal.retry(key, discarding: nil))
    #expect(try await journal.failures(of: [key]).isEmpty)
    try await journal.fail(key, under: lease, reason: "reason")
    #expect(try await !journal.retry(key, discarding: "n"))
    #expect(try await journal.failures(of: [key]).isEmpty)
    let request = ArrivalsRequest(kind: kind, shards: [0], except: [], limit: 10)
    #expect(try await journal.arrivals(request).messages.map(\.action) == [Data("x".utf8)])
    #expect(try await journal.retry(key, discarding: "m"))
    let messages = try await journal.arrivals(request).messages
    #expect(messages.map(\.action) == [JournalMessage.discarded])
    #expect(messages.map(\.row) == [row])
  }

  @Test(arguments: Host.here)
  func D5_aRetryCountsForOneFailureThatIsWrittenAfterIt(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let lease = try await claim(journal, "one").leases[0]
    let (key, other) = (StoreKey(kind: kind, name: "a"), StoreKey(kind: kind, name: "b"))
    _ = try await journal.retry(key, discarding: nil)
    try await journal.fail(other, under: lease, reason: "other")
    try await journal.fail(key, under: lease, reason: "first")
    #expect(try await journal.failures(of: [key, other]) == [other: "other"])
    try await journal.fail(key, under: lease, reason: "second")
    #expect(try await journal.failures(of: [key]) == [key: "second"])
    // One without a lease does not use the note up.
    _ = try await journal.retry(key, discarding: nil)
    var old = lease
    old.epoch -= 1
    try await journal.fail(key, under: old, reason: "old")
    try await journal.fail(key, under: lease, reason: "third")
    #expect(try await journal.failures(of: [key]).isEmpty)
  }

  @Test(arguments: Host.here)
  func D5_aMessageWaitsUntilItsRowIsRemoved(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let lease = try await claim(journal, "one").leases[0]
    let key = MessageKey(store: StoreKey(kind: kind, name: "a"), id: "m")
    _ = try await journal.post(
      JournalMessage(key: key, action: JournalMessage.deletion, version: 1))
    #expect(try await journal.waiting([key]) == [key])
    let request = ArrivalsRequest(kind: kind, shards: [0], except: [], limit: 10)
    let arrived = try await journal.arrivals(request).messages
    #expect(arrived.first?.action == JournalMessage.deletion)
    var turn = turn(1, lease, message: "m")
    turn.inboxRow = arrived.first?.row
    _ = try await journal.commit([turn])
    #expect(try await journal.waiting([key]).isEmpty)
  }

  @Test(arguments: Host.here)
  func D5_aFailureIsKnownUntilTheShardHasAnotherOwner(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let leases = try await claim(journal, "one").leases
    let key = StoreKey(kind: kind, name: "a")
    try await journal.fail(key, under: leases[0], reason: "first")
    try await journal.fail(key, under: leases[0], reason: "it's \"so\"")
    #expect(try await journal.failures(of: [key]) == [key: "it's \"so\""])
    try await journal.release(leases, of: kind, worker: "one")
    #expect(try await journal.failures(of: [key]).isEmpty)
    _ = try await claim(journal, "two")
    try await journal.fail(key, under: leases[0], reason: "late")
    #expect(try await journal.failures(of: [key]).isEmpty)
  }

  @Test(arguments: Host.here.filter { $0 != .memory })
  func D2_aTransactionIsWrittenAsAWholeOrNotAtAll(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let lease = try await claim(journal, "one").leases[0]
    _ = try await journal.commit([turn(1, lease, message: "m")])
    // The second one has a message that was handled.
    await #expect(throws: (any Error).self) {
      try await journal.commit([turn(2, lease), turn(3, lease, message: "m")])
    }
    #expect(try await journal.load(StoreKey(kind: kind, name: "a"))?.turns.count == 1)
    // A number that is there is not written over.
    await #expect(throws: (any Error).self) { try await journal.commit([turn(1, lease)]) }
  }

  private func message(
    _ id: String, to name: String = "a", of kind: String? = nil
  ) -> JournalMessage {
    JournalMessage(
      key: MessageKey(store: StoreKey(kind: kind ?? self.kind, name: name), id: id),
      action: Data("1".utf8), version: 1)
  }

  @Test(arguments: Host.here)
  func D10_whatIsTakenIsLeftOutAndWhatIsHandledIsMarked(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let lease = try await claim(journal, "one").leases[0]
    for id in ["m1", "m2", "m3"] { #expect(try await journal.post(message(id))) }
    var request = ArrivalsRequest(
      kind: kind, shards: [0], except: [], limit: 10, wakeLimit: 0)
    let first = try await journal.arrivals(request)
    #expect(first.messages.map(\.key.id) == ["m1", "m2", "m3"])
    #expect(first.messages.allSatisfy { !$0.isHandled })
    #expect(first.now == nil)
    #expect(first.wakes.isEmpty)
    // A sender in the process of the owner was faster.
    #expect(try await journal.commit([turn(1, lease, message: "m2")]).isEmpty)
    request.taken = [first.messages[0].row]
    request.wakeLimit = 1
    let second = try await journal.arrivals(request)
    #expect(second.messages.map(\.key.id) == ["m2", "m3"])
    #expect(second.messages.map(\.isHandled) == [true, false])
    #expect(second.now != nil)
  }

  @Test(arguments: Host.here)
  func D5_aMessageIsInTheShardOfItsStore(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    _ = try await journal.post(message("before", to: "d"))
    let shards = try await claim(journal, "one").leases.map(\.shard)
    _ = try await journal.post(message("after", to: "d"))
    if host == .postgres {
      // A process that makes no claim.
      let sender = try await host.journal(folder)
      _ = try await sender.post(message("elsewhere", to: "d"))
    }
    for shard in shards {
      let messages = try await journal.arrivals(
        ArrivalsRequest(kind: kind, shards: [shard], except: [], limit: 9)
      ).messages
      let all = ["before", "after"] + (host == .postgres ? ["elsewhere"] : [])
      #expect(messages.map(\.key.id) == (shard == 3 ? all : []))
    }
  }

  @Test(arguments: Host.here)
  func D10_messagesThatArePostedAtOnceAreNewOnce(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let new = try await withThrowingTaskGroup(of: (String, Bool).self) { group in
      for number in 0..<300 {
        let message = message("m\(number % 100)")
        group.addTask { (message.key.id, try await journal.post(message)) }
      }
      return try await group.reduce(into: [String: Int]()) {
        $0[$1.0, default: 0] += $1.1 ? 1 : 0
      }
    }
    #expect(new.count == 100)
    #expect(new.values.allSatisfy { $0 == 1 })
    let request = ArrivalsRequest(kind: kind, shards: [0], except: [], limit: 999)
    #expect(try await journal.arrivals(request).messages.count == 100)
  }

  @Test(arguments: Host.here.filter { $0 != .memory })
  func D10_kindsOnOneJournalHearOfTheirOwnMessages(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let other = UUID().uuidString
    var (mine, theirs) = (
      journal.hints(of: kind).makeAsyncIterator(), journal.hints(of: other).makeAsyncIterator()
    )
    if host == .postgres {
      // It listens now.
      #expect(await mine.next() == .some(nil))
      #expect(await theirs.next() == .some(nil))
    }
    _ = try await journal.post(message("m"))
    _ = try await journal.post(message("m", of: other))
    #expect(await mine.next() == JournalHint(kind: kind, shard: 0, event: .arrived))
    #expect(await theirs.next() == JournalHint(kind: other, shard: 0, event: .arrived))
    let lease = try await claim(journal, "one").leases[0]
    let request = ArrivalsRequest(kind: kind, shards: [0], except: [], limit: 1)
    var turn = turn(1, lease, message: "m")
    turn.inboxRow = try await journal.arrivals(request).messages[0].row
    #expect(try await journal.commit([turn]).isEmpty)
    #expect(await mine.next() == JournalHint(kind: kind, shard: 0, event: .handled))
  }

  @Test(arguments: Host.here)
  func D11_attemptsAreCountedUpToALimitUntilTheyEnd(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let store = StoreKey(kind: kind, name: "a")
    let lease = try await claim(journal, "one").leases[store.shard(of: 4)]
    let (one, two) = (Attempt(store: store, key: "message m"), Attempt(store: store, key: "store"))
    for before in [0, 1, 2, 2, 2] {
      #expect(try await journal.begin(one, under: lease, limit: 2) == before)
    }
    #expect(try await journal.begin(two, under: lease, limit: 2) == 0)
    // A store that was never written has attempts, too.
    #expect(try await journal.load(store)?.attempts == ["message m", "store"])
    try await journal.end(two, under: lease)
    #expect(try await journal.load(store)?.attempts == ["message m"])
    // A retry is one attempt more.
    _ = try await journal.retry(store, discarding: nil)
    for before in [1, 2] {
      #expect(try await journal.begin(one, under: lease, limit: 2) == before)
    }
    try await journal.end(one, under: lease)
    #expect(try await journal.load(store) == nil)
    #expect(try await journal.begin(one, under: lease, limit: 2) == 0)
  }

  @Test(arguments: Host.here)
  func D11_whoseLeaseIsOverCountsForgetsAndSetsAsideNothing(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let store = StoreKey(kind: kind, name: "a")
    let attempt = Attempt(store: store, key: "message m")
    let old = try await claim(journal, "one").leases[store.shard(of: 4)]
    try await journal.release([old], of: kind, worker: "one")
    func expectRefused() async throws {
      #expect(try await journal.begin(attempt, under: old, limit: 9) == nil)
      try await journal.end(attempt, under: old)
      try await journal.setAside(SetAside(attempt, reason: "", data: Data()), under: old)
      #expect(try await journal.setAside(of: kind).isEmpty)
    }
    // Nobody has the shard, and then another worker.
    try await expectRefused()
    #expect(try await journal.load(store) == nil)
    let new = try #require(try await claim(journal, "two").leases.first)
    #expect(new.shard == old.shard)
    #expect(try await journal.begin(attempt, under: new, limit: 9) == 0)
    try await expectRefused()
    #expect(try await journal.begin(attempt, under: new, limit: 9) == 1)
  }

  @Test(arguments: Host.here)
  func D11_whatIsSetAsideIsListed(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let lease = try await claim(journal, "one").leases[0]
    let entries = ["b", "a"].map { name in
      SetAside(
        Attempt(store: StoreKey(kind: kind, name: name), key: "message m"), reason: "because",
        data: Data([0, 255, 7]))
    }
    for entry in entries + entries { try await journal.setAside(entry, under: lease) }
    #expect(try await journal.setAside(of: kind) == entries.reversed())
    #expect(try await journal.setAside(of: "other").isEmpty)
  }

  @Test(arguments: Host.here.filter { $0 != .memory })
  func D11_anOwnerIsCarefulWhereTwoBeforeItHaveEndedSoonAfterEachOther(
    _ host: Host
  ) async throws {
    // An owner ends on SQLite when the file is opened again, and on PostgreSQL when its lease is over.
    let path = folder.path()
    func open() async throws -> any Journal {
      host == .sqlite ? try SQLiteJournal(path: path) : try await host.journal(folder)
    }
    func next(_ name: String) async throws -> Claim {
      let journal = try await open()
      let request = ClaimRequest(kind: kind, worker: name, shards: 2, duration: .milliseconds(300))
      while true {
        let claim = try await journal.claim(request)
        if claim.leases.count == 2 { return claim }
      }
    }
    #expect(try await next("one").leases.allSatisfy { $0.carefulUntil == nil })
    #expect(try await next("two").leases.allSatisfy { $0.carefulUntil == nil })
    let third = try await next("three")
    for lease in third.leases {
      let time = try #require(lease.carefulUntil).timeIntervalSince(third.now)
      #expect(time > 0 && time < 60)
    }
    // Giving a shard back is no crash, and its next owner is as careful.
    let journal = try await open()
    try await journal.release(third.leases, of: kind, worker: "three")
    let fourth = try await journal.claim(
      ClaimRequest(kind: kind, worker: "four", shards: 2, duration: .seconds(1)))
    #expect(fourth.leases.map(\.carefulUntil) == third.leases.map(\.carefulUntil))
  }

  /// Opens a journal of its own again and again, each time as a deployment: one that the other tests do not use.
  private func withJournals(
    _ host: Host,
    _ body: (_ open: @escaping @Sendable (_ deployment: String?) async throws -> any Journal)
      async throws -> Void
  ) async throws {
    guard host == .postgres else {
      let path = folder.path()
      return try await body { try SQLiteJournal(path: path, deployment: $0) }
    }
    let address = Host.address ?? ""
    let schema = "test_\(kind.filter { $0 != "-" })"
    let connection = PostgresConnection(ConnectionTarget(string: address), name: "test")
    try await connection.run("CREATE SCHEMA \(schema)")
    try await body {
      try await PostgresJournal(
        address + " options='-c search_path=\(schema)'", deployment: $0)
    }
    try await connection.run("DROP SCHEMA \(schema) CASCADE")
  }

  private func expectRefusal(
    of deployment: String, _ open: (_ deployment: String?) async throws -> any Journal
  ) async {
    for other in ["green", "", nil] {
      await #expect {
        try await open(other)
      } throws: {
        let words = [
          "is that of the deployment '\(deployment)'",
          other.map { "is of '\($0)'" } ?? "is of none", "nothing was changed",
        ]
        return words.allSatisfy("\($0)".contains) && !"\($0)".contains("\n")
      }
    }
  }

  @Test(arguments: Host.here.filter { $0 != .memory })
  func D19_aJournalIsThatOfTheFirstDeploymentThatIsSaid(_ host: Host) async throws {
    try await withJournals(host) { open in
      let store = StoreKey(kind: kind, name: "a")
      var lease: Lease?
      do {
        // Nobody has said one so far.
        let journal = try await open(nil)
        lease = try await claim(journal, "one").leases[0]
        _ = try await journal.commit([turn(1, try #require(lease))])
      }
      _ = try await open(nil)
      _ = try await open("blue")
      await expectRefusal(of: "blue", open)
      // A process of the same deployment goes on, as in a rolling upgrade.
      let journal = try await open("blue")
      #expect(try await journal.load(store)?.turns.map(\.number) == [1])
      #expect(try await journal.commit([turn(2, try #require(lease))]).isEmpty)
    }
  }

  @Test(arguments: Host.here.filter { $0 != .memory })
  func D19_aJournalOfAProgramThatKnewNoDeploymentsGetsOne(_ host: Host) async throws {
    try await withJournals(host) { open in
      do {
        let journal = try await open(nil)
        try await (journal as? SQLiteJournal)?.execute("DROP TABLE deployment")
        try await (journal as? PostgresJournal)?.query("DROP TABLE rondo_deployment")
      }
      _ = try await open("blue")
      await expectRefusal(of: "blue", open)
    }
  }

  @Test(arguments: Host.here.filter { $0 == .postgres })
  func D19_ofTwoDeploymentsThatBeginAtTheSameTimeOneIsRefused(_ host: Host) async throws {
    try await withJournals(host) { open in
      let names = ["blue", "green", "red", "white"]
      let opened = await withTaskGroup(of: String?.self, returning: [String].self) { group in
        for name in names {
          group.addTask { (try? await open(name)).map { _ in name } }
        }
        return await group.reduce(into: []) { if let name = $1 { $0.append(name) } }
      }
      #expect(opened.count == 1)
      _ = try await open(opened.first)
    }
  }
}

@Suite struct SQLiteTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func D9_theFileIsPrivateToItsUser() async throws {
    let path = folder.path()
    let journal = try SQLiteJournal(path: path)
    _ = try await journal.claim(
      ClaimRequest(kind: "k", worker: "w", shards: 1, duration: .seconds(1)))
    for file in [path, path + "-wal"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(file)")
    }
  }

  @Test func D5_whatIsBehindTheLimitOfAPollIsNotRead() async throws {
    let journal = try SQLiteJournal(path: folder.path())
    _ = try await journal.claim(
      ClaimRequest(kind: "k", worker: "w", shards: 2, duration: .seconds(1)))
    for number in 1...9 {
      // Those of the store "b" are in the other shard.
      let store = StoreKey(kind: "k", name: number % 2 == 0 ? "a" : "b")
      _ = try await journal.post(
        JournalMessage(
          key: MessageKey(store: store, id: "\(number)"), action: Data(), version: 1))
    }
    // Reading the action of a later row fails.
    try await journal.execute(
      """
      ALTER TABLE inbox RENAME TO kept;
      CREATE VIEW inbox AS SELECT row, kind, store, shard, message, version,
        iif(row > 6, json('{'), action) AS action FROM kept;
      """)
    let request = ArrivalsRequest(kind: "k", shards: [0], except: [], limit: 3)
    #expect(try await journal.arrivals(request).messages.map(\.row) == [2, 4, 6])
  }

  @Test func D2_aFullDiskRefusesNoTurn() async throws {
    let journal = try SQLiteJournal(path: folder.path())
    let request = ClaimRequest(kind: "k", worker: "w", shards: 1, duration: .seconds(1))
    let lease = try await journal.claim(request).leases[0]
    let key = StoreKey(kind: "k", name: "a")
    let row = TurnRow(number: 1, message: nil, version: 1, body: Data(count: 100_000))
    // The limit is not below the number of pages that there are.
    try await journal.execute("PRAGMA max_page_count = 1")
    await #expect {
      try await journal.commit([Turn(store: key, lease: lease, row: row)])
    } throws: {
      !($0 is JournalRefusal) && "\($0)".contains("Make room on the disk")
    }
    try await journal.execute("PRAGMA max_page_count = 1000000")
    #expect(try await journal.load(key) == nil)
    #expect(try await journal.commit([Turn(store: key, lease: lease, row: row)]).isEmpty)
  }

  @Test func D2_aValueThatIsTooBigIsRefusedAndOtherFailuresAreNot() {
    func isRefusal(_ code: Int32) -> Bool { SQLiteError(code: code, description: "").isRefusal }
    #expect(isRefusal(SQLITE_TOOBIG))
    #expect(isRefusal(SQLITE_MISMATCH))
    // SQLITE_CONSTRAINT_CHECK and _NOTNULL.
    #expect(isRefusal(SQLITE_CONSTRAINT | 1 << 8))
    #expect(isRefusal(SQLITE_CONSTRAINT | 5 << 8))
    for code in [SQLITE_FULL, SQLITE_BUSY, SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_READONLY] {
      #expect(!isRefusal(code))
    }
  }

  @Test func D6_aSecondJournalOnTheFileIsRefusedAndLeavesTheLocksOfTheFirst() throws {
    let path = folder.path()
    let first = try SQLiteJournal(path: path)
    #expect {
      try SQLiteJournal(path: path)
    } throws: {
      "\($0)".contains("has it open")
    }
    // Locks of an open file meet those of the process as those of another process would.
    let ofOpenFile: Int32 = 36  // F_OFD_GETLK
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    try #require(descriptor >= 0)
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    #expect(fcntl(descriptor, ofOpenFile, &lock) == 0)
    #expect(lock.l_type != Int16(F_UNLCK))
    close(descriptor)
    withExtendedLifetime(first) {}
  }

  @Test func D6_aFileThatIsNoJournalIsRefusedAndNotTouched() throws {
    let path = folder.path()
    let bytes = Data("This is a text, and no journal. It is longer than a header.".utf8)
    try bytes.write(to: URL(filePath: path))
    #expect {
      try SQLiteJournal(path: path)
    } throws: {
      "\($0)".contains("no journal") && !"\($0)".contains("\n")
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
  }

  @Test(arguments: 0...3)
  func D6_aFileOfAnotherProgramIsRefusedAndNotTouched(version: Int) throws {
    let path = folder.path()
    try SQLiteConnection(path: path).execute(
      "CREATE TABLE notes (text); INSERT INTO notes VALUES (1); PRAGMA user_version = \(version)")
    let bytes = try Data(contentsOf: URL(filePath: path))
    #expect {
      try SQLiteJournal(path: path)
    } throws: {
      "\($0)".contains("nothing was changed")
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
  }

  @Test func D5_aWorkerOfTheProcessWhoseTimeIsOverLosesItsShards() async throws {
    let journal = try SQLiteJournal(path: folder.path())
    for (number, worker) in ["one", "two", "three"].enumerated() {
      // Its time is over at once.
      let leases = try await journal.claim(
        ClaimRequest(kind: "k", worker: worker, shards: 2, duration: .zero)
      ).leases
      #expect(leases.map(\.epoch) == [Int64(number + 1), Int64(number + 1)])
      // The process has not ended.
      #expect(leases.allSatisfy { $0.carefulUntil == nil })
    }
  }

  @Test func D4_aFileOfTheVersionBeforeIsBroughtForward() async throws {
    let path = folder.path()
    let request = ClaimRequest(kind: "k", worker: "w", shards: 1, duration: .seconds(1))
    let key = StoreKey(kind: "k", name: "a")
    do {
      let first = try SQLiteJournal(path: path)
      let lease = try await first.claim(request).leases[0]
      let row = TurnRow(number: 1, message: "m", version: 1, body: Data("{}".utf8))
      _ = try await first.commit([Turn(store: key, lease: lease, row: row)])
      try await first.execute("DROP TABLE failures; PRAGMA user_version = 1;")
    }
    let second = try SQLiteJournal(path: path)
    #expect(try await second.load(key)?.turns.count == 1)
    #expect(try await second.failures(of: [key]).isEmpty)
  }

  @Test func D6_whoeverOpensTheFileNextTakesOverAtOnce() async throws {
    let path = folder.path()
    let request = ClaimRequest(kind: "k", worker: "one", shards: 2, duration: .seconds(600))
    do {
      let first = try SQLiteJournal(path: path)
      #expect(try await first.claim(request).leases.count == 2)
    }
    let second = try SQLiteJournal(path: path)
    var next = request
    next.worker = "two"
    #expect(try await second.claim(next).leases.map(\.epoch) == [2, 2])
  }
}

@Suite struct PostgresTests {
  @Test(.enabled(if: Host.address != nil))
  func D5_noTransactionKeepsOthersWaitingForMoreThanHalfALease() async throws {
    let journal = try await PostgresJournal(try #require(Host.address))
    let settings = """
      SELECT current_setting('lock_timeout'), current_setting('idle_in_transaction_session_timeout')
      """
    #expect(try await journal.query(settings) == [["5s", "5s"]])
    _ = try await journal.claim(
      ClaimRequest(kind: UUID().uuidString, worker: "w", shards: 1, duration: .seconds(1)))
    #expect(try await journal.query(settings) == [["500ms", "500ms"]])
  }

  @Test(.enabled(if: Host.address != nil))
  func D5_aLateCommitLocksNoMessagesOfOthers() async throws {
    let address = try #require(Host.address)
    let journal = try await PostgresJournal(address)
    let kind = UUID().uuidString
    func lease(_ worker: String) async throws -> Lease {
      try await journal.claim(
        ClaimRequest(kind: kind, worker: worker, shards: 1, duration: .seconds(60))
      ).leases[0]
    }
    let old = try await lease("one")
    try await journal.release([old], of: kind, worker: "one")
    let new = try await lease("two")
    let key = MessageKey(store: StoreKey(kind: kind, name: "a"), id: "m")
    _ = try await journal.post(
      JournalMessage(key: key, action: Data("x".utf8), version: 1))
    let request = ArrivalsRequest(kind: kind, shards: [0], except: [], limit: 10)
    let row = try #require(try await journal.arrivals(request).messages.first?.row)
    // The new owner has the message in a transaction. The old one would wait for it.
    let other = PostgresConnection(ConnectionTarget(string: address), name: "test")
    try await other.run("BEGIN")
    try await other.run(
      "SELECT 1 FROM rondo_inbox WHERE row = $1::bigint FOR UPDATE", [.integer(row)])
    var turn = Turn(
      store: key.store, lease: old,
      row: TurnRow(number: 1, message: "m", version: 1, body: Data("{}".utf8)), inboxRow: row)
    #expect(try await journal.commit([turn]) == CommitConflicts(shards: [0]))
    try await other.run("ROLLBACK")
    turn.lease = new
    #expect(try await journal.commit([turn]).isEmpty)
  }

  @Test(.enabled(if: Host.address != nil), arguments: [false, true])
  func D5_leasesAreLockedInTheOrderOfShardsAsCommitsDo(_ isRelease: Bool) async throws {
    let address = try #require(Host.address)
    // A server that reads the table in the order in which it lies.
    let journal = try await PostgresJournal(
      address + " options='-c enable_indexscan=off -c enable_bitmapscan=off'")
    let kind = UUID().uuidString
    let request = ClaimRequest(kind: kind, worker: "w", shards: 3, duration: .seconds(60))
    let leases = try await journal.claim(request).leases
    // The first shard comes last in the table.
    try await journal.query(
      "UPDATE rondo_shards SET renewed = renewed WHERE kind = '\(kind)' AND shard = 0")
    // A commit of three shards has locked the first one.
    let commit = PostgresConnection(ConnectionTarget(string: address), name: "commit")
    func share(_ shard: Int64) async throws {
      try await commit.run(
        "SELECT FROM rondo_shards WHERE kind = $1 AND shard = $2::int FOR SHARE NOWAIT",
        [.text(kind), .integer(shard)])
    }
    let number = try #require(try await commit.run("SELECT pg_backend_pid()").first?.first ?? nil)
    try await commit.run("BEGIN")
    try await share(0)
    let waits = Task {
      if isRelease {
        try await journal.release(leases, of: kind, worker: "one")
      } else {
        _ = try await journal.claim(request)
      }
    }
    let other = PostgresConnection(ConnectionTarget(string: address), name: "test")
    var looks = 0
    while looks < 10_000 {
      let waiting = try await other.run(
        "SELECT count(*) FROM pg_stat_activity WHERE $1::int = ANY (pg_blocking_pids(pid))",
        [.text(number)])
      if waiting == [["1"]] { break }
      looks += 1
    }
    try await share(1)
    try await share(2)
    try await commit.run("COMMIT")
    try await waits.value
  }

  @Test(.enabled(if: Host.address != nil))
  func D5_aMessageThatIsPostedDuringTheFirstClaimGetsItsShard() async throws {
    let address = try #require(Host.address)
    let journal = try await PostgresJournal(address)
    let kind = UUID().uuidString
    // A first claim that has given those messages their shards that were there.
    let claim = PostgresConnection(ConnectionTarget(string: address), name: "claim")
    let number = try #require(try await claim.run("SELECT pg_backend_pid()").first?.first ?? nil)
    try await claim.run("BEGIN")
    try await claim.run(
      "SELECT pg_advisory_xact_lock(hashtextextended('rondo ' || $1::text, 0))", [.text(kind)])
    try await claim.run(
      """
      INSERT INTO rondo_shards (kind, shard, epoch, expires, renewed, since, downtime)
      SELECT $1, shard, 0, now(), now(), now(), 0 FROM generate_series(0, 3) AS shard
      """, [.text(kind)])
    let key = MessageKey(store: StoreKey(kind: kind, name: "d"), id: "m")
    let posting = Task {
      try await journal.post(JournalMessage(key: key, action: Data("1".utf8), version: 1))
    }
    let other = PostgresConnection(ConnectionTarget(string: address), name: "test")
    var looks = 0
    while looks < 10_000 {
      let isThereOrWaits = try await other.run(
        """
        SELECT EXISTS (SELECT FROM rondo_inbox WHERE kind = $1)
          OR EXISTS (SELECT FROM pg_stat_activity WHERE $2::int = ANY (pg_blocking_pids(pid)))
        """, [.text(kind), .text(number)])
      if isThereOrWaits == [["t"]] { break }
      looks += 1
    }
    try await claim.run("COMMIT")
    #expect(try await posting.value)
    let arrivals = try await journal.arrivals(
      ArrivalsRequest(kind: kind, shards: [3], except: [], limit: 9))
    #expect(arrivals.messages.map(\.key) == [key])
  }

  @Test(.enabled(if: Host.address != nil))
  func D2_bytesComeBackAsTheyWereWhateverTheirFormIs() async throws {
    let journal = try await PostgresJournal(
      try #require(Host.address) + " options='-c bytea_output=escape'")
    let kind = UUID().uuidString
    let lease = try await journal.claim(
      ClaimRequest(kind: kind, worker: "w", shards: 1, duration: .seconds(60))
    ).leases[0]
    let body = Data((0...255).map { UInt8($0) })
    let row = TurnRow(number: 1, message: nil, version: 1, body: body)
    let key = StoreKey(kind: kind, name: "a")
    _ = try await journal.commit([Turn(store: key, lease: lease, row: row)])
    #expect(try await journal.load(key)?.turns.first?.body == body)
  }

  @Test(.enabled(if: Host.address != nil))
  func D2_aTransactionThatADeadlockHasEndedIsRunAgain() async throws {
    let address = try #require(Host.address)
    // Each of two transactions has a lock before either of them asks for the other's.
    let locks = [Int64.random(in: 0...(.max)), Int64.random(in: 0...(.max))]
    let attempts = LockIsolated([0, 0])
    let isLocked = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    try await withThrowingTaskGroup { group in
      for own in 0..<2 {
        let connection = PostgresConnection(ConnectionTarget(string: address), name: "\(own)")
        group.addTask {
          try await connection.transaction(limit: .seconds(30)) { connection in
            try connection.execute("SET LOCAL deadlock_timeout = 10", [])
            let isFirst = attempts.withValue { attempts in
              attempts[own] += 1
              return attempts[own] == 1
            }
            try connection.execute(
              "SELECT pg_advisory_xact_lock($1::bigint)", [.integer(locks[own])])
            if isFirst {
              isLocked[own].signal()
              isLocked[1 - own].wait()
            }
            try connection.execute(
              "SELECT pg_advisory_xact_lock($1::bigint)", [.integer(locks[1 - own])])
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(attempts.value.reduce(0, +) > 2)
  }

  @Test(.enabled(if: Host.address != nil))
  func D5_leasesAndLoadsDoNotWaitForACallThatTakesLong() async throws {
    let address = try #require(Host.address)
    let journal = try await PostgresJournal(address)
    let other = PostgresConnection(ConnectionTarget(string: address), name: "test")
    let lock = Int64(Int32.random(in: 0...(.max)))
    try await other.run("SELECT pg_advisory_lock($1::bigint)", [.integer(lock)])
    func waitingCount() async throws -> String? {
      try await other.run(
        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = $1::oid AND NOT granted",
        [.integer(lock)])[0][0]
    }
    async let calls: Void = withThrowingTaskGroup { group in
      for _ in 0..<2 {
        group.addTask { try await journal.query("SELECT pg_advisory_xact_lock(\(lock))") }
      }
      try await group.waitForAll()
    }
    var looks = 0
    while looks < 10_000, try await waitingCount() != "2" { looks += 1 }
    let kind = UUID().uuidString
    _ = try await journal.claim(
      ClaimRequest(kind: kind, worker: "w", shards: 1, duration: .seconds(60)))
    #expect(try await journal.load(StoreKey(kind: kind, name: "a")) == nil)
    #expect(try await waitingCount() == "2")
    try await other.run("SELECT pg_advisory_unlock($1::bigint)", [.integer(lock)])
    try await calls
  }

  @Test func D9_aConnectionStringIsNeverPrinted() async {
    do {
      _ = try await PostgresJournal("host=/nowhere user=ada password=lovelace")
      Issue.record("There is a database where none can be.")
    } catch {
      var text = ""
      dump(error, to: &text)
      #expect(!"\(error)\(text)".contains("lovelace"))
      #expect(!"\(error)".contains("\n"))
    }
  }

  @Test(.enabled(if: Host.address != nil))
  func D10_aConnectionThatCouldNotListenListensLater() async throws {
    let address = try #require(Host.address)
    let connection = PostgresConnection(ConnectionTarget(string: address), name: "test")
    await #expect(throws: PostgresError.self) {
      try await connection.notifications(on: "no channel", milliseconds: 0)
    }
    // There may have been some meanwhile.
    #expect(try await connection.notifications(on: "a_channel", milliseconds: 0) == [nil])
    try await connection.run("NOTIFY a_channel, 'word'")
    #expect(try await connection.notifications(on: "a_channel", milliseconds: 0) == ["word"])
  }

  @Test(.enabled(if: Host.address != nil))
  func D5_aStatementWaitsForALockNoLongerThanTheTimeout() async throws {
    let address = try #require(Host.address)
    let target = ConnectionTarget(string: address, timeout: .milliseconds(1500))
    let connection = PostgresConnection(target, name: "test")
    #expect(try await connection.run("SHOW lock_timeout") == [["1500ms"]])
    #expect(try await connection.setting("tcp_user_timeout") == "1500")
    #expect(try await connection.setting("connect_timeout") == "2")
  }

  @Test(.enabled(if: Host.address != nil))
  func D5_aNetworkThatDoesNotAnswerIsGivenUpUnlessTheAddressSaysOtherwise() async throws {
    let address = try #require(Host.address)
    let standard = PostgresConnection(ConnectionTarget(string: address), name: "test")
    #expect(try await standard.setting("tcp_user_timeout") == "5000")
    #expect(try await standard.setting("connect_timeout") == "5")
    #expect(try await standard.setting("keepalives_idle") == "5")
    let own = PostgresConnection(
      ConnectionTarget(string: address + " tcp_user_timeout=7000 connect_timeout=9"), name: "test")
    #expect(try await own.setting("tcp_user_timeout") == "7000")
    #expect(try await own.setting("connect_timeout") == "9")
  }

  @Test(.enabled(if: Host.address != nil))
  func D5_aServerThatOnlyReadsByNowIsLookedForAgain() async throws {
    let address = try #require(Host.address)
    let connection = PostgresConnection(ConnectionTarget(string: address), name: "test")
    try await connection.run("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
    await #expect(throws: PostgresError.self) {
      try await connection.run("CREATE TABLE only_read (number int)")
    }
    #expect(try await connection.run("SHOW transaction_read_only") == [["off"]])
  }

  @Test(.enabled(if: Host.address != nil))
  func D9_aJournalDoesNotPrintItsConnectionString() async throws {
    let address = try #require(Host.address)
    let journal = try await PostgresJournal(address)
    var text = "\(journal)"
    dump(journal, to: &text)
    #expect(!text.contains(address))
  }
}
