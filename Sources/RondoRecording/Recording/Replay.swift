// A recording run again: the same actions through a reducer, and every state compared.

import Foundation
import Rondo

/// The end of a replay.
public enum ReplayOutcome: Equatable, Sendable {
  /// Every state was the recorded one.
  case agrees(commits: Int)
  /// Every state was the recorded one, as far as the recording goes.
  case cutOff(commits: Int)
  /// A state was another one: in which line of the file, and in what.
  case differs(line: Int, String)
}

/// A commit that was made again.
public struct ReplayedCommit<State, Action> {
  /// The line of the recording.
  public var line: RecordingLine.Commit
  /// The state before the commit.
  public var oldState: State
  /// The state after the commit.
  public var newState: State
  /// The actions that led here, in order; none where a tool has gone back to an earlier state.
  public var actions: [Action]
  /// The date of the commit.
  public var date: Date
}

extension RecordingFile {
  /// Runs the recorded actions through a reducer, and compares every state with the digest of the
  /// recorded one.
  ///
  /// ```swift
  /// let outcome = try RecordingFile(contentsOf: url).replay { Home() }
  /// ```
  ///
  /// Effects are not run, since what they have answered is recorded. So a replay takes no time, asks
  /// nobody and writes nothing. For every action the dependency `date` is the recorded time, and `uuid` gives
  /// the recorded identifiers; what else a reducer reads from outside of its state is up to the caller.
  ///
  /// - Parameters:
  ///   - reducer: The reducer that was recorded, or another one of the same state and actions.
  ///   - prepareDependencies: Changes the dependencies of the reducer.
  ///   - didCommit: Called with every commit that agrees.
  /// - Throws: A ``RecordingError`` where a state or an action is not in the recording as data, or
  ///   is that of other types.
  public func replay<R: Reducer>(
    reducer: () -> R,
    withDependencies prepareDependencies: (inout DependencyValues) -> Void = { _ in },
    didCommit: (ReplayedCommit<R.State, R.Action>) -> Void = { _ in }
  ) throws(RecordingError) -> ReplayOutcome where R.State: Codable, R.Action: Codable {
    var state: R.State = try decoded(begin.data, "The initial state", line: 1)
    var tree = begin.state
    if let difference = Self.difference(from: tree, to: RecordedNode(of: state)) {
      return .differs(line: 1, "At the beginning \(difference).")
    }
    let run = RecordedRun(self, reducer())
    var pending: [(name: String, action: R.Action?)] = []
    var commits = 0
    var oldState = state
    run.didCommit(state)
    for (number, line) in lines {
      switch line {
      case .action(let recorded):
        let action = try run.reduce(&state, recorded, line: number, prepareDependencies)
        pending.append((recorded.name, action))
      case .commit(let recorded):
        tree = tree.applying(recorded.changes)
        let new = RecordedNode(of: state)
        let names = pending.map(\.name).joined(separator: " and ")
        guard new.digest == recorded.digest else {
          let difference =
            Self.difference(from: tree, to: new) ?? "the digest of the state is another one"
          return .differs(line: number, "After \(names) \(difference).")
        }
        guard !new.hasCutOffs else {
          throw RecordingError(
            "Line \(number): After \(names) the state is more than \(RecordedNode.depthLimit) levels "
              + "deep. What is deeper is not in the recording, so it cannot be compared.")
        }
        commits += 1
        run.didCommit(state)
        didCommit(
          ReplayedCommit(
            line: recorded, oldState: oldState, newState: state,
            actions: pending.compactMap(\.action),
            date: date(at: recorded.at)))
        pending = []
        oldState = state
      default:
        break
      }
    }
    return isWhole ? .agrees(commits: commits) : .cutOff(commits: commits)
  }

  /// The date at a time of the recording.
  func date(at time: Double) -> Date {
    Date(timeIntervalSince1970: begin.date + time)
  }

  func decoded<Value: Decodable>(
    _ data: RecordedData?, _ name: String, line: Int
  ) throws(RecordingError) -> Value {
    guard let data else {
      throw RecordingError(
        "Line \(line): \(name) was not recorded as data, so the recording cannot be run again. "
          + "Its type has to be 'Codable', nothing of it may be redacted, and it may be "
          + "\(RecordedNode.depthLimit) levels deep at most.")
    }
    do {
      return try data.decoded()
    } catch {
      throw RecordingError("Line \(line): \(name) cannot be read: \(problem(error)).")
    }
  }

  /// The first difference between two states, in words.
  static func difference(from recorded: RecordedNode, to new: RecordedNode) -> String? {
    guard let change = recorded.changes(to: new).first else { return nil }
    return words(change.new, change.old, change.path)
  }

  static func words(_ new: RecordedNode?, _ old: RecordedNode?, _ path: [String]) -> String {
    let path = path.isEmpty ? "the state" : path.joined(separator: ".")
    let (now, before) = (new?.summary() ?? "missing", old?.summary() ?? "nothing")
    return "\(path) is \(now), where \(before) was recorded"
  }
}
