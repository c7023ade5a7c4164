// The flows of the home screen, asserted exhaustively: every action with its transaction, every
// change, and that nothing is left in flight.

import Foundation
import RondoTesting
import Testing

@testable import HomeFeature

@Suite struct HomeFlowTests {
  /// A test store of the home screen whose clients are stand-ins on its timeline. Every source takes
  /// 100 ms, the files excepted.
  private func makeStore(
    failing: Set<Source> = [],
    change: (inout HomeEnvironment) -> Void = { _ in }
  ) -> TestStoreOf<Home> {
    let timeline = TestTimeline(startDate: .piDay)
    let queue = timeline.scheduler.eraseToAnyScheduler()
    let conditions = Conditions(
      latencies: [
        .authentication: .milliseconds(100), .server: .milliseconds(100),
        .matches: .milliseconds(100),
      ],
      failing: failing)
    let service = GameServiceStub(
      matches: [.yours, .theirs], turnInterval: .seconds(5),
      queue: queue, conditions: conditions, now: { timeline.date })
    let server = EmbeddedServer(queue: queue, conditions: conditions, now: { timeline.date })
    var environment = HomeEnvironment(
      fileClient: .preview(),
      gameService: service.client,
      server: .live(transport: server.transport),
      sound: .preview,
      mainQueue: queue,
      backgroundQueue: queue,
      now: { timeline.date })
    change(&environment)
    return TestStore(initialState: Home.State(), timeline: timeline) { [environment] in
      Home(environment: environment)
    }
  }

  private nonisolated(nonsending) func launch(_ store: TestStoreOf<Home>) async {
    await store.send(.onAppear) {
      $0.day = Home.State.day(of: .piDay)
      $0.loading = Set(Home.Part.allCases)
    }
    await store.receive(.savedGamesLoaded(.success(SavedGames()))) {
      $0.loading.remove(.savedGames)
    }
  }

  private nonisolated(nonsending) func receiveServerData(_ store: TestStoreOf<Home>) async {
    var challenges: [FetchedDailyChallenge] = []
    await store.receive(
      { action in
        guard case .dailyChallengeResponse(.success(let fetched)) = action else { return false }
        challenges = fetched
        return fetched.map(\.yourResult.outOf) == [20, 8]
      }, animation: .default
    ) {
      $0.loading.remove(.dailyChallenges)
      $0.dailyChallenges = challenges
    }
    await store.receive(
      .weekInReviewResponse(.success(EmbeddedServer.Content.typical.weekInReview)),
      animation: .default
    ) {
      $0.loading.remove(.weekInReview)
      $0.weekInReview = EmbeddedServer.Content.typical.weekInReview
    }
  }

  @Test func theLaunch() async {
    let store = makeStore()
    await launch(store)
    await store.advance(by: .milliseconds(100))
    var player: LocalPlayer?
    await store.receive(
      { action in
        guard case .authenticationResponse(.success(let local)) = action else { return false }
        player = local
        return true
      }, animation: .default
    ) {
      $0.loading.remove(.localPlayer)
      $0.localPlayer = player
    }
    await store.advance(by: .milliseconds(100))
    await store.receive(.matchesLoaded(.success([.yours, .theirs])), animation: .default) {
      $0.loading.remove(.matches)
      $0.activeMatches = [.yours, .theirs]
    }
    await store.advance(by: .milliseconds(100))
    await receiveServerData(store)
    #expect(store.state.loading == [])
    await store.send(.onDisappear)
    await store.finish()
  }

  @Test func aSourceThatFails() async {
    let store = makeStore(failing: [.matches])
    store.exhaustivity = [.transactions, .effects]
    await store.send(.onAppear)
    await store.advance(by: .seconds(1))
    var problem = ""
    await store.receive(
      { action in
        guard case .matchesLoaded(.failure(let error)) = action else { return false }
        problem = error.description
        return true
      }, animation: .default
    ) { $0.problems = [.matches: problem] }
    await store.skipReceivedActions(strict: false)
    await store.send(.onDisappear)
  }

  @Test func leavingWhileLoadingLetsTheLoadEnd() async {
    let store = makeStore()
    await launch(store)
    await store.send(.onDisappear)
    await store.advance(by: .seconds(1))
    await store.skipReceivedActions()
    #expect(store.state.loading == [])
    await store.finish()
  }

  @Test func aTurnOfAnother() async {
    let store = makeStore()
    await launch(store)
    await store.advance(by: .seconds(1))
    await store.skipReceivedActions()
    await store.advance(by: .milliseconds(4000))
    await store.receive(case: HomeAction.turnEvent) { $0.loading = [.matches] }
    await store.advance(by: .milliseconds(100))
    var matches: [TurnBasedMatch] = []
    await store.receive(
      { action in
        guard case .matchesLoaded(.success(let loaded)) = action else { return false }
        matches = loaded
        return loaded.allSatisfy(\.isYourTurn)
      }, animation: .default
    ) {
      $0.loading = []
      $0.activeMatches = matches.sortedForDisplay()
    }
    await store.send(.onDisappear)
  }

  @Test func leavingAMatch() async {
    let sounds = Recorder<SoundClient.Sound>()
    let store = makeStore { environment in
      environment.sound.play = { sound in .fireAndForget { sounds.record(sound) } }
    }
    await launch(store)
    await store.advance(by: .seconds(1))
    await store.skipReceivedActions()
    await store.send(.matchTapped(TurnBasedMatch.yours.id)) {
      $0.destination = .match(TurnBasedMatch.yours.id)
    }
    await store.send(.deleteMatch(TurnBasedMatch.yours.id)) { $0.loading = [.matches] }
    await store.advance(by: .milliseconds(200))
    await store.receive(case: HomeAction.matchesLoaded, animation: .default) {
      $0.loading = []
      $0.activeMatches = [.theirs]
      $0.hasPastMatches = true
      $0.destination = nil
    }
    #expect(sounds.values == [.matchDeleted])
    await store.send(.onDisappear)
  }
}
