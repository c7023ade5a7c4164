// A journal in memory, for tests: its data survives the crashes that it makes up.

import Foundation
import Synchronization

/// A journal in memory, that can crash.
///
/// What it keeps is in a ``Database``, which outlives it as a database outlives a process. A journal with
/// ``Faults`` crashes at a chosen write: from then on each of its operations throws. A test then
/// makes a new journal on the same database, and goes on.
///
/// ```swift
/// let database = InMemoryJournal.Database()
/// let first = InMemoryJournal(database, faults: .crash(atWrite: 7, after: true))
/// …
/// let second = InMemoryJournal(database)
/// ```
public final class InMemoryJournal: OperableJournal {
  private let database: Database
  private let faults: Faults
  private let tellsHints: Bool
  private let progress = Mutex(Progress())

  private struct Progress {
    var writes = 0
    var hasCrashed = false
  }

  /// When a journal crashes.
  public struct Faults: Sendable {
    var crashAt: Int?
    var isDone = false

    /// It does not crash.
    public static let none = Faults()

    /// It crashes at a write.
    ///
    /// - Parameters:
    ///   - write: The number of the write, from 1 on.
    ///   - after: Whether the write is still done, although its caller hears nothing of it.
    public static func crash(atWrite write: Int, after: Bool) -> Self {
      Faults(crashAt: write, isDone: after)
    }
  }

  /// The error of a journal that has crashed.
  struct Crash: Error {}

  /// Makes a journal on a database.
  ///
  /// - Parameters:
  ///   - database: The database. Several journals on one are as several processes.
  ///   - faults: When it crashes.
  ///   - tellsHints: Whether it tells of what is new in the database. A test without hints sees what happens where
  ///     they are lost.
  public init(_ database: Database, faults: Faults = .none, tellsHints: Bool = false) {
    self.database = database
    self.faults = faults
    self.tellsHints = tellsHints
  }

  /// The number of writes so far.
  public var writes: Int { progress.withLock(\.writes) }

  /// Whether it has crashed.
  package var hasCrashed: Bool { progress.withLock(\.hasCrashed) }

  /// Lets it crash now.
  public func crash() {
    progress.withLock { $0.hasCrashed = true }
  }

  private func read<Result>(_ body: (inout sending Tables) -> sending Result) throws -> Result {
    guard !hasCrashed else { throw Crash() }
    return database.tables.withLock(body)
  }

  private func write<Result: Sendable>(_ body: (inout Tables) -> Result) throws -> Result {
    let (isLast, isDone) = try progress.withLock { progress in
      guard !progress.hasCrashed else { throw Crash() }
      progress.writes += 1
      progress.hasCrashed = progress.writes == faults.crashAt
      return (progress.hasCrashed, !progress.hasCrashed || faults.isDone)
    }
    guard isDone else { throw Crash() }
    let result = database.tables.withLock { body(&$0) }
    if isLast { throw Crash() }
    return result
  }

  // MARK: Operations

  nonisolated(nonsending) public func claim(_ request: ClaimRequest) async throws -> Claim {
    try write { tables in
      tables.shards[request.kind, default: ShardTable()].claim(request, now: tables.now)
    }
  }

  nonisolated(nonsending) public func release(
    _ leases: [Lease], of kind: String, worker: String
  ) async throws {
    try write { tables in
      tables.shards[kind, default: ShardTable()].release(leases, of: worker, now: tables.now)
    }
  }

  nonisolated(nonsending) public func post(_ message: JournalMessage) async throws -> Bool {
    try write { tables in
      let isKnown =
        tables.isHandled(message.key)
        || tables.inbox.contains { $0.key == message.key }
      guard !isKnown else { return false }
      tables.lastRow += 1
      var message = message
      message.row = tables.lastRow
      tables.inbox.append(message)
      let store = message.key.store
      database.hints.tell(
        JournalHint(kind: store.kind, shard: tables.shard(of: store), event: .arrived))
      return true
    }
  }

  public func hints(of kind: String) -> AsyncStream<JournalHint?> {
    tellsHints ? database.hints.hints(of: kind) : AsyncStream { $0.finish() }
  }

