// The server, as the screen uses it.

import Rondo
import Synchronization

/// The server with the daily challenges and the leaderboards.
public struct ServerClient: Sendable {
  /// Tells the server who is playing. The other endpoints need this to have succeeded.
  public var authenticate: @Sendable (AuthenticationRequest) -> Effect<Result<Player, ServerError>>

  /// Today's challenges, with the player's results.
  public var todaysDailyChallenges:
    @Sendable (Language) -> Effect<Result<[FetchedDailyChallenge], ServerError>>

  /// The player's results in the last seven days.
  public var weekInReview: @Sendable (Language) -> Effect<Result<WeekInReview, ServerError>>

  /// Starts one of today's challenges; answers with the game to be played.
  public var startDailyChallenge:
    @Sendable (GameMode, Language) -> Effect<Result<SavedGame, ServerError>>

  /// A client that is made of its functions.
  public init(
    authenticate:
      @escaping @Sendable (AuthenticationRequest) -> Effect<Result<Player, ServerError>>,
    todaysDailyChallenges:
      @escaping @Sendable (Language) -> Effect<Result<[FetchedDailyChallenge], ServerError>>,
    weekInReview: @escaping @Sendable (Language) -> Effect<Result<WeekInReview, ServerError>>,
    startDailyChallenge:
      @escaping @Sendable (GameMode, Language) -> Effect<Result<SavedGame, ServerError>>
  ) {
    self.authenticate = authenticate
    self.todaysDailyChallenges = todaysDailyChallenges
    self.weekInReview = weekInReview
    self.startDailyChallenge = startDailyChallenge
  }
}

/// Why the server has not done what it was asked for.
public enum ServerError: Error, Codable, Equatable, Sendable, CustomStringConvertible {
  /// The server was not reached; the text says why.
  case unreachable(String)

  /// The access token is missing or too old.
  case tokenExpired
  /// The server has answered with another status than 200.
  case status(Int)
  /// The answer was not the JSON that was expected.
  case malformed(JSONProblem)

  public var description: String {
    switch self {
    case .unreachable(let reason): "the server cannot be reached: \(reason.onOneLine)"
    case .tokenExpired: "the server wants the player to sign in again"
    case .status(let status): "the server answered with status \(status)"
    case .malformed(let problem): "the server's answer makes no sense: \(problem)"
    }
  }
}

extension ServerClient {
  /// A server that is reached through a transport.
  public static func live(transport: @escaping ServerTransport) -> Self {
    let session = ServerSession(transport: transport)
    return Self(
      authenticate: { session.authenticate($0) },
      todaysDailyChallenges: {
        session.get("todaysDailyChallenges", "/api/daily-challenges/today?language=\($0.rawValue)")
      },
      weekInReview: {
        session.get("weekInReview", "/api/leaderboard/week-in-review?language=\($0.rawValue)")
      },
      startDailyChallenge: {
        session.post(
          "startDailyChallenge", "/api/daily-challenges/start",
          StartRequest(gameMode: $0, language: $1))
      }
    )
  }

  /// A server that always answers the same.
  public static func preview(
    dailyChallenges: [FetchedDailyChallenge] = [],
    weekInReview: WeekInReview = WeekInReview(ranks: [])
  ) -> Self {
    Self(
      authenticate: { .send(.success(Player(displayName: $0.displayName, id: "preview"))) },
      todaysDailyChallenges: { _ in .send(.success(dailyChallenges)) },
      weekInReview: { _ in .send(.success(weekInReview)) },
      startDailyChallenge: { _, _ in .send(.failure(.unreachable("this is a preview"))) }
    )
  }

  /// A server that must not be used: every use is an issue that names the endpoint.
  public static let test = Self(
    authenticate: { _ in unexpected("ServerClient.authenticate") },
    todaysDailyChallenges: { _ in unexpected("ServerClient.todaysDailyChallenges") },
    weekInReview: { _ in unexpected("ServerClient.weekInReview") },
    startDailyChallenge: { _, _ in unexpected("ServerClient.startDailyChallenge") }
  )
}

/// The requests of one client, and the access token between them.
private final class ServerSession: Sendable {
  /// An answer above this size is refused.
  static let maximumSize = 1 << 20

  /// The player of the last sign-in, and the token that the server has answered with.
  private struct Access {
    var request: AuthenticationRequest?
    var token: String?
  }

  private let transport: ServerTransport
  private let access = Mutex(Access())

  init(transport: @escaping ServerTransport) {
    self.transport = transport
  }

  func authenticate(_ request: AuthenticationRequest) -> Effect<Result<Player, ServerError>> {
    access.withLock { $0.request = request }
    let sent = ServerRequest(
      endpoint: "server.authenticate", method: .post, path: "/api/authenticate",
      accessToken: access.withLock(\.token),
      body: encodeForWire(request))
    return transport(sent).map { [self] result in
      let answer: Result<AuthenticationResponse, ServerError> = result.flatMap(Self.decode)
      return answer.map { response in
        access.withLock { $0.token = response.accessToken }
        return response.player
      }
    }
  }

  func get<Answer: Decodable & Sendable>(
    _ endpoint: String, _ path: String
  ) -> Effect<Result<Answer, ServerError>> {
    respond(to: ServerRequest(endpoint: "server.\(endpoint)", method: .get, path: path))
      .map { $0.flatMap(Self.decode) }
  }

  func post<Answer: Decodable & Sendable>(
    _ endpoint: String,
    _ path: String,
    _ body: some Encodable
  ) -> Effect<Result<Answer, ServerError>> {
    respond(
      to: ServerRequest(
        endpoint: "server.\(endpoint)", method: .post, path: path, body: encodeForWire(body))
    )
    .map { $0.flatMap(Self.decode) }
  }

  /// The response to a request. Where the token is not good any more the player signs in anew at
  /// once, and the request is repeated once.
  private func respond(
    to request: ServerRequest
  ) -> Effect<Result<ServerResponse, ServerError>> {
    let (player, token) = access.withLock { ($0.request, $0.token) }
    return send(request, token).flatMap { [self] result in
      guard case .success(let response) = result, response.status == 401, let player else {
        return .send(result)
      }
      // Another request may have signed in meanwhile.
      if let newer = access.withLock(\.token), newer != token { return send(request, newer) }
      return authenticate(player).flatMap { [self] renewed in
        switch renewed {
        case .success: send(request, access.withLock(\.token))
        case .failure(let error): .send(.failure(error))
        }
      }
    }
  }

  private func send(
    _ request: ServerRequest, _ token: String?
  ) -> Effect<Result<ServerResponse, ServerError>> {
    var request = request
    request.accessToken = token
    return transport(request)
  }

  private static func decode<Answer: Decodable>(
    _ response: ServerResponse
  ) -> Result<Answer, ServerError> {
    switch response.status {
    case 200: break
    case 401: return .failure(.tokenExpired)
    default: return .failure(.status(response.status))
    }
    guard response.body.count <= maximumSize else {
      return .failure(
        .malformed(JSONProblem(place: "$", message: "longer than \(maximumSize) bytes"))
      )
    }
    do {
      return .success(
        try decodeJSON(
          Answer.self, from: response.body, dates: .secondsSince1970, isFromOutside: true))
    } catch {
      return .failure(.malformed(error))
    }
  }
}
