// The steps of each flow of the home screen.

import Foundation
import RondoTesting
import Testing

@testable import RondoHomeFeature

// MARK: - Launches

extension HomeFlow {
  @Sendable static func happyPath() async {
    let games = SavedGames(unlimited: .preview(at: .piDay))
    let store = store { $0.fileClient = .preview(games) }
    await store.launch(games)
    #expect(store.state.dailyChallengeText == "28 people have already played!")
    #expect(store.state.isLoaded)
    await store.disappear()
  }

  @Sendable static func noOneHasPlayed() async {
    var content = EmbeddedServer.Content.typical
    content.results = [.timed: DailyChallengeResult(outOf: 0)]
    let store = store(content: content)
    await store.launch(content: content)
    #expect(store.state.dailyChallengeText == "No one has played. Be the first!")
    await store.disappear()
  }

  @Sendable static func allPlayed() async {
    var content = EmbeddedServer.Content.typical
    content.results = [
      .timed: DailyChallengeResult(outOf: 20, rank: 2, score: 300, started: true),
      .unlimited: DailyChallengeResult(outOf: 8, rank: 1, score: 400, started: true),
    ]
    let store = store(content: content)
    await store.launch(content: content)
    #expect(store.state.hasPlayedAllDailyChallenges)
    await store.disappear()
  }

  @Sendable static func disappearingWhileLoading() async {
    let store = store()
    await store.appear()
    await store.receiveSavedGames()
    await store.send(.onDisappear)
    // The requests that are under way are still answered.
    await store.receiveRest()
    await store.finish()
  }

  @Sendable static func secondAppearance() async {
    let store = store()
    await store.appear()
    await store.receiveSavedGames()
    await store.advance(by: .milliseconds(100))
    await store.receivePlayer()
    await store.advance(by: .milliseconds(50))
    // Both requests that are under way are cancelled; they would be answered at 200 ms.
    await store.launch()
    await store.disappear()
  }

  @Sendable static func refreshWhileLoading() async {
    let store = store()
    await store.appear()
    await store.receiveSavedGames()
    await store.advance(by: .milliseconds(100))
    await store.receivePlayer()
    await store.advance(by: .milliseconds(100))
    await store.receiveMatches()
    await store.send(.refresh) { $0.loading = Set(Home.Part.allCases) }
    await store.receiveSavedGames()
    await store.receiveRest()
    await store.disappear()
  }
}

// MARK: - Launches that fail in part

extension HomeFlow {
  @Sendable static func filesFail() async {
    let error = SavedGamesError(path: "/x", reason: .unreadable("Input/output error"))
    let store = store {
      $0.fileClient.loadSavedGames = { .send(.failure(error)) }
    }
    await store.appear()
    await store.receive(case: HomeAction.savedGamesLoaded, .failure(error)) {
      $0.loading.remove(.savedGames)
      $0.problems[.files] = "/x: cannot be read: Input/output error"
    }
    await store.receiveRest()
    await store.disappear()
  }

  @Sendable static func authenticationFails() async {
    await withoutPlayer(
      store(failing: [.authentication]), .signInFailed,
      "signing in to the game service was not answered")
  }

  @Sendable static func authenticationIsDenied() async {
    await withoutPlayer(
      store(consent: .denied), .denied, "signing in to the game service was denied")
  }

  private static func withoutPlayer(
    _ store: TestStoreOf<Home>,
    _ error: GameServiceError,
    _ problem: String
  ) async {
    await store.appear()
    await store.receiveSavedGames()
    await store.advance(by: .milliseconds(100))
    await store.receive(
      case: HomeAction.authenticationResponse, .failure(error), animation: .default
    ) {
      $0.loading.remove(.localPlayer)
      $0.problems = [.authentication: problem]
    }
    await store.advance(by: .milliseconds(100))
    await store.receiveMatches()
    await store.advance(by: .milliseconds(100))
    await store.receiveServer()
    await store.disappear()
  }

  @Sendable static func serverFails() async {
    let store = store(failing: [.server])
    await store.appear()
    await store.receiveSavedGames()
    await store.advance(by: .milliseconds(100))
    await store.receivePlayer()
    await store.advance(by: .milliseconds(100))
    await store.receive(
      case: HomeAction.dailyChallengeResponse, .failure(.status(503)), animation: .default
    ) {
      $0.loading.remove(.dailyChallenges)
      $0.problems = [.server: "the server answered with status 503"]
    }
    await store.receive(
      case: HomeAction.weekInReviewResponse, .failure(.status(503)), animation: .default
    ) {
      $0.loading.remove(.weekInReview)
    }
    await store.receiveMatches()
    #expect(store.state.dailyChallengeText == "Unknown")
    #expect(!store.state.hasPlayedAllDailyChallenges)
    await store.disappear()
  }

