// One connection to PostgreSQL: prepared statements with parameters.

import CPostgres
import Foundation
import JournalThread
import Synchronization

/// An error of PostgreSQL, in one line. It never has the connection string in it.
public struct PostgresError: Error, CustomStringConvertible {
  /// The five characters of the SQLSTATE; empty where there is none.
  public let state: String
  public let description: String
}

/// A parameter of a statement.
enum PostgresValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes(Data)
  case integers([Int64])
  case reals([Double])
  case texts([String?])
  case byteArrays([Data])

  /// The element of an array that has one; `nil` for every other value.
  var single: PostgresValue? {
    switch self {
    case .integers(let values): values.count == 1 ? .integer(values[0]) : nil
    case .reals(let values): values.count == 1 ? .real(values[0]) : nil
    case .texts(let values): values.count == 1 ? values[0].map { .text($0) } ?? .null : nil
    case .byteArrays(let values): values.count == 1 ? .bytes(values[0]) : nil
    default: nil
    }
  }

  var isNull: Bool { if case .null = self { true } else { false } }

  /// Whether it is sent as it is. All else is sent as text.
  var isBinary: Bool { if case .bytes = self { true } else { false } }

  /// Adds the value as PostgreSQL reads it.
  func append(to buffer: inout [UInt8]) {
    switch self {
    case .null: break
    case .integer(let value): buffer.append(contentsOf: "\(value)".utf8)
    case .real(let value): buffer.append(contentsOf: "\(value)".utf8)
    case .text(let value): buffer.append(contentsOf: value.utf8)
    case .bytes(let value): buffer.append(contentsOf: value)
    case .integers(let values):
      PostgresValue.append(values, to: &buffer) { $1.append(contentsOf: "\($0)".utf8) }
    case .reals(let values):
      PostgresValue.append(values, to: &buffer) { $1.append(contentsOf: "\($0)".utf8) }
    case .texts(let values): PostgresValue.append(values, to: &buffer, PostgresValue.append)
    case .byteArrays(let values): PostgresValue.append(values, to: &buffer, PostgresValue.append)
    }
  }

  private static func append<Element>(
    _ elements: [Element], to buffer: inout [UInt8], _ add: (Element, inout [UInt8]) -> Void
  ) {
    buffer.append(UInt8(ascii: "{"))
    for (index, element) in elements.enumerated() {
      if index > 0 { buffer.append(UInt8(ascii: ",")) }
      add(element, &buffer)
    }
    buffer.append(UInt8(ascii: "}"))
  }

  /// Adds a text as an element of an array.
  private static func append(_ text: String?, to buffer: inout [UInt8]) {
    guard let text else { return buffer.append(contentsOf: "NULL".utf8) }
    buffer.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        buffer.append(UInt8(ascii: "\\"))
      }
      buffer.append(byte)
    }
    buffer.append(UInt8(ascii: "\""))
  }

  /// Adds bytes as an element of an array, in hexadecimal digits.
  private static func append(_ data: Data, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: #""\\x"#.utf8)
    for byte in data {
      buffer.append(PostgresValue.digit(byte >> 4))
      buffer.append(PostgresValue.digit(byte & 15))
    }
    buffer.append(UInt8(ascii: "\""))
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}

