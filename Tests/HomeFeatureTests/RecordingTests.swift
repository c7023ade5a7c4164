import Foundation
import Testing

@testable import HomeFeature

/// Recordings, and running them again.
@MainActor @Suite struct RecordingTests {
  @Test func aReplayAgreesAndLogsTheSame() {
    let screen = used()
    var log: [LogEntry] = []
    #expect(
      Replay.run(recording(of: screen)) { log.append($0) }
        == .agrees(commits: screen.commits.count)
    )
    #expect(log.map(\.actions) == screen.commits.map(\.entry.actions))
    #expect(log.map(\.changes) == screen.commits.map(\.entry.changes))
    #expect(log.map(\.tag) == screen.commits.map(\.entry.tag))
  }

  /// Random actions and faults. A failure's argument is the seed that repeats it.
  @Test(arguments: 0..<30 as Range<UInt64>)
  func anyRunAgreesWithItself(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let failing = Set(Source.allCases.filter { _ in Bool.random(using: &generator) })
    let screen = Screen(failing: failing)
    screen.store.send(.onAppear)
    let actions: [HomeAction] = [
      .refresh, .dailyChallengeTapped, .soloTapped, .matchTapped("yours"), .deleteMatch("theirs"),
      .pokeTapped("theirs"), .startDailyChallenge(.timed), .settingsTapped, .leaderboardTapped,
      .onDisappear, .onAppear, .dayChanged,
    ]
    for _ in 0..<20 {
      let isLeaving = screen.store.destination != nil && Bool.random(using: &generator)
      screen.store.send(
        isLeaving ? .destination(.dismiss) : actions.randomElement(using: &generator)!)
      screen.advance(by: .milliseconds(Int.random(in: 0...400, using: &generator)))
    }
    #expect(Replay.run(recording(of: screen)) == .agrees(commits: screen.commits.count))
  }

  @Test func everyActionComesBackAsItWas() throws {
    let game = SavedGame.preview(at: .piDay)
    let actions: [HomeAction] = [
      .onAppear, .onDisappear, .refresh, .dayChanged,
      .savedGamesLoaded(.success(SavedGames(unlimited: game))),
      .savedGamesLoaded(.failure(SavedGamesError(path: "x", reason: .unreadable("y")))),
      .savedGamesSaved(.success(SavedGames())),
      .authenticationResponse(.failure(.denied)),
      .authenticationResponse(.success(LocalPlayer(displayName: "Blob", id: "1"))),
      .dailyChallengeResponse(.failure(.malformed(JSONProblem(place: "$", message: "m")))),
      .dailyChallengeResponse(.success([])),
      .weekInReviewResponse(.success(WeekInReview(ranks: []))),
      .weekInReviewResponse(.failure(.status(500))),
      .matchesLoaded(.success([.yours, .ended])), .matchesLoaded(.failure(.noSuchMatch("z"))),
      .dailyChallengeStarted(.success(game)), .turnEvent(TurnEvent(matchId: "1")),
      .dailyChallengeTapped, .soloTapped, .matchTapped("1"), .settingsTapped, .leaderboardTapped,
      .startDailyChallenge(.timed), .deleteMatch("1"), .pokeTapped("1"), .destination(.dismiss),
    ]
    let data = try JSONEncoder().encode(actions)
    #expect(try JSONDecoder().decode([HomeAction].self, from: data) == actions)
  }

  @Test func theFirstStateThatDiffersIsNamed() throws {
    var lines = lines(of: used())
    guard case .commit(var commit) = lines[3] else {
      Issue.record("The fourth line is no commit.")
      return
    }
    commit.state["localPlayer"] = "0000000000000000"
    lines[3] = .commit(commit)
    let outcome = Replay.run(Data(lines.map(\.text).joined().utf8))
    guard case .differs(line: 4, let difference) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(
      difference.hasPrefix(
        #"after matchesLoaded localPlayer is {"displayName":"Blob","id":"player-1"}, "#)
    )
    #expect(
      difference.hasSuffix(
        "where 0000000000000000 was recorded (matches: Ada (your turn), Bob (their turn, poke?))"))
  }

  @Test func aRecordingThatIsCutOffIsReplayedUpToThere() {
    let whole = recording(of: used())
    var generator = SplitMix64(seed: 1)
    for _ in 0..<40 {
      let count = Int.random(in: 0..<whole.count, using: &generator)
      let newlines = whole.prefix(count).count { $0 == UInt8(ascii: "\n") }
      #expect(Replay.run(whole.prefix(count)) == .cutOff(commits: max(0, newlines - 1)))
    }
  }

  @Test(arguments: [
    ("nonsense\n", 1), ("{\"recording\":2}\n", 1), ("{\"recording\":1}\n{}\n", 2),
    ("{\"recording\":1}\n{\"commits\":3}\n", 2), ("{\"commits\":0}\n", 1),
  ])
  func aLineThatIsNoneIsNamed(text: String, line: Int) {
    guard case .damaged(line: line, _) = Replay.run(Data(text.utf8)) else {
      Issue.record("It is not damaged.")
      return
    }
  }

  /// A failure's argument is the seed that repeats it.
  @Test(arguments: 0..<50 as Range<UInt64>)
  func noDamageCrashesAReplay(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var bytes = recording(of: used())
    for _ in 0...3 {
      bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
        in: 0...255, using: &generator)
    }
    _ = Replay.run(bytes)
  }

  // MARK: Support

  /// A screen on which something has happened.
  private func used() -> Screen {
    let screen = Screen()
    screen.launch()
    screen.store.send(.matchTapped("yours"))
    screen.store.send(.deleteMatch("yours"))
    screen.advance(by: .seconds(1))
    screen.store.send(.startDailyChallenge(.unlimited), animation: .default)
    screen.advance(by: .seconds(6))
    return screen
  }

  private func lines(of screen: Screen) -> [RecordingLine] {
    [.begin] + screen.commits.map { .commit(RecordedCommit($0)) }
      + [.end(commits: screen.commits.count)]
  }

  private func recording(of screen: Screen) -> Data {
    Data(lines(of: screen).map(\.text).joined().utf8)
  }
}
