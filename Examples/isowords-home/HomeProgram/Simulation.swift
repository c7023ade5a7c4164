// Hours of somebody at the keyboard, on virtual time: random keys, faults and sizes, by seed.

import Dispatch
import Foundation
import RondoHomeFeature
import RondoHomeScreen
import Rondo
import RondoStage
import RondoTerminal

/// Lets a random player use the whole screen, and checks that nothing is ever stuck.
///
/// Every now and then the player rests for three minutes, which is longer than any answer takes. Then
/// everything must have been answered, nothing may move, and nothing may be in flight that is not
/// there as long as the screen is.
@MainActor
final class Simulation {
  /// The counts so far.
  struct Report: Equatable {
    var keys = 0
    var commits = 0
    var frames = 0
    var failures = 0

    /// The bytes written to the terminal, altogether and while the player rested.
    var bytes = 0
    var bytesAtRest = 0
    var secondsAtRest = 0

    /// The most effects that were ever in flight at the end of a rest.
    var effectsAtRest = 0

    /// The problems found at the end of a rest.
    var problems: [String] = []
  }

  private(set) var report = Report()
  let seed: UInt64

  private let timeline = TestTimeline(startDate: VirtualRun.startDate)
  private let conditions: Conditions
  private let weather: Weather
  private let service: GameServiceStub
  private let files: SavedGamesFile
  private let player: ScreenPlayer
  private let painter = Painter()
  private let timeBetweenRests: Duration
  private var numbers: SplitMix64

  /// - Parameters:
  ///   - seed: What all that is random follows from.
  ///   - directory: A data directory of its own. The saved games in it come, go and are damaged.
  ///   - timeBetweenRests: The time from the end of a rest to the next one.
  ///   - change: Changes what the screen depends on: to see that what is stuck is found.
  init(
    seed: UInt64,
    directory: String,
    timeBetweenRests: Duration = .seconds(600),
    change: @escaping (inout DependencyValues) -> Void = { _ in }
  ) {
    let queue = timeline.scheduler.eraseToAnyScheduler()
    let now = { @Sendable [timeline] in timeline.date }
    self.seed = seed
    self.timeBetweenRests = timeBetweenRests
    numbers = SplitMix64(seed: seed)
    conditions = Conditions(seed: numbers.next())
    weather = Weather(seed: numbers.next(), queue: queue)
    files = SavedGamesFile(directory: directory)
    service = GameServiceStub(queue: queue, conditions: conditions, now: now)
    let server = EmbeddedServer(queue: queue, conditions: conditions, now: now)
    let transport = weather.transport(server.transport)
    player = ScreenPlayer(
      scheduler: queue,
      size: .standard,
      elapsed: { [timeline] in timeline.elapsed },
      draw: { [painter] in painter.draw($0) },
      withDependencies: { [conditions, service] in
        $0.fileClient = .live(directory: directory, queue: queue, conditions: conditions, now: now)
        $0.gameService = service.client
        $0.server = .live(transport: transport)
        $0.sound = .preview
        $0.mainQueue = queue
        $0.backgroundQueue = queue
        $0.date = DateGenerator(now)
        $0.timeZone = .gmt
        change(&$0)
      }
    )
    player.didCommit = { [unowned self] commit in
      report.commits += 1
      report.failures +=
        commit.newState.problemLines.count > commit.oldState.problemLines.count ? 1 : 0
    }
  }

  /// Runs for some time, in steps that end with a rest.
  func run(for duration: Duration) {
    if report.keys == 0 { player.start() }
    let end = timeline.elapsed + duration
    while timeline.elapsed < end {
      let rest = timeline.elapsed + timeBetweenRests
      change()
      while timeline.elapsed < rest { act() }
      self.rest()
    }
  }

  /// Lets the screen go away, and everything end.
  func stop() {
    player.stop()
    timeline.advance(by: .seconds(180))
    check(expected: [])
  }
}

// MARK: - What the player does

