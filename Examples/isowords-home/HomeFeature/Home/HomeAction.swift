// The actions of the home screen.

import Rondo

/// An action of the home screen: something the player does, or an answer to something it has asked.
public enum HomeAction: Codable, Equatable, Sendable {
  // The screen comes, goes, and is brought up to date.
  /// The screen appears; everything is loaded.
  case onAppear
  /// The screen disappears; it waits for turns and for the next day no longer.
  case onDisappear
  /// The user wants everything loaded anew.
  case refresh
  /// A new day has begun in UTC.
  case dayChanged

  // Answers.
  /// The saved games were read, or could not be.
  case savedGamesLoaded(Result<SavedGames, SavedGamesError>)
  /// The saved games were written, or could not be.
  case savedGamesSaved(Result<SavedGames, SavedGamesError>)
  /// The player has signed in, or has not.
  case authenticationResponse(Result<LocalPlayer, GameServiceError>)
  /// The challenges of the day came from the server, or an error.
  case dailyChallengeResponse(Result<[FetchedDailyChallenge], ServerError>)
  /// The week in review came from the server, or an error.
  case weekInReviewResponse(Result<WeekInReview, ServerError>)
  /// The matches came from the game service, or an error.
  case matchesLoaded(Result<[TurnBasedMatch], GameServiceError>)
  /// The server has given the game of a challenge, or an error.
  case dailyChallengeStarted(Result<SavedGame, ServerError>)
  /// A change of a match was not made.
  case matchChangeFailed(Home.MatchChange, GameServiceError)
  /// Somebody has made a turn in a match.
  case turnEvent(TurnEvent)

  // Taps.
  /// The user has tapped the daily challenges.
  case dailyChallengeTapped
  /// The user has tapped the solo games.
  case soloTapped
  /// The user has tapped a match.
  case matchTapped(TurnBasedMatch.ID)
  /// The user has tapped the settings.
  case settingsTapped
  /// The user has tapped the leaderboard.
  case leaderboardTapped
  /// The user starts the challenge of a mode.
  case startDailyChallenge(GameMode)
  /// The user deletes a match.
  case deleteMatch(TurnBasedMatch.ID)
  /// The user reminds the opponent of a match.
  case pokeTapped(TurnBasedMatch.ID)

  /// The screen on top goes away. Nothing else happens on it that is not an action of the home
  /// screen as well.
  case destination(PresentationAction<Never>)
}

extension HomeAction {
  /// The name of the case, marked where it is the answer of something that has failed.
  public var name: String {
    let mirror = Mirror(reflecting: self)
    let name = mirror.children.first?.label ?? "\(self)"
    return isFailure ? name + "(failure)" : name
  }

  /// Whether it is the answer of something that has failed.
  public var isFailure: Bool {
    switch self {
    case .savedGamesLoaded(.failure), .savedGamesSaved(.failure), .authenticationResponse(.failure),
      .dailyChallengeResponse(.failure), .weekInReviewResponse(.failure), .matchesLoaded(.failure),
      .dailyChallengeStarted(.failure), .matchChangeFailed:
      true
    default:
      false
    }
  }
}
