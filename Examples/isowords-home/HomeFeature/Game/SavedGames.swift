// The games that have been left unfinished, as `saved-games.json` holds them.

import Foundation

/// At most one unfinished game of each kind that can be resumed.
public struct SavedGames: Codable, Equatable, Sendable {
  /// Today's daily challenge without a time limit.
  public var dailyChallengeUnlimited: SavedGame?

  /// A solo game without a time limit.
  public var unlimited: SavedGame?

  /// Saved games; each parameter is the property of its name.
  public init(dailyChallengeUnlimited: SavedGame? = nil, unlimited: SavedGame? = nil) {
    self.dailyChallengeUnlimited = dailyChallengeUnlimited
    self.unlimited = unlimited
  }

  /// The number of games that can be resumed.
  public var count: Int {
    (dailyChallengeUnlimited == nil ? 0 : 1) + (unlimited == nil ? 0 : 1)
  }
}

/// A game in progress.
public struct SavedGame: Equatable, Sendable {
  /// The cubes that are left, and the use of each face.
  public var cubes: Puzzle

  /// The challenge that the game is played for; `nil` for a solo game.
  public var dailyChallengeId: DailyChallenge.ID?
  /// The mode in which it is played.
  public var gameMode: GameMode
  /// The moment at which the game began.
  public var gameStartTime: Date
  /// The language of its words.
  public var language: Language
  /// The moves so far, in order.
  public var moves: [Move]
  /// The time that was played so far, in seconds.
  public var secondsPlayed: Int

  /// A game; each parameter is the property of its name.
  public init(
    cubes: Puzzle,
    dailyChallengeId: DailyChallenge.ID? = nil,
    gameMode: GameMode,
    gameStartTime: Date,
    language: Language = .en,
    moves: [Move] = [],
    secondsPlayed: Int = 0
  ) {
    self.cubes = cubes
    self.dailyChallengeId = dailyChallengeId
    self.gameMode = gameMode
    self.gameStartTime = gameStartTime
    self.language = language
    self.moves = moves
    self.secondsPlayed = secondsPlayed
  }

  /// The words played so far.
  public var words: [String] {
    moves.compactMap { move in
      guard case .playedWord(let word) = move.kind else { return nil }
      return cubes.word(word.cells)
    }
  }

  /// The points won so far.
  public var score: Int {
    // A damaged file may hold scores whose sum no integer holds; it need not be exact then.
    moves.reduce(0) { sum, move in
      let (total, overflow) = sum.addingReportingOverflow(move.score)
      return overflow ? .max : total
    }
  }
}

/// Whether a game is played against the clock.
public enum GameMode: String, Choice {
  /// Against the clock.
  case timed
  /// Without a clock.
  case unlimited
}

/// The language whose words count.
public enum Language: String, Choice {
  /// English.
  case en
}

extension SavedGame: Codable {
  private enum CodingKeys: CodingKey {
    case cubes, dailyChallengeId, gameMode, gameStartTime, language, moves, secondsPlayed
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    cubes = try container.decode(Puzzle.self, forKey: .cubes)
    dailyChallengeId = try container.decodeIfPresent(String.self, forKey: .dailyChallengeId)
    gameMode = try container.decode(GameMode.self, forKey: .gameMode)
    gameStartTime = try container.decode(Date.self, forKey: .gameStartTime)
    language = try container.decode(Language.self, forKey: .language)
    moves = try container.decode([Move].self, forKey: .moves)
    secondsPlayed = try container.decode(Int.self, forKey: .secondsPlayed, expecting: "0 or more") {
      $0 >= 0
    }
  }
}
