// The animated screen on a terminal, from the first frame until somebody has had enough.

import Dispatch
import Foundation
import HomeFeature
import HomeScreen
import Rondo
import RondoStage

/// Runs the screen on a terminal and on real time.
@MainActor
final class ScreenRun {
  /// How the run has ended.
  enum End {
    /// Somebody has had enough, or there is nobody any more.
    case quit
    case failed(String)
  }

  private let player: ScreenPlayer
  private let endsAfterLaunch: Bool
  private let painter: TerminalPainter
  private var input: (any DispatchSourceRead)?
  private var signals: SignalListener?
  private var keys = KeyReader()
  private var end: CheckedContinuation<End, Never>?

  init(options: Options, directory: String, ability: ColorAbility) {
    let painter = TerminalPainter(ability: ability)
    let start = ContinuousClock.now
    var services = Services.live(options, directory: directory)
    services.sound = .live { try? Output.standard.write($0) }
    self.painter = painter
    endsAfterLaunch = options.once
    player = ScreenPlayer(
      scheduler: .main,
      size: TerminalDevice.size,
      speed: options.speed,
      elapsed: { start.duration(to: .now) },
      draw: { painter.draw($0) },
      withDependencies: services.prepare
    )
  }

  /// Runs until the end.
  ///
  /// - Parameter record: Takes every commit of the home screen.
  /// - Returns: What went wrong, if anything did.
  func run(record: @escaping (HomeCommit) -> Void) async -> String? {
    player.didCommit = record
    do throws(SystemFailure) {
      // Listening first: whoever ends the program while it begins gets the terminal back, too.
      listen()
      try TerminalDevice.takeOver()
    } catch {
      return "the terminal cannot be used: \(error)"
    }
    let end = await withCheckedContinuation { (continuation: CheckedContinuation<End, Never>) in
      self.end = continuation
      painter.didFail = { [weak self] in self?.finish($0) }
      player.start()
      if endsAfterLaunch { finishWhenStill() }
    }
    input?.cancel()
    signals?.stop()
    player.stop()
    TerminalDevice.giveBack()
    switch end {
    case .failed(let problem): return problem
    case .quit:
      if endsAfterLaunch { painter.leavePicture() }
      return player.fileProblem
    }
  }

  private func finish(_ end: End) {
    self.end?.resume(returning: end)
    self.end = nil
  }

  /// Ends once everything has been answered and shown.
  private func finishWhenStill() {
    guard !player.isStill else { return finish(.quit) }
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(50)) { [weak self] in
      MainActor.assumeIsolated { self?.finishWhenStill() }
    }
  }
}

// MARK: - What comes from outside

extension ScreenRun {
  private func listen() {
    let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    input.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.readKeys() }
    }
    input.activate()
    self.input = input
    signals = SignalListener([SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP]) { [weak self] number in
      switch number {
      case SIGWINCH: self?.player.store.send(.resized(TerminalDevice.size))
      case SIGTSTP: self?.suspend()
      default: self?.finish(.quit)
      }
    }
  }

  private func readKeys() {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    guard count > 0 else {
      if count < 0, errno == EINTR || errno == EAGAIN { return }
      return finish(.quit)
    }
    for key in keys.read(buffer[..<count]) where !player.press(key) { finish(.quit) }
  }

  /// Gives the terminal to the shell until the program is to go on.
  private func suspend() {
    TerminalDevice.giveBack()
    repeat {
      raise(SIGSTOP)
      // Whoever ends a stopped program lets it go on for that, and not on the terminal. To stop again
      // before the signal has been noticed would be to stay stopped.
      let taken = signals?.take(waiting: TerminalDevice.isOurs ? 0 : 500) ?? []
      if taken.contains(where: { $0 != SIGWINCH && $0 != SIGTSTP }) { return finish(.quit) }
    } while !TerminalDevice.isOurs
    do throws(SystemFailure) {
      try TerminalDevice.takeOver()
    } catch {
      return finish(.failed("the terminal cannot be used: \(error)"))
    }
    painter.forget()
    player.store.send(.resized(TerminalDevice.size))
  }
}
