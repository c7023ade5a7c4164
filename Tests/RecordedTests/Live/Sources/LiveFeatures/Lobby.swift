// A lobby: three endpoints are asked at once, and answer in any order; another one follows one answer.

import Rondo

struct LobbyClient: DependencyKey {
  var games: @Sendable () async -> Int
  var player: @Sendable () async -> String
  var matches: @Sendable () async -> Int
  var score: @Sendable (Int) async -> Int

  static let liveValue = Self(
    games: { await answer(2) }, player: { await answer("Blob") }, matches: { await answer(3) },
    score: { await answer(100 * $0) })
  static let testValue = Self(games: { 0 }, player: { "" }, matches: { 0 }, score: { _ in 0 })

  /// An answer that takes its time.
  private static func answer<Value: Sendable>(_ value: Value) async -> Value {
    try? await Task.sleep(for: .milliseconds(Int.random(in: 0...12)))
    return value
  }
}

extension DependencyValues {
  var lobbyClient: LobbyClient {
    get { self[LobbyClient.self] }
    set { self[LobbyClient.self] = newValue }
  }
}

public struct Lobby: Reducer {
  public struct State: Equatable, Sendable {
    var games = 0
    var player = ""
    var matches = 0
    var score = 0

    public init() {}

    init(games: Int, player: String, matches: Int, score: Int) {
      self.games = games
      self.player = player
      self.matches = matches
      self.score = score
    }
  }

  public enum Action: Equatable, Sendable {
    case opened
    case gamesLoaded(Int)
    case playerLoaded(String)
    case matchesLoaded(Int)
    case scoreLoaded(Int)
  }

  @Dependency(\.lobbyClient) var client

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .opened:
      return .merge(
        .run { [client] send in await send(.gamesLoaded(client.games())) },
        .run { [client] send in
          await send(.playerLoaded(client.player()), animation: .default)
        },
        .run { [client] send in await send(.matchesLoaded(client.matches())) })
    case .gamesLoaded(let count): state.games = count
    case .playerLoaded(let name): state.player = name
    case .matchesLoaded(let count):
      state.matches = count
      return .run { [client] send in await send(.scoreLoaded(client.score(count))) }
    case .scoreLoaded(let score): state.score = score
    }
    return .none
  }
}
