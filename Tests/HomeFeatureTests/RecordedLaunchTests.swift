// Written by 'rondo test' from launch.jsonl.

import Foundation
import RondoTesting
import Testing

@testable import RondoHomeFeature
@testable import RondoHomeProgram

@MainActor
@Test func recordedLaunch() async {
  let timeline = TestTimeline(startDate: Date(timeIntervalSince1970: 1773500966))
  let store = TestStore(initialState: Home.State(), timeline: timeline) {
    Home()
  } withDependencies: {
    Services.virtual(Options(), directory: "/none", timeline: timeline).prepare(&$0)
  }

  let date = store.date
  await store.send(.onAppear) {
    $0.day = date.addingTimeInterval(-54566)
    $0.loading = [.dailyChallenges, .localPlayer, .matches, .savedGames, .weekInReview]
  }
  await store.advance(by: .milliseconds(60))
  await store.receive(
    .savedGamesLoaded(
      .success(SavedGames(dailyChallengeUnlimited: nil, unlimited: nil))
    )
  ) { $0.loading = [.dailyChallenges, .localPlayer, .matches, .weekInReview] }
  await store.advance(by: .milliseconds(102))
  await store.receive(
    .authenticationResponse(
      .success(LocalPlayer(displayName: "Blob", id: "player-1"))
    ), animation: .default
  ) {
    $0.localPlayer = LocalPlayer(displayName: "Blob", id: "player-1")
    $0.loading = [.dailyChallenges, .matches, .weekInReview]
  }
  await store.advance(by: .milliseconds(211))
  await store.receive(
    .matchesLoaded(
      .success(
        [
          TurnBasedMatch(
            id: "match-1",
            opponent: "Blob Jr.",
            status: .open,
            isYourTurn: false,
            touchedAt: Date(timeIntervalSince1970: 1773392966)
          ),
          TurnBasedMatch(
            id: "match-2",
            opponent: "Blob Sr.",
            status: .open,
            isYourTurn: true,
            touchedAt: Date(timeIntervalSince1970: 1773493766)
          ),
          TurnBasedMatch(
            id: "match-3",
            opponent: "Blob Esq.",
            status: .open,
            isYourTurn: false,
            touchedAt: Date(timeIntervalSince1970: 1773482966)
          ),
          TurnBasedMatch(
            id: "match-4",
            opponent: "Blob",
            status: .ended,
            isYourTurn: false,
            touchedAt: Date(timeIntervalSince1970: 1773241766)
          ),
        ]
      )
    ), animation: .default
  ) {
    $0.hasPastMatches = true
    $0.activeMatches = [
      TurnBasedMatch(
        id: "match-2",
        opponent: "Blob Sr.",
        status: .open,
        isYourTurn: true,
        touchedAt: Date(timeIntervalSince1970: 1773493766)
      ),
      TurnBasedMatch(
        id: "match-3",
        opponent: "Blob Esq.",
        status: .open,
        isYourTurn: false,
        touchedAt: Date(timeIntervalSince1970: 1773482966)
      ),
      TurnBasedMatch(
        id: "match-1",
        opponent: "Blob Jr.",
        status: .open,
        isYourTurn: false,
        touchedAt: Date(timeIntervalSince1970: 1773392966)
      ),
    ]
    $0.loading = [.dailyChallenges, .weekInReview]
  }
  await store.advance(by: .milliseconds(176))
  await store.receive(
    .weekInReviewResponse(
      .success(
        WeekInReview(
          ranks: [
            WeekInReview.Rank(gameMode: .timed, outOf: 230, rank: 12),
            WeekInReview.Rank(gameMode: .unlimited, outOf: 185, rank: 3),
          ],
          word: WeekInReview.Word(letters: "LAUNCHES", score: 312)
        )
      )
    ), animation: .default
  ) {
    $0.weekInReview = WeekInReview(
      ranks: [
        WeekInReview.Rank(gameMode: .timed, outOf: 230, rank: 12),
        WeekInReview.Rank(gameMode: .unlimited, outOf: 185, rank: 3),
      ],
      word: WeekInReview.Word(letters: "LAUNCHES", score: 312)
    )
    $0.loading = [.dailyChallenges]
  }
  await store.advance(by: .milliseconds(48))
  await store.receive(
    .dailyChallengeResponse(
      .success(
        [
          FetchedDailyChallenge(
            dailyChallenge: DailyChallenge(
              endsAt: Date(timeIntervalSince1970: 1773532800),
              gameMode: .timed,
              id: "2026-03-14-timed",
              language: .en
            ),
            yourResult: DailyChallengeResult(outOf: 20, rank: nil, score: nil, started: false)
          ),
          FetchedDailyChallenge(
            dailyChallenge: DailyChallenge(
              endsAt: Date(timeIntervalSince1970: 1773532800),
              gameMode: .unlimited,
              id: "2026-03-14-unlimited",
              language: .en
            ),
            yourResult: DailyChallengeResult(outOf: 8, rank: nil, score: nil, started: true)
          ),
        ]
      )
    ), animation: .default
  ) {
    $0.dailyChallenges = [
      FetchedDailyChallenge(
        dailyChallenge: DailyChallenge(
          endsAt: Date(timeIntervalSince1970: 1773532800),
          gameMode: .timed,
          id: "2026-03-14-timed",
          language: .en
        ),
        yourResult: DailyChallengeResult(outOf: 20, rank: nil, score: nil, started: false)
      ),
      FetchedDailyChallenge(
        dailyChallenge: DailyChallenge(
          endsAt: Date(timeIntervalSince1970: 1773532800),
          gameMode: .unlimited,
          id: "2026-03-14-unlimited",
          language: .en
        ),
        yourResult: DailyChallengeResult(outOf: 8, rank: nil, score: nil, started: true)
      ),
    ]
    $0.loading = []
  }
  await store.send(.onDisappear)
  await store.finish()
}