  nonisolated(nonsending) public func arrivals(
    _ request: ArrivalsRequest
  ) async throws -> Arrivals {
    let (shards, except, taken) = (Set(request.shards), Set(request.except), Set(request.taken))
    return try read { tables in
      let messages = tables.inbox.filter {
        $0.key.store.kind == request.kind && shards.contains(tables.shard(of: $0.key.store))
          && !except.contains($0.key.store.name) && !taken.contains($0.row)
      }
      let wakes = tables.stores.compactMap { key, rows -> StoreWake? in
        guard key.kind == request.kind, shards.contains(rows.shard), let due = rows.wake,
          due <= tables.now
        else { return nil }
        let wake = StoreWake(name: key.name, due: due)
        return request.wakesAfter.map { wake > $0 } ?? true ? wake : nil
      }
      return Arrivals(
        messages: messages.prefix(request.limit).map { message in
          var message = message
          message.isHandled = tables.isHandled(message.key)
          return message
        },
        wakes: Array(wakes.sorted().prefix(request.wakeLimit)),
        now: request.wakeLimit > 0 ? tables.now : nil)
    }
  }

  nonisolated(nonsending) public func names(
    of kind: String, after: String, limit: Int
  ) async throws -> [String] {
    try read { tables in
      let names = tables.stores.keys.filter { $0.kind == kind && $0.name > after }.map(\.name)
      return Array(names.sorted().prefix(limit))
    }
  }

  nonisolated(nonsending) public func load(
    _ stores: [StoreKey]
  ) async throws -> [StoreKey: StoredStore] {
    try read { tables in
      var all: [StoreKey: StoredStore] = [:]
      for store in stores {
        let attempts = Set(tables.attempts.keys.filter { $0.store == store }.map(\.key))
        let rows = tables.stores[store]
        guard rows != nil || !attempts.isEmpty else { continue }
        let first = rows?.snapshot?.number ?? 0
        all[store] = StoredStore(
          snapshot: rows?.snapshot, turns: rows?.turns.filter { $0.number > first } ?? [],
          wake: rows?.wake, attempts: attempts)
      }
      return all
    }
  }

  nonisolated(nonsending) public func handled(
    _ messages: [MessageKey]
  ) async throws -> Set<MessageKey> {
    try read { tables in Set(messages.filter(tables.isHandled)) }
  }

  nonisolated(nonsending) public func waiting(
    _ messages: [MessageKey]
  ) async throws -> Set<MessageKey> {
    try read { tables in Set(messages).intersection(tables.inbox.map { $0.key }) }
  }

  nonisolated(nonsending) public func fail(
    _ store: StoreKey, under lease: Lease, reason: String
  ) async throws {
    try write { tables in
      guard tables.holds(lease, for: store), tables.retries.remove(store) == nil else { return }
      tables.failures[store] = (lease, reason)
    }
  }

  nonisolated(nonsending) public func failures(
    of stores: [StoreKey]
  ) async throws -> [StoreKey: String] {
    try read { tables in
      var reasons: [StoreKey: String] = [:]
      for store in stores {
        guard let failure = tables.failures[store], tables.holds(failure.lease, for: store) else {
          continue
        }
        reasons[store] = failure.reason
      }
      return reasons
    }
  }

  nonisolated(nonsending) public func retry(
    _ store: StoreKey, discarding message: String?
  ) async throws -> Bool {
    try write { tables in
      tables.failures[store] = nil
      tables.retries.insert(store)
      for attempt in tables.attempts.keys where attempt.store == store {
        tables.attempts[attempt, default: 1] -= 1
      }
      let index = tables.inbox.firstIndex { $0.key.store == store && $0.key.id == message }
      guard let index else { return false }
      tables.inbox[index].action = JournalMessage.discarded
      return true
    }
  }

  nonisolated(nonsending) public func begin(
    _ attempt: Attempt, under lease: Lease, limit: Int
  ) async throws -> Int? {
    try write { tables in
      guard tables.holds(lease, for: attempt.store) else { return nil }
      let before = tables.attempts[attempt, default: 0]
      if before < limit { tables.attempts[attempt] = before + 1 }
      return before
    }
  }

  nonisolated(nonsending) public func end(_ attempt: Attempt, under lease: Lease) async throws {
    try write { if $0.holds(lease, for: attempt.store) { $0.attempts[attempt] = nil } }
  }

  nonisolated(nonsending) public func setAside(_ entry: SetAside, under lease: Lease) async throws {
    try write { tables in
      if tables.holds(lease, for: entry.attempt.store) { tables.setAside[entry.attempt] = entry }
    }
  }

