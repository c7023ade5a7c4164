// The launch on real time, and what follows on a terminal.

import Dispatch
import Foundation
import RondoHomeFeature
import Rondo
import RondoTerminal

/// Runs the screen on real time.
@MainActor
final class LiveRun {
  private let session: Session
  private let recording: RunRecording?
  private let runLog: RunLog
  private var signals: SignalListener?
  /// The signal that has ended the run, if one has.
  private(set) var signal: Int32?

  /// - Parameters:
  ///   - options: What the command line says.
  ///   - directory: The data directory.
  ///   - isInteractive: Whether to go on after the launch until somebody has had enough.
  ///   - recording: The recording to make, if one is to be made.
  ///   - runLog: The log, which watches the store.
  ///   - log: Takes every commit.
  init(
    options: Options,
    directory: String,
    isInteractive: Bool,
    recording: RunRecording?,
    runLog: RunLog,
    log: @escaping (HomeCommit) -> Void
  ) {
    let start = ContinuousClock.now
    self.recording = recording
    self.runLog = runLog
    session = Session(
      services: .live(options, directory: directory),
      endsAfterLaunch: !isInteractive,
      elapsed: { start.duration(to: .now) },
      log: log
    )
    if isInteractive {
      stopOnSignals()
      stopOnInput()
    }
  }

  /// Runs until the launch has ended, or somebody has had enough.
  ///
  /// - Returns: What went wrong with the files, if anything did.
  func run() async -> String? {
    let problem = recording?.begin(session.store, clock: ContinuousClock(), date: Date())
    if let problem { return problem }
    runLog.begin(session.store, clock: ContinuousClock(), date: Date())
    await session.start().finish()
    return session.fileProblem
  }

  private func stopOnSignals() {
    // If it cannot listen, the signals end the program at once.
    signals = try? SignalListener([SIGINT, SIGTERM]) { [weak self] number in
      self?.signal = number
      self?.session.stop()
    }
  }

  /// Stops on a line that says `q`, and where a terminal's input ends. Reading blocks, so it has a
  /// thread of its own.
  private func stopOnInput() {
    Thread.detachNewThread { [session] in
      while let line = readLine() {
        if line == "q" { break }
      }
      guard isatty(STDIN_FILENO) == 1 else { return }
      Task { @MainActor in session.stop() }
    }
  }
}
