// A recording that goes on in another way from one action on: what would have happened if.

import Foundation
import Rondo

/// A run that is as it was recorded up to an action, and another one from there on.
///
/// ```swift
/// let fork = try RecordingFile(contentsOf: url).fork(at: 17) { Search() }
/// let outcome = try fork.run(instead: .found(.failure(.offline)))
/// #expect(outcome.first?.text == "phase is .failed, where .idle was recorded")
/// #expect(outcome.meetsAgain?.action == "queryChanged")
/// ```
///
/// The actions of the recording are run through the reducer, with the recorded answers of effects and the recorded
/// dates, so this takes no time and asks nobody. From the fork on there is another action, none, or other code. What
/// followed from the recorded action, as the answers of the effects that it has started, is left out, since in the fork
/// it never happened.
public struct Fork<R: Reducer> where R.State: Codable, R.Action: Codable {
  /// A commit of the recording, compared with the fork.
  public struct Moment: Equatable, Sendable {
    /// The line of the recording.
    public var line: Int
    /// The number of the last action of the commit.
    public var number: Int
    /// The case of that action.
    public var action: String
    /// The difference, in words; empty where there is none.
    public var text: String
  }

  /// The comparison of a fork with its recording.
  public struct Outcome {
    /// The state of the fork at the end.
    public var state: R.State
    /// The first commit behind which the states differ; `nil` where there is none.
    public var first: Moment?
    /// The first commit after that behind which they are equal again, and stay so to the end.
    public var meetsAgain: Moment?
    /// The numbers of the recorded actions that the fork leaves out: the one it begins at, and those that followed
    /// from it.
    public var leftOut: [Int]
  }

  /// The state before the action that the fork begins at.
  public private(set) var state: R.State

  private let file: RecordingFile
  private let number: Int
  private let reducer: R
  private let prepareDependencies: (inout DependencyValues) -> Void

  fileprivate init(
    _ file: RecordingFile, at number: Int, _ reducer: R,
    _ prepareDependencies: @escaping (inout DependencyValues) -> Void
  ) throws(RecordingError) {
    self.file = file
    self.number = number
    self.reducer = reducer
    self.prepareDependencies = prepareDependencies
    var state: R.State = try file.decoded(file.begin.data, "The initial state", line: 1)
    let run = RecordedRun(file, reducer)
    run.didCommit(state)
    var last = 0
    for (line, content) in file.lines {
      if case .commit = content { run.didCommit(state) }
      guard case .action(let action) = content else { continue }
      last = max(last, action.action)
      guard action.action != number else {
        self.state = state
        return
      }
      try run.reduce(&state, action, line: line, prepareDependencies)
    }
    throw RecordingError("There is no action \(number) in the recording; the last one is \(last).")
  }

  /// Goes on from the fork, and compares the states with the recorded ones. With the recorded action alone nothing
  /// is left out.
  ///
  /// - Parameters:
  ///   - actions: The actions in place of the recorded one, in order; none for a run without it.
  ///   - other: The code from the fork on; `nil` for the same.
  /// - Throws: A ``RecordingError`` where an action is not in the recording as data.
  public func run(
    instead actions: R.Action..., with other: R? = nil
  ) throws(RecordingError) -> Outcome {
    try run(replacing: actions, with: other)
  }

  /// Goes on from the fork with the recorded action, and with other code.
  ///
  /// - Throws: A ``RecordingError`` where an action is not in the recording as data.
  public func run(with other: R) throws(RecordingError) -> Outcome {
    try run(replacing: nil, with: other)
  }

  private func run(replacing actions: [R.Action]?, with other: R?) throws(RecordingError) -> Outcome
  {
    let run = RecordedRun(file, reducer)
    var state: R.State = try file.decoded(file.begin.data, "The initial state", line: 1)
    var tree = file.begin.state
    var outcome = Outcome(state: state, first: nil, meetsAgain: nil, leftOut: [])
    var left: Set<Int> = []
    var effects: Set<Int> = []
    var isForked = false
    var name = ""
    run.didCommit(state)
    for (line, content) in file.lines {
      switch content {
      case .effectStarted(let start):
        // An action that never happened has started nothing.
        if start.action.map(left.contains) == true || start.parent.map(effects.contains) == true {
          effects.insert(start.effect)
        }
      case .action(let action):
        name = action.case
        if action.action == number {
          isForked = true
          if let other { run.reducer = other }
          // The same action is no other run: what has followed from it follows.
          let isSame =
            actions.map { $0.map { RecordedNode(of: $0).digest } } == [action.value.digest]
          if let actions, !isSame {
            left.insert(number)
            for replacement in actions {
              run.reduce(&state, replacement, at: action.at, prepareDependencies)
            }
            continue
          }
        } else if let effect = action.effect, effects.contains(effect) {
          left.insert(action.action)
          continue
        }
        try run.reduce(&state, action, line: line, prepareDependencies)
      case .commit(let commit):
        run.didCommit(state)
        tree = tree.applying(commit.changes)
        guard isForked else { continue }
        let difference = RecordingFile.difference(from: tree, to: RecordedNode(of: state))
        let moment = Moment(
          line: line, number: commit.actions.last ?? number, action: name, text: difference ?? "")
        if difference != nil {
          outcome.first = outcome.first ?? moment
          outcome.meetsAgain = nil
        } else if outcome.first != nil {
          outcome.meetsAgain = outcome.meetsAgain ?? moment
        }
      default: break
      }
    }
    outcome.state = state
    outcome.leftOut = left.sorted()
    return outcome
  }
}

extension RecordingFile {
  /// A run that is as it was recorded up to an action.
  ///
  /// - Parameters:
  ///   - number: The number of the action that the fork begins at, as pages and logs show it.
  ///   - reducer: The reducer that was recorded.
  ///   - prepareDependencies: Changes the dependencies of the reducer.
  /// - Throws: A ``RecordingError`` where there is no such action, or one before it was not recorded as data.
  public func fork<R: Reducer>(
    at number: Int,
    reducer: () -> R,
    withDependencies prepareDependencies: @escaping (inout DependencyValues) -> Void = { _ in }
  ) throws(RecordingError) -> Fork<R> {
    try Fork(self, at: number, reducer(), prepareDependencies)
  }
}
