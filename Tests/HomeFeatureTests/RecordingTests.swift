import Foundation
import Rondo
import RondoRecording
import RondoStage
import RondoSeededRandomness
import Testing

@testable import RondoHomeFeature
@testable import RondoHomeProgram

/// Recordings, and running them again.
@MainActor @Suite struct RecordingTests {
  private let folder = TemporaryFolder()
  private var file: URL { folder.file("home.jsonl") }

  @Test func aReplayAgreesAndLogsTheSame() throws {
    let screen = Screen()
    let recording = try recorded(screen) { use(screen) }
    var log: [LogEntry] = []
    #expect(
      try HomeReplay.run(recording) { log.append($0) } == .agrees(commits: screen.commits.count))
    // What came from effects is known of a recording only.
    for index in log.indices {
      (log[index].receivedOn, log[index].sentFrom, log[index].effect) = (nil, nil, nil)
    }
    #expect(log == screen.commits.map(\.entry))
  }

  /// Random actions and faults. A failure's argument is the seed that repeats it.
  @Test(arguments: Randomness.seeds(Soak.isOn ? 5 : 3))
  func anyRunAgreesWithItself(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let failing = Set(Source.allCases.filter { _ in Bool.random(using: &generator) })
    let screen = Screen(failing: failing)
    let recording = try recorded(screen) {
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
    }
    #expect(try HomeReplay.run(recording) == .agrees(commits: screen.commits.count))
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
    let screen = Screen()
    var recording = try recorded(screen) { use(screen) }
    let index = try #require(
      recording.lines.firstIndex {
        if case .commit(let commit) = $0.line { commit.commit == 2 } else { false }
      })
    guard case .commit(var commit) = recording.lines[index].line else { return }
    let path = ["localPlayer", "displayName"]
    commit.changes.append(RecordedChange(path: path, new: RecordedNode("\"Blab\"")))
    commit.digest = "0000000000000000"
    recording.lines[index].line = .commit(commit)
    let outcome = try HomeReplay.run(recording)
    guard case .differs(recording.lines[index].number, let difference) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(difference.hasPrefix("After ."))
    #expect(difference.hasSuffix("."))
  }

  @Test func aRecordingOfAnotherFeatureIsRefused() throws {
    let screen = Screen()
    var recording = try recorded(screen) {}
    recording.begin.feature = "Search"
    #expect(
      throws: RecordingError("The recording is one of Search, and not of the home screen.")
    ) { _ = try HomeReplay.run(recording) }
  }

  // V10
  @Test func V10_aRecordingOfTheScreenHasItsFramesAndAgrees() throws {
    let directory = TemporaryFolder()
    let run = RunRecording(file.path)
    let export = FrameExport(options: Options(), directory: directory.path, recording: run)
    let (shown, problem) = export.record()
    run.end()
    #expect(problem == nil)
    let recording = try RecordingFile(contentsOf: file)
    #expect(recording.begin.feature == "TerminalScreen")
    var texts: [String] = []
    var cells = [[Character]](repeating: [Character](repeating: " ", count: 80), count: 24)
    for case .frame(let frame) in recording.lines.map(\.line) {
      #expect(frame.columns == 80 && frame.rows == 24)
      for run in frame.cells {
        for (offset, character) in run.text.enumerated() {
          cells[run.row][run.column + offset] = character
        }
        if run.isWide == true { cells[run.row][run.column + 1] = "\0" }
      }
      let lines = cells.map { row in
        var line = String(row.filter { $0 != "\0" })
        while line.last == " " { line.removeLast() }
        return line
      }
      texts.append(lines.joined(separator: "\n"))
    }
    #expect(shown.frames.allSatisfy { texts.contains($0.canvas.text) })
    guard case .agrees = try HomeReplay.run(recording) else {
      Issue.record("The recording does not agree with itself.")
      return
    }
  }

  // MARK: Support

  /// Lets something happen on a screen.
  private func use(_ screen: Screen) {
    screen.launch()
    screen.store.send(.matchTapped("yours"))
    screen.store.send(.deleteMatch("yours"))
    screen.advance(by: .seconds(1))
    screen.store.send(.startDailyChallenge(.unlimited), animation: .default)
    screen.advance(by: .seconds(6))
  }

  private func recorded(_ screen: Screen, _ body: () -> Void) throws -> RecordingFile {
    let recording = try screen.store.record(
      to: file, clock: screen.timeline.clock, date: screen.timeline.date)
    body()
    recording.end()
    return try RecordingFile(contentsOf: file)
  }
}
