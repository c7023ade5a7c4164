// The effects of the home screen: the launch, and each load by itself.

import Dispatch
import Rondo

extension Home {
  /// Loads everything anew. A load that is under way, of everything or of a day, is cancelled.
  func load(_ state: inout State) -> Effect<HomeAction> {
    state.day = State.day(of: date())
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
    state.day = State.day(of: date())
    state.problems[.server] = nil
    state.loading.formUnion([.dailyChallenges, .weekInReview])
    return
      serverAuthenticateAndLoadData
      .receive(on: mainQueue.animation())
      .cancellable(id: CancelID.loadDay, cancelInFlight: true)
  }

  /// The launch: the saved games at once, then the player, then all that others have to say.
  ///
  /// What comes from others is shown with an animation, because the scheduler that it is received
  /// on says so. The saved games are not: their card is just there.
  private var launch: Effect<HomeAction> {
    .concatenate(
      fileClient.loadSavedGames().map(HomeAction.savedGamesLoaded),
      gameCenterAuthentication.fireAndForget(),
      .merge(
        serverAuthenticateAndLoadData.receive(on: mainQueue.animation()),
        loadMatches.receive(on: mainQueue.animation())
      )
    )
  }

  private var gameCenterAuthentication: Effect<Result<LocalPlayer, GameServiceError>> {
    gameService.authenticate()
  }

  /// Says who is playing, tells the server, and loads what it has for them. A server plays with
  /// those as well who have not signed in to the game service.
  private var serverAuthenticateAndLoadData: Effect<HomeAction> {
    gameService.localPlayer().flatMap { localPlayer in
      .concatenate(
        .send(.authenticationResponse(localPlayer)),
        server.authenticate(request(for: try? localPlayer.get())).flatMap(loadServerData)
      )
    }
  }

  private func request(for localPlayer: LocalPlayer?) -> AuthenticationRequest {
    AuthenticationRequest(
      deviceId: "device-1",
      displayName: localPlayer?.displayName,
      playerId: localPlayer?.id,
      timeZone: timeZone.identifier
    )
  }

  /// Loads the daily challenges and the week in review side by side, once the server knows the player.
  private func loadServerData(as player: Result<Player, ServerError>) -> Effect<HomeAction> {
    switch player {
    case .success:
      .merge(
        server.todaysDailyChallenges(.en).map(HomeAction.dailyChallengeResponse),
        server.weekInReview(.en).map(HomeAction.weekInReviewResponse)
      )
    case .failure(let error):
      .merge(
        .send(.dailyChallengeResponse(.failure(error))),
        .send(.weekInReviewResponse(.failure(error)))
      )
    }
  }

  /// Listens to the turns of others and waits for the next day, until the screen goes away.
  var listen: Effect<HomeAction> {
    .merge(
      gameService.turnEvents()
        .receive(on: mainQueue)
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
    let queue = backgroundQueue
    let wait = DispatchQueue.SchedulerTimeType.Stride(
      State.timeLeft(at: date()) + .seconds(1))
    let end = queue.now.advanced(by: wait)
    return Effect.send(.dayChanged)
      .delay(for: wait, scheduler: queue)
      .filter { _ in queue.now >= end }
      .receive(on: mainQueue)
      .cancellable(id: CancelID.nextDay, cancelInFlight: true)
  }

  /// Does something with a match and loads the matches anew, unless that is being done already. A
  /// match that has been quit is heard.
  func change(_ change: MatchChange) -> Effect<HomeAction> {
    let attempt =
      switch change {
      case .delete(let id): gameService.endMatch(id)
      case .poke(let id): gameService.remind(id)
      }
    return attempt.flatMap { [reloadMatches] result in
      switch (result, change) {
      case (.failure(let error), _):
        .concatenate(
          Effect.send(.matchChangeFailed(change, error))
            .receive(on: mainQueue.animation()),
          reloadMatches
        )
      case (.success, .poke):
        reloadMatches
      case (.success, .delete):
        .concatenate(reloadMatches, sound.play(.matchDeleted).fireAndForget())
      }
    }
    .cancellable(id: change, policy: .oldest)
  }

  /// Loads the matches. A load of them that is under way would bring older ones, and is cancelled.
  private var loadMatches: Effect<HomeAction> {
    gameService.loadMatches()
      .map(HomeAction.matchesLoaded)
      .cancellable(id: CancelID.matches, cancelInFlight: true)
  }

  /// Loads the matches alone.
  var reloadMatches: Effect<HomeAction> {
    loadMatches.receive(on: mainQueue.animation())
  }

  /// Goes on with the saved game of a challenge if there is one, else asks the server for it.
  func startDailyChallenge(
    _ gameMode: GameMode,
    among challenges: [FetchedDailyChallenge]?
  ) -> Effect<HomeAction> {
    Effect.concatenate(
      fileClient.loadSavedGames().compactMap { result in
        result.dailyChallenge(gameMode, among: challenges).map(Result.success)
      },
      server.startDailyChallenge(gameMode, .en)
    )
    .prefix(1)
    .map(HomeAction.dailyChallengeStarted)
    .receive(on: mainQueue.animation())
    .cancellable(id: CancelID.startDailyChallenge, cancelInFlight: true)
  }
}

extension Result<SavedGames, SavedGamesError> {
  /// The saved game of one of some challenges. As long as it is not known which there are, it may be
  /// gone on with.
  fileprivate func dailyChallenge(
    _ gameMode: GameMode,
    among challenges: [FetchedDailyChallenge]?
  ) -> SavedGame? {
    guard let game = try? get().dailyChallengeUnlimited, game.gameMode == gameMode else {
      return nil
    }
    guard let challenges else { return game }
    return challenges.contains { $0.id == game.dailyChallengeId } ? game : nil
  }
}
