// A journal in an SQLite file, for one process.

import Foundation
import JournalThread
import RondoDurable

/// A journal in an SQLite file.
///
/// One process has the file open at a time: another one is refused. A process that opens it therefore
/// knows that the one before has ended, and takes its shards over at once.
///
/// Every transaction is flushed to the disk before it counts (`synchronous = FULL`, with a write-ahead
/// log). A file that is made here can be read and written by its user only. One that is there already
/// keeps its mode.
public actor SQLiteJournal: OperableJournal {
  private nonisolated let thread = JournalThread("SQLite")
  private let connection: SQLiteConnection
  /// For other stores of this process: it is the only one.
  private nonisolated let allHints = JournalHints()
  /// The numbers of shards that are known, by kinds. They never change.
  private var shardCounts: [String: Int] = [:]
  /// The workers of this process that have asked for leases, by kind, each with the moment until which it is taken to be
  /// alive. One that owns shards is kept after that, because its process has not ended.
  private var workers: [String: [String: Double]] = [:]

  public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// The version of the tables.
  private static let version: Int64 = 2

  /// Opens a journal, or makes one.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - deployment: The name of the deployment that the program is a part of, such as `production`. The first
  ///     one that is said is kept in the file, and no program with another one, or with none, opens it after that.
  /// - Throws: An ``SQLiteError`` that says what is wrong with the file. A file of another version or
  ///   deployment is not touched.
  public init(path: String, deployment: String? = nil) throws {
    try self.init(path: path) { try SQLiteJournal.compare($0, deployment) }
  }

  /// Opens a journal of whatever deployment, for tools.
  package init(ofAnyDeployment path: String) throws {
    try self.init(path: path) { _ in }
  }

  private init(path: String, check: (SQLiteConnection) throws -> Void) throws {
    connection = try SQLiteConnection(path: path)
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    // Before anything in the file is changed, as by the journal mode, which stays in it.
    _ = try connection.transaction { [connection] in try SQLiteJournal.version(of: connection) }
    try connection.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
      PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 8192;
      """)
    try connection.transaction { [connection] in
      try SQLiteJournal.makeTables(connection)
      try check(connection)
    }
  }

  private static func makeTables(_ connection: SQLiteConnection) throws {
    switch try version(of: connection) {
    case 0: try connection.execute(tables + failures)
    case 1: try connection.execute(failures)
    default: break
    }
    try connection.execute(additions)
  }

  /// The version of the tables; zero where there are none.
  private static func version(of connection: SQLiteConnection) throws -> Int64 {
    var (version, tables, ours): (Int64, Int64, Int64) = (0, 0, 0)
    try connection.run("PRAGMA user_version") { version = $0.integer(0) }
    try connection.run(
      """
      SELECT count(*), coalesce(sum(name IN ('shards', 'turns', 'snapshots', 'wakes', 'inbox')), 0)
      FROM sqlite_schema
      """
    ) { (tables, ours) = ($0.integer(0), $0.integer(1)) }
    guard tables == 0 || ours == 5 else {
      throw SQLiteError(
        code: 0,
        description:
          "'\(connection.path)' is a database of something else; nothing was changed. Name another file."
      )
    }
    guard version == 0 ? tables == 0 : (1...SQLiteJournal.version).contains(version) else {
      throw SQLiteError(
        code: 0,
        description:
          "The journal '\(connection.path)' has version \(version), and this program knows version "
          + "\(SQLiteJournal.version); nothing was changed. Use the program that has made it.")
    }
    return version
  }

  /// Notes the deployment of the journal where none is noted, and compares it.
  private static func compare(_ connection: SQLiteConnection, _ deployment: String?) throws {
    if let deployment {
      try connection.run(
        "INSERT INTO deployment (name) SELECT ? WHERE NOT EXISTS (SELECT 1 FROM deployment)",
        [.text(deployment)])
    }
    var name: String?
    try connection.run("SELECT name FROM deployment") { name = $0.text(0) }
    guard name == deployment else {
      throw SQLiteError(
        code: 0,
        description:
          "The journal '\(connection.path)' is that of the deployment '\(name ?? "")', and this program is of "
          + "\(deployment.map { "'\($0)'" } ?? "none"); nothing was changed. Use a file of its own, or "
          + "change 'name' in the table 'deployment'.")
    }
  }

  private static let tables = """
    CREATE TABLE shards (
      kind TEXT NOT NULL, shard INTEGER NOT NULL, worker TEXT, epoch INTEGER NOT NULL,
      renewed REAL NOT NULL, since REAL NOT NULL, downtime REAL NOT NULL,
      PRIMARY KEY (kind, shard)) WITHOUT ROWID, STRICT;
    CREATE TABLE turns (
      kind TEXT NOT NULL, store TEXT NOT NULL, number INTEGER NOT NULL, message TEXT,
      version INTEGER NOT NULL, body BLOB NOT NULL,
      PRIMARY KEY (kind, store, number)) WITHOUT ROWID, STRICT;
    CREATE UNIQUE INDEX turns_message ON turns (kind, store, message) WHERE message IS NOT NULL;
    CREATE TABLE snapshots (
      kind TEXT NOT NULL, store TEXT NOT NULL, number INTEGER NOT NULL,
      version INTEGER NOT NULL, body BLOB NOT NULL,
      PRIMARY KEY (kind, store)) WITHOUT ROWID, STRICT;
    CREATE TABLE wakes (
      kind TEXT NOT NULL, store TEXT NOT NULL, shard INTEGER NOT NULL, due REAL NOT NULL,
      PRIMARY KEY (kind, store)) WITHOUT ROWID, STRICT;
    CREATE INDEX wakes_due ON wakes (kind, shard, due);
    CREATE TABLE inbox (
      row INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, store TEXT NOT NULL,
      shard INTEGER NOT NULL, message TEXT NOT NULL, version INTEGER NOT NULL,
      action BLOB NOT NULL, UNIQUE (kind, store, message)) STRICT;
    """

  /// The table that version 2 has added.
  private static let failures = """
    CREATE TABLE failures (
      kind TEXT NOT NULL, store TEXT NOT NULL, shard INTEGER NOT NULL, epoch INTEGER NOT NULL,
      reason TEXT NOT NULL, PRIMARY KEY (kind, store)) WITHOUT ROWID, STRICT;
    PRAGMA user_version = 2;
    """

  /// Tables that a program without them does not need either, so the version stays the same.
  private static let additions = """
    CREATE TABLE IF NOT EXISTS deployment (name TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS crashes (
      kind TEXT NOT NULL, shard INTEGER NOT NULL, last REAL NOT NULL, careful REAL,
      PRIMARY KEY (kind, shard)) WITHOUT ROWID, STRICT;
    CREATE TABLE IF NOT EXISTS attempts (
      kind TEXT NOT NULL, store TEXT NOT NULL, key TEXT NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY (kind, store, key)) WITHOUT ROWID, STRICT;
    CREATE TABLE IF NOT EXISTS aside (
      kind TEXT NOT NULL, store TEXT NOT NULL, key TEXT NOT NULL, reason TEXT NOT NULL,
      data BLOB NOT NULL, PRIMARY KEY (kind, store, key)) WITHOUT ROWID, STRICT;
    CREATE TABLE IF NOT EXISTS answers (
      kind TEXT NOT NULL, store TEXT NOT NULL, message TEXT NOT NULL, number INTEGER NOT NULL,
      value BLOB, reason TEXT, asker TEXT,
      PRIMARY KEY (kind, store, message)) WITHOUT ROWID, STRICT;
    """

  private var now: Double { Date().timeIntervalSince1970 }

  /// The number of shards of a kind; `nil` before the first claim.
  private func shardCount(of kind: String) throws -> Int? {
    if let count = shardCounts[kind] { return count }
    var count = 0
    try connection.run("SELECT count(*) FROM shards WHERE kind = ?", [.text(kind)]) {
      count = Int($0.integer(0))
    }
    guard count > 0 else { return nil }
    shardCounts[kind] = count
    return count
  }

  // MARK: Leases

  public func claim(_ request: ClaimRequest) throws -> Claim {
    let (now, kind) = (now, SQLiteValue.text(request.kind))
    return try connection.transaction {
      var rows: [Int: (worker: String?, renewed: Double)] = [:]
      try connection.run("SELECT shard, worker, renewed FROM shards WHERE kind = ?", [kind]) {
        rows[Int($0.integer(0))] = ($0.isNull(1) ? nil : $0.text(1), $0.real(2))
      }
      if rows.isEmpty {
        for shard in 0..<request.shards {
          try connection.run(
            "INSERT INTO shards VALUES (?1, ?2, NULL, 0, ?3, ?3, 0)",
            [kind, .integer(Int64(shard)), .real(now)])
          rows[shard] = (nil, now)
        }
        // Messages that were there before.
        var stores: [StoreKey] = []
        try connection.run("SELECT DISTINCT store FROM inbox WHERE kind = ?", [kind]) {
          stores.append(StoreKey(kind: request.kind, name: $0.text(0)))
        }
        for store in stores {
          try connection.run(
            "UPDATE inbox SET shard = ? WHERE kind = ? AND store = ?",
            [.integer(Int64(store.shard(of: request.shards))), kind, .text(store.name)])
        }
      }
      guard rows.count == request.shards else {
        throw SQLiteError(
          code: 0,
          description:
            "The journal has \(rows.count) shards for '\(request.kind)', and this program has "
            + "\(request.shards); nothing was changed. Set 'shards' of its options to \(rows.count)."
        )
      }
      self.workers[request.kind, default: [:]][request.worker] =
        now + request.duration / .seconds(1)
      let owners = Set(rows.values.compactMap(\.worker))
      let workers = workers[request.kind, default: [:]].filter {
        $0.value > now || owners.contains($0.key) || $0.key == request.worker
      }
      self.workers[request.kind] = workers
      let alive = workers.filter { $0.value > now || $0.key == request.worker }
      let share = (request.shards + alive.count - 1) / alive.count
      var owned = rows.values.count { $0.worker == request.worker }
      for shard in 0..<request.shards where owned < share && !request.except.contains(shard) {
        let row = rows[shard]
        if let worker = row?.worker {
          guard alive[worker] == nil else { continue }
          // A worker that is not of this process has ended with its own.
          if workers[worker] == nil { try noteCrash(of: shard, request, now) }
        }
        try connection.run(
          """
          INSERT INTO shards (kind, shard, worker, epoch, renewed, since, downtime)
          VALUES (?1, ?2, ?3, 1, ?4, ?4, 0)
          ON CONFLICT DO UPDATE SET worker = ?3, epoch = epoch + 1, since = ?4,
            downtime = downtime + iif(epoch = 0, 0, max(0, ?4 - renewed)), renewed = ?4
          """, [kind, .integer(Int64(shard)), .text(request.worker), .real(now)])
        owned += 1
      }
      try connection.run(
        "UPDATE shards SET renewed = ? WHERE kind = ? AND worker = ?",
        [.real(now), kind, .text(request.worker)])
      var leases: [Lease] = []
      try connection.run(
        """
        SELECT s.shard, epoch, since, downtime, careful FROM shards AS s
        LEFT JOIN crashes AS c ON c.kind = s.kind AND c.shard = s.shard
        WHERE s.kind = ? AND worker = ? ORDER BY s.shard
        """, [kind, .text(request.worker)]
      ) {
        leases.append(
          Lease(
            shard: Int($0.integer(0)), epoch: $0.integer(1),
            since: Date(timeIntervalSince1970: $0.real(2)), downtime: $0.real(3),
            carefulUntil: $0.isNull(4) ? nil : Date(timeIntervalSince1970: $0.real(4))))
      }
      // One process has the file, so no other one has a newer version.
      return Claim(
        leases: leases, share: share, now: Date(timeIntervalSince1970: now),
        newestVersion: request.version)
    }
  }

  /// Notes that the owner of a shard has ended without giving it back.
  private func noteCrash(of shard: Int, _ request: ClaimRequest, _ now: Double) throws {
    let key: [SQLiteValue] = [.text(request.kind), .integer(Int64(shard))]
    var last: Date?
    try connection.run("SELECT last FROM crashes WHERE kind = ? AND shard = ?", key) {
      last = Date(timeIntervalSince1970: $0.real(0))
    }
    let careful = Lease.carefulEnd(
      lastCrash: last, now: Date(timeIntervalSince1970: now), lease: request.duration)
    try connection.run(
      """
      INSERT INTO crashes (kind, shard, last, careful) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET last = excluded.last, careful = coalesce(excluded.careful, careful)
      """, key + [.real(now), careful.map { .real($0.timeIntervalSince1970) } ?? .null])
  }

  public func release(_ leases: [Lease], of kind: String, worker: String) throws {
    let now = now
    try connection.transaction {
      for lease in leases where try holds(lease, kind) {
        try connection.run(
          "UPDATE shards SET worker = NULL, renewed = ? WHERE kind = ? AND shard = ?",
          [.real(now), .text(kind), .integer(Int64(lease.shard))])
      }
      var isOwner = false
      try connection.run(
        "SELECT 1 FROM shards WHERE kind = ? AND worker = ?", [.text(kind), .text(worker)]
      ) { _ in isOwner = true }
      if !isOwner { workers[kind]?[worker] = nil }
    }
  }

  // MARK: Inbox

  public func post(_ message: JournalMessage) throws -> Bool {
    let key = message.key
    // The first claim of the kind gives it the shard.
    let shard = key.store.shard(of: try shardCount(of: key.store.kind) ?? 1)
    try connection.run(
      """
      INSERT INTO inbox (kind, store, shard, message, version, action)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE NOT EXISTS (
        SELECT 1 FROM turns WHERE kind = ?1 AND store = ?2 AND message = ?4)
      ON CONFLICT DO NOTHING
      """,
      [
        .text(key.store.kind), .text(key.store.name), .integer(Int64(shard)),
        .text(key.id), .integer(Int64(message.version)), .blob(message.action),
      ])
    allHints.tell(JournalHint(kind: key.store.kind, shard: shard, event: .arrived))
    return try changes() > 0
  }

  public nonisolated func hints(of kind: String) -> AsyncStream<JournalHint?> {
    allHints.hints(of: kind)
  }

  public func arrivals(_ request: ArrivalsRequest) throws -> Arrivals {
    let now = now
    var messages: [JournalMessage] = []
    // In the order of rows, without an index, so that it ends at the limit.
    try connection.run(
      """
      SELECT row, store, message, version, action, EXISTS (
        SELECT 1 FROM turns AS t
        WHERE t.kind = i.kind AND t.store = i.store AND t.message = i.message)
      FROM inbox AS i NOT INDEXED
      WHERE kind = ? AND shard IN (SELECT value FROM json_each(?))
        AND store NOT IN (SELECT value FROM json_each(?))
        AND row NOT IN (SELECT value FROM json_each(?))
      ORDER BY row LIMIT ?
      """,
      [
        .text(request.kind), try .json(request.shards), try .json(request.except),
        try .json(request.taken), .integer(Int64(request.limit)),
      ]
    ) { row in
      messages.append(
        JournalMessage(
          key: MessageKey(store: StoreKey(kind: request.kind, name: row.text(1)), id: row.text(2)),
          action: row.blob(4), version: Int(row.integer(3)), row: row.integer(0),
          isHandled: row.integer(5) != 0))
    }
    var wakes: [StoreWake] = []
    let last = request.wakesAfter
    for shard in request.wakeLimit > 0 ? request.shards : [] {
      try connection.run(
        """
        SELECT store, due FROM wakes
        WHERE kind = ? AND shard = ? AND due <= ? AND (due, store) > (?, ?)
        ORDER BY due, store LIMIT ?
        """,
        [
          .text(request.kind), .integer(Int64(shard)), .real(now),
          .real(last?.due.timeIntervalSince1970 ?? -.greatestFiniteMagnitude),
          .text(last?.name ?? ""), .integer(Int64(request.wakeLimit)),
        ]
      ) {
        wakes.append(
          StoreWake(name: $0.text(0), due: Date(timeIntervalSince1970: $0.real(1))))
      }
    }
    return Arrivals(
      messages: messages, wakes: Array(wakes.sorted().prefix(request.wakeLimit)),
      now: request.wakeLimit > 0 ? Date(timeIntervalSince1970: now) : nil)
  }

  // MARK: Stores

  public func names(of kind: String, after: String, limit: Int) throws -> [String] {
    var names: [String] = []
    try connection.run(
      """
      SELECT store FROM snapshots WHERE kind = ?1 AND store > ?2
      UNION SELECT store FROM turns WHERE kind = ?1 AND store > ?2
      ORDER BY store LIMIT ?3
      """, [.text(kind), .text(after), .integer(Int64(limit))]
    ) { names.append($0.text(0)) }
    return names
  }

  public func load(_ stores: [StoreKey]) throws -> [StoreKey: StoredStore] {
    var all: [StoreKey: StoredStore] = [:]
    for store in stores { all[store] = try load(store) }
    return all
  }

  private func load(_ store: StoreKey) throws -> StoredStore? {
    let key: [SQLiteValue] = [.text(store.kind), .text(store.name)]
    var stored = StoredStore()
    try connection.run(
      "SELECT number, version, body FROM snapshots WHERE kind = ? AND store = ?", key
    ) {
      stored.snapshot = Snapshot(
        number: $0.integer(0), version: Int($0.integer(1)), body: $0.blob(2))
    }
    try connection.run(
      """
      SELECT number, message, version, body FROM turns
      WHERE kind = ? AND store = ? AND number > ? ORDER BY number
      """, key + [.integer(stored.snapshot?.number ?? 0)]
    ) {
      stored.turns.append(
        TurnRow(
          number: $0.integer(0), message: $0.isNull(1) ? nil : $0.text(1),
          version: Int($0.integer(2)), body: $0.blob(3)))
    }
    try connection.run("SELECT due FROM wakes WHERE kind = ? AND store = ?", key) {
      stored.wake = Date(timeIntervalSince1970: $0.real(0))
    }
    try connection.run("SELECT key FROM attempts WHERE kind = ? AND store = ?", key) {
      stored.attempts.insert($0.text(0))
    }
    let isEmpty = stored.snapshot == nil && stored.turns.isEmpty && stored.attempts.isEmpty
    return isEmpty ? nil : stored
  }

  public func handled(_ messages: [MessageKey]) throws -> Set<MessageKey> {
    try find(messages, in: "turns")
  }

  public func waiting(_ messages: [MessageKey]) throws -> Set<MessageKey> {
    try find(messages, in: "inbox")
  }

  /// The messages that a table has a row of.
  private func find(_ messages: [MessageKey], in table: StaticString) throws -> Set<MessageKey> {
    var found: Set<MessageKey> = []
    for message in messages {
      try connection.run(
        "SELECT 1 FROM \(table) WHERE kind = ? AND store = ? AND message = ?",
        [.text(message.store.kind), .text(message.store.name), .text(message.id)]
      ) { _ in found.insert(message) }
    }
    return found
  }

  public func fail(_ store: StoreKey, under lease: Lease, reason: String) throws {
    let key: [SQLiteValue] = [.text(store.kind), .text(store.name)]
    try connection.transaction {
      guard try holds(lease, store.kind) else { return }
      // The note of a retry.
      try connection.run("DELETE FROM failures WHERE kind = ? AND store = ? AND epoch = 0", key)
      guard try changes() == 0 else { return }
      try connection.run(
        "REPLACE INTO failures (kind, store, shard, epoch, reason) VALUES (?, ?, ?, ?, ?)",
        key + [.integer(Int64(lease.shard)), .integer(lease.epoch), .text(reason)])
    }
  }

  public func failures(of stores: [StoreKey]) throws -> [StoreKey: String] {
    var reasons: [StoreKey: String] = [:]
    for store in stores {
      try connection.run(
        """
        SELECT f.reason FROM failures AS f
        JOIN shards AS s ON s.kind = f.kind AND s.shard = f.shard AND s.epoch = f.epoch
        WHERE f.kind = ? AND f.store = ? AND s.worker IS NOT NULL
        """, [.text(store.kind), .text(store.name)]
      ) { reasons[store] = $0.text(0) }
    }
    return reasons
  }

  public func retry(_ store: StoreKey, discarding message: String?) throws -> Bool {
    let key: [SQLiteValue] = [.text(store.kind), .text(store.name)]
    return try connection.transaction {
      // No owner has the epoch 0, so this is no failure, but the note for the next one.
      try connection.run(
        "REPLACE INTO failures (kind, store, shard, epoch, reason) VALUES (?, ?, 0, 0, '')", key)
      try connection.run("UPDATE attempts SET count = count - 1 WHERE kind = ? AND store = ?", key)
      guard let message else { return false }
      try connection.run(
        "UPDATE inbox SET action = ? WHERE kind = ? AND store = ? AND message = ?",
        [.blob(JournalMessage.discarded)] + key + [.text(message)])
      return try changes() > 0
    }
  }

  public func begin(_ attempt: Attempt, under lease: Lease, limit: Int) throws -> Int? {
    let key = values(attempt)
    return try connection.transaction {
      guard try holds(lease, attempt.store.kind) else { return nil }
      var before: Int64 = 0
      try connection.run(
        "SELECT count FROM attempts WHERE kind = ? AND store = ? AND key = ?", key
      ) { before = $0.integer(0) }
      if before < limit {
        try connection.run(
          """
          INSERT INTO attempts (kind, store, key, count) VALUES (?, ?, ?, 1)
          ON CONFLICT DO UPDATE SET count = count + 1
          """, key)
      }
      return Int(before)
    }
  }

  public func end(_ attempt: Attempt, under lease: Lease) throws {
    guard try holds(lease, attempt.store.kind) else { return }
    try connection.run(
      "DELETE FROM attempts WHERE kind = ? AND store = ? AND key = ?", values(attempt))
  }

  public func setAside(_ entry: SetAside, under lease: Lease) throws {
    guard try holds(lease, entry.attempt.store.kind) else { return }
    try connection.run(
      "REPLACE INTO aside (kind, store, key, reason, data) VALUES (?, ?, ?, ?, ?)",
      values(entry.attempt) + [.text(entry.reason), .blob(entry.data)])
  }

  public func setAside(of kind: String) throws -> [SetAside] {
    var entries: [SetAside] = []
    try connection.run(
      "SELECT store, key, reason, data FROM aside WHERE kind = ? ORDER BY store, key",
      [.text(kind)]
    ) {
      entries.append(
        SetAside(
          Attempt(store: StoreKey(kind: kind, name: $0.text(0)), key: $0.text(1)),
          reason: $0.text(2), data: $0.blob(3)))
    }
    return entries
  }

  private func values(_ attempt: Attempt) -> [SQLiteValue] {
    [.text(attempt.store.kind), .text(attempt.store.name), .text(attempt.key)]
  }

  public func kinds() throws -> [String] {
    var kinds: [String] = []
    try connection.run("SELECT kind FROM shards UNION SELECT kind FROM inbox ORDER BY kind") {
      kinds.append($0.text(0))
    }
    return kinds
  }

  public func turns(of store: StoreKey, after number: Int64, limit: Int) throws -> [TurnRow] {
    var rows: [TurnRow] = []
    try connection.run(
      """
      SELECT number, message, version, body FROM turns
      WHERE kind = ? AND store = ? AND number > ? ORDER BY number LIMIT ?
      """, [.text(store.kind), .text(store.name), .integer(number), .integer(Int64(limit))]
    ) {
      rows.append(
        TurnRow(
          number: $0.integer(0), message: $0.isNull(1) ? nil : $0.text(1),
          version: Int($0.integer(2)), body: $0.blob(3)))
    }
    return rows
  }

  public func inbox(of store: StoreKey, limit: Int) throws -> [JournalMessage] {
    var messages: [JournalMessage] = []
    try connection.run(
      """
      SELECT row, message, version, action FROM inbox
      WHERE kind = ? AND store = ? ORDER BY row LIMIT ?
      """, [.text(store.kind), .text(store.name), .integer(Int64(limit))]
    ) {
      messages.append(
        JournalMessage(
          key: MessageKey(store: store, id: $0.text(1)), action: $0.blob(3),
          version: Int($0.integer(2)), row: $0.integer(0)))
    }
    return messages
  }

  public func figures(of kind: String) throws -> JournalFigures {
    let now = now
    var figures = JournalFigures(inbox: 0, due: 0, setAside: 0, shards: [], failures: [:])
    try connection.run(
      """
      SELECT (SELECT count(*) FROM inbox WHERE kind = ?1),
        (SELECT count(*) FROM wakes WHERE kind = ?1 AND due <= ?2),
        (SELECT count(*) FROM aside WHERE kind = ?1)
      """, [.text(kind), .real(now)]
    ) {
      figures.inbox = Int($0.integer(0))
      figures.due = Int($0.integer(1))
      figures.setAside = Int($0.integer(2))
    }
    try connection.run(
      "SELECT shard, worker, epoch, renewed FROM shards WHERE kind = ? ORDER BY shard",
      [.text(kind)]
    ) {
      figures.shards.append(
        JournalFigures.Shard(
          number: Int($0.integer(0)), worker: $0.isNull(1) ? nil : $0.text(1),
          epoch: $0.integer(2), age: max(0, now - $0.real(3))))
    }
    try connection.run(
      """
      SELECT f.store, f.reason FROM failures AS f
      JOIN shards AS s ON s.kind = f.kind AND s.shard = f.shard AND s.epoch = f.epoch
      WHERE f.kind = ? AND s.worker IS NOT NULL
      """, [.text(kind)]
    ) { figures.failures[StoreKey(kind: kind, name: $0.text(0))] = $0.text(1) }
    return figures
  }

  public func takeAnswers(_ asks: [AskKey]) throws -> [AskKey: JournalAnswer.Content] {
    guard !asks.isEmpty else { return [:] }
    var answers: [AskKey: JournalAnswer.Content] = [:]
    for ask in asks {
      try connection.run(
        "SELECT value, reason, asker FROM answers WHERE kind = ? AND store = ? AND message = ?",
        values(ask.message)
      ) { row in
        let isFree = row.isNull(2) || row.text(2) == ask.asker
        answers[ask] =
          !isFree ? .given : row.isNull(0) ? .refusal(row.text(1)) : .value(row.blob(0))
      }
    }
    let taken = answers.filter { $0.value != .given }.keys
    guard !taken.isEmpty else { return answers }
    try connection.transaction {
      for ask in taken {
        try connection.run(
          "UPDATE answers SET asker = ?4 WHERE kind = ?1 AND store = ?2 AND message = ?3",
          values(ask.message) + [.text(ask.asker)])
      }
    }
    return answers
  }

  public func lastTurns(of stores: [StoreKey]) throws -> [StoreKey: Int64] {
    var numbers: [StoreKey: Int64] = [:]
    for store in stores {
      try connection.run(
        """
        SELECT max(number) FROM (
          SELECT max(number) AS number FROM turns WHERE kind = ?1 AND store = ?2
          UNION ALL SELECT number FROM snapshots WHERE kind = ?1 AND store = ?2)
        """, [.text(store.kind), .text(store.name)]
      ) { if !$0.isNull(0) { numbers[store] = $0.integer(0) } }
    }
    return numbers
  }

  private func values(_ message: MessageKey) -> [SQLiteValue] {
    [.text(message.store.kind), .text(message.store.name), .text(message.id)]
  }

  public func commit(_ turns: [Turn]) throws -> CommitConflicts {
    do {
      let conflicts = try connection.transaction {
        let (held, conflicts) = try check(turns)
        for turn in held where !conflicts.stores.contains(turn.store) { try write(turn) }
        return conflicts
      }
      for turn in turns where turn.inboxRow != nil || !turn.answers.isEmpty {
        allHints.tell(
          JournalHint(kind: turn.store.kind, shard: turn.lease.shard, event: .handled))
      }
      return conflicts
    } catch let error as SQLiteError where error.isRefusal {
      throw JournalRefusal(error.description)
    }
  }

  /// Finds the turns whose leases are held, and the conflicts.
  private func check(_ turns: [Turn]) throws -> (held: [Turn], conflicts: CommitConflicts) {
    var isHeld: [Lease: Bool] = [:]
    var conflicts = CommitConflicts()
    let held = try turns.filter { turn in
      if isHeld[turn.lease] == nil { isHeld[turn.lease] = try holds(turn.lease, turn.store.kind) }
      guard isHeld[turn.lease] == true else {
        conflicts.shards.insert(turn.lease.shard)
        return false
      }
      if turn.row != nil, let row = turn.inboxRow, try !waits(row) {
        conflicts.stores.insert(turn.store)
      }
      return true
    }
    return (held, conflicts)
  }

  /// Whether the inbox has a row.
  private func waits(_ row: Int64) throws -> Bool {
    var waits = false
    try connection.run("SELECT 1 FROM inbox WHERE row = ?", [.integer(row)]) { _ in waits = true }
    return waits
  }

  /// The number of rows that the last statement has changed.
  private func changes() throws -> Int64 {
    var changes: Int64 = 0
    try connection.run("SELECT changes()") { changes = $0.integer(0) }
    return changes
  }

  private func holds(_ lease: Lease, _ kind: String) throws -> Bool {
    var holds = false
    try connection.run(
      "SELECT 1 FROM shards WHERE kind = ? AND shard = ? AND epoch = ? AND worker IS NOT NULL",
      [.text(kind), .integer(Int64(lease.shard)), .integer(lease.epoch)]
    ) { _ in holds = true }
    return holds
  }

  private func write(_ turn: Turn) throws {
    let key: [SQLiteValue] = [.text(turn.store.kind), .text(turn.store.name)]
    if let row = turn.row {
      try connection.run(
        "INSERT INTO turns (kind, store, number, message, version, body) VALUES (?, ?, ?, ?, ?, ?)",
        key + [
          .integer(row.number), row.message.map { .text($0) } ?? .null,
          .integer(Int64(row.version)), .blob(row.body),
        ])
    }
    for answer in turn.answers {
      let (value, reason): (SQLiteValue, SQLiteValue) =
        switch answer.content {
        case .value(let data): (.blob(data), .null)
        case .refusal(let reason): (.null, .text(reason))
        case .given: (.null, .null)
        }
      try connection.run(
        """
        INSERT INTO answers (kind, store, message, number, value, reason) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT DO NOTHING
        """, key + [.text(answer.message), .integer(turn.row?.number ?? 0), value, reason])
    }
    if let snapshot = turn.snapshot {
      try connection.run(
        "REPLACE INTO snapshots (kind, store, number, version, body) VALUES (?, ?, ?, ?, ?)",
        key + [
          .integer(snapshot.number), .integer(Int64(snapshot.version)), .blob(snapshot.body),
        ])
    }
    if let last = turn.deletedThrough {
      try connection.run(
        "DELETE FROM turns WHERE kind = ? AND store = ? AND number <= ?", key + [.integer(last)])
      try connection.run(
        "DELETE FROM answers WHERE kind = ? AND store = ? AND number <= ?", key + [.integer(last)])
    }
    if let last = turn.emptiedThrough {
      let through = key + [SQLiteValue.integer(last)]
      try connection.run(
        "DELETE FROM turns WHERE kind = ? AND store = ? AND number <= ? AND message IS NULL",
        through)
      try connection.run(
        """
        UPDATE turns SET body = x'' WHERE kind = ? AND store = ? AND number <= ? AND body <> x''
        """, through)
      try connection.run(
        """
        UPDATE answers SET value = NULL, reason = NULL, asker = ''
        WHERE kind = ? AND store = ? AND number <= ?
        """, through)
    }
    switch turn.wake {
    case .unchanged: break
    case .never: try connection.run("DELETE FROM wakes WHERE kind = ? AND store = ?", key)
    case .at(let date):
      try connection.run(
        "REPLACE INTO wakes (kind, store, shard, due) VALUES (?, ?, ?, ?)",
        key + [.integer(Int64(turn.lease.shard)), .real(date.timeIntervalSince1970)])
    }
    if let row = turn.inboxRow {
      try connection.run("DELETE FROM inbox WHERE row = ?", [.integer(row)])
    }
  }

  // MARK: For tests

  /// Runs statements of one's own: for tests of damaged rows.
  package func execute(_ sql: String) throws {
    try connection.execute(sql)
  }

  // MARK: For benchmarks

  /// Writes rows such as those of turns, each in a transaction of its own, one after the other on the
  /// thread of the connection: the floor of what a turn can cost.
  ///
  /// - Parameters:
  ///   - bytes: The body of each row.
  ///   - duration: How long.
  /// - Returns: The number of rows.
  public func insertPlainRows(_ bytes: Data, for duration: Duration) throws -> Int {
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS plain (
        kind TEXT NOT NULL, store TEXT NOT NULL, number INTEGER NOT NULL, message TEXT,
        version INTEGER NOT NULL, body BLOB NOT NULL,
        PRIMARY KEY (kind, store, number)) WITHOUT ROWID, STRICT;
      CREATE UNIQUE INDEX IF NOT EXISTS plain_message ON plain (kind, store, message)
        WHERE message IS NOT NULL;
      """)
    let store = SQLiteValue.text(UUID().uuidString)
    let end = ContinuousClock().now + duration
    var count = 0
    while ContinuousClock().now < end {
      try connection.run(
        "INSERT INTO plain VALUES ('plain', ?, ?, ?, 1, ?)",
        [store, .integer(Int64(count)), .text(UUID().uuidString), .blob(bytes)])
      count += 1
    }
    return count
  }
}