  nonisolated(nonsending) public func setAside(of kind: String) async throws -> [SetAside] {
    try read { tables in
      tables.setAside.values.filter { $0.attempt.store.kind == kind }.sorted {
        ($0.attempt.store.name, $0.attempt.key) < ($1.attempt.store.name, $1.attempt.key)
      }
    }
  }

  nonisolated(nonsending) public func kinds() async throws -> [String] {
    try read { tables in
      Set(tables.shards.keys).union(tables.inbox.map(\.key.store.kind)).sorted()
    }
  }

  nonisolated(nonsending) public func turns(
    of store: StoreKey, after number: Int64, limit: Int
  ) async throws -> [TurnRow] {
    try read { tables in
      Array((tables.stores[store]?.turns ?? []).filter { $0.number > number }.prefix(limit))
    }
  }

  nonisolated(nonsending) public func inbox(
    of store: StoreKey, limit: Int
  ) async throws -> [JournalMessage] {
    try read { tables in Array(tables.inbox.filter { $0.key.store == store }.prefix(limit)) }
  }

  nonisolated(nonsending) public func figures(of kind: String) async throws -> JournalFigures {
    try read { tables in
      let (now, shards) = (tables.now, tables.shards[kind] ?? ShardTable())
      let failures = tables.failures.filter {
        $0.key.kind == kind && shards.holds($0.value.lease)
      }
      return JournalFigures(
        inbox: tables.inbox.count { $0.key.store.kind == kind },
        due: tables.stores.count {
          $0.key.kind == kind && $0.value.wake.map { $0 <= now } ?? false
        },
        setAside: tables.setAside.keys.count { $0.store.kind == kind },
        shards: shards.rows.sorted { $0.key < $1.key }.map { number, row in
          JournalFigures.Shard(
            number: number, worker: row.worker, epoch: row.epoch,
            age: now.timeIntervalSince(row.renewed))
        },
        failures: failures.mapValues { $0.reason })
    }
  }

  nonisolated(nonsending) public func takeAnswers(
    _ asks: [AskKey]
  ) async throws -> [AskKey: JournalAnswer.Content] {
    guard !asks.isEmpty else { return [:] }
    return try write { tables in
      var answers: [AskKey: JournalAnswer.Content] = [:]
      for ask in asks {
        guard let entry = tables.stores[ask.message.store]?.answers[ask.message.id] else {
          continue
        }
        let taker = entry.taker ?? ask.asker
        tables.stores[ask.message.store]?.answers[ask.message.id]?.taker = taker
        answers[ask] = taker == ask.asker ? entry.content : .given
      }
      return answers
    }
  }

  nonisolated(nonsending) public func lastTurns(
    of stores: [StoreKey]
  ) async throws -> [StoreKey: Int64] {
    try read { tables in
      var numbers: [StoreKey: Int64] = [:]
      for store in stores { numbers[store] = tables.stores[store]?.lastTurn }
      return numbers
    }
  }

  nonisolated(nonsending) public func commit(_ turns: [Turn]) async throws -> CommitConflicts {
    try write { tables in
      var conflicts = CommitConflicts()
      for turn in turns {
        if !tables.holds(turn.lease, for: turn.store) {
          conflicts.shards.insert(turn.lease.shard)
        } else if turn.row != nil, let row = turn.inboxRow,
          !tables.inbox.contains(where: { $0.row == row })
        {
          conflicts.stores.insert(turn.store)
        }
      }
      for turn in turns
      where tables.holds(turn.lease, for: turn.store) && !conflicts.stores.contains(turn.store) {
        tables.write(turn)
        guard turn.inboxRow != nil || !turn.answers.isEmpty else { continue }
        database.hints.tell(
          JournalHint(kind: turn.store.kind, shard: turn.lease.shard, event: .handled))
      }
      return conflicts
    }
  }

  // MARK: Data

  struct Tables {
    var now = Date(timeIntervalSinceReferenceDate: 0)
    var shards: [String: ShardTable] = [:]
    var stores: [StoreKey: StoreRows] = [:]
    var inbox: [JournalMessage] = []
    var failures: [StoreKey: (lease: Lease, reason: String)] = [:]
    /// The stores whose next failure is not recorded.
    var retries: Set<StoreKey> = []
    var attempts: [Attempt: Int] = [:]
    var setAside: [Attempt: SetAside] = [:]
    var lastRow: Int64 = 0
    /// Rows that were written although there was one with their number or their message.
    var doubles: [String] = []

