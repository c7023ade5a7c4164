// What the home screen asks for: the launch, and everything that is loaded by itself.

import Dispatch
import Rondo

extension Home {
  /// Loads everything anew. A load that is under way, of everything or of a day, is cancelled.
  func load(_ state: inout State) -> Effect<HomeAction> {
    state.day = State.day(of: environment.now())
    state.problems = [:]
    state.failedChange = nil
    state.loading = Set(Part.allCases)
    return .merge(
      .cancel(id: CancelID.loadDay),
      launch.cancellable(id: CancelID.load, cancelInFlight: true)
    )
  }

  /// Loads what belongs to the day. It leaves a load of everything that is under way alone: one that
  /// takes longer than a day would never come to an end.
  func loadDay(_ state: inout State) -> Effect<HomeAction> {
    state.day = State.day(of: environment.now())
    state.problems[.server] = nil
    state.loading.formUnion([.dailyChallenges, .weekInReview])
    return
      serverAuthenticateAndLoadData
      .receive(on: environment.mainQueue.animation())
      .cancellable(id: CancelID.loadDay, cancelInFlight: true)
  }

  /// The launch: the saved games at once, then the player, then all that others have to say.
  ///
  /// What comes from others is shown with an animation, because the scheduler that it is received
  /// on says so. The saved games are there before anybody has looked, and are not.
  private var launch: Effect<HomeAction> {
    .concatenate(
      environment.fileClient.loadSavedGames().map(HomeAction.savedGamesLoaded),
      gameCenterAuthentication.fireAndForget(),
      .merge(
        serverAuthenticateAndLoadData.receive(on: environment.mainQueue.animation()),
        loadMatches(environment).receive(on: environment.mainQueue.animation())
      )
    )
  }

  private var gameCenterAuthentication: Effect<Result<LocalPlayer, GameServiceError>> {
    environment.gameService.authenticate()
  }

  /// Says who is playing, tells the server, and loads what it has for them. A server plays with
  /// those as well who have not signed in to the game service.
  private var serverAuthenticateAndLoadData: Effect<HomeAction> {
    environment.gameService.localPlayer().flatMap { [environment] localPlayer in
      .concatenate(
        .send(.authenticationResponse(localPlayer)),
        environment.server.authenticate(environment.request(for: try? localPlayer.get()))
          .flatMap { loadServerData(environment, as: $0) }
      )
    }
  }

  /// Listens to the turns of others and waits for the next day, until the screen goes away.
  var listen: Effect<HomeAction> {
    .merge(
      environment.gameService.turnEvents()
        .receive(on: environment.mainQueue)
        .map(HomeAction.turnEvent)
        .cancellable(id: CancelID.listening, cancelInFlight: true),
      nextDay
    )
  }

  /// Tells when the day has changed. The second on top makes sure that the date agrees.
  ///
  /// On a scheduler on which no time passes there is no next day, and waiting for it again and again
  /// would never end.
  var nextDay: Effect<HomeAction> {
    let queue = environment.backgroundQueue
    let wait = DispatchQueue.SchedulerTimeType.Stride(
      State.timeLeft(at: environment.now()) + .seconds(1))
    let end = queue.now.advanced(by: wait)
    return Effect.send(.dayChanged)
      .delay(for: wait, scheduler: queue)
      .filter { _ in queue.now >= end }
      .receive(on: environment.mainQueue)
      .cancellable(id: CancelID.nextDay, cancelInFlight: true)
  }

  /// Does something with a match and loads the matches anew. A match that has been quit is heard.
  func change(_ change: MatchChange) -> Effect<HomeAction> {
    let attempt =
      switch change {
      case .delete(let id): environment.gameService.endMatch(id)
      case .poke(let id): environment.gameService.remind(id)
      }
    return attempt.flatMap { [environment, reloadMatches] result in
      switch (result, change) {
      case (.failure(let error), _):
        .concatenate(
          Effect.send(.matchChangeFailed(change, error))
            .receive(on: environment.mainQueue.animation()),
          reloadMatches
        )
      case (.success, .poke):
        reloadMatches
      case (.success, .delete):
        .concatenate(reloadMatches, environment.sound.play(.matchDeleted).fireAndForget())
      }
    }
  }

  /// Loads the matches alone.
  var reloadMatches: Effect<HomeAction> {
    loadMatches(environment).receive(on: environment.mainQueue.animation())
  }

  /// Goes on with the saved game of a challenge if there is one, else asks the server for it.
  func startDailyChallenge(
    _ gameMode: GameMode,
    among challenges: [FetchedDailyChallenge]
  ) -> Effect<HomeAction> {
    Effect.concatenate(
      environment.fileClient.loadSavedGames().compactMap { result in
        result.dailyChallenge(gameMode, among: challenges).map(Result.success)
      },
      environment.server.startDailyChallenge(gameMode, .en)
    )
    .prefix(1)
    .map(HomeAction.dailyChallengeStarted)
    .receive(on: environment.mainQueue.animation())
    .cancellable(id: CancelID.startDailyChallenge, cancelInFlight: true)
  }
}

/// Loads the matches. A load of them that is under way would have older news and is cancelled.
private func loadMatches(_ environment: HomeEnvironment) -> Effect<HomeAction> {
  environment.gameService.loadMatches()
    .map(HomeAction.matchesLoaded)
    .cancellable(id: Home.CancelID.matches, cancelInFlight: true)
}

/// Loads the daily challenges and the week in review side by side, once the server knows the player.
private func loadServerData(
  _ environment: HomeEnvironment,
  as player: Result<Player, ServerError>
) -> Effect<HomeAction> {
  switch player {
  case .success:
    .merge(
      environment.server.todaysDailyChallenges(.en).map(HomeAction.dailyChallengeResponse),
      environment.server.weekInReview(.en).map(HomeAction.weekInReviewResponse)
    )
  case .failure(let error):
    .merge(
      .send(.dailyChallengeResponse(.failure(error))),
      .send(.weekInReviewResponse(.failure(error)))
    )
  }
}

extension HomeEnvironment {
  fileprivate func request(for localPlayer: LocalPlayer?) -> AuthenticationRequest {
    AuthenticationRequest(
      deviceId: deviceId,
      displayName: localPlayer?.displayName,
      playerId: localPlayer?.id,
      timeZone: timeZone
    )
  }
}

extension Result<SavedGames, SavedGamesError> {
  /// The saved game of one of some challenges.
  fileprivate func dailyChallenge(
    _ gameMode: GameMode,
    among challenges: [FetchedDailyChallenge]
  ) -> SavedGame? {
    guard let game = try? get().dailyChallengeUnlimited, game.gameMode == gameMode else {
      return nil
    }
    return challenges.contains { $0.id == game.dailyChallengeId } ? game : nil
  }
}
