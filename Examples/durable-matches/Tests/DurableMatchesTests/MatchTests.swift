// The game, and matches on real journals.

import Foundation
import MatchFeature
import PostgresJournal
import Rondo
import RondoDurable
import RondoTesting
import SQLiteJournal
import Testing

@Suite struct MatchTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func begun(_ requests: LockIsolated<[DurableRequest]>) async -> TestStoreOf<Match> {
    let store = TestStore(initialState: Match.State()) {
      Match()
    } withDependencies: {
      $0.durableRequests = { request in requests.withValue { $0.append(request) } }
    }
    store.exhaustivity = .off
    await store.send(.request(.create(secondsPerMove: 60), id: "1"))
    await store.send(.request(.join(player: "ada"), id: "2"))
    await store.send(.request(.join(player: "bob"), id: "3"))
    return store
  }

  @Test func D8_threeInALineWin() async {
    let requests = LockIsolated<[DurableRequest]>([])
    let store = await begun(requests)
    for (index, move) in [("ada", 0), ("bob", 3), ("ada", 1), ("bob", 4), ("ada", 2)].enumerated() {
      await store.send(.request(.move(player: move.0, cell: move.1), id: "m\(index)"))
    }
    #expect(store.state.result == .won(by: "ada"))
    #expect(store.state.board == "XXXOO....")
    #expect(requests.value.suffix(2).map(\.shortText) == ["cancel clock", "announce"])
  }

  @Test func D8_theRulesAreKept() async {
    let store = await begun(LockIsolated([]))
    await store.send(.request(.move(player: "bob", cell: 0), id: "notHisMove"))
    await store.send(.request(.move(player: "ada", cell: 9), id: "noCell"))
    await store.send(.request(.join(player: "eve"), id: "full"))
    await store.send(.request(.move(player: "ada", cell: 0), id: "fine"))
    await store.send(.request(.move(player: "bob", cell: 0), id: "taken"))
    #expect(store.state.refused == ["notHisMove", "noCell", "full", "taken"])
    #expect(store.state.board == "X........")
  }

  @Test(arguments: [0, -1, 1e300, .infinity, .nan])
  func D8_aTimeThatNoClockCanKeepIsRefused(_ seconds: Double) async {
    let store = TestStore(initialState: Match.State()) {
      Match()
    } withDependencies: {
      $0.durableRequests = { _ in }
    }
    store.exhaustivity = .off
    await store.send(.request(.create(secondsPerMove: seconds), id: "1"))
    await store.send(.request(.join(player: "ada"), id: "2"))
    await store.send(.request(.join(player: "bob"), id: "3"))
    #expect(store.state.refused == ["1", "2", "3"])
  }

  @Test func D8_aClockOfAnEarlierMoveDoesNothing() async {
    let store = await begun(LockIsolated([]))
    await store.send(.request(.move(player: "ada", cell: 0), id: "4"))
    await store.send(.clockRanOut(move: 0))
    #expect(store.state.result == nil)
    await store.send(.clockRanOut(move: 1))
    #expect(store.state.result == .forfeited(by: "bob"))
  }

  @Test(arguments: Host.here.filter { $0 != .memory })
  func D1_aMatchGoesOnInAnotherProcess(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let name = UUID().uuidString
    var options = DurableOptions()
    options.lease = .milliseconds(300)
    options.pollInterval = .milliseconds(10)
    for part in 0..<2 {
      let matches = DurableStores(
        journal: journal, feature: .match(announce: { _, _ in }), options: options)
      let serving = Task { await matches.run() }
      let match = matches[name]
      if part == 0 {
        try await match.send(.request(.create(secondsPerMove: 60), id: "1"), id: "1")
        try await match.send(.request(.join(player: "ada"), id: "2"), id: "2")
      } else {
        #expect(
          try await match.send(.request(.join(player: "ada"), id: "2"), id: "2") == .duplicate)
        try await match.send(.request(.join(player: "bob"), id: "3"), id: "3")
        #expect(try await match.state.players == ["ada", "bob"])
        #expect(try await match.state.requests == ["1", "2", "3"])
      }
      serving.cancel()
      await serving.value
    }
  }
}

/// Matches in a journal whose rows are damaged meanwhile.
@Suite struct DamageTests {
  /// A kind that no other test has: the tests share one database.
  let kind = UUID().uuidString
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  enum Damage: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case cutTurn, changedTurn, missingTurn, newerTurn, cutSnapshot
    var testDescription: String { rawValue }

    /// The words of its error.
    var words: [String] {
      switch self {
      case .cutTurn: ["turn 2", "cannot be read"]
      case .changedTurn: ["turn 2", "digest"]
      case .missingTurn: ["turn 3", "follows turn 1"]
      case .newerTurn: ["turn 2", "version 9"]
      case .cutSnapshot: ["turn 3", "snapshot that cannot be read"]
      }
    }

