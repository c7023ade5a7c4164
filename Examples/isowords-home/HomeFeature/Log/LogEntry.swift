// One commit of the screen's store, as the log shows it.

import Foundation
import Rondo

/// The content of a line of the log.
public struct LogEntry: Equatable, Sendable {
  /// The time since the start, virtual or real.
  public var time: Duration

  /// The names of the actions that led to the commit, in order.
  public var actions: [String]

  /// The commit's transaction: `untagged`, `.default`, ….
  public var tag: String

  /// Whether nothing is said about how the change is to be shown.
  public var isUntagged: Bool

  /// The name of the scheduler that the actions were received on; `nil` for what the user does, and where it is not
  /// known.
  public var receivedOn: String?
  /// The name of the scheduler that the actions came from, where nothing was asked to receive them.
  public var sentFrom: String?
  /// The name of the effect that the actions came from; `nil` for what the user does, and where it is not known.
  public var effect: String?
  /// The fields that have changed.
  public var changes: [Change]

  /// A line; each parameter is the property of its name.
  public init(
    time: Duration,
    actions: [String],
    tag: String,
    isUntagged: Bool,
    receivedOn: String? = nil,
    sentFrom: String? = nil,
    effect: String? = nil,
    changes: [Change]
  ) {
    self.time = time
    self.actions = actions
    self.tag = tag
    self.isUntagged = isUntagged
    self.receivedOn = receivedOn
    self.sentFrom = sentFrom
    self.effect = effect
    self.changes = changes
  }

  /// The time, rounded to whole milliseconds.
  var milliseconds: Int64 { Int64((time / .milliseconds(1)).rounded()) }
}
