// A recording of the home screen run again, with the log that the run has had.

import Foundation
import RondoHomeFeature
import RondoHomeScreen
import Rondo
import RondoHistory
import RondoRecording

/// Runs recordings of the home screen again, with a terminal and without.
enum HomeReplay {
  /// Runs a recording again.
  ///
  /// - Parameter log: Takes what the log says about every commit that agrees.
  static func run(
    _ recording: RecordingFile, log: (LogEntry) -> Void = { _ in }
  ) throws(RecordingError) -> ReplayOutcome {
    let origins = Origins(recording)
    switch recording.begin.feature {
    case "Home":
      return try recording.replay(reducer: { Home() }, withDependencies: prepare) { commit in
        log(
          LogEntry(
            commit.line, commit.actions, from: commit.oldState, to: commit.newState,
            at: commit.date, origins))
      }
    case "TerminalScreen":
      return try recording.replay(reducer: { TerminalScreen() }, withDependencies: prepare) {
        commit in
        let actions = commit.actions.compactMap { action in
          if case .home(let action) = action { action } else { nil }
        }
        guard !actions.isEmpty else { return }
        log(
          LogEntry(
            commit.line, actions, from: commit.oldState.home, to: commit.newState.home,
            at: commit.date, origins))
      }
    default:
      throw RecordingError(
        "The recording is one of \(recording.begin.feature), and not of the home screen.")
    }
  }

  /// The actions of a recording, by their numbers, and where they came from.
  fileprivate struct Origins {
    var actions: [Int: RecordingLine.Action] = [:]
    var causes = ActionCauses()

    init(_ recording: RecordingFile) {
      for (_, line) in recording.lines {
        causes.add(line)
        if case .action(let action) = line { actions[action.action] = action }
      }
    }
  }

  /// Nothing comes of the effects, since nobody runs them.
  private static func prepare(_ dependencies: inout DependencyValues) {
    dependencies.mainQueue = .immediate
    dependencies.backgroundQueue = .immediate
  }
}

extension LogEntry {
  fileprivate init(
    _ line: RecordingLine.Commit, _ actions: [HomeAction], from old: Home.State, to new: Home.State,
    at date: Date, _ origins: HomeReplay.Origins
  ) {
    self.init(
      time: .microseconds(Int64((line.at * 1e6).rounded())),
      actions: actions.map(\.name),
      tag: line.transaction.name,
      isUntagged: !line.transaction.tagged,
      changes: new.changes(since: old, at: date))
    tell(line.actions.compactMap { origins.actions[$0] }, origins.causes)
  }
}
