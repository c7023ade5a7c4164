// The actions of the home screen.

import Rondo

/// An action of the home screen: something the player does, or an answer to something it has asked.
public enum HomeAction: Codable, Equatable, Sendable {
  // The screen comes, goes, and is brought up to date.
  case onAppear
  case onDisappear
  case refresh
  case dayChanged

  // Answers.
  case savedGamesLoaded(Result<SavedGames, SavedGamesError>)
  case savedGamesSaved(Result<SavedGames, SavedGamesError>)
  case authenticationResponse(Result<LocalPlayer, GameServiceError>)
  case dailyChallengeResponse(Result<[FetchedDailyChallenge], ServerError>)
  case weekInReviewResponse(Result<WeekInReview, ServerError>)
  case matchesLoaded(Result<[TurnBasedMatch], GameServiceError>)
  case dailyChallengeStarted(Result<SavedGame, ServerError>)
  case matchChangeFailed(Home.MatchChange, GameServiceError)
  case turnEvent(TurnEvent)

  // Taps.
  case dailyChallengeTapped
  case soloTapped
  case matchTapped(TurnBasedMatch.ID)
  case settingsTapped
  case leaderboardTapped
  case startDailyChallenge(GameMode)
  case deleteMatch(TurnBasedMatch.ID)
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

  private var isFailure: Bool {
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
