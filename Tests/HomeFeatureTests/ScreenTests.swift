import Foundation
import Rondo
import Testing

@testable import RondoHomeFeature

/// Tests of the screen beyond a single undisturbed launch.
@MainActor @Suite struct ScreenTests {
  // MARK: Coming and going

  @Test func aRefreshClearsTheProblems() {
    let screen = Screen(failing: [.matches])
    screen.launch()
    #expect(!screen.store.problems.isEmpty)
    screen.store.send(.refresh)
    #expect(screen.store.problems.isEmpty)
  }

  @Test func twoAppearancesListenOnce() {
    let screen = Screen()
    screen.launch()
    screen.store.send(.onAppear)
    screen.advance(by: .seconds(1))
    _ = screen.takeLog()
    screen.advance(by: .milliseconds(4_500))
    #expect(screen.times.filter { $0.hasSuffix("turnEvent") }.count == 1)
  }

  @Test func disappearingStopsListening() {
    let screen = Screen()
    screen.launch()
    screen.store.send(.onDisappear)
    _ = screen.takeLog()
    screen.advance(by: .seconds(100_000))
    #expect(screen.log == [])
  }

  // MARK: Matches

  @Test func deletingAMatchSoundsAfterTheReload() {
    let order = Recorder<String>()
    let screen = Screen { environment in
      environment.sound.play = { sound in
        .future { callback in
          order.record("\(sound)")
          callback(())
        }
      }
      let service = environment.gameService
      environment.gameService.endMatch = { id in
        service.endMatch(id).map { result in
          order.record("ended")
          return result
        }
      }
      environment.gameService.loadMatches = {
        service.loadMatches().map { result in
          order.record("loaded")
          return result
        }
      }
    }
    screen.store.send(.deleteMatch("yours"))
    screen.advance(by: .seconds(1))
    #expect(order.values == ["ended", "loaded", "matchDeleted"])
  }

  // MARK: Daily challenges

  @Test func todaysSavedGameIsKept() {
    let games = SavedGames(
      dailyChallengeUnlimited: .preview(dailyChallengeId: "2026-03-14-unlimited", at: .piDay))
    let screen = Screen { environment in
      environment.fileClient = .preview(games)
      environment.fileClient.save = FileClient.test.save
    }
    screen.launch()
    #expect(screen.store.savedGames == games)
  }

  @Test(arguments: [Set<Source>([.server]), []])
  func aSavedGameIsKeptWhenTodaysChallengesAreNotKnown(failing: Set<Source>) {
    var content = EmbeddedServer.Content.typical
    content.results = [:]
    let games = SavedGames(dailyChallengeUnlimited: .preview(dailyChallengeId: "?", at: .piDay))
    let screen = Screen(failing: failing, content: content) { environment in
      environment.fileClient = .preview(games)
      environment.fileClient.save = FileClient.test.save
    }
    screen.launch()
    #expect(screen.store.savedGames == games)
  }

  @Test func aSaveThatFailsIsAProblem() {
    let games = SavedGames(dailyChallengeUnlimited: .preview(dailyChallengeId: "old", at: .piDay))
    let screen = Screen { environment in
      environment.fileClient = .preview(games)
      environment.fileClient.save = { _ in
        .send(.failure(SavedGamesError(path: "/x", reason: .unwritable("No space"))))
      }
    }
    screen.launch()
    #expect(screen.store.problems == [.files: "/x: cannot be written: No space"])
  }

  @Test func aLoadThatTakesLongerThanADayComesToAnEnd() {
    let screen = Screen(latencies: [.server: .seconds(30 * 60 * 60)])
    let task = screen.store.send(.onAppear)
    // The token is too old when a request arrives: the player signs in anew, and asks once more.
    screen.advance(by: .seconds(121 * 60 * 60))
    #expect(screen.store.isLoaded)
    screen.store.send(.onDisappear)
    screen.advance(by: .seconds(121 * 60 * 60))
    #expect(task.isFinished)
  }

  @Test func aSavedDailyGameIsGoneOnWithWhileTheServerIsDown() {
    let game = SavedGame.preview(dailyChallengeId: "2026-03-14-unlimited", at: .piDay)
    let screen = Screen(failing: [.server]) { environment in
      environment.fileClient = .preview(SavedGames(dailyChallengeUnlimited: game))
    }
    screen.launch()
    #expect(screen.store.dailyChallenges == nil)
    screen.store.send(.startDailyChallenge(.unlimited))
    screen.advance(by: .seconds(1))
    #expect(screen.store.destination == .dailyChallenge(game))
    #expect(Set(screen.store.problems.keys) == [.server])
  }

  @Test func startingAnotherChallengeForgetsTheOneThatWasNotStarted() {
    var content = EmbeddedServer.Content.typical
    content.results[.timed]?.rank = 3
    let screen = Screen(content: content)
    screen.launch()
    screen.store.send(.startDailyChallenge(.timed))
    screen.advance(by: .seconds(1))
    #expect(Set(screen.store.problems.keys) == [.server])
    screen.store.send(.startDailyChallenge(.unlimited))
    screen.advance(by: .seconds(1))
    #expect(screen.store.problems == [:])
    #expect(screen.store.destination != nil)
  }

  @Test func theSavedGameOfAnotherModeIsNotTaken() {
    let game = SavedGame.preview(dailyChallengeId: "2026-03-14-unlimited", at: .piDay)
    let screen = Screen { environment in
      environment.fileClient = .preview(SavedGames(dailyChallengeUnlimited: game))
    }
    screen.launch()
    screen.store.send(.startDailyChallenge(.timed))
    screen.advance(by: .seconds(1))
    guard case .dailyChallenge(let started?) = screen.store.destination else {
      Issue.record("Nothing was started.")
      return
    }
    #expect(started.gameMode == .timed)
  }

  @Test func aChallengeThatHasBeenPlayedIsNotStarted() {
    var content = EmbeddedServer.Content.typical
    content.results[.timed]?.rank = 3
    let screen = Screen(content: content)
    screen.launch()
    screen.store.send(.startDailyChallenge(.timed))
    screen.advance(by: .seconds(1))
    #expect(screen.store.destination == nil)
    #expect(screen.store.problems == [.server: "the server answered with status 409"])
  }

  // MARK: Destinations

  @Test func aMatchThatIsNotThereLeadsNowhere() {
    let screen = Screen()
    screen.launch()
    screen.store.send(.matchTapped("nobody's"))
    #expect(screen.store.destination == nil)
  }

  // MARK: Schedulers

  @Test func onImmediateSchedulersTheLaunchIsThereAtOnce() {
    let screen = Screen { environment in
      environment.gameService = .preview(matches: [.yours])
      environment.server = .preview()
      environment.mainQueue = .immediate
      environment.backgroundQueue = .immediate
    }
    screen.store.send(.onAppear)
    #expect(screen.store.isLoaded)
    #expect(screen.store.activeMatches == [.yours])
  }
}
