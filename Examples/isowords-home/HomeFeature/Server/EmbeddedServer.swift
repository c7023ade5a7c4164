// A server that runs inside the program.

import Dispatch
import Foundation
import Rondo
import Synchronization

/// A stand-in for the real server. It speaks the real one's JSON, so that nothing but the transport
/// differs.
public final class EmbeddedServer: Sendable {
  /// The content of the server's database.
  public struct Content: Equatable, Sendable {
    /// The results of today's challenges, by mode.
    public var results: [GameMode: DailyChallengeResult]
    /// The player's week.
    public var weekInReview: WeekInReview

    /// The time for which an access token is valid, in seconds.
    public var tokenLifetime: TimeInterval

    /// Content; each parameter is the property of its name.
    public init(
      results: [GameMode: DailyChallengeResult],
      weekInReview: WeekInReview,
      tokenLifetime: TimeInterval = 24 * 60 * 60
    ) {
      self.results = results
      self.weekInReview = weekInReview
      self.tokenLifetime = tokenLifetime
    }

    /// Twenty people have played against the clock and eight without, the player not yet.
    public static let typical = Self(
      results: [
        .timed: DailyChallengeResult(outOf: 20),
        .unlimited: DailyChallengeResult(outOf: 8, started: true),
      ],
      weekInReview: WeekInReview(
        ranks: [
          WeekInReview.Rank(gameMode: .timed, outOf: 230, rank: 12),
          WeekInReview.Rank(gameMode: .unlimited, outOf: 185, rank: 3),
        ],
        word: WeekInReview.Word(letters: "LAUNCHES", score: 312)
      )
    )
  }

  private let content: Content
  private let worker: Worker
  private let now: @Sendable () -> Date

  /// The tokens that were given out, each with the date at which it expires.
  private let tokens = Mutex<[String: Date]>([:])

  /// A server that works on a queue.
  ///
  /// - Parameters:
  ///   - content: What the database holds.
  ///   - queue: What the server works on.
  ///   - conditions: How slow the server is, and whether it fails.
  ///   - now: The date.
  public init(
    content: Content = .typical,
    queue: AnySchedulerOf<DispatchQueue>,
    conditions: Conditions,
    now: @escaping @Sendable () -> Date
  ) {
    self.content = content
    self.now = now
    worker = Worker(queue: queue, conditions: conditions)
  }

  /// Takes requests to this server.
  public var transport: ServerTransport {
    { [self] request in
      worker.answer(request.endpoint, from: .server) { [self] in .success(respond(to: request)) }
    }
  }
}

// MARK: - Routes

extension EmbeddedServer {
  func respond(to request: ServerRequest) -> ServerResponse {
    guard !worker.conditions.failing.contains(.server) else { return ServerResponse(status: 503) }
    let path = request.path.prefix { $0 != "?" }
    switch (request.method, path) {
    case (.post, "/api/authenticate"):
      return authenticate(request)
    case (.get, "/api/daily-challenges/today"):
      return authorized(request) { Self.ok(todaysChallenges) }
    case (.get, "/api/leaderboard/week-in-review"):
      return authorized(request) { Self.ok(content.weekInReview) }
    case (.post, "/api/daily-challenges/start"):
      return authorized(request) { start(request) }
    default:
      return ServerResponse(status: 404)
    }
  }

  private func authenticate(_ request: ServerRequest) -> ServerResponse {
    guard let body: AuthenticationRequest = Self.decode(request) else {
      return ServerResponse(status: 400)
    }
    let expiry = now() + content.tokenLifetime
    let token = tokens.withLock { tokens in
      let token = "token-\(tokens.count + 1)"
      tokens[token] = expiry
      return token
    }
    let player = Player(displayName: body.displayName, id: body.playerId ?? body.deviceId)
    return Self.ok(AuthenticationResponse(accessToken: token, player: player))
  }

  private func start(_ request: ServerRequest) -> ServerResponse {
    guard let body: StartRequest = Self.decode(request) else { return ServerResponse(status: 400) }
    // Nobody plays the same challenge twice.
    guard content.results[body.gameMode]?.rank == nil else { return ServerResponse(status: 409) }
    return Self.ok(
      SavedGame(
        cubes: .preview,
        dailyChallengeId: Self.challengeId(body.gameMode, on: now()),
        gameMode: body.gameMode,
        gameStartTime: now(),
        language: body.language
      )
    )
  }

  private func authorized(
    _ request: ServerRequest,
    _ respond: () -> ServerResponse
  ) -> ServerResponse {
    let expiry = request.accessToken.flatMap { token in tokens.withLock { $0[token] } }
    guard let expiry, now() < expiry else { return ServerResponse(status: 401) }
    return respond()
  }

  private static func ok(_ answer: some Encodable) -> ServerResponse {
    ServerResponse(status: 200, body: encodeForWire(answer))
  }

  private static func decode<Body: Decodable>(_ request: ServerRequest) -> Body? {
    try? decodeJSON(Body.self, from: request.body, dates: .secondsSince1970)
  }
}

// MARK: - Challenges

extension EmbeddedServer {
  /// The id of the challenge of a day: `2026-03-14-unlimited`.
  public static func challengeId(_ gameMode: GameMode, on date: Date) -> DailyChallenge.ID {
    date.formatted(.iso8601.year().month().day()) + "-" + gameMode.rawValue
  }

  private var todaysChallenges: [FetchedDailyChallenge] {
    let now = now()
    let endsAt = now + Home.State.timeLeft(at: now) / .seconds(1)
    return GameMode.allCases.compactMap { gameMode in
      content.results[gameMode].map { result in
        FetchedDailyChallenge(
          dailyChallenge: DailyChallenge(
            endsAt: endsAt,
            gameMode: gameMode,
            id: Self.challengeId(gameMode, on: now)
          ),
          yourResult: result
        )
      }
    }
  }
}
