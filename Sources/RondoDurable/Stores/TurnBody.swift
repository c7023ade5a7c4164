// The rows of a store as values: turns, snapshots, and the work in them.

import Foundation

/// Work that has been started and has not ended.
struct WorkRecord: Codable, Equatable, Sendable {
  /// The id to cancel it by. One without an id of the feature's has its key.
  var id: String
  /// The key for those outside: the same each time the work is started, and no other work's.
  var key: String
  var name: String
  /// The input as JSON.
  var input: String
  var timer: Timer?

  /// The number of the turn that has started it, which its key has in it.
  var turn: Int64 {
    key.split(separator: "/").last?.split(separator: ".").first.flatMap { Int64($0) } ?? 0
  }

  struct Timer: Codable, Equatable, Sendable {
    /// In seconds of the database's time since 2001.
    var due: Double
    var duration: Double
    /// The lease under which it was started.
    var epoch: Int64
    var downtime: Double

    /// The moment at which it is due under a lease.
    func due(_ resume: TimerResume, _ lease: Lease) -> Date {
      switch resume {
      case .deadline: return Date(timeIntervalSinceReferenceDate: due)
      case .remaining:
        return Date(timeIntervalSinceReferenceDate: due + lease.downtime - downtime)
      case .restart:
        guard lease.epoch != epoch else { return Date(timeIntervalSinceReferenceDate: due) }
        return lease.since.addingTimeInterval(duration)
      }
    }
  }
}

/// The content of the row of a turn.
struct TurnBody<Action: Codable>: Codable {
  enum Cause: String, Codable {
    /// A message was handled.
    case message
    /// A durable effect has answered.
    case effect
    /// A timer was due.
    case timer
    /// An ordinary effect has answered.
    case run
    /// Ordinary effects have ended, or were dropped.
    case end
    /// The store was deleted.
    case deletion
  }

  var cause: Cause
  /// The time of the turn, in seconds of the database's time since 2001.
  var at: Double
  /// The actions that were reduced, in order.
  var actions: [Action]
  /// The digest of the state behind them, in 16 hexadecimal digits. Of a large state it is not taken in every turn.
  var digest: String?
  /// The work that has started.
  var started: [WorkRecord]?
  /// The ids of the work that has ended, which is removed before that which has started is added.
  var ended: [String]?
  /// The indices of the actions whose ordinary effects are in flight at the end of the turn.
  var runs: [Int]?
  /// The keys of those that are in flight no longer.
  var stopped: [String]?
  /// The random bits that its chance and its identifiers are made of. A turn that has used none has none, and so
  /// has one that was written before turns had them.
  var chance: ChanceKey?
  /// The revision of the feature; `nil` for zero.
  var revision: Int?
}

extension TurnBody {
  /// The content as JSON. Most turns have actions and no work: only the actions are encoded there, because an
  /// encoder takes longer for what is around them than a store does for all else.
  func encoded() throws -> Data {
    let hasWork = started != nil || ended != nil || runs != nil || stopped != nil
    guard !hasWork, at.isFinite else { return try DurableCoding.encode(self) }
    var json = Data(#"{"actions":"#.utf8)
    json.append(try DurableCoding.encode(actions))
    let key = chance.map { #","chance":"\#($0.text)""# } ?? ""
    json.append(
      contentsOf: #","at":\#(at),"cause":"\#(cause.rawValue)"\#(key)"#.utf8)
    if let digest { json.append(contentsOf: #","digest":"\#(digest)""#.utf8) }
    if let revision { json.append(contentsOf: #","revision":\#(revision)"#.utf8) }
    json.append(UInt8(ascii: "}"))
    return json
  }
}

/// A stored state, with the work in flight.
struct SnapshotBody<State: Codable, Action: Codable>: Codable {
  var state: State
  var digest: String
  var work: [WorkRecord]
  var runs: [RunRecord<State, Action>]
  var history: StoreHistory?
}

/// The turns of a store that are still in the journal, and how old they are: what is deleted behind a
/// snapshot, and when.
struct StoreHistory: Codable, Equatable, Sendable {
  /// A moment at which all turns up to a number had been written.
  struct Mark: Codable, Equatable, Sendable {
    var number: Int64
    /// In seconds of the database's time since 2001.
    var at: Double
  }

  /// The number of the last turn that was deleted.
  var deleted: Int64 = 0
  /// At most about twenty, in order.
  var marks: [Mark] = []
  /// The number of the last turn that has deleted the store, if one has.
  var deletion: Int64?

  /// Notes that a snapshot is written, and forgets what is old enough.
  ///
  /// - Parameters:
  ///   - number: The number of the last turn, which is in the snapshot.
  ///   - retention: The seconds for which a turn is kept.
  /// - Returns: The number of the last turn to delete, if there is one.
  mutating func noteSnapshot(_ number: Int64, at now: Double, retention: Double) -> Int64? {
    let old = marks.last { $0.at + retention <= now }?.number
    marks.removeAll { $0.at + retention <= now }
    if let old { deleted = old }
    let isCovered = number <= deleted || marks.last?.number == number
    let isSoon = marks.last.map { now - $0.at < retention / 16 } ?? false
    if !isCovered, !isSoon { marks.append(Mark(number: number, at: now)) }
    return old
  }

  /// The moment at which the turns up to the last mark can be deleted.
  func nextDeletion(retention: Double) -> Date? {
    marks.last.map { Date(timeIntervalSinceReferenceDate: $0.at + retention) }
  }
}

extension Turn.Wake {
  /// A moment that every database has: that of a date, or the first second of the year 9999 where the date
  /// is later. A store that is woken then finds that its timer is not due, and waits again.
  static func noLater(than date: Date) -> Self {
    .at(min(date, Date(timeIntervalSince1970: 253_370_764_800)))
  }
}

/// An action whose ordinary effects are in flight.
struct RunRecord<State: Codable, Action: Codable>: Codable {
  var key: String
  var action: Action
  /// The state that the action was handled in; `nil` where nobody would start its effects again.
  var state: State?
}

extension UInt64 {
  /// The number in 16 hexadecimal digits.
  var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
