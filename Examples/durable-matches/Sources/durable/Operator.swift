// The commands of the tool.

import Foundation
import RondoDurable

struct Operator {
  private let arguments: Arguments
  private let journal: any OperableJournal
  private let limit: Int
  private let wait: Duration

  init(_ arguments: Arguments) async throws {
    self.arguments = arguments
    limit = try arguments.number("limit", or: 100)
    wait = .seconds(try arguments.number("wait", or: 10))
    journal = try await arguments.journal()
  }

  /// Runs the command.
  func run() async throws {
    switch arguments.command {
    case "ls" where arguments.operands.isEmpty: try await listKinds()
    case "ls": try await listStores()
    case "show": try await show()
    case "log": try await log()
    case "quarantine": try await listQuarantine()
    case "metrics":
      var all: DurableMetrics?
      for kind in try await journal.kinds() {
        let metrics = DurableMetrics(try await journal.figures(of: kind), of: kind)
        all = all.map { $0 + metrics } ?? metrics
      }
      print(all?.text ?? "", terminator: "")
    case "retry":
      let store = try await knownStore()
      _ = try await journal.retry(store, discarding: nil)
      say(store, "its owner tries again")
    case "discard": try await discard()
    case "abandon": try await abandon()
    default: try await order(JournalMessage.deletion, try await knownStore(), "deleted")
    }
  }

  /// The store of the command, if the journal knows it.
  private func knownStore() async throws -> StoreKey {
    let store = try arguments.store()
    let isThere = try await journal.lastTurns(of: [store])[store] != nil
    let waits = try await !journal.inbox(of: store, limit: 1).isEmpty
    guard isThere || waits else {
      throw UsageError("The journal has no store '\(store)'; see 'durable ls \(store.kind)'.")
    }
    return store
  }

  /// The kind that was named, if the journal knows it.
  private func knownKind(_ kind: String) async throws -> String {
    guard try await journal.kinds().contains(kind) else {
      throw UsageError("The journal has no kind '\(kind)'; see 'durable ls'.")
    }
    return kind
  }

  /// Tells what was done to a store.
  private func say(_ store: StoreKey, _ outcome: String) {
    guard arguments.isJSON else { return print(Table.cell("\(store): \(outcome)")) }
    print(JSONText.line(["store": store.description, "outcome": outcome]))
  }

  // MARK: Lists

  private func listKinds() async throws {
    var table = Table(["KIND", "SHARDS", "WORKERS", "INBOX", "DUE", "FAILED", "SET ASIDE"])
    for kind in try await journal.kinds() {
      let figures = try await journal.figures(of: kind)
      table.add([
        kind, figures.shards.count, Set(figures.shards.compactMap(\.worker)).count, figures.inbox,
        figures.due, figures.failures.count, figures.setAside,
      ])
    }
    table.print(arguments.isJSON)
  }

  private func listStores() async throws {
    let kind = try await knownKind(arguments.operands[0])
    var table = Table(["STORE", "TURN", "STATUS"])
    let failures = try await journal.figures(of: kind).failures
    var (last, count) = (arguments.after ?? "", 0)
    while count < limit {
      let names =
        arguments.isFailedOnly
        ? Array(failures.keys.map(\.name).filter { $0 > last }.sorted().prefix(limit - count))
        : try await journal.names(of: kind, after: last, limit: min(500, limit - count))
      guard let end = names.last else { break }
      (last, count) = (end, count + names.count)
      let keys = names.map { StoreKey(kind: kind, name: $0) }
      let turns = try await journal.lastTurns(of: keys)
      for key in keys {
        table.add([key.name, turns[key] ?? 0, failures[key].map { "failed: \($0)" } ?? "ok"])
      }
    }
    table.print(arguments.isJSON)
  }

  private func listQuarantine() async throws {
    var kinds: [String] = []
    for kind in arguments.operands { kinds.append(try await knownKind(kind)) }
    if kinds.isEmpty { kinds = try await journal.kinds() }
    var table = Table(["STORE", "WHAT", "REASON", "DATA"])
    for kind in kinds {
      for entry in try await journal.setAside(of: kind) {
        let data = String(decoding: entry.data, as: UTF8.self)
        table.add([entry.attempt.store.description, entry.attempt.key, entry.reason, data])
      }
      let failures = try await journal.figures(of: kind).failures
      for (store, reason) in failures.sorted(by: { $0.key.name < $1.key.name }) {
        table.add([store.description, "the store stands still", reason, ""])
      }
    }
    table.print(arguments.isJSON)
  }

  // MARK: One store

