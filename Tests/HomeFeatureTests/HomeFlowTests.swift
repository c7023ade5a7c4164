// The flows of the home screen, asserted exhaustively: every action with its transaction, every
// change, and that nothing is left in flight.

import Foundation
import RondoTesting
import RondoSeededRandomness
import Testing

@testable import RondoHomeFeature

@Suite struct HomeFlowTests {
  @Test(arguments: HomeFlow.all)
  func flow(_ flow: HomeFlow) async {
    await flow.run()
  }

  @Test func everyFlowAgainAndAgain() async {
    let rounds = Soak.count(1, long: 100)
    let clock = ContinuousClock()
    let time = await clock.measure {
      for _ in 0..<rounds {
        for flow in HomeFlow.all { await flow.run() }
      }
    }
    if Soak.isOn { print("\(rounds) rounds of \(HomeFlow.all.count) flows in \(time)") }
  }
}

/// A flow of the home screen, by name.
struct HomeFlow: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let run: @Sendable () async -> Void

  init(_ name: String, _ run: @escaping @Sendable () async -> Void) {
    testDescription = name
    self.run = run
  }

  static let all: [HomeFlow] = [
    HomeFlow("happy path", happyPath),
    HomeFlow("no one has played", noOneHasPlayed),
    HomeFlow("all played", allPlayed),
    HomeFlow("the files fail", filesFail),
    HomeFlow("authentication fails", authenticationFails),
    HomeFlow("the server fails", serverFails),
    HomeFlow("the matches fail", matchesFail),
    HomeFlow("authentication is denied", authenticationIsDenied),
    HomeFlow("no saved file", noSavedFile),
    HomeFlow("a damaged file", damagedFile),
    HomeFlow("a stale saved game", staleSavedGame),
    HomeFlow("a stale match", staleMatch),
    HomeFlow("a turn event while loading", turnEventWhileLoading),
    HomeFlow("a turn event", turnEvent),
    HomeFlow("disappearing while loading", disappearingWhileLoading),
    HomeFlow("a second appearance", secondAppearance),
    HomeFlow("a refresh while loading", refreshWhileLoading),
    HomeFlow("a match is deleted", matchIsDeleted),
    HomeFlow("a match is not deleted", matchIsNotDeleted),
    HomeFlow("day rollover", dayRollover),
    HomeFlow("a daily challenge with a saved game", challengeWithSavedGame),
    HomeFlow("a daily challenge without a saved game", challengeWithoutSavedGame),
    HomeFlow("destinations", destinations),
  ]
}
