// The game service, as the screen uses it.

import Rondo

/// A service in the style of Game Center: who plays, and their matches with others.
public struct GameServiceClient: Sendable {
  /// Signs the player in.
  public var authenticate: @Sendable () -> Effect<Result<LocalPlayer, GameServiceError>>

  /// The result of signing in so far. Answers at once.
  public var localPlayer: @Sendable () -> Effect<Result<LocalPlayer, GameServiceError>>

  /// The player's matches, over or not.
  public var loadMatches: @Sendable () -> Effect<Result<[TurnBasedMatch], GameServiceError>>

  /// Quits a match.
  public var endMatch:
    @Sendable (TurnBasedMatch.ID) -> Effect<Result<TurnBasedMatch.ID, GameServiceError>>

  /// Reminds the opponent that it is their turn.
  public var remind:
    @Sendable (TurnBasedMatch.ID) -> Effect<Result<TurnBasedMatch.ID, GameServiceError>>

  /// The turns of others as they happen, until it is cancelled.
  public var turnEvents: @Sendable () -> Effect<TurnEvent>

  /// A client that is made of its functions.
  public init(
    authenticate: @escaping @Sendable () -> Effect<Result<LocalPlayer, GameServiceError>>,
    localPlayer: @escaping @Sendable () -> Effect<Result<LocalPlayer, GameServiceError>>,
    loadMatches: @escaping @Sendable () -> Effect<Result<[TurnBasedMatch], GameServiceError>>,
    endMatch:
      @escaping @Sendable (TurnBasedMatch.ID) -> Effect<
        Result<TurnBasedMatch.ID, GameServiceError>
      >,
    remind:
      @escaping @Sendable (TurnBasedMatch.ID) -> Effect<
        Result<TurnBasedMatch.ID, GameServiceError>
      >,
    turnEvents: @escaping @Sendable () -> Effect<TurnEvent>
  ) {
    self.authenticate = authenticate
    self.localPlayer = localPlayer
    self.loadMatches = loadMatches
    self.endMatch = endMatch
    self.remind = remind
    self.turnEvents = turnEvents
  }
}

/// Somebody has made a turn in a match.
public struct TurnEvent: Codable, Equatable, Sendable {
  /// The match.
  public var matchId: TurnBasedMatch.ID

  /// A turn in a match.
  public init(matchId: TurnBasedMatch.ID) {
    self.matchId = matchId
  }
}

/// Why the game service has not done what it was asked for.
public enum GameServiceError: Error, Codable, Equatable, Sendable, CustomStringConvertible {
  /// Nobody has signed in yet.
  case notAuthenticated

  /// The player does not want to sign in.
  case denied

  /// Signing in was not answered.
  case signInFailed

  /// The service was not reached.
  case unreachable
  /// The service knows no such match.
  case noSuchMatch(TurnBasedMatch.ID)

  public var description: String {
    switch self {
    case .notAuthenticated: "nobody has signed in to the game service"
    case .denied: "signing in to the game service was denied"
    case .signInFailed: "signing in to the game service was not answered"
    case .unreachable: "the game service cannot be reached"
    case .noSuchMatch(let id): "the game service knows no match \(JSONText.quoted(id))"
    }
  }
}

extension GameServiceClient {
  /// A service that knows a player and some matches, and on which nothing ever happens.
  public static func preview(
    player: LocalPlayer = LocalPlayer(displayName: "Blob", id: "player-1"),
    matches: [TurnBasedMatch] = []
  ) -> Self {
    Self(
      authenticate: { .send(.success(player)) },
      localPlayer: { .send(.success(player)) },
      loadMatches: { .send(.success(matches)) },
      endMatch: { .send(.success($0)) },
      remind: { .send(.success($0)) },
      turnEvents: { .none }
    )
  }

  /// A service that must not be used: every use is an issue that names the endpoint.
  public static let test = Self(
    authenticate: { unexpected("GameServiceClient.authenticate") },
    localPlayer: { unexpected("GameServiceClient.localPlayer") },
    loadMatches: { unexpected("GameServiceClient.loadMatches") },
    endMatch: { _ in unexpected("GameServiceClient.endMatch") },
    remind: { _ in unexpected("GameServiceClient.remind") },
    turnEvents: { unexpected("GameServiceClient.turnEvents") }
  )
}
