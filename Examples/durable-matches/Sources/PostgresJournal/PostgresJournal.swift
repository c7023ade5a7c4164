// A journal in PostgreSQL, for many processes.

import Foundation
import RondoDurable
import Synchronization

/// A journal in a PostgreSQL database, version 13 or later.
///
/// It has up to nine connections: one writes turns, one claims leases, one looks at the inbox, one waits for
/// notifications, one sends them, and up to four do everything else, so that a store that takes long to load keeps
/// nothing else waiting. Each connects when it is needed, and again after it was lost. Leases go by the database's
/// clock.
public final class PostgresJournal: OperableJournal {
  private let writer: PostgresConnection
  private let claimer: PostgresConnection
  private let pool: PostgresPool
  private let poller: PostgresConnection
  private let listener: PostgresConnection
  private let teller: HintTeller
  private let allHints = JournalHints()
  /// The messages that wait to be posted, and the number of tasks that post some.
  private let posts = Mutex((waiting: [Post](), senders: 0))
  /// The numbers of shards that are known, by kinds. They never change.
  private let shardCounts = Mutex<[String: Int]>([:])
  /// The time that a transaction may stand still: half of the shortest lease, at most the timeout.
  private let limit: Mutex<Duration>

  /// The version of the tables.
  private static let version: Int64 = 2
  private static let channel = "rondo_durable"

  /// Connects to a database, and makes the tables where there are none.
  ///
  /// - Parameters:
  ///   - connection: A connection string or address of libpq. It is never printed.
  ///   - deployment: The name of the deployment that the program is a part of, such as `production`. The first
  ///     one that is said is kept in the database, and no program with another one, or with none, begins to use it
  ///     after that.
  ///   - timeout: The time after which a network that does not answer, and a lock, are given up. The words
  ///     `tcp_user_timeout` and `connect_timeout` in the string come before it. Transactions never wait
  ///     longer than half a lease.
  /// - Throws: A ``PostgresError``. Tables of a later version, or of another deployment, are not touched.
  public convenience init(
    _ connection: String, deployment: String? = nil, timeout: Duration = .seconds(5)
  ) async throws {
    try await self.init(connection, timeout) { try PostgresJournal.compare($0, deployment) }
  }

  /// Connects to a database of whatever deployment, for tools.
  package convenience init(ofAnyDeployment connection: String) async throws {
    try await self.init(connection, .seconds(5)) { _ in }
  }

