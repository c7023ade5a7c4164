import Foundation
import Testing

@testable import RondoHomeFeature

@Suite struct HomeStateTests {
  @Test func noOneHasPlayed() {
    #expect(
      state(played: [(0, nil), (0, nil)]).dailyChallengeText == "No one has played. Be the first!")
  }

  @Test func somePeopleHavePlayed() {
    #expect(
      state(played: [(20, nil), (8, 3)]).dailyChallengeText == "28 people have already played!")
  }

  @Test func morePeopleThanAnIntegerHoldsAreNoCrash() {
    #expect(state(played: [(.max, nil), (.max, nil)]).numberOfPlayers == .max)
  }

  @Test func onePersonHasPlayed() {
    #expect(state(played: [(1, nil)]).dailyChallengeText == "1 person has already played!")
  }

  @Test func allPlayed() {
    let state = state(played: [(20, 1), (8, 3)])
    #expect(state.hasPlayedAllDailyChallenges)
    #expect(state.dailyChallengeText == "You have played all of today's challenges.")
  }

  @Test func challengesThatFailedAreUnknownAndNotPlayed() {
    let state = Home.State()
    #expect(state.numberOfPlayers == nil)
    #expect(!state.hasPlayedAllDailyChallenges)
    #expect(state.dailyChallengeText == "Unknown")
  }

  @Test func noChallengesAreNotAllPlayed() {
    #expect(!state(played: []).hasPlayedAllDailyChallenges)
  }

  @Test func challengesThatLoadSaySo() {
    var state = Home.State()
    state.loading = [.dailyChallenges]
    #expect(state.dailyChallengeText == "Loading…")
  }

  @Test func activeGamesAreSavedOnesThenMatches() {
    var state = Home.State()
    let game = SavedGame.preview(at: .piDay)
    let match = TurnBasedMatch(id: "m", opponent: "Blob", isYourTurn: true, touchedAt: .piDay)
    state.savedGames = SavedGames(dailyChallengeUnlimited: game, unlimited: game)
    state.activeMatches = [match]
    #expect(state.activeGames == [.dailyChallenge(game), .solo(game), .match(match)])
  }

  @Test(arguments: [
    (1_773_500_966.0, Duration.seconds(31_834)),
    (0, .seconds(86_400)),
    (86_399.5, .seconds(0.5)),
    (86_400, .seconds(86_400)),
  ])
  func theDayEndsAtMidnightUTC(now: TimeInterval, left: Duration) {
    #expect(Home.State.timeLeft(at: Date(timeIntervalSince1970: now)) == left)
  }

  @Test func matchesSortByWhoseTurnThenNewest() {
    let match = { (id: String, isYourTurn: Bool, age: TimeInterval) in
      TurnBasedMatch(id: id, opponent: "", isYourTurn: isYourTurn, touchedAt: .piDay - age)
    }
    let matches = [
      match("a", false, 1), match("b", true, 9), match("c", true, 2), match("e", false, 3),
      match("d", false, 3),
    ]
    #expect(matches.sortedForDisplay().map(\.id) == ["c", "b", "a", "d", "e"])
  }

  @Test func aMatchUntouchedForADayOffersAPoke() {
    let day: TimeInterval = 24 * 60 * 60
    var match = TurnBasedMatch(id: "", opponent: "", isYourTurn: false, touchedAt: .piDay)
    #expect(!match.offersPoke(at: .piDay + day - 1))
    #expect(match.offersPoke(at: .piDay + day))
    match.isYourTurn = true
    #expect(!match.offersPoke(at: .piDay + day))
  }

  private func state(played: [(outOf: Int, rank: Int?)]) -> Home.State {
    var state = Home.State()
    state.dailyChallenges = played.map {
      FetchedDailyChallenge(
        dailyChallenge: DailyChallenge(endsAt: .piDay, gameMode: .unlimited, id: "\($0)"),
        yourResult: DailyChallengeResult(outOf: $0.outOf, rank: $0.rank)
      )
    }
    return state
  }
}
