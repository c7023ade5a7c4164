// A recording run again: the same actions through the reducer, and every state compared.

import Foundation
import Rondo

/// Runs a recording again.
///
/// The reducer is given the recorded actions and dates; its effects are not run, since what they
/// answered is recorded. So a replay takes no time, asks nobody and writes nothing.
public struct Replay: Sendable {
  /// The end of a replay.
  public enum Outcome: Equatable, Sendable {
    /// Every state was the recorded one.
    case agrees(commits: Int)

    /// Every state was the recorded one, as far as the recording goes.
    case cutOff(commits: Int)

    /// A state was another one: in which line, and in what.
    case differs(line: Int, String)

    /// A line is none of a recording's.
    case damaged(line: Int, String)
  }

  private var state = Home.State()
  private var commits = 0

  /// Runs a recording again.
  ///
  /// - Parameters:
  ///   - text: The recording.
  ///   - log: Takes what the log says about every commit that agrees.
  public static func run(_ text: Data, log: (LogEntry) -> Void = { _ in }) -> Outcome {
    var replay = Replay()
    var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let isWhole = lines.popLast()?.isEmpty == true
    for (index, bytes) in lines.enumerated() {
      let line: RecordingLine
      do throws(JSONProblem) {
        line = try decodeJSON(RecordingLine.self, from: bytes, dates: .deferredToDate)
      } catch {
        return .damaged(line: index + 1, error.description)
      }
      switch (index, line) {
      case (0, .begin): break
      case (1..., .commit(let commit)):
        if let difference = replay.run(commit, log) {
          return .differs(line: index + 1, difference)
        }
      case (1..., .end(replay.commits)) where index == lines.count - 1 && isWhole:
        return .agrees(commits: replay.commits)
      default:
        return .damaged(line: index + 1, "this line does not belong here")
      }
    }
    return .cutOff(commits: replay.commits)
  }

  /// Runs a commit again.
  ///
  /// - Returns: What differs from the recorded state, if anything does.
  private mutating func run(_ commit: RecordedCommit, _ log: (LogEntry) -> Void) -> String? {
    let old = state
    let date = Date(timeIntervalSince1970: commit.date)
    withDependencies {
      // Nothing comes of the effects, since nobody runs them.
      $0.context = .preview
      $0.mainQueue = .immediate
      $0.backgroundQueue = .immediate
      $0.date = .constant(date)
    } operation: {
      let home = Home()
      for action in commit.actions { _ = home.reduce(into: &state, action: action) }
    }
    commits += 1

    let fields = state.fields
    let digests = state.digests
    let names = Set(digests.keys).union(commit.state.keys).sorted()
    guard let name = names.first(where: { digests[$0] != commit.state[$0] }) else {
      log(
        LogEntry(
          time: .milliseconds(commit.ms),
          actions: commit.actions.map(\.name),
          tag: commit.tag,
          isUntagged: !commit.isTagged,
          changes: state.changes(since: old, at: date)
        )
      )
      return nil
    }
    let actions = commit.actions.map(\.name).joined(separator: " + ")
    let recorded = commit.changes.isEmpty ? "no change" : commit.changes.joined(separator: "; ")
    return "after \(actions) \(name) is \(fields[name] ?? "missing"), "
      + "with the digest \(digests[name] ?? "none") where \(commit.state[name] ?? "none") "
      + "was recorded (\(recorded))".onOneLine
  }
}
