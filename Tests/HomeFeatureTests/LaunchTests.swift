import Foundation
import Rondo
import Testing

@testable import RondoHomeFeature

@MainActor @Suite struct LaunchTests {
  @Test func theServerAndTheMatchesAreAskedSideBySide() {
    let screen = Screen(latencies: [.matches: .milliseconds(500)])
    screen.launch()
    #expect(
      screen.times == [
        "0 onAppear+savedGamesLoaded", "100 authenticationResponse", "300 dailyChallengeResponse",
        "300 weekInReviewResponse", "600 matchesLoaded",
      ]
    )
  }

  @Test func nothingElseIsAskedBeforeThePlayerIsKnown() {
    let screen = Screen(latencies: [.authentication: .seconds(3)])
    screen.store.send(.onAppear)
    screen.advance(by: .milliseconds(2_999))
    #expect(screen.times == ["0 onAppear+savedGamesLoaded"])
    #expect(screen.store.localPlayer == nil)
  }

  @Test func pastMatchesAreNotShownButKnown() {
    let screen = Screen(matches: [.ended, .theirs, .yours])
    screen.launch()
    #expect(screen.store.activeMatches == [.yours, .theirs])
    #expect(screen.store.hasPastMatches)
  }

  // Answers that come at once share the commit of their question; those that take time do not.
  @Test func savedGamesThatTakeTheirTimeAreShownFirstAndUntagged() {
    let screen = Screen(latencies: [.files: .milliseconds(40)]) { environment in
      environment.fileClient = .live(
        directory: "/nonexistent/isowords-home", queue: environment.backgroundQueue,
        conditions: Conditions(latencies: [.files: .milliseconds(40)]), now: environment.now)
    }
    screen.launch()
    #expect(
      screen.takeLog().prefix(3) == [
        "0 onAppear [untagged] loading: everything",
        "40 savedGamesLoaded [untagged] saved games: none",
        "140 authenticationResponse [.default] player: Blob",
      ]
    )
  }
}

@MainActor @Suite struct FailingLaunchTests {
  @Test func theServerKnowsThoseWhoHaveSignedIn() {
    let requests = Recorder<AuthenticationRequest>()
    for consent in [GameServiceStub.Consent.granted, .denied] {
      let screen = Screen(consent: consent) { environment in
        environment.server = .preview()
        environment.server.authenticate = { request in
          requests.record(request)
          return .send(.success(Player(id: "x")))
        }
      }
      screen.launch()
    }
    #expect(requests.values.map(\.playerId) == ["player-1", nil])
    #expect(requests.values.map(\.displayName) == ["Blob", nil])
  }

  @Test func everySourceMayFail() {
    let screen = Screen(failing: Set(Source.allCases)) { environment in
      environment.fileClient = .live(
        directory: "/nonexistent", queue: environment.backgroundQueue,
        conditions: Conditions(failing: [.files]), now: environment.now)
    }
    screen.launch()
    #expect(screen.store.problems.keys.sorted() == Source.allCases)
    #expect(screen.store.isLoaded)
  }

  @Test func failuresOfOthersAreTaggedLikeTheirAnswers() {
    let screen = Screen(failing: [.server, .matches, .authentication])
    screen.launch()
    #expect(screen.takeLog().dropFirst().allSatisfy { $0.contains("(failure) [.default] ") })
  }

  @Test func anExpiredTokenIsAProblemAndARefreshHelps() {
    var content = EmbeddedServer.Content.typical
    // The token is given out at 200 ms and asked for again at 300 ms.
    content.tokenLifetime = 0.05
    let screen = Screen(content: content)
    screen.launch()
    #expect(screen.store.problems == [.server: "the server wants the player to sign in again"])

    let other = Screen { environment in
      let server = environment.server
      let calls = Recorder<Void>()
      environment.server.todaysDailyChallenges = { language in
        calls.record(())
        return calls.values.count == 1
          ? .send(.failure(.tokenExpired)) : server.todaysDailyChallenges(language)
      }
    }
    other.launch()
    #expect(other.store.problems == [.server: "the server wants the player to sign in again"])
    other.store.send(.refresh)
    other.advance(by: .seconds(1))
    #expect(other.store.problems == [:])
    #expect(other.store.numberOfPlayers == 28)
  }
}

extension Screen {
  /// The time and the actions of what has been logged.
  var times: [String] {
    log.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
  }
}
