// One run of the window: live, on virtual time, or from a recording.

import Dispatch
import Foundation
import GTKStage
import HomeFeature
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
  private let recorded: [RecordedCommit]?
  private let date: LockIsolated<Date?>
  private let recording: FileHandle?
  private var commits = 0

  init(_ options: Options) throws(Failure) {
    self.options = options
    recorded = try options.replay.map { file throws(Failure) in try Self.read(file) }
    recording = try options.record.map { file throws(Failure) in try Self.create(file) }
    let timeline = options.at.map { _ in TestTimeline(startDate: Self.startDate) }
    self.timeline = timeline
    let view = StageView<HomeWindow.Action>(time: timeline.map { line in { line.elapsed } })
    self.view = view
    window = Window("isowords", view, size: Self.size)
    let recordedDate = LockIsolated<Date?>(recorded.map { _ in Self.startDate })
    date = recordedDate
    let directory = DataDirectory(options.data, environment: ProcessInfo.processInfo.environment)
    if recorded == nil {
      do throws(DataDirectory.Problem) {
        try directory.prepare()
      } catch {
        throw Failure(status: 74, description: error.description)
      }
    }
    let start = ContinuousClock.now
    let services = Services(
      directory: directory.path, queue: timeline?.scheduler.eraseToAnyScheduler(),
      now: { recordedDate.value ?? timeline?.date ?? Date() })
    player = HomePlayer(
      size: Self.size, runsEffects: recorded == nil,
      elapsed: { timeline?.elapsed ?? start.duration(to: .now) },
      show: { view.show($0, transaction: $1) },
      withDependencies: services.prepare)
  }

  /// Runs until the window is closed.
  func run() throws(Failure) {
    connect()
    if let recorded { schedule(recorded) } else { player.start() }
    window.present()
    if let timeline, let instant = options.at { advance(timeline, by: instant) }
    if let picture = options.picture {
      settle()
      guard window.savePicture(to: picture) else {
        throw Failure(status: 74, description: "\(picture): the picture cannot be written")
      }
    } else {
      MainLoop.run { window.isClosed }
    }
    player.stop()
    window.close()
    try end()
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
      ("Escape", .home(.destination(.dismiss))), ("<Control>d", .home(.dailyChallengeTapped)),
      ("<Control>s", .home(.soloTapped)), ("<Control>l", .home(.leaderboardTapped)),
      ("<Control>comma", .home(.settingsTapped)), ("<Control>t", .styleToggled),
    ]
    for (keys, action) in taps { window.addShortcut(keys) { [player] in player.tap(action) } }
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

  /// Waits until GTK has laid the window out and drawn it.
  private func settle() {
    let end = ContinuousClock.now + .milliseconds(400)
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(400)) {}
    MainLoop.run { ContinuousClock.now >= end }
  }
}

// MARK: - Recordings

extension HomeRun {
  private static func read(_ file: String) throws(Failure) -> [RecordedCommit] {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: file))
    } catch {
      throw Failure(
        status: 74, description: "\(file) cannot be read: \(error.localizedDescription)")
    }
    switch Replay.run(data) {
    case .agrees, .cutOff: break
    case .differs(let line, let problem), .damaged(let line, let problem):
      throw Failure(status: 65, description: "\(file), line \(line): \(problem)")
    }
    return data.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard case .commit(let commit) = try? JSONDecoder().decode(RecordingLine.self, from: line)
      else { return nil }
      return commit
    }
  }

  /// Shows every commit when it was made, with the tag that it had.
  private func schedule(_ commits: [RecordedCommit]) {
    let queue = timeline?.scheduler.eraseToAnyScheduler() ?? .main
    let start = queue.now
    for commit in commits {
      queue.schedule(after: start.advanced(by: .init(.milliseconds(commit.ms)))) {
        MainActor.assumeIsolated { self.show(commit) }
      }
    }
  }

  private func show(_ commit: RecordedCommit) {
    date.setValue(Date(timeIntervalSince1970: commit.date))
    player.replay(commit)
  }

  private static func create(_ file: String) throws(Failure) -> FileHandle {
    let url = URL(fileURLWithPath: file)
    do {
      try Data(RecordingLine.begin.text.utf8).write(to: url)
      let handle = try FileHandle(forWritingTo: url)
      try handle.seekToEnd()
      return handle
    } catch {
      throw Failure(
        status: 74, description: "\(file) cannot be written to: \(error.localizedDescription)")
    }
  }

  private func record(_ commit: HomeCommit) {
    commits += 1
    recording?.write(Data(RecordingLine.commit(RecordedCommit(commit)).text.utf8))
  }

  /// Says that nothing of the recording is missing.
  private func end() throws(Failure) {
    recording?.write(Data(RecordingLine.end(commits: commits).text.utf8))
  }
}
