// One connection to an SQLite file: prepared statements with parameters.

import CSQLite
import Foundation

/// An error of an SQLite file, in one line.
public struct SQLiteError: Error, CustomStringConvertible {
  /// The extended result code of SQLite, or the `errno` of a file that cannot be made.
  public let code: Int32
  public let description: String

  /// Whether SQLite has refused what a statement has in it: constraints and limits. A row that is there already
  /// is none of these: then a transaction before was written after all. Nor is a full disk, which refuses
  /// everything until there is room.
  var isRefusal: Bool {
    // SQLITE_CONSTRAINT_PRIMARYKEY, _UNIQUE and _ROWID.
    let isThere = [6, 8, 10].contains { SQLITE_CONSTRAINT | $0 << 8 == code }
    return !isThere && [SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH].contains(code & 0xFF)
  }
}

/// A value in a statement.
enum SQLiteValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)

  /// A list, for `json_each`.
  static func json(_ list: some Encodable) throws -> Self {
    .text(String(decoding: try JSONEncoder().encode(list), as: UTF8.self))
  }
}

/// A connection, which one thread uses at a time. Statements are prepared once and kept.
final class SQLiteConnection {
  private var handle: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]
  let path: String

  /// Opens a file, or makes one that is private to its user. One that is there keeps its mode.
  init(path: String) throws {
    self.path = path
    // Made here, because SQLite would let others read it. What SQLite puts beside it is as private.
    // One that is there is not opened: closing it would end the locks that this process has on it.
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw SQLiteError(
        code: errno,
        description: "The journal '\(path)' cannot be opened: \(String(cString: strerror(errno))). "
          + "Name a file in a folder that you may write to.")
    }
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK else { throw error() }
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close(handle)
  }

  private func error() -> SQLiteError {
    let code = sqlite3_extended_errcode(handle)
    let reason = String(cString: sqlite3_errmsg(handle))
    let advice =
      switch code & 0xFF {
      case SQLITE_BUSY, SQLITE_LOCKED:
        "Another process has it open; end that one, or use PostgreSQL for several."
      case SQLITE_NOTADB, SQLITE_CORRUPT: "It is damaged or no journal; nothing was changed."
      case SQLITE_FULL: "Make room on the disk."
      default: "Look at the file and its folder."
      }
    return SQLiteError(
      code: code, description: "The journal '\(path)' has failed: \(reason). \(advice)")
  }

  /// Runs statements without parameters, separated by semicolons.
  func execute(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw error() }
  }

  /// Runs a statement, and calls a closure with each row.
  func run(
    _ sql: String, _ values: [SQLiteValue] = [], row: (SQLiteRow) throws -> Void = { _ in }
  ) throws {
    let statement = try prepared(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() { try bind(value, Int32(index + 1), statement) }
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: try row(SQLiteRow(statement: statement))
      case SQLITE_DONE: return
      default: throw error()
      }
    }
  }

  /// Runs statements as one transaction.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try run("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      try? run("ROLLBACK")
      throw error
    }
  }

  private func prepared(_ sql: String) throws -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw error()
    }
    statements[sql] = statement
    return statement
  }

  private func bind(_ value: SQLiteValue, _ index: Int32, _ statement: OpaquePointer) throws {
    // SQLite makes copies: the memory is gone when the statement runs.
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    let code =
      switch value {
      case .null: sqlite3_bind_null(statement, index)
      case .integer(let value): sqlite3_bind_int64(statement, index, value)
      case .real(let value): sqlite3_bind_double(statement, index, value)
      case .text(let value):
        sqlite3_bind_text(statement, index, value, Int32(value.utf8.count), copied)
      case .blob(let value):
        value.withUnsafeBytes {
          sqlite3_bind_blob64(
            statement, index, $0.baseAddress ?? UnsafeRawPointer(bitPattern: 1),
            UInt64($0.count), copied)
        }
      }
    guard code == SQLITE_OK else { throw error() }
  }
}

/// A row of a result, while its statement is at it.
struct SQLiteRow {
  fileprivate let statement: OpaquePointer

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }
  func real(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }

  func text(_ column: Int32) -> String {
    sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
  }

  func blob(_ column: Int32) -> Data {
    guard let bytes = sqlite3_column_blob(statement, column) else { return Data() }
    return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, column)))
  }
}
