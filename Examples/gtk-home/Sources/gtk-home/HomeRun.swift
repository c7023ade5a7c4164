// One run of the window: live, on virtual time, or from a recording.

import Dispatch
import Foundation
import GTKStage
import RondoHomeFeature
import HomeWindow
import Rondo
import RondoStage

/// One run of the window, from its first frame until it is closed.
final class HomeRun {
  private static let size = Size(width: 820, height: 620)
  /// When the virtual launch happens: 2026-03-14T15:09:26Z.
  private nonisolated static let startDate = Date(timeIntervalSince1970: 1_773_500_966)

  private let options: Options
  private let timeline: TestTimeline?
  private let view: StageView<HomeWindow.Action>
  private let window: Window
  private let player: HomePlayer
  private let recorded: HomeRecording?
  private let date: LockIsolated<Date?>
  private var recorder: HomeRecorder?
  private var recordingProblem: RecordingProblem?

  init(_ options: Options) throws(Failure) {
    self.options = options
    do throws(RecordingProblem) {
      recorded = try options.replay.map { file throws(RecordingProblem) in
        try HomeRecording(reading: file)
      }
    } catch {
      throw Failure(error)
    }
    let timeline = options.at.map { _ in TestTimeline(startDate: Self.startDate) }
    self.timeline = timeline
    let view = StageView<HomeWindow.Action>(time: timeline.map { line in { line.elapsed } })
    self.view = view
    window = Window("isowords", view, size: Self.size)
    let recordedDate = LockIsolated(recorded?.date)
    date = recordedDate
    let directory = DataDirectory(options.data, environment: ProcessInfo.processInfo.environment)
    if recorded == nil {
      do throws(DataDirectory.Problem) {
        try directory.prepare()
      } catch {
        throw Failure(status: 74, description: error.description)
      }
    }
    let now = { @Sendable in recordedDate.value ?? timeline?.date ?? Date() }
    let home = recorded?.state ?? Home.State()
    do throws(RecordingProblem) {
      recorder = try options.record.map { file throws(RecordingProblem) in
        try HomeRecorder(file, from: home, on: now())
      }
    } catch {
      throw Failure(error)
    }
    let start = ContinuousClock.now
    let services = Services(
      directory: directory.path, queue: timeline?.scheduler.eraseToAnyScheduler(), now: now)
    player = HomePlayer(
      home: home, size: Self.size, runsEffects: recorded == nil,
      elapsed: { timeline?.elapsed ?? start.duration(to: .now) },
      show: { view.show($0, transaction: $1) },
      withDependencies: services.prepare)
  }

  /// Runs until the window is closed.
  func run() throws(Failure) {
    connect()
    if let recorded { schedule(recorded.steps) } else { player.start() }
    window.present()
    if let timeline, let instant = options.at { advance(timeline, by: instant) }
    if let picture = options.picture {
      try settle()
      guard window.savePicture(to: picture) else {
        throw Failure(status: 74, description: "\(picture): the picture cannot be written")
      }
    } else {
      MainLoop.run { window.isClosed }
    }
    player.stop()
    window.close()
    do throws(RecordingProblem) {
      if let recordingProblem { throw recordingProblem }
      try recorder?.end()
    } catch {
      throw Failure(error)
    }
  }

  private func connect() {
    window.setDark(player.store.state.isDark)
    view.minimumSize = player.store.state.minimumSize
    player.didChangeMinimumSize = { [view] in view.minimumSize = $0 }
    player.didChangeStyle = { [window] in window.setDark($0) }
    player.didCommit = { [weak self] in self?.record($0) }
    view.onAction = { [player] in player.tap($0) }
    view.onText = { [player] _, text in
      player.store.binding(\.query).animation(.default).wrappedValue = text
    }
    view.onResize = { [player] size in player.store.send(.resized(size)) }

    let taps: [(String, HomeWindow.Action)] = [
      ("<Control>d", .home(.dailyChallengeTapped)), ("<Control>s", .home(.soloTapped)),
      ("<Control>l", .home(.leaderboardTapped)), ("<Control>comma", .home(.settingsTapped)),
      ("<Control>t", .styleToggled),
    ]
    for (keys, action) in taps { window.addShortcut(keys) { [player] in player.tap(action) } }
    window.addShortcut("Escape") { [player] in player.dismiss() }
    let refresh = { [player] in _ = player.store.send(.home(.refresh)) }
    for keys in ["F5", "<Control>r"] { window.addShortcut(keys, refresh) }
    window.addButton(icon: "view-refresh-symbolic", label: "Refresh", refresh)
    window.addButton(icon: "weather-clear-night-symbolic", label: "Dark or light") { [player] in
      player.tap(.styleToggled)
    }
    window.addShortcut("<Control>f") { [view] in view.focus("query") }
    for keys in ["<Control>q", "<Control>w"] {
      window.addShortcut(keys) { [window] in window.close() }
    }
    if let timeline {
      MainLoop.standStill()
      window.addShortcut("F8") { [weak self] in
        self?.advance(timeline, by: .milliseconds(100))
      }
    }
  }

  /// Lets virtual time pass, frame by frame.
  private func advance(_ timeline: TestTimeline, by duration: Duration) {
    let end = timeline.elapsed + duration
    while timeline.elapsed < end {
      timeline.advance(by: min(.nanoseconds(16_666_667), end - timeline.elapsed))
      view.refresh()
    }
  }

  /// Waits until GTK has laid the window out and drawn it, in the extent that the screen goes by.
  private func settle() throws(Failure) {
    let start = ContinuousClock.now
    // GTK's own widgets draw themselves again shortly after they have come, for example for the focus.
    let (least, most) = (Duration.milliseconds(400), Duration.seconds(30))
    for milliseconds in [400, 30_000] {
      DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {}
    }
    func isSettled() -> Bool { view.isDrawn && view.size == player.store.state.size }
    MainLoop.run {
      let waited = start.duration(to: .now)
      return waited >= most || waited >= least && isSettled()
    }
    guard isSettled() else {
      throw Failure(status: 74, description: "the window has not been drawn in thirty seconds")
    }
  }
}

// MARK: - Recordings

extension HomeRun {
  /// Shows every commit when it was made, with the tag that it had.
  private func schedule(_ steps: [RecordedStep]) {
    let queue = timeline?.scheduler.eraseToAnyScheduler() ?? .main
    let start = queue.now
    for step in steps {
      queue.schedule(after: start.advanced(by: .init(step.time))) {
        MainActor.assumeIsolated {
          self.date.setValue(step.date)
          self.player.replay(step)
        }
      }
    }
  }

  private func record(_ commit: HomeCommit) {
    do throws(RecordingProblem) {
      try recorder?.add(commit)
    } catch {
      // The window goes, and the program ends with what has gone wrong.
      recordingProblem = error
      recorder = nil
      window.close()
    }
  }
}

extension Failure {
  init(_ problem: RecordingProblem) {
    self.init(status: problem.isDamaged ? 65 : 74, description: problem.description)
  }
}