    /// The statement that does it, with `TABLE_` and `CHANGED` for what each database calls them.
    var sql: String {
      switch self {
      case .cutTurn: "UPDATE TABLE_turns SET body = substr(body, 1, 20) WHERE number = 2"
      case .changedTurn: "UPDATE TABLE_turns SET body = CHANGED WHERE number = 2"
      case .missingTurn: "DELETE FROM TABLE_turns WHERE number = 2"
      case .newerTurn: "UPDATE TABLE_turns SET version = 9 WHERE number = 2"
      case .cutSnapshot: "UPDATE TABLE_snapshots SET body = substr(body, 1, 20) WHERE true"
      }
    }
  }

  private func change(_ journal: any Journal, _ sql: String) async throws {
    let sql = sql + " AND kind = '\(kind)'"
    if let journal = journal as? SQLiteJournal {
      let changed = "CAST(replace(CAST(body AS TEXT), 'ada', 'eve') AS BLOB)"
      try await journal.execute(
        sql.replacing("TABLE_", with: "").replacing("CHANGED", with: changed))
    } else if let journal = journal as? PostgresJournal {
      let changed = "convert_to(replace(convert_from(body, 'UTF8'), 'ada', 'eve'), 'UTF8')"
      try await journal.query(
        sql.replacing("TABLE_", with: "rondo_").replacing("CHANGED", with: changed))
    }
  }

  private func matches(
    _ journal: any Journal, onEvent: @escaping @Sendable (DurableEvent) -> Void = { _ in }
  ) -> DurableStores<Match.State, Match.Action> {
    var options = DurableOptions()
    options.pollInterval = .milliseconds(10)
    options.onEvent = onEvent
    return DurableStores(
      journal: journal,
      feature: DurableFeature(kind, initialState: { _ in Match.State() }) {
        Match()
      } work: {
        DurableTimer("clock", onResume: .remaining) { (move: Int) in .clockRanOut(move: move) }
      }, options: options)
  }

  private func rows(_ journal: any Journal) async throws -> [String] {
    let stored = try await journal.load(StoreKey(kind: kind, name: "a"))
    return [stored?.snapshot.map { "\($0.number) \(Array($0.body))" } ?? "none"]
      + (stored?.turns.map { "\($0.number) \($0.version) \(Array($0.body))" } ?? [])
  }

  @Test(arguments: Host.here.filter { $0 != .memory }, Damage.allCases)
  func D6_aDamagedRowIsNamedAndNotTouched(_ host: Host, _ damage: Damage) async throws {
    let journal = try await host.journal(folder)
    let first = matches(journal)
    let serving = Task { await first.run() }
    let requests: [Match.Request] = [
      .create(secondsPerMove: 600), .join(player: "ada"), .join(player: "bob"),
    ]
    for (index, request) in requests.enumerated() {
      try await first["a"].send(.request(request, id: "\(index)"), id: "\(index)")
    }
    serving.cancel()
    await serving.value
    // The process has left a snapshot, and the turns behind it. Without it they are read again.
    if damage != .cutSnapshot {
      try await change(journal, "DELETE FROM TABLE_snapshots WHERE true")
    }
    try await change(journal, damage.sql)
    let damaged = try await rows(journal)

    let errors = LockIsolated<[String]>([])
    let second = matches(journal) { event in
      if case .cannotActivate(let error) = event { errors.withValue { $0.append("\(error)") } }
    }
    let again = Task { await second.run() }
    for id in ["4", "5"] {
      await #expect {
        try await second["a"].send(.request(.move(player: "ada", cell: 0), id: id), id: id)
      } throws: { error in
        damage.words.allSatisfy { "\(error)".contains($0) } && !"\(error)".contains("\n")
      }
    }
    again.cancel()
    await again.value
    #expect(errors.value.count == 1)
    #expect(try await rows(journal) == damaged)
  }

  @Test(arguments: Host.here)
  func D5_aMatchGoesOnWhenAMessageThatNobodyCanReadIsDiscarded(_ host: Host) async throws {
    let journal = try await host.journal(folder)
    let key = MessageKey(store: StoreKey(kind: kind, name: "a"), id: "poison")
    _ = try await journal.post(
      JournalMessage(key: key, action: Data("nonsense".utf8), version: 1))
    let hasFailed = Gate()
    let matches = matches(journal) { event in
      if case .cannotActivate(.cannotHandle(key, _)) = event { hasFailed.open() }
    }
    let serving = Task { await matches.run() }
    await hasFailed.pass()
    await #expect(throws: DurableError.self) {
      try await matches["a"].send(.request(.create(secondsPerMove: 600), id: "1"), id: "1")
    }
    #expect(try await matches["a"].retry(discarding: "poison"))
    try await matches["a"].send(.request(.create(secondsPerMove: 600), id: "1"), id: "1")
    #expect(try await matches["a"].state.requests == ["1"])
    serving.cancel()
    await serving.value
  }
}

/// A gate that tasks wait at until it is opened.
private final class Gate: Sendable {
  private let (opened, continuation) = AsyncStream.makeStream(of: Void.self)

  func open() { continuation.finish() }
  func pass() async { for await _ in opened {} }
}

@Suite struct SocketTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The program that the tests are built with.
  private var program: URL {
    Bundle.main.bundleURL.appending(path: "durable-matches")
  }

  @Test func D8_aFileAtThePathOfASocketIsNotTouched() throws {
    let path = folder.path()
    try Data("letters".utf8).write(to: URL(filePath: path))
    let process = Process()
    process.executableURL = program
    process.arguments = ["--journal", folder.path(), "--socket", path]
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let bytes = try errors.fileHandleForReading.readToEnd() ?? Data()
    let text = String(decoding: bytes, as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 64)
    #expect(text.contains("is no socket"))
    #expect(try Data(contentsOf: URL(filePath: path)) == Data("letters".utf8))
  }
}

extension DurableRequest {
  fileprivate var shortText: String { kind == .cancel ? "cancel \(id ?? "")" : name }
}