    func isHandled(_ message: MessageKey) -> Bool {
      stores[message.store]?.messages.contains(message.id) ?? false
    }

    /// The shard of a store; zero before the first claim of its kind.
    func shard(of store: StoreKey) -> Int { store.shard(of: shards[store.kind]?.count ?? 1) }

    func holds(_ lease: Lease, for store: StoreKey) -> Bool {
      shards[store.kind]?.holds(lease) ?? false
    }

    mutating func write(_ turn: Turn) {
      if let row = turn.inboxRow { inbox.removeAll { $0.row == row } }
      stores[turn.store, default: StoreRows(shard: turn.lease.shard)].write(turn) {
        doubles.append("\(turn.store): \($0)")
      }
    }
  }

  struct StoreRows {
    var shard: Int
    var turns: [TurnRow] = []
    var messages: Set<String> = []
    var snapshot: Snapshot?
    var wake: Date?
    var answers: [String: (number: Int64, content: JournalAnswer.Content, taker: String?)] = [:]

    var lastTurn: Int64? { turns.last?.number ?? snapshot?.number }

    mutating func write(_ turn: Turn, reportDouble: (String) -> Void) {
      if let row = turn.row {
        let last = max(turns.last?.number ?? 0, snapshot?.number ?? 0)
        if row.number != last + 1 { reportDouble("turn \(row.number) after \(last)") }
        if let message = row.message, !messages.insert(message).inserted {
          reportDouble("message \(message) twice")
        }
        turns.append(row)
      }
      for answer in turn.answers where answers[answer.message] == nil {
        answers[answer.message] = (turn.row?.number ?? 0, answer.content, nil)
      }
      if let snapshot = turn.snapshot { self.snapshot = snapshot }
      if let last = turn.deletedThrough {
        for row in turns where row.number <= last {
          if let message = row.message { messages.remove(message) }
        }
        turns.removeAll { $0.number <= last }
        answers = answers.filter { $0.value.number > last }
      }
      if let last = turn.emptiedThrough {
        turns.removeAll { $0.number <= last && $0.message == nil }
        for index in turns.indices where turns[index].number <= last { turns[index].body = Data() }
        for (message, answer) in answers where answer.number <= last {
          answers[message] = (answer.number, .given, "")
        }
      }
      switch turn.wake {
      case .unchanged: break
      case .never: wake = nil
      case .at(let date): wake = date
      }
    }
  }

  /// The data of journals in memory, with a time that stands still until it is moved.
  public final class Database: Sendable {
    let tables = Mutex(Tables())
    let hints = JournalHints()

    /// A database without stores.
    public init() {}

    /// The time of the database.
    public var now: Date { tables.withLock(\.now) }

    /// Moves the time of the database forwards.
    public func advance(by duration: Duration) {
      tables.withLock { $0.now.addTimeInterval(duration.timeInterval) }
    }

    /// Ends all leases, without any time that passes.
    package func expireLeases() {
      tables.withLock { tables in
        for kind in tables.shards.keys { tables.shards[kind]!.expire(now: tables.now) }
      }
    }

    /// All turns of a store, in order.
    package func turns(of store: StoreKey) -> [TurnRow] {
      tables.withLock { $0.stores[store]?.turns ?? [] }
    }

    /// The names of all stores of a kind, in order.
    package func stores(of kind: String) -> [String] {
      tables.withLock { $0.stores.keys.filter { $0.kind == kind }.map(\.name).sorted() }
    }

    /// The number of messages that wait.
    package var waiting: Int { tables.withLock(\.inbox.count) }

    /// Mistakes that a real database would have refused: turns out of order, and messages handled twice.
    package var doubles: [String] { tables.withLock(\.doubles) }

    /// Changes a row of a store: to see what becomes of damaged ones.
    package func replace(_ row: TurnRow, of store: StoreKey) {
      tables.withLock { tables in
        guard let index = tables.stores[store]?.turns.firstIndex(where: { $0.number == row.number })
        else { return }
        tables.stores[store]?.turns[index] = row
      }
    }

    /// The snapshot of a store.
    package func snapshot(of store: StoreKey) -> Snapshot? {
      tables.withLock { $0.stores[store]?.snapshot }
    }

    /// Changes the snapshot of a store.
    package func replace(_ snapshot: Snapshot?, of store: StoreKey) {
      tables.withLock { $0.stores[store]?.snapshot = snapshot }
    }
  }
}
