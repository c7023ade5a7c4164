// The window as values: what is on the stage at chosen instants, without a display.

import Foundation
import GTKStage
import RondoHomeFeature
import Rondo
import RondoStage
import Testing

@testable import HomeWindow

@MainActor
@Suite struct HomeWindowTests {
  // G2, G3: `RONDO_WRITE_GOLDEN=1 swift test` writes the file anew.
  @Test func theLaunchShowsItsFrames() throws {
    let run = Run()
    run.player.start()
    var text = ""
    for milliseconds in [0, 150, 400, 600, 1500] {
      run.advance(to: .milliseconds(milliseconds))
      text += "\(milliseconds) ms\n" + run.description + "\n"
    }
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Golden/launch-frames.txt")
    if ProcessInfo.processInfo.environment["RONDO_WRITE_GOLDEN"] != nil {
      try Data(text.utf8).write(to: file)
    }
    let golden = try String(contentsOf: file, encoding: .utf8)
    let lines = zip(text.split(separator: "\n"), golden.split(separator: "\n"))
    for (line, expected) in lines where line != expected {
      Issue.record("\(line) instead of \(expected)")
      break
    }
    #expect(text.count == golden.count)
  }

  // G2
  @Test func whatIsUntaggedIsThereAtOnce() {
    let run = Run()
    run.player.store.send(
      .home(.savedGamesLoaded(.success(SavedGames(unlimited: .preview(at: run.date))))))
    #expect(run.control("card solo")?.opacity == 1)
    #expect(run.control("card solo")?.frame.x == 20)
    #expect(!run.stage.isAnimating)
  }

  // G2
  @Test func whatIsTaggedMovesToItsPlace() throws {
    let run = Run()
    run.player.store.send(.home(.matchesLoaded(.success([.sample]))), animation: .default)
    run.advance(by: .milliseconds(100))
    let moving = try #require(run.control("card match-1"))
    #expect(moving.frame.x > -100 && moving.frame.x < 20 && moving.opacity < 1)
    run.advance(by: .seconds(2))
    #expect(run.control("card match-1")?.frame.x == 20 && !run.stage.isAnimating)
  }

  // G2
  @Test func theTextFieldIsBoundToTheState() {
    let run = Run()
    run.player.store.send(
      .home(
        .matchesLoaded(
          .success([
            .sample, .init(id: "b", opponent: "Bob", isYourTurn: true, touchedAt: run.date),
          ]))))
    run.player.store.binding(\.query).wrappedValue = "bo"
    #expect(run.control("card b") != nil && run.control("card match-1") == nil)
    #expect(run.kind(of: "query") == .field("bo", placeholder: "Look for a game"))
    run.player.store.binding(\.query).wrappedValue = ""
    #expect(run.control("card match-1") != nil)
  }

  // G2
  @Test func underASheetNothingElseCanBeUsed() throws {
    let run = Run()
    #expect(run.isEnabled("Settings") == true)
    run.player.tap(.home(.settingsTapped))
    #expect(run.isEnabled("Settings") == false && run.isEnabled("query") == false)
    run.advance(by: .seconds(3))
    #expect(run.isEnabled("sheet Close") == true && run.control("sheet Close")?.opacity == 1)
    run.player.dismiss()
    run.advance(by: .seconds(3))
    #expect(run.control("sheet Close") == nil && run.isEnabled("Settings") == true)
    // Once more, with nothing to go away: no commit, and no issue.
    run.player.dismiss()
    #expect(!run.stage.isAnimating)
  }

  // G2
  @Test func aLongListNeedsItsRoomAndOverlapsNothing() {
    let run = Run()
    let matches = (1...12).map {
      TurnBasedMatch(id: "\($0)", opponent: "Blob \($0)", isYourTurn: true, touchedAt: run.date)
    }
    run.player.store.send(.home(.matchesLoaded(.success(matches))))
    let needed = run.player.store.state.minimumSize
    run.player.store.send(.resized(needed))
    let cards = (1...12).compactMap { run.control("card \($0)")?.frame.y }.sorted()
    #expect(cards.count == 12 && zip(cards.dropFirst(), cards).allSatisfy { $0 - $1 >= 56 })
    #expect(cards.last! + 56 + 60 < run.control("Settings")!.frame.y)
  }

  // G2
  @Test func theStyleChangesItsColoursInMotion() throws {
    let run = Run()
    #expect(run.ground == Palette.dark.ground)
    run.player.tap(.styleToggled)
    run.advance(by: .milliseconds(100))
    let between = try #require(run.ground)
    #expect(between.red > Palette.dark.ground.red && between.red < Palette.light.ground.red)
    run.advance(by: .seconds(3))
    #expect(run.ground == Palette.light.ground)
  }

