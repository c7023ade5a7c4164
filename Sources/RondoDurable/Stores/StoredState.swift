// Reads a store: decodes its snapshot, and reduces the turns behind it.

import Foundation
import Rondo

/// A store as its rows say that it is.
struct StoredState<State: Codable & Sendable, Action: Codable & Sendable> {
  var state: State
  var number: Int64 = 0
  /// The number of the turn that the snapshot has; zero without one.
  var snapshotNumber: Int64 = 0
  /// The sizes of the snapshot, and of the rows behind it, in bytes.
  var snapshotSize = 0
  var rowsSize = 0
  /// The first turn behind the last one that had a digest.
  private var firstUnchecked: Int64?
  var work: [String: WorkRecord] = [:]
  var runs: [RunRecord<State, Action>] = []
  var history = StoreHistory()
  /// The turns that were reduced again by another version or revision than their own; `nil` where there are none.
  private(set) var replay: DurableReplay?
  /// The messages of the turns that were read.
  var messages: [String: Int64] = [:]

  /// - Throws: A ``DurableError`` that names the row which cannot be read.
  init(
    _ stored: StoredStore?, of key: StoreKey, _ feature: DurableFeature<State, Action>,
    _ source: TurnSource
  ) throws(DurableError) {
    state = feature.initialState(key.name)
    guard let stored else { return }
    if let snapshot = stored.snapshot { try read(snapshot, key, feature) }
    if !stored.turns.isEmpty {
      let reduce = StoredState.reducer(of: feature, source)
      for row in stored.turns { try read(row, key, feature, source, reduce) }
    }
    try checkInputs(key, feature)
    guard let replay, let turn = replay.changed, feature.revisionDecision == .keep else { return }
    throw .revised(store: key, turn: turn, revision: replay.revision, known: feature.revision)
  }

  /// The reducer, with the dependencies that it has in the machine.
  private static func reducer(
    of feature: DurableFeature<State, Action>, _ source: TurnSource
  ) -> (inout State, Action) -> Void {
    withDependencies {
      source.install(in: &$0)
      $0.durableRequests = { _ in }
      feature.prepareDependencies(&$0)
    } operation: {
      let prepared = feature.makeReducer().prepared
      let dependencies = DependencyValues.current
      return { state, action in dependencies.whileInForce { _ = prepared(&state, action) } }
    }
  }

  private mutating func read(
    _ snapshot: Snapshot, _ key: StoreKey, _ feature: DurableFeature<State, Action>
  ) throws(DurableError) {
    let data = try StoredState.migrated(
      snapshot.body, snapshot.version, snapshot.number, key, feature
    ) { object, migrate in
      object["state"] = try migrate(.state, object["state"])
      object["runs"] = try (object["runs"] as? [[String: Any]] ?? []).map { run in
        var run = run
        run["action"] = try migrate(.action, run["action"])
        if let state = run["state"] { run["state"] = try migrate(.state, state) }
        return run
      }
      object["work"] = try StoredState.migrated(inputsOf: object["work"], migrate)
    }
    let body: SnapshotBody<State, Action>
    let digest: String
    do {
      body = try DurableCoding.decode(SnapshotBody<State, Action>.self, from: data)
      digest = try StateDigest.of(body.state).hexadecimal
    } catch {
      throw .damaged(
        store: key, turn: snapshot.number, reason: "has a snapshot that cannot be read (\(error))")
    }
    guard digest == body.digest || snapshot.version < feature.version else {
      throw .damaged(
        store: key, turn: snapshot.number,
        reason: "has a snapshot whose state has the digest \(digest) instead of \(body.digest)")
    }
    state = body.state
    snapshotSize = snapshot.body.count
    number = snapshot.number
    snapshotNumber = snapshot.number
    work = Dictionary(body.work.map { ($0.id, $0) }) { _, last in last }
    runs = body.runs
    if let history = body.history { self.history = history }
  }

  private mutating func read(
    _ row: TurnRow, _ key: StoreKey, _ feature: DurableFeature<State, Action>,
    _ source: TurnSource, _ reduce: (inout State, Action) -> Void
  ) throws(DurableError) {
    guard row.number == number + 1 else {
      throw .damaged(store: key, turn: row.number, reason: "follows turn \(number)")
    }
    let data = try StoredState.migrated(row.body, row.version, row.number, key, feature) {
      object, migrate in
      object["actions"] = try (object["actions"] as? [Any] ?? []).map { try migrate(.action, $0) }
      object["started"] = try StoredState.migrated(inputsOf: object["started"], migrate)
    }
    let body: TurnBody<Action>
    do {
      body = try DurableCoding.decode(TurnBody<Action>.self, from: data)
    } catch {
      throw .damaged(store: key, turn: row.number, reason: "cannot be read (\(error))")
    }
    number = row.number
    source.beginAgain(
      at: Date(timeIntervalSinceReferenceDate: body.at), number: number, body.chance)
    for (index, action) in body.actions.enumerated() {
      if body.runs?.contains(index) == true {
        runs.append(
          RunRecord(
            key: "\(number).\(index)", action: action,
            state: feature.onInterruption == nil ? nil : state))
      }
      source.willReduce(index)
      reduce(&state, action)
      source.didReduce()
    }
    rowsSize += row.body.count
    try check(body, row, key, feature)
    for id in body.ended ?? [] { work[id] = nil }
    for record in body.started ?? [] { work[record.id] = record }
    if let stopped = body.stopped { runs.removeAll { stopped.contains($0.key) } }
    if let message = row.message { messages[message] = number }
  }

