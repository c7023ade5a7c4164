import Foundation
import RondoHomeFeature
import RondoSeededRandomness
import Testing

@testable import RondoHomeProgram

/// The whole program on virtual time, in process.
@MainActor @Suite struct VirtualRunTests {
  let directory = TemporaryFolder()

  // PF8
  @Test func manyLaunchesGiveTheSameBytes() {
    let first = launch(LogStyle.plain(colored: false))
    #expect(!first.isEmpty)
    for _ in 1..<Soak.count(5, long: 1_000) {
      guard launch(LogStyle.plain(colored: false)) == first else {
        Issue.record("A launch differs from the first.")
        return
      }
    }
  }

  // PF8
  @Test func savedGamesComeFirstAndUntaggedThenThePlayerThenTheOthersTagged() {
    var entries: [LogEntry] = []
    _ = VirtualRun(options: Options(), directory: directory.path).run { entries.append($0.entry) }
    #expect(
      entries.map { $0.actions + [$0.tag] } == [
        ["onAppear", "untagged"],
        ["savedGamesLoaded", "untagged"],
        ["authenticationResponse", ".default"],
        ["matchesLoaded", ".default"],
        ["weekInReviewResponse", ".default"],
        ["dailyChallengeResponse", ".default"],
        ["onDisappear", "untagged"],
      ]
    )
    #expect(entries.map(\.time) == entries.map(\.time).sorted())
  }

  @Test func theLaunchWithSavedGamesIsTheGoldenOne() throws {
    #expect(
      launch(.plain(colored: false), in: Repository.sample)
        == (try Repository.golden("launch-with-saved-games.log")))
  }

  @Test func anotherSeedHasOtherTimes() throws {
    var options = Options()
    options.seed = 1
    #expect(launch(.plain(colored: false), options) != (try Repository.golden("launch.log")))
  }

  @Test func slowMotionStretchesTheLaunch() {
    var options = Options()
    options.latencies = [
      .files: .zero, .authentication: .milliseconds(100), .server: .milliseconds(100),
      .matches: .milliseconds(50),
    ]
    options.speed = 0.1
    var times: [Duration] = []
    _ = VirtualRun(options: options, directory: directory.path).run { times.append($0.time) }
    #expect(times.last == .seconds(3))
  }

  @Test func hoursOfLatencyTakeNoTime() {
    var options = Options()
    options.latencies = [.server: .seconds(3_000)]
    var last: LogEntry?
    _ = VirtualRun(options: options, directory: directory.path).run { last = $0.entry }
    #expect(last?.actions == ["onDisappear"])
    #expect(last.map { $0.time > .seconds(6_000) } == true)
  }

  @Test func everyCombinationOfFailuresEnds() {
    for bits in 0..<16 {
      var options = Options()
      options.failing = Set(
        Source.allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element))
      var last: LogEntry?
      let problem = VirtualRun(options: options, directory: directory.path).run { last = $0.entry }
      #expect(last?.actions == ["onDisappear"])
      #expect((problem != nil) == options.failing.contains(.files))
    }
  }

  @Test func theSampleIsWhatTheProgramWouldWrite() throws {
    let file = SavedGamesFile(directory: Repository.sample)
    let directory = TemporaryFolder()
    try SavedGamesFile(directory: directory.path).save(file.load(), at: .piDay)
    #expect(
      try directory.text(of: SavedGamesFile.name)
        == String(contentsOfFile: file.path, encoding: .utf8)
    )
  }

  private func launch(
    _ style: LogStyle,
    _ options: Options = Options(),
    in directory: String? = nil
  ) -> String {
    var text = ""
    let directory = directory ?? self.directory.path
    let log = RunLog(style) { text += $0 }
    _ = VirtualRun(options: options, directory: directory, runLog: log).run { log.add($0) }
    log.end()
    return text
  }
}