  @Sendable static func matchesFail() async {
    let store = store(failing: [.matches])
    await store.appear()
    await store.receiveSavedGames()
    await store.advance(by: .milliseconds(100))
    await store.receivePlayer()
    await store.advance(by: .milliseconds(100))
    await store.receive(case: HomeAction.matchesLoaded, .failure(.unreachable), animation: .default)
    {
      $0.loading.remove(.matches)
      $0.problems = [.matches: "the game service cannot be reached"]
    }
    await store.advance(by: .milliseconds(100))
    await store.receiveServer()
    await store.disappear()
  }
}

// MARK: - Saved games

extension HomeFlow {
  @Sendable static func noSavedFile() async {
    let directory = TemporaryFolder()
    let store = store {
      $0.fileClient = .live(directory: directory.path, queue: .immediate, now: $0.now)
    }
    await store.launch()
    #expect(directory.names == [])
    await store.disappear()
  }

  @Sendable static func damagedFile() async {
    let directory = TemporaryFolder()
    let damage = #"{"unlimited": []}"#
    try? directory.write(damage, to: SavedGamesFile.name)
    let store = store {
      $0.fileClient = .live(directory: directory.path, queue: .immediate, now: $0.now)
    }
    await store.appear()
    await store.receive(case: HomeAction.savedGamesLoaded) {
      $0.loading.remove(.savedGames)
      $0.problems[.files] =
        "\(directory.path)/saved-games.json: $.unlimited: "
        + "Expected to decode Dictionary<String, Any> but found an array instead"
    }
    await store.receiveRest()
    #expect((try? directory.text(of: SavedGamesFile.name)) == damage)
    await store.disappear()
  }

  @Sendable static func staleSavedGame() async {
    let solo = SavedGame.preview(at: .piDay)
    let games = SavedGames(
      dailyChallengeUnlimited: .preview(dailyChallengeId: "2026-03-13-unlimited", at: .piDay),
      unlimited: solo)
    let store = store { $0.fileClient = .preview(games) }
    await store.appear()
    await store.receiveSavedGames(games)
    await store.advance(by: .milliseconds(100))
    await store.receivePlayer()
    await store.advance(by: .milliseconds(100))
    await store.receiveMatches()
    await store.advance(by: .milliseconds(100))
    await store.receiveChallenges { $0.savedGames.dailyChallengeUnlimited = nil }
    // Saving answers at once, and so with the transaction of the action that led to it.
    await store.receive(
      case: HomeAction.savedGamesSaved, .success(SavedGames(unlimited: solo)), animation: .default)
    await store.receiveWeek()
    await store.disappear()
  }

  @Sendable static func challengeWithSavedGame() async {
    let game = SavedGame.preview(dailyChallengeId: "2026-03-14-unlimited", at: .piDay)
    let games = SavedGames(dailyChallengeUnlimited: game)
    let store = store {
      $0.fileClient = .preview(games)
      $0.server.startDailyChallenge = { _, _ in
        .send(.failure(.unreachable("nobody should have asked")))
      }
    }
    await store.launch(games)
    await store.send(.startDailyChallenge(.unlimited))
    await store.advance()
    await store.receive(case: HomeAction.dailyChallengeStarted, .success(game), animation: .default)
    {
      $0.destination = .dailyChallenge(game)
    }
    await store.disappear()
  }

  @Sendable static func challengeWithoutSavedGame() async {
    let store = store()
    await store.launch()
    await store.send(.startDailyChallenge(.timed))
    await store.advance(by: .milliseconds(100))
    let game = SavedGame(
      cubes: .preview, dailyChallengeId: "2026-03-14-timed", gameMode: .timed,
      // The date is sent as seconds since 1970, which rounds it.
      gameStartTime: Date(timeIntervalSince1970: store.timeline.date.timeIntervalSince1970),
      language: .en)
    await store.receive(case: HomeAction.dailyChallengeStarted, .success(game), animation: .default)
    {
      $0.destination = .dailyChallenge(game)
    }
    await store.disappear()
  }

  @Sendable static func dayRollover() async {
    let midnight = Date(timeIntervalSince1970: 1_773_532_800)
    let games = SavedGames(
      dailyChallengeUnlimited: .preview(dailyChallengeId: "2026-03-14-unlimited", at: .piDay))
    let store = store(at: midnight - 3, matches: []) { $0.fileClient = .preview(games) }
    await store.launch(games, matches: [])
    await store.advance(by: .milliseconds(3_700))
    await store.receive(.dayChanged) {
      $0.day = midnight
      $0.loading = [.dailyChallenges, .weekInReview]
    }
    await store.receive(
      case: HomeAction.authenticationResponse, .success(.blob), animation: .default)
    await store.advance(by: .milliseconds(200))
    await store.receiveChallenges { $0.savedGames.dailyChallengeUnlimited = nil }
    await store.receive(
      case: HomeAction.savedGamesSaved, .success(SavedGames()), animation: .default)
    await store.receiveWeek()
    await store.disappear()
  }
}