  /// Compares the digest of a turn, if it has one, with that of the state that it has led to.
  private mutating func check(
    _ body: TurnBody<Action>, _ row: TurnRow, _ key: StoreKey,
    _ feature: DurableFeature<State, Action>
  ) throws(DurableError) {
    let revision = body.revision ?? 0
    let isOwn = row.version == feature.version && revision == feature.revision
    if !isOwn {
      var replay =
        self.replay ?? DurableReplay(version: row.version, revision: revision, first: number)
      replay.last = number
      self.replay = replay
    }
    guard let expected = body.digest, row.version == feature.version else {
      firstUnchecked = firstUnchecked ?? number
      return
    }
    let digest = (try? StateDigest.of(state).hexadecimal) ?? ""
    guard digest == expected else {
      // A turn of this revision stands on those of the other one.
      if let changed = replay?.changed ?? (isOwn ? nil : number) {
        replay?.changed = changed
        return
      }
      let actions = body.actions.map { summary(of: $0) }.joined(separator: ", ")
      let others = firstUnchecked.map { ", or one of the turns from \($0) on" } ?? ""
      throw .damaged(
        store: key, turn: number,
        reason:
          "(\(actions))\(others) leads to a state with the digest \(digest) instead of \(expected): "
          + "the reducer has changed since, or the row has")
    }
    firstUnchecked = nil
  }

  /// Refuses a store with work in flight that would not be able to read its input.
  private func checkInputs(
    _ key: StoreKey, _ feature: DurableFeature<State, Action>
  ) throws(DurableError) {
    for record in work.values {
      let effect = record.timer == nil ? feature.effects[record.name] : nil
      let input = effect?.input ?? feature.timers[record.name]?.input
      do {
        try input?.read(Data(record.input.utf8))
      } catch {
        let what = record.timer == nil ? "effect" : "timer"
        throw .damaged(
          store: key, turn: record.turn,
          reason: "has started the \(what) '\(record.name)', whose input cannot be read (\(error))")
      }
    }
  }

  /// The records of work with their inputs as the present version encodes them.
  private static func migrated(inputsOf records: Any?, _ migrate: Migrate) throws -> Any? {
    try (records as? [[String: Any]])?.map { record in
      var record = record
      let input = Data((record["input"] as? String ?? "null").utf8)
      let migrated = try migrate(
        .input(of: record["name"] as? String ?? ""),
        JSONSerialization.jsonObject(with: input, options: .fragmentsAllowed))
      record["input"] = String(
        decoding: try JSONSerialization.data(withJSONObject: migrated, options: .fragmentsAllowed),
        as: UTF8.self)
      return record
    }
  }

  private typealias Migrate = (DurableData.Kind, Any?) throws -> Any

  /// The data of a row as the present version encodes it.
  private static func migrated(
    _ data: Data, _ version: Int, _ number: Int64, _ key: StoreKey,
    _ feature: DurableFeature<State, Action>,
    _ change: (inout [String: Any], Migrate) throws -> Void
  ) throws(DurableError) -> Data {
    guard version != feature.version else { return data }
    guard version < feature.version else {
      throw .newer(store: key, turn: number, version: version, known: feature.version)
    }
    guard let migration = feature.migration else {
      throw .older(
        store: key, turn: number, version: version, reason: "this one is \(feature.version)")
    }
    do {
      guard var object = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
        throw CocoaError(.propertyListReadCorrupt)
      }
      try change(&object) { kind, value in
        let json = try JSONSerialization.data(
          withJSONObject: value ?? NSNull(), options: .fragmentsAllowed)
        let migrated = try migration(DurableData(kind: kind, version: version, json: json))
        return try JSONSerialization.jsonObject(with: migrated, options: .fragmentsAllowed)
      }
      return try JSONSerialization.data(withJSONObject: object)
    } catch {
      throw .older(
        store: key, turn: number, version: version, reason: "cannot be brought forward (\(error))")
    }
  }
}

extension Reducer {
  /// The reducer as one function.
  fileprivate var prepared: (inout State, Action) -> Effect<Action> { _prepare() }
}
