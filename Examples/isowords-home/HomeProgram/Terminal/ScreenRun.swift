// The animated screen on a terminal, from the first frame until somebody has had enough.

import Dispatch
import Foundation
import RondoHomeFeature
import RondoHomeScreen
import Rondo
import RondoStage
import RondoTerminal

/// Runs the screen on a terminal and on real time.
@MainActor
final class ScreenRun {
  private let player: ScreenPlayer
  private let terminal: Terminal
  private let recording: RunRecording?
  private let options: Options
  private let hasColors: Bool
  private var summary = RunSummary()
  /// The signal that has ended the run, if one has.
  private(set) var signal: Int32?

  init(
    options: Options, directory: String, ability: ColorAbility, recording: RunRecording?
  ) {
    let terminal = Terminal(ability: ability)
    let start = ContinuousClock.now
    var services = Services.live(options, directory: directory)
    services.sound = .live { try? Output.standard.write($0) }
    self.terminal = terminal
    self.recording = recording
    self.options = options
    hasColors = ability != .none
    player = ScreenPlayer(
      scheduler: .main,
      size: ScreenSize(terminal.size),
      speed: options.speed,
      ability: ability,
      elapsed: { start.duration(to: .now) },
      draw: {
        terminal.draw($0)
        recording?.add($0)
      },
      withDependencies: services.prepare
    )
  }

  /// Runs until the end.
  ///
  /// - Parameter log: Takes every commit of the home screen.
  /// - Returns: The problem, if there was one.
  func run(log: @escaping (HomeCommit) -> Void) async -> String? {
    let problem = recording?.begin(player.store, clock: ContinuousClock(), date: Date())
    if let problem { return problem }
    player.didCommit = { [weak self] commit in
      self?.summary.add(commit)
      log(commit)
    }
    player.start()
    if options.once { finishWhenStill() }
    do {
      try await terminal.run { [player, terminal, weak self] event in
        switch event {
        case .key(let key): if !player.press(key) { terminal.quit() }
        case .resized(let size): player.store.send(.resized(ScreenSize(size)))
        case .ending(let signal):
          self?.signal = signal
          terminal.quit()
        case .paste, .mouse: break
        }
      }
    } catch {
      player.stop()
      return "the terminal cannot be used: \(error)"
    }
    player.stop()
    if options.once, let shown = terminal.shown {
      try? Output.standard.write(shown.text + "\n")
    }
    try? Output.standard.write(
      summary.text(options, hasColors: hasColors).map { $0.folded(to: Program.width) + "\n" }
        .joined())
    return player.fileProblem
  }

  /// Ends once everything has been answered and shown.
  private func finishWhenStill() {
    guard !player.isStill else { return terminal.quit() }
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(50)) { [weak self] in
      MainActor.assumeIsolated { self?.finishWhenStill() }
    }
  }
}

extension ScreenSize {
  fileprivate init(_ size: TerminalSize) {
    self.init(width: size.width, height: size.height)
  }
}
