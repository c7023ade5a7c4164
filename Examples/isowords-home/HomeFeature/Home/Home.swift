// The logic of the home screen: what every action changes, and what it asks for.

import Rondo

/// The home screen of a word game.
///
/// ```swift
/// let store = Store(initialState: Home.State()) { Home() } withDependencies: {
///   $0.server = .live(transport: transport)
/// }
/// store.send(.onAppear)
/// ```
public struct Home: Reducer, Sendable {
  public typealias Action = HomeAction

  @Dependency(\.fileClient) var fileClient
  @Dependency(\.gameService) var gameService
  @Dependency(\.server) var server
  @Dependency(\.sound) var sound
  @Dependency(\.mainQueue) var mainQueue
  @Dependency(\.backgroundQueue) var backgroundQueue
  @Dependency(\.date) var date
  @Dependency(\.timeZone) var timeZone

  /// The feature, with the dependencies that are in force here.
  public init() {}

  package enum CancelID {
    case load, loadDay, matches, listening, nextDay, startDailyChallenge
  }

  public var body: some Reducer<State, HomeAction> {
    Reduce(core)
      .ifLet(\.$destination, action: AnyCasePath(HomeAction.destination)) { EmptyReducer() }
  }

  private func core(_ state: inout State, _ action: HomeAction) -> Effect<HomeAction> {
    switch action {
    case .onAppear:
      return .merge(load(&state), listen)

    case .onDisappear:
      return .merge(.cancel(id: CancelID.listening), .cancel(id: CancelID.nextDay))

    case .refresh:
      let failed = state.failedChange
      let load = load(&state)
      // Trying again is for what can still be done: a match that has gone is not quit twice.
      guard let failed, state.activeMatches.contains(where: { $0.id == failed.change.matchId })
      else { return load }
      return .merge(load, change(failed.change))

    case .dayChanged:
      // A refresh may have been here first, and the clock on the wall may have been set back.
      guard state.day != State.day(of: date()) else { return nextDay }
      return .merge(loadDay(&state), nextDay)

    case .savedGamesLoaded(let result):
      state.loading.remove(.savedGames)
      state.savedGames = state.value(of: result, from: .files) ?? SavedGames()
      return .none

    case .savedGamesSaved(let result):
      _ = state.value(of: result, from: .files)
      return .none

    case .authenticationResponse(let result):
      state.loading.remove(.localPlayer)
      state.localPlayer = state.value(of: result, from: .authentication)
      return .none

    case .dailyChallengeResponse(let result):
      state.loading.remove(.dailyChallenges)
      state.dailyChallenges = state.value(of: result, from: .server)
      return clearStaleDailyChallenge(&state)

    case .weekInReviewResponse(let result):
      state.loading.remove(.weekInReview)
      state.weekInReview = state.value(of: result, from: .server)
      return .none

    case .matchesLoaded(let result):
      state.loading.remove(.matches)
      guard let matches = state.value(of: result, from: .matches) else { return .none }
      state.problems[.matches] = nil
      state.show(matches)
      return .none

    case .turnEvent:
      state.loading.insert(.matches)
      return reloadMatches

    case .deleteMatch(let id):
      return begin(.delete(id), &state)

    case .pokeTapped(let id):
      return begin(.poke(id), &state)

    case .matchChangeFailed(let change, let error):
      state.failedChange = FailedChange(change: change, problem: error.description)
      return .none

    case .startDailyChallenge(let gameMode):
      if state.hasDay { state.problems[.server] = nil }
      return startDailyChallenge(gameMode, among: state.dailyChallenges)

    case .dailyChallengeStarted(let result):
      guard let game = state.value(of: result, from: .server) else { return .none }
      state.destination = .dailyChallenge(game)
      return .none

    case .dailyChallengeTapped:
      state.destination = .dailyChallenge(nil)
      return .none

    case .soloTapped:
      state.destination = .solo(state.savedGames.unlimited)
      return .none

    case .matchTapped(let id):
      guard state.activeMatches.contains(where: { $0.id == id }) else { return .none }
      state.destination = .match(id)
      return .none

    case .settingsTapped:
      state.destination = .settings
      return .none

    case .leaderboardTapped:
      state.destination = .leaderboard
      return .none

    case .destination:
      return .none
    }
  }
}

// MARK: - Changes of state

extension Home.State {
  /// The value of an answer, or nothing and the problem of its source noted.
  fileprivate mutating func value<Value, Failure: CustomStringConvertible>(
    of result: Result<Value, Failure>,
    from source: Source
  ) -> Value? {
    switch result {
    case .success(let value):
      return value
    case .failure(let error):
      problems[source] = error.description
      return nil
    }
  }

  /// Takes over the matches, and leaves one that has gone.
  fileprivate mutating func show(_ matches: [TurnBasedMatch]) {
    activeMatches = matches.filter { $0.status == .open }.sortedForDisplay()
    hasPastMatches = matches.contains { $0.status == .ended }
    if case .match(let id) = destination, !activeMatches.contains(where: { $0.id == id }) {
      destination = nil
    }
  }
}

extension Home {
  /// Begins to change a match. What could not be done before is not of interest any more.
  private func begin(_ change: MatchChange, _ state: inout State) -> Effect<HomeAction> {
    state.failedChange = nil
    state.loading.insert(.matches)
    return self.change(change)
  }

  /// Forgets a saved daily game whose challenge is not one of today's, in the file as well.
  private func clearStaleDailyChallenge(_ state: inout State) -> Effect<HomeAction> {
    guard
      let challenges = state.dailyChallenges, !challenges.isEmpty,
      let game = state.savedGames.dailyChallengeUnlimited,
      !challenges.contains(where: { $0.id == game.dailyChallengeId })
    else { return .none }
    state.savedGames.dailyChallengeUnlimited = nil
    return fileClient.save(state.savedGames).map(HomeAction.savedGamesSaved)
  }
}