/// A connection on a thread of its own. It connects when it is first used, and again after it was lost.
actor PostgresConnection {
  private nonisolated let thread: JournalThread
  private let target: ConnectionTarget
  private let flushes: Bool
  private var link = Link(nil)
  private var prepared: [String: String] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// - Parameter flushes: Whether a transaction ends when it is on the disk.
  init(_ target: ConnectionTarget, name: String, flushes: Bool = true) {
    self.target = target
    self.flushes = flushes
    thread = JournalThread("PostgreSQL, \(name)")
  }

  /// A connection of libpq, which ends with its owner.
  private final class Link {
    let handle: OpaquePointer?
    /// Whether it gets notifications.
    var isListening = false

    init(_ handle: OpaquePointer?) {
      self.handle = handle
    }

    deinit {
      PQfinish(handle)
    }
  }

  private var handle: OpaquePointer? { link.handle }

  /// Runs a statement as a transaction of its own. Each row is a list of texts, of which `nil` is NULL.
  @discardableResult
  func run(_ sql: String, _ values: [PostgresValue] = []) throws -> [[String?]] {
    try connect()
    return try retryingDeadlocks { try execute(sql, values) }
  }

  /// Runs a transaction again that the server has ended to let another one go on. Nothing of it was written.
  private func retryingDeadlocks<Result>(_ body: () throws -> Result) throws -> Result {
    for _ in 0..<4 {
      do {
        return try body()
      } catch let error as PostgresError where ["40P01", "40001"].contains(error.state) {
        continue
      }
    }
    return try body()
  }

  /// Runs statements as one transaction.
  ///
  /// - Parameter limit: The time that a lock is waited for, and that the transaction may stand still. A
  ///   process that is stopped in it keeps others waiting no longer.
  func transaction<Result: Sendable>(
    limit: Duration, _ body: @Sendable (isolated PostgresConnection) throws -> Result
  ) throws -> Result {
    try connect()
    return try retryingDeadlocks { try runTransaction(limit, body) }
  }

  private func runTransaction<Result: Sendable>(
    _ limit: Duration, _ body: @Sendable (isolated PostgresConnection) throws -> Result
  ) throws -> Result {
    try execute("BEGIN", [])
    do {
      try execute(
        """
        SELECT set_config('idle_in_transaction_session_timeout', $1::text, true),
          set_config('lock_timeout', $1::text, true)
        """, [.text("\(max(100, limit.milliseconds))")])
      let result = try body(self)
      try execute("COMMIT", [])
      return result
    } catch {
      _ = try? execute("ROLLBACK", [])
      throw error
    }
  }

  private func connect() throws {
    if let handle, PQstatus(handle) == CONNECTION_OK { return }
    prepared = [:]
    link = Link(target.connect())
    guard PQstatus(handle) == CONNECTION_OK else {
      // The server's own words may repeat what is in the connection string.
      throw PostgresError(
        state: "08001",
        description:
          "The database cannot be reached, or does not let this user in. Look whether it runs, "
          + "and at the address, the user and the password.")
    }
    // Notices of the server are dropped: they are not for the standard error of this process.
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
    do {
      try execute("SET plan_cache_mode = force_generic_plan", [])
      // Plans are made once. One that is made while a table is small would read all of it, also when it has grown.
      for plan in ["seqscan", "hashjoin", "mergejoin"] {
        try execute("SET enable_\(plan) = off", [])
      }
      try execute("SET synchronous_commit = \(flushes ? "on" : "off")", [])
      // The form of bytes that is read here, whatever the database, the user or the string says.
      try execute("SET bytea_output = 'hex'", [])
      // A statement that is a transaction of its own waits for locks no longer than this, either.
      try execute("SET lock_timeout = \(target.timeout.milliseconds)", [])
    } catch {
      // A connection without its settings is not used: the next call makes another one.
      link = Link(nil)
      throw error
    }
  }

  /// Runs a statement again and again on the thread of the connection, for some time. Returns how often.
  func repeatRun(
    _ sql: String, for duration: Duration, _ values: @Sendable (_ number: Int) -> [PostgresValue]
  ) throws -> Int {
    let end = ContinuousClock().now + duration
    var count = 0
    while ContinuousClock().now < end {
      try run(sql, values(count))
      count += 1
    }
    return count
  }

  /// The value of a setting of the connection, by its word in a connection string.
  func setting(_ word: String) throws -> String? {
    try connect()
    let settings = PQconninfo(handle)
    defer { PQconninfoFree(settings) }
    var next = settings
    while let option = next, let name = option.pointee.keyword {
      if String(cString: name) == word { return option.pointee.val.map { String(cString: $0) } }
      next = option + 1
    }
    return nil
  }

  @discardableResult
  func execute(_ sql: String, _ values: [PostgresValue]) throws -> [[String?]] {
    let name = try prepare(sql)
    // The values one behind the other, each with an end that libpq looks for.
    var buffer: [UInt8] = []
    var (starts, lengths, formats): ([Int?], [Int32], [Int32]) = ([], [], [])
    for value in values {
      let start = buffer.count
      value.append(to: &buffer)
      lengths.append(Int32(clamping: buffer.count - start))
      buffer.append(0)
      starts.append(value.isNull ? nil : start)
      formats.append(value.isBinary ? 1 : 0)
    }
    let result = buffer.withUnsafeBytes { bytes in
      let pointers = starts.map { start in
        start.flatMap { bytes.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
      }
      return PQexecPrepared(
        handle, name, Int32(values.count), pointers, lengths, formats, 0)
    }
    defer { PQclear(result) }
    try check(result)
    return (0..<PQntuples(result)).map { row in
      (0..<PQnfields(result)).map { column in
        PQgetisnull(result, row, column) == 1
          ? nil : String(cString: PQgetvalue(result, row, column))
      }
    }
  }

  private func prepare(_ sql: String) throws -> String {
    if let name = prepared[sql] { return name }
    let name = "s\(prepared.count)"
    let result = PQprepare(handle, name, sql, 0, nil)
    defer { PQclear(result) }
    try check(result)
    prepared[sql] = name
    return name
  }

  private func check(_ result: OpaquePointer?) throws {
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return
    default:
      let state =
        result.flatMap { PQresultErrorField($0, Int32(UInt8(ascii: "C"))) }
        .map { String(cString: $0) } ?? ""
      let words =
        result.flatMap { PQresultErrorField($0, Int32(UInt8(ascii: "M"))) }
        .map { String(cString: $0) } ?? "the connection was lost"
      // A server that only reads was the one that writes: the address leads to another one by now, or will soon.
      if state == "25006" { link = Link(nil) }
      throw PostgresError(state: state, description: "The database has failed: \(words).")
    }
  }

  /// Waits for notifications, at most for so long. Returns their payloads; `nil` where some may have been missed.
  func notifications(on channel: String, milliseconds: Int32) throws -> [String?] {
    try connect()
    let isNew = !link.isListening
    if isNew { try execute("LISTEN \(channel)", []) }
    link.isListening = true
    var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
    if poll(&descriptor, 1, milliseconds) > 0, PQconsumeInput(handle) == 0 {
      throw PostgresError(state: "08006", description: "The connection to the database was lost.")
    }
    var payloads: [String?] = isNew ? [nil] : []
    while let notification = PQnotifies(handle) {
      payloads.append(notification.pointee.extra.map { String(cString: $0) })
      PQfreemem(notification)
    }
    return payloads
  }
}

