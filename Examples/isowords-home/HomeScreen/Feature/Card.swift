// A game that can be gone on with, as the screen shows it.

import Foundation
import RondoHomeFeature

/// One of the cards on the screen.
public struct Card: Equatable, Identifiable, Sendable {
  public enum ID: Codable, Hashable, Sendable {
    case dailyChallenge, solo
    case match(TurnBasedMatch.ID)
  }

  /// The state of a game for the player.
  enum Mood: Equatable, Sendable {
    case saved, yourTurn, theirTurn, poke

    var badge: String {
      switch self {
      case .saved: "resume"
      case .yourTurn: "your turn"
      case .theirTurn: "waiting"
      case .poke: "poke?"
      }
    }
  }

  public var id: ID
  var title: String
  var detail: String
  var mood: Mood
}

extension TerminalScreen.State {
  /// The cards, from the top.
  var cards: [Card] {
    home.activeGames.map { game in
      switch game {
      case .dailyChallenge(let game):
        Card(id: .dailyChallenge, title: "Daily challenge", detail: game.summary, mood: .saved)
      case .solo(let game):
        Card(id: .solo, title: "Solo", detail: game.summary, mood: .saved)
      case .match(let match):
        Card(
          id: .match(match.id),
          title: match.opponent,
          detail: match.summary(at: date),
          mood: match.mood(at: date)
        )
      }
    }
  }
}

extension SavedGame {
  /// `2 words, 90 points`
  var summary: String {
    "\(counted(words.count, "word")), \(counted(score, "point"))"
  }
}

extension TurnBasedMatch {
  fileprivate func mood(at date: Date) -> Card.Mood {
    if isYourTurn { return .yourTurn }
    return offersPoke(at: date) ? .poke : .theirTurn
  }

  /// `touched 5 hours ago`
  func summary(at date: Date) -> String {
    let minutes = Int(min(max(0, date.timeIntervalSince(touchedAt)), 1e12) / 60)
    return switch minutes {
    case 0: "touched just now"
    case ..<60: "touched \(counted(minutes, "minute")) ago"
    case ..<(48 * 60): "touched \(counted(minutes / 60, "hour")) ago"
    default: "touched \(counted(minutes / 60 / 24, "day")) ago"
    }
  }
}

/// A number with its noun: `1 word`, `2 words`.
func counted(_ number: Int, _ noun: String) -> String {
  number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
}
