import Foundation
import Rondo
import Testing

@testable import RondoHomeFeature

/// The changes that the player makes to a match, and the outcome where a change fails.
@MainActor @Suite struct MatchChangeTests {
  /// Whether the service does what it is asked to do with matches.
  private let isWorking = Recorder<Bool>()

  /// A launched screen on which nothing can be done with a match until `isWorking` says so.
  private func screen(sounds: Recorder<SoundClient.Sound> = Recorder()) -> Screen {
    let screen = Screen { [isWorking] environment in
      let service = environment.gameService
      environment.gameService.endMatch = { id in
        isWorking.values.isEmpty ? .send(.failure(.unreachable)) : service.endMatch(id)
      }
      environment.gameService.remind = { id in
        isWorking.values.isEmpty ? .send(.failure(.unreachable)) : service.remind(id)
      }
      environment.sound.play = { sound in
        .future { callback in
          sounds.record(sound)
          callback(())
        }
      }
    }
    screen.launch()
    _ = screen.takeLog()
    return screen
  }

  @Test func anOpponentWhoIsNotPokedIsSaidAndStaysSaidBehindTheReload() {
    let screen = screen()
    screen.store.send(.pokeTapped("theirs"))
    screen.advance(by: .seconds(1))
    #expect(screen.store.problemLines == ["opponent not poked: the game service cannot be reached"])
  }

  @Test func tryingAgainQuitsTheMatch() {
    let sounds = Recorder<SoundClient.Sound>()
    let screen = screen(sounds: sounds)
    screen.store.send(.deleteMatch("yours"))
    screen.advance(by: .seconds(1))
    #expect(sounds.values == [])
    isWorking.record(true)
    screen.store.send(.refresh)
    #expect(screen.store.problemLines == [])
    screen.advance(by: .seconds(1))
    #expect(screen.store.activeMatches == [.theirs])
    #expect(screen.store.problemLines == [])
    #expect(screen.store.isLoaded)
    #expect(sounds.values == [.matchDeleted])
  }

  @Test func aMatchIsQuitOnceHoweverOftenTheKeyIsPressed() {
    let sounds = Recorder<SoundClient.Sound>()
    let screen = screen(sounds: sounds)
    isWorking.record(true)
    screen.store.send(.deleteMatch("yours"))
    screen.store.send(.deleteMatch("yours"))
    screen.advance(by: .seconds(1))
    #expect(screen.store.activeMatches == [.theirs])
    #expect(screen.store.problemLines == [])
    #expect(sounds.values == [.matchDeleted])
  }

  @Test func whatIsDoneNextReplacesWhatHasFailed() {
    let screen = screen()
    screen.store.send(.deleteMatch("yours"))
    screen.advance(by: .seconds(1))
    isWorking.record(true)
    screen.store.send(.pokeTapped("theirs"))
    #expect(screen.store.problemLines == [])
  }

  @Test func aMatchThatHasGoneIsNotQuitAgain() {
    let screen = Screen()
    screen.launch()
    screen.store.send(.deleteMatch("nobody's"))
    screen.advance(by: .seconds(1))
    #expect(
      screen.store.problemLines == [
        #"match not quit: the game service knows no match "nobody's""#
      ])
    screen.store.send(.refresh)
    screen.advance(by: .seconds(1))
    #expect(screen.store.problemLines == [])
  }
}