/// Connections for calls that do not wait for each other. A call takes the first of those with the least to do,
/// so a process that makes one call at a time has one.
final class PostgresPool: Sendable {
  private let connections: [PostgresConnection]
  /// The number of calls that each connection has.
  private let calls: Mutex<[Int]>

  init(_ target: ConnectionTarget, size: Int) {
    connections = (0..<size).map { PostgresConnection(target, name: "calls \($0)") }
    calls = Mutex(Array(repeating: 0, count: size))
  }

  /// See ``PostgresConnection/run(_:_:)``.
  @discardableResult
  nonisolated(nonsending) func run(
    _ sql: String, _ values: [PostgresValue]
  ) async throws -> [[String?]] {
    try await withConnection { try await $0.run(sql, values) }
  }

  /// See ``PostgresConnection/transaction(limit:_:)``.
  nonisolated(nonsending) func transaction<Result: Sendable>(
    limit: Duration, _ body: @Sendable (isolated PostgresConnection) throws -> Result
  ) async throws -> Result {
    try await withConnection { try await $0.transaction(limit: limit, body) }
  }

  private nonisolated(nonsending) func withConnection<Result>(
    _ body: nonisolated(nonsending) (PostgresConnection) async throws -> Result
  ) async throws -> Result {
    let index = calls.withLock { calls in
      let index = calls.indices.min { calls[$0] < calls[$1] } ?? 0
      calls[index] += 1
      return index
    }
    defer { calls.withLock { $0[index] -= 1 } }
    return try await body(connections[index])
  }
}

/// The address of a database. It has secrets in it, so it does not print.
struct ConnectionTarget: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  let string: String
  /// The time after which a network that does not answer is given up.
  var timeout = Duration.seconds(5)
  var description: String { "<a database>" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: [:]) }

  /// Connects. A network that does not answer is given up after seconds, unless the string or the
  /// environment says how long to wait.
  fileprivate func connect() -> OpaquePointer? {
    let wholeSeconds = "\((timeout.milliseconds + 999) / 1000)"
    // A word before the string is used where the string does not have that word. A server that has gone while it was to
    // answer is asked whether it is there: nothing is on its way then that it could not take.
    var words: [(String, String)] = [
      ("tcp_user_timeout", "\(timeout.milliseconds)"), ("keepalives_idle", wholeSeconds),
      ("keepalives_interval", "1"), ("keepalives_count", "3"),
    ]
    if getenv("PGCONNECT_TIMEOUT") == nil { words.append(("connect_timeout", wholeSeconds)) }
    words.append(("dbname", string))
    var (names, values): ([UnsafePointer<CChar>?], [UnsafePointer<CChar>?]) = ([], [])
    let copies = words.map { (strdup($0.0)!, strdup($0.1)!) }
    defer {
      for (name, value) in copies {
        free(name)
        free(value)
      }
    }
    for (name, value) in copies {
      names.append(UnsafePointer(name))
      values.append(UnsafePointer(value))
    }
    return PQconnectdbParams(names + [nil], values + [nil], 1)
  }
}

extension Duration {
  /// The duration in whole milliseconds, at least one and at most a day.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < 86_400 else { return 86_400_000 }
    return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
  }
}
