// The puzzle of the day, the same for everybody.

import Foundation

/// One of today's challenges.
public struct DailyChallenge: Codable, Equatable, Identifiable, Sendable {
  public typealias ID = String

  /// Midnight UTC, when the next day's challenges come.
  public var endsAt: Date
  /// The mode in which it is played.
  public var gameMode: GameMode
  public var id: ID
  /// The language of its words.
  public var language: Language

  /// A challenge; each parameter is the property of its name.
  public init(endsAt: Date, gameMode: GameMode, id: ID, language: Language = .en) {
    self.endsAt = endsAt
    self.gameMode = gameMode
    self.id = id
    self.language = language
  }
}

/// The player's result in a challenge.
public struct DailyChallengeResult: Codable, Equatable, Sendable {
  /// The number of people who have played it.
  public var outOf: Int

  /// The player's place; `nil` until the challenge has been played to its end.
  public var rank: Int?
  /// The player's score in points; `nil` until the challenge has been played to its end.
  public var score: Int?
  /// Whether the player has begun it.
  public var started: Bool

  /// A result; each parameter is the property of its name.
  public init(outOf: Int, rank: Int? = nil, score: Int? = nil, started: Bool = false) {
    self.outOf = outOf
    self.rank = rank
    self.score = score
    self.started = started
  }
}

/// A challenge with the player's result in it, as the server answers it.
public struct FetchedDailyChallenge: Codable, Equatable, Identifiable, Sendable {
  /// The challenge.
  public var dailyChallenge: DailyChallenge
  /// The player's result in it.
  public var yourResult: DailyChallengeResult

  /// A challenge and a result.
  public init(dailyChallenge: DailyChallenge, yourResult: DailyChallengeResult) {
    self.dailyChallenge = dailyChallenge
    self.yourResult = yourResult
  }

  public var id: DailyChallenge.ID { dailyChallenge.id }

  /// Whether the player has played the challenge to its end.
  public var isPlayed: Bool { yourResult.rank != nil }
}