  // G4
  @Test func aRecordingShowsWhatTheLaunchShowed() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: file) }
    let live = Run()
    let recorder = try HomeRecorder(file, from: Home.State(), on: live.date)
    live.player.didCommit = { commit in #expect(throws: Never.self) { try recorder.add(commit) } }
    live.player.start()
    live.advance(to: .milliseconds(450))
    try recorder.end()
    let recording = try HomeRecording(reading: file)
    let replayed = Run(home: recording.state, runsEffects: false)
    for step in recording.steps {
      replayed.advance(to: step.time)
      replayed.player.replay(step)
    }
    replayed.advance(to: .milliseconds(450))
    #expect(replayed.description == live.description)
    #expect(replayed.player.store.state.home == live.player.store.state.home)
  }

  // G4
  @Test func aRecordingBeginsWithTheStateAndTheDateOfItsStart() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: file) }
    var state = Home.State()
    state.activeMatches = [.sample]
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    let recorder = try HomeRecorder(file, from: state, on: date)
    try recorder.end()
    let recording = try HomeRecording(reading: file)
    #expect(recording.state == state && recording.date == date && recording.steps.isEmpty)
    #expect(Run(home: recording.state).control("card match-1") != nil)
  }

  // G4
  @Test func aRecordingWhoseStatesComeOutDifferentlyIsRefused() throws {
    let problem = try problem { text in
      let digest = try #require(text.range(of: #""digest":""#, options: .backwards)).upperBound
      text.replaceSubrange(digest..<text.index(digest, offsetBy: 16), with: "0123456789abcdef")
    }
    #expect(problem?.isDamaged == true && problem?.description.contains("line 5: After") == true)
  }

  // G4
  @Test func aRecordingOfAnotherFeatureIsRefused() throws {
    let problem = try problem { $0.replace(#""feature":"Home""#, with: #""feature":"Search""#) }
    #expect(
      problem?.description.hasSuffix(
        "The recording is one of Search, and not of the home screen.") == true)
  }

  /// The problem with a recording of two commits whose text was changed.
  private func problem(_ change: (inout String) throws -> Void) throws -> RecordingProblem? {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let run = Run()
    let recorder = try HomeRecorder(file.path, from: Home.State(), on: run.date)
    run.player.didCommit = { commit in #expect(throws: Never.self) { try recorder.add(commit) } }
    run.player.tap(.home(.settingsTapped))
    run.player.dismiss()
    try recorder.end()
    #expect(try HomeRecording(reading: file.path).steps.count == 2)
    var text = try String(contentsOf: file, encoding: .utf8)
    try change(&text)
    try Data(text.utf8).write(to: file)
    return #expect(throws: RecordingProblem.self) { try HomeRecording(reading: file.path) }
  }

  // G4
  @Test func aFileThatIsNoRecordingIsRefused() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("nonsense\n".utf8).write(to: file)
    let problem = #expect(throws: RecordingProblem.self) { try HomeRecording(reading: file.path) }
    #expect(problem?.isDamaged == true && problem?.description.contains("Line 1:") == true)
  }

  // G2
  @Test(arguments: [(0.0, "0"), (11.6, "12"), (-3, "-3"), (1e300, "1e+300"), (.nan, "nan")])
  func aNumberOfAnySizeRolls(_ value: Double, _ text: String) {
    var number = RollingNumber(0)
    number.animatableData = value
    #expect(number.text == text)
  }
}

/// The window on virtual time, with the sources of a launch without saved games.
@MainActor private final class Run {
  let timeline = TestTimeline(startDate: Date(timeIntervalSince1970: 1_773_500_966))
  let stage = Stage()
  let player: HomePlayer
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init(home: Home.State = Home.State(), runsEffects: Bool = true) {
    let (timeline, stage) = (timeline, stage)
    let services = Services(
      directory: folder.path, queue: timeline.scheduler.eraseToAnyScheduler(),
      now: { timeline.date })
    player = HomePlayer(
      home: home, size: Size(width: 820, height: 620), runsEffects: runsEffects,
      elapsed: { timeline.elapsed },
      show: { stage.commit($0, transaction: $1, at: timeline.elapsed) },
      withDependencies: services.prepare)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var date: Date { timeline.date }
  private var frame: StageFrame { stage.frame(at: timeline.elapsed) }

  func advance(by duration: Duration) { advance(to: timeline.elapsed + duration) }

  func advance(to instant: Duration) {
    timeline.advance(by: instant - timeline.elapsed)
    stage.advance(to: instant)
  }

  private func found(_ id: String) -> (node: ResolvedNode, control: HomeControl)? {
    for node in frame.nodes {
      guard case .shape(let shape) = node.content, let control = shape as? HomeControl,
        control.id == id
      else { continue }
      return (node, control)
    }
    return nil
  }

  func control(_ id: String) -> ResolvedNode? { found(id)?.node }
  func kind(of id: String) -> HomeControl.Kind? { found(id)?.control.kind }
  func isEnabled(_ id: String) -> Bool? { found(id)?.control.isEnabled }

  /// The colour of the ground.
  var ground: Color? { frame.nodes.first { $0.frame.width == 820 }?.appearance.foreground }

  /// Every text and control with its place, and its opacity where it is not opaque.
  var description: String {
    frame.nodes.compactMap { node -> String? in
      guard node.opacity > 0.005 else { return nil }
      let words: String
      switch node.content {
      case .group: return nil
      case .text(let text): words = text
      case .shape(let shape as any TextShape): words = shape.text
      case .shape(let shape as HomeControl): words = "[\(shape.id)]"
      case .shape: return nil
      }
      let place = "\(Int(node.frame.x.rounded())), \(Int(node.frame.y.rounded()))"
      let opacity = node.opacity > 0.995 ? "" : " \(Int((node.opacity * 100).rounded())) %"
      return "  \(place): \(words)\(opacity)\n"
    }
    .joined()
  }
}

extension TurnBasedMatch {
  fileprivate static var sample: TurnBasedMatch {
    TurnBasedMatch(
      id: "match-1", opponent: "Blob Sr.", isYourTurn: true,
      touchedAt: Date(timeIntervalSince1970: 1_773_500_000))
  }
}