  private func show() async throws {
    let store = try await knownStore()
    let stored = try await journal.load(store)
    let snapshot = stored?.snapshot.map { JSONText($0.body) }
    var work = Work(snapshot?["work"])
    for row in stored?.turns ?? [] { work.apply(JSONText(row.body)) }
    let messages = try await journal.inbox(of: store, limit: limit)
    var fields: [(String, Any)] = [
      ("store", store.description),
      ("turn", stored?.turns.last?.number ?? stored?.snapshot?.number ?? 0),
      ("storedTurn", stored?.snapshot?.number ?? 0),
      ("version", stored?.turns.last?.version ?? stored?.snapshot?.version ?? 0),
      ("wake", stored?.wake.map { $0.ISO8601Format() } ?? NSNull()),
      ("failure", try await journal.failures(of: [store])[store] ?? NSNull()),
      ("attempts", stored?.attempts.sorted() ?? []),
      ("state", snapshot?["state"] ?? NSNull()),
      ("work", work.list),
    ]
    fields.append(
      (
        "inbox",
        messages.map { message -> [String: Any] in
          ["id": message.key.id, "action": JSONText(message.action).value ?? text(message.action)]
        }
      ))
    if arguments.isJSON {
      return print(JSONText.line(Dictionary(fields) { _, last in last }))
    }
    for (name, value) in fields {
      switch value {
      case let list as [Any]:
        print("\(name):\(list.isEmpty ? " none" : "")")
        for element in list { print("  \(Table.cell(element))") }
      default: print("\(name): \(Table.cell(value))")
      }
    }
    if let number = stored?.turns.last?.number, number > stored?.snapshot?.number ?? 0 {
      print(
        "The state is that of turn \(stored?.snapshot?.number ?? 0); 'log' shows the turns since then."
      )
    }
  }

  private func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

  private func log() async throws {
    let store = try await knownStore()
    var table = Table(["TURN", "TIME", "CAUSE", "MESSAGE", "ACTIONS", "STARTED", "ENDED"])
    guard let after = Int64(arguments.after ?? "0") else {
      throw UsageError("'--after' needs the number of a turn here.")
    }
    for row in try await journal.turns(of: store, after: after, limit: limit) {
      let body = JSONText(row.body)
      let time = (body["at"] as? Double).map {
        Date(timeIntervalSinceReferenceDate: $0).ISO8601Format()
      }
      let started = (body["started"] as? [[String: Any]] ?? []).map { "\($0["name"] ?? "")" }
      let ended = body["ended"] as? [String] ?? []
      table.add([
        row.number, time ?? "", body["cause"] ?? (row.body.isEmpty ? "deleted" : "?"),
        row.message ?? "", body["actions"] ?? "",
        arguments.isJSON ? started : started.joined(separator: ","),
        arguments.isJSON ? ended : ended.joined(separator: ","),
      ])
    }
    table.print(arguments.isJSON)
  }

  private func discard() async throws {
    let (store, message) = (try await knownStore(), arguments.operands[1])
    guard try await journal.retry(store, discarding: message) else {
      throw UsageError("No message '\(message)' waits for '\(store)'; see 'durable show \(store)'.")
    }
    say(store, "the message '\(message)' is left out")
  }

  private func abandon() async throws {
    let (store, name) = (try await knownStore(), arguments.operands[1])
    let stored = try await journal.load(store)
    var work = Work(stored?.snapshot.map { JSONText($0.body) }?["work"])
    for row in stored?.turns ?? [] { work.apply(JSONText(row.body)) }
    guard work.has(name) else {
      throw UsageError("'\(store)' has no work '\(name)' in flight; see 'durable show \(store)'.")
    }
    try await order(JournalMessage.abandonment(of: name), store, "abandoned")
  }

  /// Sends what the owner of a store is to do, and waits for it.
  private func order(_ action: Data, _ store: StoreKey, _ word: String) async throws {
    let message = MessageKey(store: store, id: "durable-\(UUID().uuidString)")
    _ = try await journal.post(JournalMessage(key: message, action: action, version: 0))
    let end = ContinuousClock().now + wait
    repeat {
      if try await !journal.waiting([message]).contains(message) {
        return say(store, word)
      }
      if let reason = try await journal.failures(of: [store])[store] {
        throw NotDone("'\(store)' stands still, and what was asked for waits: \(reason)")
      }
      try await Task.sleep(for: .milliseconds(50))
    } while ContinuousClock().now < end
    say(store, "waits for its owner, as the message '\(message.id)'")
  }
}

/// The work in flight of a store, as its rows say.
private struct Work {
  private var records: [String: [String: Any]] = [:]

  init(_ stored: Any?) {
    for record in stored as? [[String: Any]] ?? [] { add(record) }
  }

  private mutating func add(_ record: [String: Any]) {
    if let id = record["id"] as? String { records[id] = record }
  }

  mutating func apply(_ turn: JSONText) {
    for id in turn["ended"] as? [String] ?? [] { records[id] = nil }
    for record in turn["started"] as? [[String: Any]] ?? [] { add(record) }
  }

  func has(_ name: String) -> Bool {
    records[name] != nil || records.values.contains { $0["key"] as? String == name }
  }

  /// Each with its name, its input, and when it is due if it is a timer.
  var list: [[String: Any]] {
    records.values.map { record in
      var record = record
      if let timer = record.removeValue(forKey: "timer") as? [String: Any],
        let due = timer["due"] as? Double
      {
        record["due"] = Date(timeIntervalSinceReferenceDate: due).ISO8601Format()
      }
      return record
    }.sorted { "\($0["key"] ?? "")" < "\($1["key"] ?? "")" }
  }
}
