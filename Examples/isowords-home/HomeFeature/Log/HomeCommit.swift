// A commit of the home screen, with when it was made.

import Foundation
import Rondo

/// One change of the home screen, as it is logged and recorded.
public struct HomeCommit: Sendable {
  /// The time since the start, virtual or real.
  public var time: Duration
  /// The date of the commit.
  public var date: Date

  /// The actions that led to the change, in order.
  public var actions: [HomeAction]

  /// The transaction that says how the change is to be shown.
  public var transaction: Transaction
  /// The state before it.
  public var oldState: Home.State
  /// The state after it.
  public var newState: Home.State

  /// A commit; each parameter is the property of its name.
  public init(
    time: Duration,
    date: Date,
    actions: [HomeAction],
    transaction: Transaction,
    oldState: Home.State,
    newState: Home.State
  ) {
    self.time = time
    self.date = date
    self.actions = actions
    self.transaction = transaction
    self.oldState = oldState
    self.newState = newState
  }

  /// The change as an entry of the log.
  public var entry: LogEntry {
    LogEntry(
      time: time,
      actions: actions.map(\.name),
      tag: transaction.description,
      isUntagged: transaction.isEmpty,
      changes: newState.changes(since: oldState, at: date)
    )
  }
}