  private init(
    _ connection: String, _ timeout: Duration,
    check: @Sendable (isolated PostgresConnection) throws -> Void
  ) async throws {
    let target = ConnectionTarget(string: connection, timeout: timeout)
    limit = Mutex(timeout)
    writer = PostgresConnection(target, name: "turns")
    claimer = PostgresConnection(target, name: "leases")
    pool = PostgresPool(target, size: 4)
    poller = PostgresConnection(target, name: "inbox")
    listener = PostgresConnection(target, name: "notifications")
    teller = HintTeller(
      PostgresConnection(target, name: "hints", flushes: false), channel: PostgresJournal.channel)
    let end = ContinuousClock().now + timeout
    // Others that begin at the same time are waited for here: a thread that waits in the database is one less.
    while try await !claimer.transaction(
      limit: timeout,
      { connection in
        guard try PostgresJournal.makeTables(connection) else { return false }
        try check(connection)
        return true
      })
    {
      guard ContinuousClock().now < end else {
        throw PostgresError(
          state: "55P03",
          description: "Another process makes the journal's tables; nothing was changed. Try again."
        )
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Makes the tables where there are none, and adds to those of an earlier version. Returns `false` where another
  /// process does that now.
  private static func makeTables(_ connection: isolated PostgresConnection) throws -> Bool {
    func isThere(_ table: StaticString) throws -> Bool {
      try connection.execute("SELECT to_regclass('\(table)')::text", [])[0][0] != nil
    }
    func checkVersion() throws {
      let version = try connection.execute("SELECT version FROM rondo_version", [])
      guard version.first?.first.flatMap({ $0 }) == "\(PostgresJournal.version)" else {
        throw PostgresError(
          state: "",
          description:
            "The journal's tables have version \(version.first?.first.flatMap { $0 } ?? "?"), "
            + "and this program knows version \(PostgresJournal.version); nothing was changed. Use the "
            + "program that has made them.")
      }
    }
    if try isThere("rondo_deployment") {
      try checkVersion()
      return true
    }
    let lock = try connection.execute("SELECT pg_try_advisory_xact_lock(7160115)", [])
    guard lock[0][0] == "t" else { return false }
    if try !isThere("rondo_version") {
      for statement in tables { try connection.execute(statement, []) }
    }
    // A row that was there with version 1 is brought forward.
    let isOld = try connection.execute(
      "UPDATE rondo_version SET version = 2 WHERE version = 1 RETURNING version", [])
    if !isOld.isEmpty { try connection.execute(failures, []) }
    try checkVersion()
    if try !isThere("rondo_aside") {
      for statement in additions { try connection.execute(statement, []) }
    }
    if try !isThere("rondo_answers") {
      try connection.execute(answers, [])
      // In the order in which stores are woken.
      try connection.execute("DROP INDEX IF EXISTS rondo_wakes_due", [])
      try connection.execute(
        "CREATE INDEX rondo_wakes_fair ON rondo_wakes (kind, shard, due, store)", [])
    }
    // Another process may have made all tables before the lock was free.
    if try !isThere("rondo_deployment") { try connection.execute(deployment, []) }
    return true
  }

  /// Notes the deployment of the database where none is noted, and compares it.
  private static func compare(
    _ connection: isolated PostgresConnection, _ deployment: String?
  ) throws {
    func name() throws -> String? {
      try connection.execute("SELECT name FROM rondo_deployment", []).first?[0]
    }
    if let deployment, try name() == nil {
      // Of two that begin at the same time, the second waits for the first, and finds its name.
      try connection.execute(
        "INSERT INTO rondo_deployment (name) VALUES ($1) ON CONFLICT DO NOTHING",
        [.text(deployment)])
    }
    let name = try name()
    guard name == deployment else {
      throw PostgresError(
        state: "",
        description:
          "The database is that of the deployment '\(name ?? "")', and this program is of "
          + "\(deployment.map { "'\($0)'" } ?? "none"); nothing was changed. Use a database of its own, or "
          + "change 'name' in the table 'rondo_deployment'.")
    }
  }

  /// Columns and tables that a program without them does not need either, so the version stays the same.
  private static let additions = [
    "ALTER TABLE rondo_workers ADD COLUMN version int NOT NULL DEFAULT 0",
    "ALTER TABLE rondo_shards ADD COLUMN version int NOT NULL DEFAULT 0",
    """
    CREATE TABLE rondo_crashes (
      kind text, shard int, last timestamptz NOT NULL, careful timestamptz,
      PRIMARY KEY (kind, shard))
    """,
    """
    CREATE TABLE rondo_attempts (
      kind text, store text, key text, count int NOT NULL, PRIMARY KEY (kind, store, key))
    """,
    """
    CREATE TABLE rondo_aside (
      kind text, store text, key text, reason text NOT NULL, data bytea NOT NULL,
      PRIMARY KEY (kind, store, key))
    """,
  ]

  /// A table of one row, which a program without it does not need either.
  private static let deployment = """
    CREATE TABLE rondo_deployment (id int PRIMARY KEY DEFAULT 1 CHECK (id = 1), name text NOT NULL)
    """

  /// A table that a program without it does not need either.
  private static let answers = """
    CREATE TABLE rondo_answers (
      kind text, store text, message text, number bigint NOT NULL, value bytea, reason text,
      asker text, PRIMARY KEY (kind, store, message))
    """

  /// The table that version 2 has added.
  private static let failures = """
    CREATE TABLE rondo_failures (
      kind text, store text, shard int NOT NULL, epoch bigint NOT NULL, reason text NOT NULL,
      PRIMARY KEY (kind, store))
    """

  private static let tables = [
    "CREATE TABLE rondo_version (version bigint NOT NULL)",
    "INSERT INTO rondo_version VALUES (\(version))", failures,
    """
    CREATE TABLE rondo_workers (
      kind text, worker text, expires timestamptz NOT NULL, PRIMARY KEY (kind, worker))
    """,
    """
    CREATE TABLE rondo_shards (
      kind text, shard int, worker text, epoch bigint NOT NULL, expires timestamptz NOT NULL,
      renewed timestamptz NOT NULL, since timestamptz NOT NULL, downtime float8 NOT NULL,
      PRIMARY KEY (kind, shard)) WITH (fillfactor = 50)
    """,
    """
    CREATE TABLE rondo_turns (
      kind text, store text, number bigint, message text, version int NOT NULL, body bytea NOT NULL,
      PRIMARY KEY (kind, store, number))
    """,
    """
    CREATE UNIQUE INDEX rondo_turns_message ON rondo_turns (kind, store, message)
      WHERE message IS NOT NULL
    """,
    """
    CREATE TABLE rondo_snapshots (
      kind text, store text, number bigint NOT NULL, version int NOT NULL, body bytea NOT NULL,
      PRIMARY KEY (kind, store))
    """,
    """
    CREATE TABLE rondo_wakes (
      kind text, store text, shard int NOT NULL, due timestamptz NOT NULL,
      PRIMARY KEY (kind, store))
    """,
    "CREATE INDEX rondo_wakes_due ON rondo_wakes (kind, shard, due)",
    """
    CREATE TABLE rondo_inbox (
      row bigserial PRIMARY KEY, kind text NOT NULL, store text NOT NULL, shard int NOT NULL,
      message text NOT NULL, version int NOT NULL, action bytea NOT NULL,
      UNIQUE (kind, store, message))
    """,
    "CREATE INDEX rondo_inbox_shard ON rondo_inbox (kind, shard, row)",
  ]

  // MARK: Leases

  public nonisolated(nonsending) func claim(_ request: ClaimRequest) async throws -> Claim {
    let half = request.duration / 2
    let limit = limit.withLock { limit in
      limit = min(limit, half)
      return limit
    }
    return try await claimer.transaction(limit: limit) { connection in
      let (kind, worker) = (PostgresValue.text(request.kind), PostgresValue.text(request.worker))
      let seconds = PostgresValue.real(request.duration / .seconds(1))
      let version = PostgresValue.integer(Int64(request.version))
      // One claim of a kind at a time: shares are counted.
      try connection.lock(kind)
      try connection.execute(
        """
        INSERT INTO rondo_workers (kind, worker, expires, version)
        VALUES ($1, $2, clock_timestamp() + $3::float8 * interval '1 s', $4::int)
        ON CONFLICT (kind, worker) DO UPDATE SET expires = excluded.expires
        """, [kind, worker, seconds, version])
      try connection.execute(
        "DELETE FROM rondo_workers WHERE kind = $1 AND expires <= clock_timestamp()", [kind])
      let known = try connection.execute(
        "SELECT count(*) FROM rondo_shards WHERE kind = $1", [kind])[0].integer(0)
      guard known == 0 || known == Int64(request.shards) else {
        throw PostgresError(
          state: "",
          description:
            "The journal has \(known) shards for '\(request.kind)', and this program has "
            + "\(request.shards); nothing was changed. Set 'shards' of its options to \(known).")
      }
      try connection.execute(
        """
        INSERT INTO rondo_shards (kind, shard, worker, epoch, expires, renewed, since, downtime)
        SELECT $1, shard, NULL, 0, now(), now(), now(), 0
        FROM generate_series(0, $2::int - 1) AS shard ON CONFLICT DO NOTHING
        """, [kind, .integer(Int64(request.shards))])
      if known == 0 {
        // Messages that were there before.
        let stores = try connection.execute(
          "SELECT DISTINCT store FROM rondo_inbox WHERE kind = $1", [kind]
        ).map { StoreKey(kind: request.kind, name: $0[0] ?? "") }
        try connection.execute(
          """
          UPDATE rondo_inbox AS i SET shard = t.shard
          FROM unnest($2::text[], $3::int[]) AS t (store, shard)
          WHERE i.kind = $1 AND i.store = t.store
          """,
          [
            kind, .texts(stores.map(\.name)),
            .integers(stores.map { Int64($0.shard(of: request.shards)) }),
          ])
      }
      try connection.lock(kind, "worker = $2", worker)
      try connection.execute(
        """
        UPDATE rondo_shards SET expires = clock_timestamp() + $3::float8 * interval '1 s',
          renewed = clock_timestamp(), version = greatest(version, $4::int)
        WHERE kind = $1 AND worker = $2
        """, [kind, worker, seconds, version])
      let counts = try connection.execute(
        """
        SELECT count(*) FILTER (WHERE version >= $3::int), max(version),
          (SELECT count(*) FROM rondo_shards WHERE kind = $1 AND worker = $2)
        FROM rondo_workers WHERE kind = $1
        """, [kind, worker, version])
      let (peers, newest, owned) = (
        Int(counts[0].integer(0)), counts[0].integer(1), Int(counts[0].integer(2))
      )
      let share = (request.shards + peers - 1) / max(peers, 1)
      if owned < share {
        try connection.execute(
          """
          WITH taken AS (UPDATE rondo_shards AS s SET worker = $2, epoch = epoch + 1,
            expires = clock_timestamp() + $3::float8 * interval '1 s',
            downtime = downtime + CASE WHEN epoch = 0 THEN 0
              ELSE greatest(0, extract(epoch FROM clock_timestamp() - renewed)) END,
            renewed = clock_timestamp(), since = clock_timestamp(),
            version = greatest(s.version, $6::int)
          FROM (
            SELECT shard, worker IS NOT NULL AS crashed FROM rondo_shards
            WHERE kind = $1 AND shard < $5::int AND (worker IS NULL OR expires <= clock_timestamp())
              AND worker IS DISTINCT FROM $2 AND shard <> ALL ($8::int[])
              AND (version <= $6::int OR version > $7::int)
            ORDER BY shard LIMIT $4::int FOR UPDATE SKIP LOCKED) AS free
          WHERE s.kind = $1 AND s.shard = free.shard RETURNING s.shard, free.crashed)
          INSERT INTO rondo_crashes AS c (kind, shard, last)
          SELECT $1, shard, clock_timestamp() FROM taken WHERE crashed
          ON CONFLICT (kind, shard) DO UPDATE SET last = excluded.last,
            careful = CASE WHEN excluded.last - c.last < interval '300 s'
              THEN excluded.last + least(interval '600 s',
                greatest(3 * $3::float8 * interval '1 s', 2 * (excluded.last - c.last)))
              ELSE c.careful END
          """,
          [
            kind, worker, seconds, .integer(Int64(share - owned)),
            .integer(Int64(request.shards)), version, .integer(newest),
            .integers(request.except.map(Int64.init)),
          ])
      }
      let rows = try connection.execute(
        """
        SELECT s.shard, epoch, extract(epoch FROM since)::float8, downtime,
          extract(epoch FROM careful)::float8, version
        FROM rondo_shards AS s LEFT JOIN rondo_crashes AS c ON c.kind = s.kind AND c.shard = s.shard
        WHERE s.kind = $1 AND worker = $2 ORDER BY s.shard
        """, [kind, worker])
      let now = try connection.execute("SELECT extract(epoch FROM clock_timestamp())::float8", [])
      return Claim(
        leases: rows.map {
          Lease(
            shard: Int($0.integer(0)), epoch: $0.integer(1), since: $0.date(2),
            downtime: Double($0[3] ?? "") ?? 0, carefulUntil: $0[4] == nil ? nil : $0.date(4))
        },
        share: share, now: now[0].date(0), newestVersion: Int(newest),
        foreign: Set(
          rows.filter { $0.integer(5) > request.version && $0.integer(5) <= newest }
            .map { Int($0.integer(0)) }))
    }
  }

  public nonisolated(nonsending) func release(
    _ leases: [Lease], of kind: String, worker: String
  ) async throws {
    let released: [PostgresValue] = [
      .text(kind), .integers(leases.map { Int64($0.shard) }), .integers(leases.map(\.epoch)),
    ]
    try await claimer.transaction(limit: limit.withLock { $0 }) { connection in
      // No claim of the kind comes between.
      try connection.lock(.text(kind))
      try connection.lock(.text(kind), "shard = ANY ($2::int[])", released[1])
      try connection.execute(
        """
        UPDATE rondo_shards AS s SET worker = NULL, renewed = clock_timestamp()
        FROM unnest($2::int[], $3::bigint[]) AS l (shard, epoch)
        WHERE s.kind = $1 AND s.shard = l.shard AND s.epoch = l.epoch AND s.worker IS NOT NULL
        """, released)
      try connection.execute(
        """
        DELETE FROM rondo_workers WHERE kind = $1 AND worker = $2 AND NOT EXISTS (
          SELECT FROM rondo_shards WHERE kind = $1 AND worker = $2)
        """, [.text(kind), .text(worker)])
    }
  }

  // MARK: Inbox

  public nonisolated(nonsending) func post(_ message: JournalMessage) async throws -> Bool {
    try await withCheckedThrowingContinuation { sender in
      let begins = posts.withLock { posts in
        posts.waiting.append(Post(message: message, sender: sender))
        // While two transactions are on their way, messages wait for the next one, which takes all of them.
        guard posts.senders < 2 else { return false }
        posts.senders += 1
        return true
      }
      if begins { Task.detached { await self.postAll() } }
    }
  }

  /// A message to post, and who waits for that.
  private struct Post: Sendable {
    var message: JournalMessage
    var sender: CheckedContinuation<Bool, any Error>
  }

  /// Posts messages until none waits.
  private func postAll() async {
    while true {
      let batch = posts.withLock { posts in
        let batch = Array(posts.waiting.prefix(256))
        posts.waiting.removeFirst(batch.count)
        if batch.isEmpty { posts.senders -= 1 }
        return batch
      }
      if batch.isEmpty { return }
      await post(batch)
    }
  }

  /// Posts messages in one transaction, or in several where the database refuses one of them.
  private func post(_ batch: [Post]) async {
    do {
      let stores = Set(batch.map(\.message.key.store))
      var (new, counts) = try await insert(batch.map(\.message))
      for hint in Set(
        stores.map {
          JournalHint(kind: $0.kind, shard: $0.shard(of: counts[$0.kind] ?? 1), event: .arrived)
        })
      {
        teller.tell(hint)
      }
      // Of two with the same id, the first is new.
      for post in batch { post.sender.resume(returning: new.remove(post.message.key) != nil) }
    } catch let error as PostgresError where error.isRefusal && batch.count > 1 {
      let half = batch.count / 2
      await post(Array(batch[..<half]))
      await post(Array(batch[half...]))
    } catch {
      for post in batch { post.sender.resume(throwing: error) }
    }
  }

  /// Puts messages into the inbox. Returns those that are new, and the numbers of shards of their kinds.
  private func insert(
    _ messages: [JournalMessage]
  ) async throws -> (new: Set<MessageKey>, counts: [String: Int]) {
    var counts = shardCounts.withLock { $0 }
    let unknown = Set(messages.map(\.key.store.kind)).filter { counts[$0] == nil }.sorted()
    let rows: [[String?]]
    if unknown.isEmpty {
      rows = try await pool.run(Self.insertion, Self.values(of: messages, counts))
    } else {
      (rows, counts) = try await pool.transaction(limit: limit.withLock { $0 }) {
        [counts] connection in
        // The first claim of a kind, which gives messages their shards, comes before this or behind it.
        for kind in unknown { try connection.lock(.text(kind)) }
        let known = try connection.execute(
          "SELECT kind, count(*) FROM rondo_shards WHERE kind = ANY($1::text[]) GROUP BY kind",
          [.texts(unknown)])
        let all = counts.merging(known.map { ($0[0] ?? "", Int($0.integer(1))) }) { $1 }
        return (try connection.execute(Self.insertion, Self.values(of: messages, all)), all)
      }
      shardCounts.withLock { [counts] known in known.merge(counts) { $1 } }
    }
    let new = rows.map {
      MessageKey(store: StoreKey(kind: $0[0] ?? "", name: $0[1] ?? ""), id: $0[2] ?? "")
    }
    return (Set(new), counts)
  }

  private static let insertion = """
    WITH given AS (
      SELECT * FROM unnest(
        $1::text[], $2::text[], $3::int[], $4::text[], $5::int[], $6::bytea[])
      WITH ORDINALITY AS g (kind, store, shard, message, version, action, place))
    INSERT INTO rondo_inbox (kind, store, shard, message, version, action)
    SELECT g.kind, g.store, g.shard, g.message, g.version, g.action FROM given AS g
    WHERE NOT EXISTS (
      SELECT 1 FROM rondo_turns AS t
      WHERE t.kind = g.kind AND t.store = g.store AND t.message = g.message)
    ORDER BY g.place
    ON CONFLICT DO NOTHING RETURNING kind, store, message
    """

  private static func values(
    of messages: [JournalMessage], _ counts: [String: Int]
  ) -> [PostgresValue] {
    let stores = messages.map(\.key.store)
    return [
      .texts(stores.map(\.kind)), .texts(stores.map(\.name)),
      .integers(stores.map { Int64($0.shard(of: counts[$0.kind] ?? 1)) }),
      .texts(messages.map(\.key.id)), .integers(messages.map { Int64($0.version) }),
      .byteArrays(messages.map(\.action)),
    ]
  }

  public nonisolated(nonsending) func arrivals(
    _ request: ArrivalsRequest
  ) async throws -> Arrivals {
    let shards = PostgresValue.integers(request.shards.map(Int64.init))
    let limit = PostgresValue.integer(Int64(request.limit))
    // Nothing is locked. A worker that takes a shard over waits for the last transaction of the worker before
    // it, so it sees no row that the other one is about to remove.
    let messages =
      request.limit == 0
      ? []
      : try await poller.run(
        """
        SELECT row, store, message, version, action, EXISTS (
          SELECT 1 FROM rondo_turns AS t
          WHERE t.kind = i.kind AND t.store = i.store AND t.message = i.message)
        FROM rondo_inbox AS i
        WHERE kind = $1 AND shard = ANY ($2::int[]) AND store <> ALL ($3::text[])
          AND row <> ALL ($5::bigint[])
        ORDER BY row LIMIT $4::int
        """,
        [.text(request.kind), shards, .texts(request.except), limit, .integers(request.taken)])
    let wakeLimit = PostgresValue.integer(Int64(request.wakeLimit))
    let wakes =
      request.wakeLimit == 0
      ? []
      : try await poller.run(
        """
        (SELECT w.store, extract(epoch FROM w.due)::float8,
          extract(epoch FROM clock_timestamp())::float8
        FROM unnest($2::int[]) AS s (shard) CROSS JOIN LATERAL (
          SELECT store, due FROM rondo_wakes
          WHERE kind = $1 AND shard = s.shard AND due <= clock_timestamp()
            AND (due, store) > (to_timestamp($5::float8), $3)
          ORDER BY due, store LIMIT $4::int) AS w
        ORDER BY w.due, w.store LIMIT $4::int)
        UNION ALL SELECT NULL::text, 0, extract(epoch FROM clock_timestamp())::float8
        """,
        [
          .text(request.kind), shards, .text(request.wakesAfter?.name ?? ""), wakeLimit,
          // Long before every moment.
          .real(request.wakesAfter?.due.timeIntervalSince1970 ?? -100_000_000_000),
        ])
    return Arrivals(
      messages: try messages.map { row in
        JournalMessage(
          key: MessageKey(
            store: StoreKey(kind: request.kind, name: row[1] ?? ""), id: row[2] ?? ""),
          action: try row.bytes(4), version: Int(row.integer(3)), row: row.integer(0),
          isHandled: row[5] == "t")
      },
      wakes: wakes.compactMap { row in
        row[0].map { StoreWake(name: $0, due: row.date(1)) }
      }, now: wakes.last?.date(2))
  }

  // MARK: Stores

  public nonisolated(nonsending) func names(
    of kind: String, after: String, limit: Int
  ) async throws -> [String] {
    let rows = try await pool.run(
      """
      (SELECT store FROM rondo_snapshots WHERE kind = $1 AND store > $2 ORDER BY store LIMIT $3::int)
      UNION
      (SELECT DISTINCT store FROM rondo_turns WHERE kind = $1 AND store > $2
        ORDER BY store LIMIT $3::int)
      ORDER BY store LIMIT $3::int
      """, [.text(kind), .text(after), .integer(Int64(limit))])
    return rows.compactMap { $0[0] }
  }

  public nonisolated(nonsending) func load(
    _ stores: [StoreKey]
  ) async throws -> [StoreKey: StoredStore] {
    // One statement sees one moment: a snapshot that is written meanwhile does not matter.
    let rows = try await pool.run(
      """
      WITH asked AS MATERIALIZED (
        SELECT n.kind, n.store, s.number, s.version, s.body
        FROM unnest($1::text[], $2::text[]) AS n (kind, store)
        LEFT JOIN rondo_snapshots AS s ON s.kind = n.kind AND s.store = n.store)
      SELECT 0, number, NULL::text, version, body, NULL::float8, kind, store FROM asked
      WHERE number IS NOT NULL
      UNION ALL
      SELECT 1, t.number, t.message, t.version, t.body, NULL::float8, a.kind, a.store
      FROM asked AS a JOIN rondo_turns AS t
        ON t.kind = a.kind AND t.store = a.store AND t.number > coalesce(a.number, 0)
      UNION ALL
      SELECT 2, 0, NULL::text, 0, ''::bytea, extract(epoch FROM w.due)::float8, a.kind, a.store
      FROM asked AS a JOIN rondo_wakes AS w ON w.kind = a.kind AND w.store = a.store
      UNION ALL
      SELECT 3, 0, t.key, 0, ''::bytea, NULL::float8, a.kind, a.store
      FROM asked AS a JOIN rondo_attempts AS t ON t.kind = a.kind AND t.store = a.store
      ORDER BY 1, 2
      """, [.texts(stores.map(\.kind)), .texts(stores.map(\.name))])
    var all: [StoreKey: StoredStore] = [:]
    for row in rows {
      let key = StoreKey(kind: row[6] ?? "", name: row[7] ?? "")
      switch row.integer(0) {
      case 0:
        all[key, default: StoredStore()].snapshot = Snapshot(
          number: row.integer(1), version: Int(row.integer(3)), body: try row.bytes(4))
      case 1:
        all[key, default: StoredStore()].turns.append(
          TurnRow(
            number: row.integer(1), message: row[2], version: Int(row.integer(3)),
            body: try row.bytes(4)))
      case 2: all[key, default: StoredStore()].wake = row.date(5)
      default: all[key, default: StoredStore()].attempts.insert(row[2] ?? "")
      }
    }
    return all
  }

  public nonisolated(nonsending) func handled(
    _ messages: [MessageKey]
  ) async throws -> Set<MessageKey> {
    try await find(messages, in: "rondo_turns")
  }

  public nonisolated(nonsending) func waiting(
    _ messages: [MessageKey]
  ) async throws -> Set<MessageKey> {
    try await find(messages, in: "rondo_inbox")
  }

  /// The messages that a table has a row of.
  private nonisolated(nonsending) func find(
    _ messages: [MessageKey], in table: StaticString
  ) async throws -> Set<MessageKey> {
    let rows = try await pool.run(
      """
      SELECT m.kind, m.store, m.message
      FROM unnest($1::text[], $2::text[], $3::text[]) AS m (kind, store, message)
      WHERE EXISTS (
        SELECT 1 FROM \(table) AS t
        WHERE t.kind = m.kind AND t.store = m.store AND t.message = m.message)
      """,
      [
        .texts(messages.map(\.store.kind)), .texts(messages.map(\.store.name)),
        .texts(messages.map(\.id)),
      ])
    return Set(
      rows.map {
        MessageKey(store: StoreKey(kind: $0[0] ?? "", name: $0[1] ?? ""), id: $0[2] ?? "")
      })
  }

  public nonisolated(nonsending) func fail(
    _ store: StoreKey, under lease: Lease, reason: String
  ) async throws {
    try await pool.run(
      """
      WITH \(Self.held), noted AS (
        DELETE FROM rondo_failures
        WHERE kind = $1 AND store = $4 AND epoch = 0 AND EXISTS (SELECT FROM held) RETURNING 1)
      INSERT INTO rondo_failures (kind, store, shard, epoch, reason)
      SELECT $1, $4, $2, $3, $5 FROM held WHERE NOT EXISTS (SELECT FROM noted)
      ON CONFLICT (kind, store) DO UPDATE
      SET shard = excluded.shard, epoch = excluded.epoch, reason = excluded.reason
      WHERE rondo_failures.epoch <> 0
      """, values(store, lease) + [.text(reason)])
  }

  /// The part of a statement that finds the shard of a lease if that is held, and keeps others from taking the shard
  /// over before the statement has ended.
  private static let held = """
    held AS MATERIALIZED (
      SELECT FROM rondo_shards
      WHERE kind = $1 AND shard = $2::int AND epoch = $3::bigint AND worker IS NOT NULL FOR SHARE)
    """

  /// The parameters of ``held``, and the name of a store.
  private func values(_ store: StoreKey, _ lease: Lease) -> [PostgresValue] {
    [
      .text(store.kind), .integer(Int64(lease.shard)), .integer(lease.epoch), .text(store.name),
    ]
  }

  public nonisolated(nonsending) func failures(
    of stores: [StoreKey]
  ) async throws -> [StoreKey: String] {
    let rows = try await pool.run(
      """
      SELECT f.kind, f.store, f.reason FROM rondo_failures AS f
      JOIN unnest($1::text[], $2::text[]) AS n (kind, store)
        ON f.kind = n.kind AND f.store = n.store
      JOIN rondo_shards AS s ON s.kind = f.kind AND s.shard = f.shard AND s.epoch = f.epoch
      WHERE s.worker IS NOT NULL
      """, [.texts(stores.map(\.kind)), .texts(stores.map(\.name))])
    return Dictionary(
      rows.map { (StoreKey(kind: $0[0] ?? "", name: $0[1] ?? ""), $0[2] ?? "") }
    ) { _, last in last }
  }

  public nonisolated(nonsending) func retry(
    _ store: StoreKey, discarding message: String?
  ) async throws -> Bool {
    // No owner has the epoch 0, so such a row is no failure, but the note for the next one.
    let rows = try await pool.run(
      """
      WITH noted AS (
        INSERT INTO rondo_failures (kind, store, shard, epoch, reason) VALUES ($1, $2, 0, 0, '')
        ON CONFLICT (kind, store) DO UPDATE SET shard = 0, epoch = 0, reason = ''),
      forgotten AS (
        UPDATE rondo_attempts SET count = count - 1 WHERE kind = $1 AND store = $2),
      discarded AS (
        UPDATE rondo_inbox SET action = $4::bytea WHERE kind = $1 AND store = $2 AND message = $3
        RETURNING 1)
      SELECT count(*) FROM discarded
      """,
      [
        .text(store.kind), .text(store.name), message.map { .text($0) } ?? .null,
        .bytes(JournalMessage.discarded),
      ])
    return rows[0].integer(0) > 0
  }

  public nonisolated(nonsending) func begin(
    _ attempt: Attempt, under lease: Lease, limit: Int
  ) async throws -> Int? {
    // One attempt is made at a time, so nobody changes the number between the two.
    let rows = try await pool.run(
      """
      WITH \(Self.held), before AS (
        SELECT coalesce((
          SELECT count FROM rondo_attempts WHERE kind = $1 AND store = $4 AND key = $5), 0) AS count
        FROM held),
      counted AS (
        INSERT INTO rondo_attempts AS a (kind, store, key, count)
        SELECT $1, $4, $5, 1 FROM before WHERE count < $6::int
        ON CONFLICT (kind, store, key) DO UPDATE SET count = a.count + 1)
      SELECT count FROM before
      """, values(attempt.store, lease) + [.text(attempt.key), .integer(Int64(limit))])
    return rows.first.map { Int($0.integer(0)) }
  }

  public nonisolated(nonsending) func end(_ attempt: Attempt, under lease: Lease) async throws {
    _ = try await pool.run(
      """
      WITH \(Self.held) DELETE FROM rondo_attempts
      WHERE kind = $1 AND store = $4 AND key = $5 AND EXISTS (SELECT FROM held)
      """, values(attempt.store, lease) + [.text(attempt.key)])
  }

  public nonisolated(nonsending) func setAside(
    _ entry: SetAside, under lease: Lease
  ) async throws {
    _ = try await pool.run(
      """
      WITH \(Self.held)
      INSERT INTO rondo_aside (kind, store, key, reason, data)
      SELECT $1, $4, $5, $6, $7::bytea FROM held
      ON CONFLICT (kind, store, key) DO UPDATE
      SET reason = excluded.reason, data = excluded.data
      """,
      values(entry.attempt.store, lease)
        + [.text(entry.attempt.key), .text(entry.reason), .bytes(entry.data)])
  }

  public nonisolated(nonsending) func setAside(of kind: String) async throws -> [SetAside] {
    let rows = try await pool.run(
      "SELECT store, key, reason, data FROM rondo_aside WHERE kind = $1 ORDER BY store, key",
      [.text(kind)])
    return try rows.map { row in
      SetAside(
        Attempt(store: StoreKey(kind: kind, name: row[0] ?? ""), key: row[1] ?? ""),
        reason: row[2] ?? "", data: try row.bytes(3))
    }
  }

  public nonisolated(nonsending) func kinds() async throws -> [String] {
    let rows = try await pool.run(
      "SELECT kind FROM rondo_shards UNION SELECT kind FROM rondo_inbox ORDER BY 1", [])
    return rows.compactMap { $0[0] }
  }

  public nonisolated(nonsending) func turns(
    of store: StoreKey, after number: Int64, limit: Int
  ) async throws -> [TurnRow] {
    let rows = try await pool.run(
      """
      SELECT number, message, version, body FROM rondo_turns
      WHERE kind = $1 AND store = $2 AND number > $3::bigint ORDER BY number LIMIT $4::int
      """, [.text(store.kind), .text(store.name), .integer(number), .integer(Int64(limit))])
    return try rows.map { row in
      TurnRow(
        number: row.integer(0), message: row[1], version: Int(row.integer(2)),
        body: try row.bytes(3))
    }
  }

  public nonisolated(nonsending) func inbox(
    of store: StoreKey, limit: Int
  ) async throws -> [JournalMessage] {
    let rows = try await pool.run(
      """
      SELECT row, message, version, action FROM rondo_inbox
      WHERE kind = $1 AND store = $2 ORDER BY row LIMIT $3::int
      """, [.text(store.kind), .text(store.name), .integer(Int64(limit))])
    return try rows.map { row in
      JournalMessage(
        key: MessageKey(store: store, id: row[1] ?? ""), action: try row.bytes(3),
        version: Int(row.integer(2)), row: row.integer(0))
    }
  }

  public nonisolated(nonsending) func figures(of kind: String) async throws -> JournalFigures {
    let counts = try await pool.run(
      """
      SELECT (SELECT count(*) FROM rondo_inbox WHERE kind = $1),
        (SELECT count(*) FROM rondo_wakes WHERE kind = $1 AND due <= clock_timestamp()),
        (SELECT count(*) FROM rondo_aside WHERE kind = $1)
      """, [.text(kind)])
    let shards = try await pool.run(
      """
      SELECT shard, worker, epoch, extract(epoch FROM clock_timestamp() - renewed)::float8
      FROM rondo_shards WHERE kind = $1 ORDER BY shard
      """, [.text(kind)])
    let failures = try await pool.run(
      """
      SELECT f.store, f.reason FROM rondo_failures AS f
      JOIN rondo_shards AS s ON s.kind = f.kind AND s.shard = f.shard AND s.epoch = f.epoch
      WHERE f.kind = $1 AND s.worker IS NOT NULL
      """, [.text(kind)])
    return JournalFigures(
      inbox: Int(counts[0].integer(0)), due: Int(counts[0].integer(1)),
      setAside: Int(counts[0].integer(2)),
      shards: shards.map {
        JournalFigures.Shard(
          number: Int($0.integer(0)), worker: $0[1], epoch: $0.integer(2),
          age: max(0, $0[3].flatMap(Double.init) ?? 0))
      },
      failures: Dictionary(
        failures.map { (StoreKey(kind: kind, name: $0[0] ?? ""), $0[1] ?? "") }
      ) { _, last in last })
  }

  public nonisolated(nonsending) func takeAnswers(
    _ asks: [AskKey]
  ) async throws -> [AskKey: JournalAnswer.Content] {
    guard !asks.isEmpty else { return [:] }
    // The second asker waits for the first, and sees its row.
    let rows = try await pool.run(
      """
      WITH known AS MATERIALIZED (
        SELECT a.kind, a.store, a.message, a.value, a.reason, n.asker,
          a.asker IS NOT NULL AND a.asker <> n.asker AS given, a.asker IS NULL AS free
        FROM rondo_answers AS a
        JOIN unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS n (kind, store, message, asker)
          ON a.kind = n.kind AND a.store = n.store AND a.message = n.message
        ORDER BY a.kind, a.store, a.message FOR UPDATE OF a),
      taken AS (
        UPDATE rondo_answers AS a SET asker = k.asker FROM known AS k
        WHERE k.free AND a.kind = k.kind AND a.store = k.store AND a.message = k.message)
      SELECT kind, store, message, asker, given, value, reason FROM known
      """,
      [
        .texts(asks.map(\.message.store.kind)), .texts(asks.map(\.message.store.name)),
        .texts(asks.map(\.message.id)), .texts(asks.map(\.asker)),
      ])
    var answers: [AskKey: JournalAnswer.Content] = [:]
    for row in rows {
      let store = StoreKey(kind: row[0] ?? "", name: row[1] ?? "")
      let ask = AskKey(message: MessageKey(store: store, id: row[2] ?? ""), asker: row[3] ?? "")
      answers[ask] =
        row[4] == "t"
        ? .given : row[5] == nil ? .refusal(row[6] ?? "") : .value(try row.bytes(5))
    }
    return answers
  }

  public nonisolated(nonsending) func lastTurns(
    of stores: [StoreKey]
  ) async throws -> [StoreKey: Int64] {
    let rows = try await pool.run(
      """
      SELECT n.kind, n.store, greatest(
        (SELECT number FROM rondo_turns AS t WHERE t.kind = n.kind AND t.store = n.store
          ORDER BY number DESC LIMIT 1),
        (SELECT number FROM rondo_snapshots AS s WHERE s.kind = n.kind AND s.store = n.store))
      FROM unnest($1::text[], $2::text[]) AS n (kind, store)
      """, [.texts(stores.map(\.kind)), .texts(stores.map(\.name))])
    return Dictionary(
      rows.filter { $0[2] != nil }.map {
        (StoreKey(kind: $0[0] ?? "", name: $0[1] ?? ""), $0.integer(2))
      }
    ) { _, last in last }
  }

  public nonisolated(nonsending) func commit(_ turns: [Turn]) async throws -> CommitConflicts {
    do {
      let conflicts = try await write(turns)
      let taking = turns.filter { $0.inboxRow != nil || !$0.answers.isEmpty }
      for hint in Set(
        taking.map { JournalHint(kind: $0.store.kind, shard: $0.lease.shard, event: .handled) })
      {
        teller.tell(hint)
      }
      return conflicts
    } catch let error as PostgresError where error.isRefusal {
      throw JournalRefusal(error.description)
    }
  }

  private nonisolated(nonsending) func write(_ turns: [Turn]) async throws -> CommitConflicts {
    // A statement tells leases by their shards, so it has one lease for each.
    let isMixed = Set(turns.map(\.lease)).count > Set(turns.map(\.lease.shard)).count
    let groups = Dictionary(grouping: turns) { turn in
      CommitGroup(kind: turn.store.kind, lease: isMixed ? turn.lease : nil)
    }
    // One statement is one transaction, and one round trip.
    if let (group, turns) = groups.first, groups.count == 1 {
      let statement = CommitStatement(group.kind, turns)
      return statement.conflicts(try await writer.run(statement.sql, statement.values))
    }
    return try await writer.transaction(limit: limit.withLock { $0 }) { connection in
      var conflicts = CommitConflicts()
      for (group, turns) in groups {
        let statement = CommitStatement(group.kind, turns)
        let found = statement.conflicts(try connection.execute(statement.sql, statement.values))
        conflicts.shards.formUnion(found.shards)
        conflicts.stores.formUnion(found.stores)
      }
      return conflicts
    }
  }

  /// The turns that one statement can write.
  private struct CommitGroup: Hashable {
    var kind: String
    var lease: Lease?
  }

  /// The one statement that writes turns of one kind.
  private struct CommitStatement {
    private(set) var sql = ""
    private(set) var values: [PostgresValue]
    private let kind: String
    private let shards: Set<Int>
    /// The parts of the statement, each with its name.
    private var parts: [String] = []
    /// The condition on the turn `t` under which it is written.
    private var isWritten = "t.shard IN (SELECT shard FROM held)"

    /// The conflicts that the rows of its answer tell of.
    func conflicts(_ rows: [[String?]]) -> CommitConflicts {
      var conflicts = CommitConflicts(shards: shards)
      for row in rows {
        if let store = row[1] {
          conflicts.stores.insert(StoreKey(kind: kind, name: store))
        } else {
          conflicts.shards.remove(Int(row.integer(0)))
        }
      }
      return conflicts
    }

    init(_ kind: String, _ turns: [Turn]) {
      self.kind = kind
      shards = Set(turns.map(\.lease.shard))
      values = [.text(kind)]
      let taking = turns.filter { $0.row != nil && $0.inboxRow != nil }
      let removed = turns.compactMap(\.inboxRow)
      let wakes = Dictionary(
        turns.filter { $0.wake != .unchanged }.map { ($0.store.name, $0) }
      ) { _, last in last }.values
      hold(Array(Set(turns.map(\.lease))))
      take(taking)
      write(turns)
      answer(turns)
      store(turns)
      delete(turns.filter { $0.deletedThrough != nil })
      empty(turns.filter { $0.emptiedThrough != nil })
      wake(wakes.filter { $0.wake != .never })
      calm(wakes.filter { $0.wake == .never })
      remove(removed)
      var conflicts = "SELECT shard, NULL::text FROM held"
      if !taking.isEmpty { conflicts += " UNION ALL SELECT NULL::int, store FROM gone" }
      sql = "WITH " + parts.joined(separator: ",\n") + "\n" + conflicts
    }

    // MARK: Parameters

    /// Adds a parameter.
    private mutating func next(_ value: PostgresValue, _ type: String) -> String {
      values.append(value)
      return "$\(values.count)::\(type)"
    }

    /// Rows as parameters, an array for each column. One row alone is given as it is, which a server
    /// plans and runs in half the time.
    private mutating func table(
      _ columns: [(name: String, type: String, values: PostgresValue)]
    ) -> String {
      let single = columns.compactMap(\.values.single)
      guard single.count < columns.count else {
        let row = zip(columns, single).map { "\(next($1, $0.type)) AS \($0.name)" }
        return "(SELECT \(row.joined(separator: ", "))) AS t"
      }
      let arrays = columns.map { next($0.values, "\($0.type)[]") }.joined(separator: ", ")
      return "unnest(\(arrays)) AS t (\(columns.map(\.name).joined(separator: ", ")))"
    }

    private func shards(of turns: some Sequence<Turn>) -> PostgresValue {
      .integers(turns.map { Int64($0.lease.shard) })
    }

    private func names(of turns: some Sequence<Turn>) -> PostgresValue {
      .texts(turns.map(\.store.name))
    }

    // MARK: Parts

    /// Finds the shards that are still held.
    private mutating func hold(_ leases: [Lease]) {
      // The lock keeps others from taking a shard over before this transaction has ended.
      let known = table([
        ("shard", "int", .integers(leases.map { Int64($0.shard) })),
        ("epoch", "bigint", .integers(leases.map(\.epoch))),
      ])
      parts.append(
        """
        held AS MATERIALIZED (
          SELECT s.shard FROM rondo_shards AS s JOIN \(known)
            ON s.shard = t.shard AND s.epoch = t.epoch
          WHERE s.kind = $1 AND s.worker IS NOT NULL ORDER BY s.shard FOR SHARE OF s)
        """)
    }

    /// Finds the messages that turns handle, and the stores of those that are gone.
    private mutating func take(_ taking: [Turn]) {
      guard !taking.isEmpty else { return }
      let source = table([
        ("shard", "int", shards(of: taking)), ("store", "text", names(of: taking)),
        ("row", "bigint", .integers(taking.compactMap(\.inboxRow))),
      ])
      // Locked, so that nobody takes a message away before this transaction has ended. Those of a shard that
      // is not held are left to its owner.
      parts.append(
        """
        waiting AS MATERIALIZED (
          SELECT i.row FROM rondo_inbox AS i
          WHERE i.kind = $1 AND i.row IN (SELECT row FROM \(source))
            AND i.shard IN (SELECT shard FROM held)
          ORDER BY i.row FOR UPDATE OF i),
        gone AS MATERIALIZED (
          SELECT DISTINCT t.store FROM \(source)
          WHERE t.shard IN (SELECT shard FROM held) AND t.row NOT IN (SELECT row FROM waiting))
        """)
      isWritten += " AND t.store NOT IN (SELECT store FROM gone)"
    }

    /// Inserts the rows of turns.
    private mutating func write(_ turns: [Turn]) {
      // One statement does not see its own rows: those that it would delete are not written.
      let deleted = Dictionary(
        turns.compactMap { turn in turn.deletedThrough.map { (turn.store.name, $0) } },
        uniquingKeysWith: max)
      let emptied = Dictionary(
        turns.compactMap { turn in turn.emptiedThrough.map { (turn.store.name, $0) } },
        uniquingKeysWith: max)
      var (written, rows): ([Turn], [TurnRow]) = ([], [])
      for turn in turns {
        guard var row = turn.row, row.number > deleted[turn.store.name] ?? 0 else { continue }
        if row.number <= emptied[turn.store.name] ?? 0 {
          guard row.message != nil else { continue }
          row.body = Data()
        }
        written.append(turn)
        rows.append(row)
      }
      guard !written.isEmpty else { return }
      let source = table([
        ("shard", "int", shards(of: written)), ("store", "text", names(of: written)),
        ("number", "bigint", .integers(rows.map(\.number))),
        ("message", "text", .texts(rows.map(\.message))),
        ("version", "int", .integers(rows.map { Int64($0.version) })),
        ("body", "bytea", .byteArrays(rows.map(\.body))),
      ])
      parts.append(
        """
        turned AS (
          INSERT INTO rondo_turns (kind, store, number, message, version, body)
          SELECT $1, t.store, t.number, t.message, t.version, t.body FROM \(source)
          WHERE \(isWritten))
        """)
    }

    /// Writes answers, each of which is the first to its message.
    private mutating func answer(_ turns: [Turn]) {
      var (written, answers): ([Turn], [JournalAnswer]) = ([], [])
      var known: Set<MessageKey> = []
      for turn in turns {
        for answer in turn.answers
        where known.insert(MessageKey(store: turn.store, id: answer.message)).inserted {
          written.append(turn)
          answers.append(answer)
        }
      }
      guard !answers.isEmpty else { return }
      let source = table([
        ("shard", "int", shards(of: written)), ("store", "text", names(of: written)),
        ("number", "bigint", .integers(written.map { $0.row?.number ?? 0 })),
        ("message", "text", .texts(answers.map(\.message))),
        (
          "value", "bytea",
          .byteArrays(
            answers.map { if case .value(let data) = $0.content { data } else { Data() } })
        ),
        (
          "reason", "text",
          .texts(
            answers.map { if case .refusal(let reason) = $0.content { reason } else { nil } })
        ),
      ])
      parts.append(
        """
        answered AS (
          INSERT INTO rondo_answers (kind, store, message, number, value, reason)
          SELECT $1, t.store, t.message, t.number,
            CASE WHEN t.reason IS NULL THEN t.value END, t.reason FROM \(source)
          WHERE \(isWritten) ON CONFLICT DO NOTHING)
        """)
    }

    /// Writes snapshots.
    private mutating func store(_ turns: [Turn]) {
      // The last of a store counts.
      let stored = Dictionary(
        turns.filter { $0.snapshot != nil }.map { ($0.store.name, $0) }
      ) { _, last in last }.values
      guard !stored.isEmpty else { return }
      let snapshots = stored.compactMap(\.snapshot)
      let source = table([
        ("shard", "int", shards(of: stored)), ("store", "text", names(of: stored)),
        ("number", "bigint", .integers(snapshots.map(\.number))),
        ("version", "int", .integers(snapshots.map { Int64($0.version) })),
        ("body", "bytea", .byteArrays(snapshots.map(\.body))),
      ])
      parts.append(
        """
        stored AS (
          INSERT INTO rondo_snapshots (kind, store, number, version, body)
          SELECT $1, t.store, t.number, t.version, t.body FROM \(source)
          WHERE \(isWritten)
          ON CONFLICT (kind, store) DO UPDATE
          SET number = excluded.number, version = excluded.version, body = excluded.body)
        """)
    }

    /// Deletes rows of turns.
    private mutating func delete(_ deleting: [Turn]) {
      guard !deleting.isEmpty else { return }
      let source = table([
        ("shard", "int", shards(of: deleting)), ("store", "text", names(of: deleting)),
        ("number", "bigint", .integers(deleting.compactMap(\.deletedThrough))),
      ])
      parts.append(
        """
        deleted AS (
          DELETE FROM rondo_turns AS d USING \(source)
          WHERE d.kind = $1 AND d.store = t.store AND d.number <= t.number AND \(isWritten)),
        unanswered AS (
          DELETE FROM rondo_answers AS d USING \(source)
          WHERE d.kind = $1 AND d.store = t.store AND d.number <= t.number AND \(isWritten))
        """)
    }

    /// Keeps only the ids of messages of turns.
    private mutating func empty(_ emptying: [Turn]) {
      guard !emptying.isEmpty else { return }
      let source = table([
        ("shard", "int", shards(of: emptying)), ("store", "text", names(of: emptying)),
        ("number", "bigint", .integers(emptying.compactMap(\.emptiedThrough))),
      ])
      parts.append(
        """
        emptying AS (
          SELECT t.store, t.number FROM \(source) WHERE \(isWritten)),
        dropped AS (
          DELETE FROM rondo_turns AS d USING emptying AS t
          WHERE d.kind = $1 AND d.store = t.store AND d.number <= t.number
            AND d.message IS NULL),
        emptied AS (
          UPDATE rondo_turns AS d SET body = ''::bytea FROM emptying AS t
          WHERE d.kind = $1 AND d.store = t.store AND d.number <= t.number
            AND d.message IS NOT NULL AND d.body <> ''::bytea),
        withdrawn AS (
          UPDATE rondo_answers AS d SET value = NULL, reason = NULL, asker = '' FROM emptying AS t
          WHERE d.kind = $1 AND d.store = t.store AND d.number <= t.number)
        """)
    }

    /// Writes the moments at which stores are woken.
    private mutating func wake(_ later: [Turn]) {
      guard !later.isEmpty else { return }
      let moments = later.compactMap { turn in
        if case .at(let date) = turn.wake { date.timeIntervalSince1970 } else { nil }
      }
      let source = table([
        ("shard", "int", shards(of: later)), ("store", "text", names(of: later)),
        ("due", "float8", .reals(moments)),
      ])
      parts.append(
        """
        woken AS (
          INSERT INTO rondo_wakes (kind, store, shard, due)
          SELECT $1, t.store, t.shard, to_timestamp(t.due) FROM \(source)
          WHERE \(isWritten)
          ON CONFLICT (kind, store) DO UPDATE SET due = excluded.due)
        """)
    }

    /// Removes the moments of stores that are not to be woken.
    private mutating func calm(_ never: [Turn]) {
      guard !never.isEmpty else { return }
      parts.append(
        """
        calmed AS (
          DELETE FROM rondo_wakes AS t
          WHERE t.kind = $1 AND t.store = ANY (\(next(names(of: never), "text[]"))) AND \(isWritten))
        """)
    }

    /// Removes messages from the inbox.
    private mutating func remove(_ removed: [Int64]) {
      guard !removed.isEmpty else { return }
      parts.append(
        """
        removed AS (
          DELETE FROM rondo_inbox AS t
          WHERE t.row = ANY (\(next(.integers(removed), "bigint[]"))) AND \(isWritten))
        """)
    }
  }

  public func hints(of kind: String) -> AsyncStream<JournalHint?> {
    let (listener, allHints) = (listener, allHints)
    let hints = allHints.hints(of: kind)
    guard allHints.begin() else { return hints }
    Task.detached {
      while !allHints.endsIfUnused() {
        do {
          let told = try await listener.notifications(
            on: PostgresJournal.channel, milliseconds: 500)
          for text in told {
            // A notification that cannot be read comes from another version of this program.
            if let hint = text.flatMap(JournalHint.init) {
              allHints.tell(hint)
            } else {
              allHints.tellOfGap()
            }
          }
        } catch {
          try? await Task.sleep(for: .milliseconds(500))
        }
      }
    }
    return hints
  }

  // MARK: For benchmarks

  /// Writes rows such as those of turns, each in a transaction of its own, one after the other on the
  /// thread of the connection: the floor of what a turn can cost.
  ///
  /// - Parameters:
  ///   - bytes: The body of each row.
  ///   - duration: How long.
  /// - Returns: The number of rows.
  public func insertPlainRows(_ bytes: Data, for duration: Duration) async throws -> Int {
    let store = UUID().uuidString
    return try await writer.repeatRun(
      "INSERT INTO rondo_plain VALUES ('plain', $1, $2::bigint, $3, 1, $4::bytea)", for: duration
    ) { number in
      [
        .text(store), .integer(Int64(number)), .text(UUID().uuidString), .bytes(bytes),
      ]
    }
  }

  /// Makes the table for ``insertPlainRows(_:for:)``, with the keys of the table of turns.
  public func makePlainTable() async throws {
    try await claimer.transaction(limit: limit.withLock { $0 }) { connection in
      try connection.execute("SELECT pg_advisory_xact_lock(7160115)", [])
      try connection.execute(
        "CREATE TABLE IF NOT EXISTS rondo_plain (LIKE rondo_turns INCLUDING INDEXES)", [])
    }
  }

  /// Runs a statement of one's own in a transaction such as the others: for tests of damaged rows.
  @discardableResult
  package func query(_ sql: String) async throws -> [[String?]] {
    try await pool.transaction(limit: limit.withLock { $0 }) { try $0.execute(sql, []) }
  }
}

/// Sends hints to the other processes, many in one transaction, of which nothing is flushed: a transaction that
/// notifies keeps others that do from ending, so those that write turns and messages do not.
private final class HintTeller: Sendable {
  private let connection: PostgresConnection
  private let channel: String
  private let state = Mutex((waiting: Set<JournalHint>(), isSending: false))

  init(_ connection: PostgresConnection, channel: String) {
    self.connection = connection
    self.channel = channel
  }

  func tell(_ hint: JournalHint) {
    let begins = state.withLock { state in
      state.waiting.insert(hint)
      defer { state.isSending = true }
      return !state.isSending
    }
    if begins { Task.detached { await self.sendAll() } }
  }

  private func sendAll() async {
    while true {
      let hints = state.withLock { state in
        defer { state.waiting = [] }
        if state.waiting.isEmpty { state.isSending = false }
        return state.waiting
      }
      if hints.isEmpty { return }
      // A hint that cannot be sent is missing, and others look for themselves.
      _ = try? await connection.run(
        "SELECT pg_notify($1, text) FROM unnest($2::text[]) AS text",
        [.text(channel), .texts(hints.map(\.text))])
    }
  }
}

extension PostgresError {
  /// Whether the server has refused what a statement has in it: data exceptions, constraints and limits.
  /// A row that is there already is none of these: then a transaction before was written after all.
  fileprivate var isRefusal: Bool {
    ["22", "23", "54"].contains(state.prefix(2)) && state != "23505"
  }
}

extension PostgresConnection {
  /// Locks the workers and the shards of a kind until the transaction ends.
  fileprivate func lock(_ kind: PostgresValue) throws {
    try execute("SELECT pg_advisory_xact_lock(hashtextextended('rondo ' || $1::text, 0))", [kind])
  }

  /// Locks shards in their order, as commits do. In another order the two could wait for each other.
  fileprivate func lock(
    _ kind: PostgresValue, _ condition: StaticString, _ value: PostgresValue
  ) throws {
    try execute(
      """
      SELECT FROM rondo_shards WHERE kind = $1 AND \(condition) ORDER BY shard FOR NO KEY UPDATE
      """, [kind, value])
  }
}

extension [String?] {
  fileprivate func integer(_ column: Int) -> Int64 { self[column].flatMap(Int64.init) ?? 0 }

  fileprivate func date(_ column: Int) -> Date {
    Date(timeIntervalSince1970: self[column].flatMap(Double.init) ?? 0)
  }

  /// The bytes of a column, of which the server sends hexadecimal digits.
  fileprivate func bytes(_ column: Int) throws -> Data {
    guard let text = self[column]?.utf8, text.starts(with: "\\x".utf8) else {
      throw PostgresError(
        state: "", description: "A column of bytes is not in hexadecimal digits; nothing was done.")
    }
    // An array takes single bytes much faster than 'Data' does.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 2)
    var high: UInt8?
    for digit in text.dropFirst(2) {
      let value =
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default:
          throw PostgresError(state: "", description: "A column of bytes has other characters.")
        }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return Data(bytes)
  }
}
