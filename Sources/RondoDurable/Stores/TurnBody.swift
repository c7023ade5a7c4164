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
  }

  var cause: Cause
  /// The time of the turn, in seconds of the database's time since 2001.
  var at: Double
  /// The actions that were reduced, in order.
  var actions: [Action]
  /// The digest of the state behind them, in 16 hexadecimal digits.
  var digest: String
  /// The work that has started.
  var started: [WorkRecord]?
  /// The ids of the work that has ended, which is removed before that which has started is added.
  var ended: [String]?
  /// The indices of the actions whose ordinary effects are in flight at the end of the turn.
  var runs: [Int]?
  /// The keys of those that are in flight no longer.
  var stopped: [String]?
}

/// A stored state, with the work in flight.
struct SnapshotBody<State: Codable, Action: Codable>: Codable {
  var state: State
  var digest: String
  var work: [WorkRecord]
  var runs: [RunRecord<State, Action>]
}

/// An action whose ordinary effects are in flight.
struct RunRecord<State: Codable, Action: Codable>: Codable {
  var key: String
  var action: Action
  /// The state that the action was handled in.
  var state: State
}

extension UInt64 {
  /// The number in 16 hexadecimal digits.
  var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
