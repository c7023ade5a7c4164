// A test store of the home screen, and the steps that its flows have in common.

import Foundation
import RondoTesting

@testable import RondoHomeFeature

extension HomeFlow {
  /// A test store whose clients are stand-ins on its timeline.
  static func store(
    at date: Date = .piDay,
    failing: Set<Source> = [],
    latencies: [Source: Duration] = [:],
    content: EmbeddedServer.Content = .typical,
    consent: GameServiceStub.Consent = .granted,
    matches: [TurnBasedMatch] = [.yours, .theirs],
    change: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<Home> {
    let timeline = TestTimeline(startDate: date)
    return TestStore(initialState: Home.State(), timeline: timeline) {
      Home()
    } withDependencies: {
      $0.standIns(
        on: timeline, failing: failing, latencies: latencies, content: content, consent: consent,
        matches: matches)
      change(&$0)
    }
  }
}

extension TestStore<Home.State, HomeAction> {
  /// Makes the screen appear, which asks for everything.
  nonisolated(nonsending) func appear() async {
    let day = Home.State.day(of: timeline.date)
    await send(.onAppear) {
      $0.day = day
      $0.problems = [:]
      $0.loading = Set(Home.Part.allCases)
    }
  }

  /// Makes the screen disappear, and expects that no effect is left.
  nonisolated(nonsending) func disappear() async {
    await send(.onDisappear)
    await finish()
  }

  // Answers. Those of the disk have no tag, all others have one.

  nonisolated(nonsending) func receiveSavedGames(_ games: SavedGames = SavedGames()) async {
    await receive(case: HomeAction.savedGamesLoaded, .success(games)) {
      $0.loading.remove(.savedGames)
      $0.savedGames = games
    }
  }

  nonisolated(nonsending) func receivePlayer(_ player: LocalPlayer = .blob) async {
    await receive(case: HomeAction.authenticationResponse, .success(player), animation: .default) {
      $0.loading.remove(.localPlayer)
      $0.localPlayer = player
    }
  }

  nonisolated(nonsending) func receiveMatches(
    _ matches: [TurnBasedMatch] = [.yours, .theirs]
  ) async {
    await receive(case: HomeAction.matchesLoaded, .success(matches), animation: .default) {
      $0.loading.remove(.matches)
      $0.activeMatches = matches.filter { $0.status == .open }
      $0.hasPastMatches = matches.contains { $0.status == .ended }
    }
  }

  nonisolated(nonsending) func receiveChallenges(
    _ content: EmbeddedServer.Content = .typical,
    change: @escaping (inout Home.State) -> Void = { _ in }
  ) async {
    let challenges = content.challenges(on: timeline.date)
    await receive(
      case: HomeAction.dailyChallengeResponse, .success(challenges), animation: .default
    ) {
      $0.loading.remove(.dailyChallenges)
      $0.dailyChallenges = challenges
      change(&$0)
    }
  }

  nonisolated(nonsending) func receiveWeek(_ content: EmbeddedServer.Content = .typical) async {
    await receive(
      case: HomeAction.weekInReviewResponse, .success(content.weekInReview), animation: .default
    ) {
      $0.loading.remove(.weekInReview)
      $0.weekInReview = content.weekInReview
    }
  }

  nonisolated(nonsending) func receiveServer(_ content: EmbeddedServer.Content = .typical) async {
    await receiveChallenges(content)
    await receiveWeek(content)
  }

  /// Receives what a launch asks for, but for the saved games, each answer in its time.
  nonisolated(nonsending) func receiveRest(
    matches: [TurnBasedMatch] = [.yours, .theirs], content: EmbeddedServer.Content = .typical
  ) async {
    await advance(by: .milliseconds(100))
    await receivePlayer()
    await advance(by: .milliseconds(100))
    await receiveMatches(matches)
    await advance(by: .milliseconds(100))
    await receiveServer(content)
  }

  /// Does a whole launch: from the appearance until nothing is loading any more.
  nonisolated(nonsending) func launch(
    _ games: SavedGames = SavedGames(),
    matches: [TurnBasedMatch] = [.yours, .theirs],
    content: EmbeddedServer.Content = .typical
  ) async {
    await appear()
    await receiveSavedGames(games)
    await receiveRest(matches: matches, content: content)
  }
}

extension LocalPlayer {
  static let blob = LocalPlayer(displayName: "Blob", id: "player-1")
}

extension EmbeddedServer.Content {
  /// The server's answer about the challenges of a day.
  func challenges(on date: Date) -> [FetchedDailyChallenge] {
    GameMode.allCases.compactMap { mode in
      results[mode].map { result in
        FetchedDailyChallenge(
          dailyChallenge: DailyChallenge(
            endsAt: Home.State.day(of: date) + 24 * 60 * 60, gameMode: mode,
            id: EmbeddedServer.challengeId(mode, on: date)),
          yourResult: result)
      }
    }
  }
}