extension Simulation {
  /// Waits a moment or a minute, and presses a key or two.
  private func act() {
    let milliseconds = chance(of: 4) ? 10..<300 : chance(of: 4) ? 20_000..<90_000 : 300..<9_000
    timeline.advance(by: .milliseconds(Int.random(in: milliseconds, using: &numbers)))
    if chance(of: 60) { resize() }
    for _ in 0..<(chance(of: 10) ? 5 : 1) { press() }
  }

  private func press() {
    report.keys += 1
    let key = Self.keys.randomElement(using: &numbers)!
    if !player.press(key) { report.problems.append("\(key) has ended the program") }
  }

  private static let keys: [Key] =
    [.up, .down, .enter, .escape, .backspace, .character("é"), .character("0")]
    + "kjdtusl,xprzb?123456789rrrrjk".map(Key.character)

  private func resize() {
    let size = ScreenSize(
      width: Int.random(in: 1...200, using: &numbers),
      height: Int.random(in: 1...60, using: &numbers))
    player.store.send(.resized(chance(of: 2) ? .standard : size))
  }

  /// Waits until everything that can come has come.
  private func rest() {
    timeline.advance(by: .seconds(120))
    let bytes = painter.bytes
    timeline.advance(by: .seconds(60))
    report.bytesAtRest += painter.bytes - bytes
    report.secondsAtRest += 60
    report.bytes = painter.bytes
    report.frames = painter.frames
    check(expected: player.store.isAway ? [] : Self.listeners)
  }

  /// The effects that run as long as the screen is there.
  private static let listeners: Set<AnyHashable> = [
    Home.CancelID.listening, Home.CancelID.nextDay, TerminalScreen.CancelID.clock,
  ]

  private func check(expected: Set<AnyHashable>) {
    let effects = player.store.effectsInFlight
    report.effectsAtRest = max(report.effectsAtRest, effects.count)
    var problems = effects.filter { expected.isDisjoint(with: $0.ids) }.map {
      "\($0.label) is in flight"
    }
    let ids = Set(effects.flatMap(\.ids))
    problems += expected.subtracting(ids).map { "nothing is in flight for \($0)" }
    if !player.store.home.isLoaded { problems.append("\(player.store.home.loading) still load") }
    if !player.isStill { problems.append("something still moves") }
    report.problems += problems.map { "at \(timeline.elapsed): \($0)" }
  }
}

// MARK: - What others do

extension Simulation {
  /// Lets sources fail or work again, opponents begin matches, and files change.
  private func change() {
    conditions.failing = Set(Source.allCases.filter { _ in chance(of: 5) })
    weather.isStormy = chance(of: 3)
    if chance(of: 2) { service.begin("Opponent \(Int.random(in: 1...99, using: &numbers))") }
    switch Int.random(in: 0..<12, using: &numbers) {
    case 0: try? Data(#"{"unlimited": ["#.utf8).write(to: URL(fileURLWithPath: files.path))
    case 1: try? FileManager.default.removeItem(atPath: files.path)
    case 2, 3: save(challenge: EmbeddedServer.challengeId(.unlimited, on: timeline.date))
    default: break
    }
  }

  private func save(challenge: String) {
    try? FileManager.default.removeItem(atPath: files.path)
    let games = SavedGames(
      dailyChallengeUnlimited: .preview(dailyChallengeId: challenge, at: timeline.date),
      unlimited: .preview(at: timeline.date))
    try? files.save(games, at: timeline.date)
  }

  private func chance(of number: Int) -> Bool { Int.random(in: 0..<number, using: &numbers) == 0 }
}

/// Counts what a terminal would be sent.
@MainActor
private final class Painter {
  private(set) var frames = 0
  private(set) var bytes = 0
  private var shown: Canvas?

  func draw(_ canvas: Canvas) {
    let change = canvas.ansi(from: shown, ability: .full)
    shown = canvas
    guard !change.isEmpty else { return }
    frames += 1
    bytes += change.utf8.count
  }
}
