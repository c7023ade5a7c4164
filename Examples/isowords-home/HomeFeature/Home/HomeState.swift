// The state of the home screen.

import Foundation
import Rondo

extension Home {
  /// The state of the home screen.
  public struct State: Codable, Equatable, Sendable {
    /// The unfinished games on disk.
    public var savedGames = SavedGames()

    /// The player who is signed in to the game service; `nil` before its answer, and after a refusal.
    public var localPlayer: LocalPlayer?

    /// Today's challenges; `nil` while they are loading and where that has failed.
    public var dailyChallenges: [FetchedDailyChallenge]?
    /// The week in review; `nil` while it is loading and where that has failed.
    public var weekInReview: WeekInReview?

    /// The matches that are not over, in the order in which they are shown.
    public var activeMatches: [TurnBasedMatch] = []
    /// Whether there are matches that are over.
    public var hasPastMatches = false

    /// The problem of each source that has failed since the last load began.
    public var problems: [Source: String] = [:]

    /// The change of a match that has failed, until it is tried again.
    public var failedChange: FailedChange?

    /// The screen on top of the home screen.
    @PresentationState public var destination: Destination?

    /// The day that was last loaded, by its first instant in UTC.
    public var day: Date?

    /// The parts that have been asked for and have not been answered yet.
    public var loading: Set<Part> = []

    /// The state before anything is loaded.
    public init() {}
  }

  /// A part of the screen that is loaded by itself.
  public enum Part: String, CaseIterable, Codable, Sendable {
    /// The saved games.
    case savedGames
    /// The player who is signed in.
    case localPlayer
    /// Today's challenges.
    case dailyChallenges
    /// The week in review.
    case weekInReview
    /// The matches.
    case matches
  }

  /// Something that the player does with a match.
  public enum MatchChange: Codable, Hashable, Sendable {
    /// The match is deleted.
    case delete(TurnBasedMatch.ID)
    /// The opponent is reminded.
    case poke(TurnBasedMatch.ID)

    /// The match that is changed.
    public var matchId: TurnBasedMatch.ID {
      switch self {
      case .delete(let id), .poke(let id): id
      }
    }
  }

  /// Something that could not be done with a match, and why.
  public struct FailedChange: Codable, Equatable, Sendable {
    /// The change that was not made.
    public var change: MatchChange
    /// The reason, in words.
    public var problem: String
  }

  /// A screen on top of the home screen.
  public enum Destination: Codable, Equatable, Sendable {
    /// The daily challenges, or one that is being played.
    case dailyChallenge(SavedGame?)

    /// Solo games, with the one that can be resumed.
    case solo(SavedGame?)

    /// A match that is being played.
    case match(TurnBasedMatch.ID)
    /// The settings.
    case settings
    /// The leaderboard.
    case leaderboard
  }
}

// MARK: - Derived

extension Home.State {
  /// A game that can be gone on with.
  public enum ActiveGame: Equatable, Sendable {
    /// A saved game of a daily challenge.
    case dailyChallenge(SavedGame)
    /// A saved solo game.
    case solo(SavedGame)
    /// A match.
    case match(TurnBasedMatch)
  }

  /// The saved games, then the matches.
  public var activeGames: [ActiveGame] {
    [
      savedGames.dailyChallengeUnlimited.map(ActiveGame.dailyChallenge),
      savedGames.unlimited.map(ActiveGame.solo),
    ].compactMap(\.self) + activeMatches.map(ActiveGame.match)
  }

  /// The number of people who have played today's challenges; `nil` while it is not known.
  public var numberOfPlayers: Int? {
    // A server may claim numbers whose sum no integer holds; it need not be exact then.
    dailyChallenges?.reduce(0) { sum, challenge in
      let (total, overflow) = sum.addingReportingOverflow(challenge.yourResult.outOf)
      return overflow ? .max : total
    }
  }

  /// Whether the player has finished each of today's challenges. Challenges that have failed to
  /// load, and a day without any, are not played.
  public var hasPlayedAllDailyChallenges: Bool {
    guard let dailyChallenges, !dailyChallenges.isEmpty else { return false }
    return dailyChallenges.allSatisfy(\.isPlayed)
  }

  /// The line about today's challenges.
  public var dailyChallengeText: String {
    guard let numberOfPlayers else {
      return loading.contains(.dailyChallenges) ? "Loading…" : "Unknown"
    }
    if hasPlayedAllDailyChallenges { return "You have played all of today's challenges." }
    return switch numberOfPlayers {
    case ...0: "No one has played. Be the first!"
    case 1: "1 person has already played!"
    default: "\(numberOfPlayers) people have already played!"
    }
  }

  /// A line for everything that has gone wrong.
  public var problemLines: [String] {
    problems.sorted { $0.key < $1.key }.map { "\($0.key.rawValue): \($0.value)" }
      + (failedChange.map { ["\($0.change.words): \($0.problem)"] } ?? [])
  }

  /// Whether the server has sent all that belongs to the day, so that its problem is not with that.
  var hasDay: Bool { dailyChallenges != nil && weekInReview != nil }

  /// Whether everything that was asked for has been answered.
  public var isLoaded: Bool { loading.isEmpty }

  /// The time until the next day's challenges: until midnight UTC, and never zero.
  public static func timeLeft(at now: Date) -> Duration {
    .seconds(day(of: now).addingTimeInterval(secondsPerDay).timeIntervalSince(now))
  }

  /// The first instant of a date's day in UTC.
  static func day(of date: Date) -> Date {
    let days = (date.timeIntervalSince1970 / secondsPerDay).rounded(.down)
    return Date(timeIntervalSince1970: days * secondsPerDay)
  }

  private static let secondsPerDay: TimeInterval = 24 * 60 * 60
}

extension Home.MatchChange {
  /// The change in words, as one that has not been made.
  var words: String {
    switch self {
    case .delete: "match not quit"
    case .poke: "opponent not poked"
    }
  }
}
