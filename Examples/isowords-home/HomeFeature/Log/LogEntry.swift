// One commit of the screen's store, as the log shows it.

import Foundation
import Rondo

/// What a line of the log says.
public struct LogEntry: Equatable, Sendable {
  /// The time since the start, virtual or real.
  public var time: Duration

  /// The names of the actions that led to the commit, in order.
  public var actions: [String]

  /// The commit's transaction: `untagged`, `.default`, ….
  public var tag: String

  /// Whether nothing is said about how the change is to be shown.
  public var isUntagged: Bool
  public var changes: [Change]

  public init(
    time: Duration,
    actions: [String],
    tag: String,
    isUntagged: Bool,
    changes: [Change]
  ) {
    self.time = time
    self.actions = actions
    self.tag = tag
    self.isUntagged = isUntagged
    self.changes = changes
  }

  /// The time in whole milliseconds.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = time.components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}

extension LogEntry {
  /// The entry of a commit.
  ///
  /// - Parameters:
  ///   - commit: What the store has told.
  ///   - time: When that was, from the start.
  ///   - date: When that was.
  public init(_ commit: Commit<Home.State, HomeAction>, at time: Duration, on date: Date) {
    self.init(
      commit.actions, with: commit.transaction, from: commit.oldState, to: commit.newState,
      at: time, on: date)
  }

  /// The entry of some actions that led from one state to another.
  public init(
    _ actions: [HomeAction],
    with transaction: Transaction,
    from oldState: Home.State,
    to newState: Home.State,
    at time: Duration,
    on date: Date
  ) {
    self.init(
      time: time,
      actions: actions.map(\.name),
      tag: transaction.description,
      isUntagged: transaction.isEmpty,
      changes: newState.changes(since: oldState, at: date)
    )
  }
}
