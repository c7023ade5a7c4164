// Recordings of the home screen, in the format of `RondoRecording`: reading and writing them.

import Foundation
import RondoHomeFeature
import Rondo
import RondoRecording

/// A commit of a recording, as the window shows it again.
public struct RecordedStep: Sendable {
  /// The time since the start.
  public var time: Duration
  public var date: Date
  public var actions: [HomeAction]
  /// Whether the commit was tagged. All tags of the home screen's own are `.default`.
  public var isTagged: Bool
}

/// A reason for which a recording cannot be read or written.
public struct RecordingProblem: Error, CustomStringConvertible, Sendable {
  public var description: String
  /// Whether the file is there and is no recording, or not one of this feature.
  public var isDamaged: Bool
}

/// A recording that is read.
public struct HomeRecording: Sendable {
  /// The date of the beginning.
  public let date: Date
  /// The state at the beginning.
  public let state: Home.State
  public let steps: [RecordedStep]

  /// Reads a recording, and makes sure that every state comes out as it was recorded.
  public init(reading file: String) throws(RecordingProblem) {
    let data: Data
    do {
      data = try Data(contentsOf: URL(filePath: file))
    } catch {
      throw RecordingProblem(
        description: "\(file) cannot be read: \(error.localizedDescription)", isDamaged: false)
    }
    do {
      let recording = try RecordingFile(data).ofHomeScreen()
      var steps: [RecordedStep] = []
      let outcome = try recording.replay(
        reducer: { Home() },
        withDependencies: {
          $0.mainQueue = .immediate
          $0.backgroundQueue = .immediate
        },
        didCommit: { steps.append(RecordedStep($0)) })
      if case .differs(let line, let difference) = outcome {
        throw RecordingProblem(
          description: "\(file), line \(line): \(difference)", isDamaged: true)
      }
      date = Date(timeIntervalSince1970: recording.begin.date)
      // The replay has read it before.
      state = try recording.begin.data?.decoded() ?? Home.State()
      self.steps = steps
    } catch let problem as RecordingProblem {
      throw problem
    } catch {
      throw RecordingProblem(description: "\(file): \(error)", isDamaged: true)
    }
  }
}

extension RecordedStep {
  fileprivate init(_ commit: ReplayedCommit<Home.State, HomeAction>) {
    self.init(
      time: .microseconds(Int64((commit.line.at * 1e6).rounded())), date: commit.date,
      actions: commit.actions, isTagged: commit.line.transaction.tagged)
  }
}

extension RecordingFile {
  /// The recording of the home screen alone, as far as a replay needs it.
  ///
  /// On a terminal `isowords-home` records its whole screen. The home screen is the member `home` of
  /// that state, and the case `home` of its actions.
  fileprivate func ofHomeScreen() throws(RecordingError) -> RecordingFile {
    switch begin.feature {
    case "Home":
      return self
    case "TerminalScreen":
      break
    default:
      throw RecordingError(
        "The recording is one of \(begin.feature), and not of the home screen.")
    }
    guard var home = begin.state["home"] else {
      throw RecordingError("Line 1: the state has no member 'home'.")
    }
    var file = self
    file.begin.feature = "Home"
    file.begin.state = home
    file.begin.data = begin.data?["home"]
    file.lines = []
    var screen = begin.state
    var hasActions = false
    for (number, line) in lines {
      switch line {
      case .action(var action) where action.case == "home":
        action.data = action.data?["home"]?["_0"]
        file.lines.append((number, .action(action)))
        hasActions = true
      case .commit(var commit):
        screen = screen.applying(commit.changes)
        guard screen.digest == commit.digest, let newHome = screen["home"] else {
          throw RecordingError("Line \(number): the changes do not lead to the recorded state.")
        }
        guard hasActions || newHome != home else { continue }
        commit.changes = home.changes(to: newHome)
        commit.digest = newHome.digest
        file.lines.append((number, .commit(commit)))
        home = newHome
        hasActions = false
      default:
        break
      }
    }
    return file
  }
}

extension RecordedData {
  /// The value under a key.
  fileprivate subscript(key: String) -> RecordedData? {
    if case .object(let members) = self { members[key] } else { nil }
  }
}

/// A recording that is being made. What has been written stays readable whenever the program ends.
///
/// It is one of the home screen alone, which is a part of the window's store. So `isowords-home` can
/// run it again.
public final class HomeRecorder {
  private let writer: RecordingWriter
  private var tree: RecordedNode
  private var time = 0.0
  private var actions = 0
  private var commits = 0

  /// Begins a recording, in place of what the file holds.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - state: The state at the start.
  ///   - date: The date of the start.
  public init(_ path: String, from state: Home.State, on date: Date) throws(RecordingProblem) {
    tree = RecordedNode(of: state)
    do {
      writer = try RecordingWriter(URL(filePath: path))
      try write(
        .begin(
          RecordingLine.Begin(
            host: "Store", feature: "Home", stateType: "Home.State", actionType: "HomeAction",
            date: date.timeIntervalSince1970, actionIsEquatable: true, state: tree,
            data: encoded(state))))
    } catch {
      throw RecordingProblem(description: "\(error)", isDamaged: false)
    }
  }

  /// Adds a commit, with its actions before it.
  public func add(_ commit: HomeCommit) throws(RecordingProblem) {
    time = (commit.time / .seconds(1) * 1e6).rounded() / 1e6
    do {
      let first = actions + 1
      for action in commit.actions { try add(action) }
      let newTree = RecordedNode(of: commit.newState)
      commits += 1
      try write(
        .commit(
          RecordingLine.Commit(
            at: time, commit: commits, actions: Array(first..<actions + 1),
            transaction: RecordedTransaction(commit.transaction),
            changes: tree.changes(to: newTree), digest: newTree.digest)))
      tree = newTree
    } catch {
      throw RecordingProblem(description: "\(error)", isDamaged: false)
    }
  }

  /// Says that nothing is missing.
  public func end() throws(RecordingProblem) {
    if let failure = writer.end(at: time) {
      throw RecordingProblem(description: failure.description, isDamaged: false)
    }
  }

  private func add(_ action: HomeAction) throws {
    actions += 1
    let node = RecordedNode(of: action)
    let name = node.summary(limit: 60)
    try write(
      .action(
        RecordingLine.Action(
          at: time, action: actions, case: node.case ?? String(name.drop { $0 == "." }),
          name: name, value: node, data: encoded(action))))
  }

  private func write(_ line: RecordingLine) throws(RecordingError) {
    if let failure = writer.write(line) { throw failure }
  }

  private func encoded(_ value: some Encodable) throws -> RecordedData {
    try JSONDecoder().decode(RecordedData.self, from: JSONEncoder().encode(value))
  }
}