// MARK: - Matches

extension HomeFlow {
  @Sendable static func staleMatch() async {
    let store = store()
    await store.launch()
    #expect(store.state.activeMatches.map { $0.offersPoke(at: .piDay) } == [false, true])
    await store.send(.pokeTapped("theirs")) { $0.loading = [.matches] }
    await store.advance(by: .milliseconds(200))
    var poked = TurnBasedMatch.theirs
    poked.touchedAt = .piDay + 0.4
    await store.receiveMatches([.yours, poked])
    #expect(!poked.offersPoke(at: store.timeline.date))
    await store.disappear()
  }

  @Sendable static func turnEvent() async {
    let store = store()
    await store.launch()
    await store.advance(by: .milliseconds(4_700))
    await store.receive(case: HomeAction.turnEvent, TurnEvent(matchId: "theirs")) {
      $0.loading = [.matches]
    }
    await store.advance(by: .milliseconds(100))
    var moved = TurnBasedMatch.theirs
    moved.isYourTurn = true
    moved.touchedAt = .piDay + 5
    await receiveMatches(store, loaded: [.yours, moved], shown: [moved, .yours])
    await store.disappear()
  }

  @Sendable static func turnEventWhileLoading() async {
    let store = store(latencies: [.matches: .milliseconds(4_950)])
    await store.appear()
    await store.receiveSavedGames()
    await store.advance(by: .milliseconds(100))
    await store.receivePlayer()
    await store.advance(by: .milliseconds(200))
    await store.receiveServer()
    // The launch's matches would come at 5.05 s; they are older than the turn.
    await store.advance(by: .milliseconds(4_700))
    await store.receive(case: HomeAction.turnEvent, TurnEvent(matchId: "theirs"))
    await store.advance(by: .milliseconds(4_950))
    var moved = TurnBasedMatch.theirs
    moved.isYourTurn = true
    moved.touchedAt = .piDay + 5
    await receiveMatches(store, loaded: [.yours, moved], shown: [moved, .yours])
    await store.disappear()
  }

  private static func receiveMatches(
    _ store: TestStoreOf<Home>,
    loaded: [TurnBasedMatch],
    shown: [TurnBasedMatch]
  ) async {
    await store.receive(case: HomeAction.matchesLoaded, .success(loaded), animation: .default) {
      $0.loading.remove(.matches)
      $0.activeMatches = shown
    }
  }

  @Sendable static func matchIsDeleted() async {
    let sounds = Recorder<SoundClient.Sound>()
    let store = store {
      $0.sound.play = { sound in .fireAndForget { sounds.record(sound) } }
    }
    await store.launch()
    await store.send(.matchTapped("yours"), animation: .default) {
      $0.destination = .match("yours")
    }
    await store.send(.deleteMatch("yours")) { $0.loading = [.matches] }
    await store.advance(by: .milliseconds(200))
    var ended = TurnBasedMatch.yours
    ended.status = .ended
    ended.touchedAt = .piDay + 0.4
    await store.receive(
      case: HomeAction.matchesLoaded, .success([ended, .theirs]), animation: .default
    ) {
      $0.loading = []
      $0.activeMatches = [.theirs]
      $0.hasPastMatches = true
      $0.destination = nil
    }
    #expect(sounds.values == [.matchDeleted])
    await store.disappear()
  }

  @Sendable static func matchIsNotDeleted() async {
    let store = store { $0.gameService.endMatch = { _ in .send(.failure(.unreachable)) } }
    await store.launch()
    await store.send(.deleteMatch("yours")) { $0.loading = [.matches] }
    await store.advance()
    let failed = Home.FailedChange(
      change: .delete("yours"), problem: "the game service cannot be reached")
    await store.receive(case: HomeAction.matchChangeFailed, animation: .default) {
      $0.failedChange = failed
    }
    await store.advance(by: .milliseconds(100))
    await store.receiveMatches()
    #expect(store.state.failedChange == failed)
    await store.disappear()
  }

  @Sendable static func destinations() async {
    let games = SavedGames(unlimited: .preview(at: .piDay))
    let store = store { $0.fileClient = .preview(games) }
    await store.launch(games)
    let taps: [(HomeAction, Home.Destination)] = [
      (.dailyChallengeTapped, .dailyChallenge(nil)), (.soloTapped, .solo(games.unlimited)),
      (.matchTapped("theirs"), .match("theirs")), (.settingsTapped, .settings),
      (.leaderboardTapped, .leaderboard),
    ]
    for (tap, destination) in taps {
      await store.send(tap, animation: .default) { $0.destination = destination }
      await store.send(.destination(.dismiss), animation: .default) { $0.destination = nil }
    }
    await store.disappear()
  }
}
