// A game between two players who take turns, at their leisure.

import Foundation

/// A match of the local player against somebody.
public struct TurnBasedMatch: Codable, Equatable, Identifiable, Sendable {
  public typealias ID = String

  /// Whether a match goes on.
  public enum Status: String, Choice {
    /// The match goes on.
    case open
    /// The match is over.
    case ended
  }

  public var id: ID
  /// The name of the other player.
  public var opponent: String
  /// Whether the match goes on.
  public var status: Status

  /// Whether the match waits for the local player.
  public var isYourTurn: Bool

  /// When somebody last did something in it: a turn or a reminder.
  public var touchedAt: Date

  /// A match; each parameter is the property of its name.
  public init(
    id: ID,
    opponent: String,
    status: Status = .open,
    isYourTurn: Bool,
    touchedAt: Date
  ) {
    self.id = id
    self.opponent = opponent
    self.status = status
    self.isYourTurn = isYourTurn
    self.touchedAt = touchedAt
  }

  /// Whether the opponent has left the match untouched for 24 hours and may be reminded of it.
  public func offersPoke(at now: Date) -> Bool {
    status == .open && !isYourTurn && now.timeIntervalSince(touchedAt) >= 24 * 60 * 60
  }
}

extension Sequence<TurnBasedMatch> {
  /// The matches in the order in which the screen shows them: the player's own turns first, in
  /// each group the newest first, matches of the same instant by id.
  public func sortedForDisplay() -> [TurnBasedMatch] {
    sorted { lhs, rhs in
      if lhs.isYourTurn != rhs.isYourTurn { return lhs.isYourTurn }
      if lhs.touchedAt != rhs.touchedAt { return lhs.touchedAt > rhs.touchedAt }
      return lhs.id < rhs.id
    }
  }
}
