// A folder of recordings that a feature still has to agree with.

import Foundation
import Rondo
import RondoScheduling

/// Recordings that are run again after the code has changed.
///
/// Keep the recordings of runs that were right in a folder beside the tests, and compare the feature with all of
/// them in one line:
///
/// ```swift
/// @Test func recordedRuns() throws {
///   #expect(try Recordings(folder).replay { Search() })
/// }
/// ```
///
/// Where a state is another one, the test fails with a report: by action, how many commits have changed something
/// else than was recorded, and the first of them. If that is what the feature does now, run the test once with
/// `RONDO_ACCEPT_RECORDINGS=1`: the recordings are written anew with the states of today, and the difference is seen
/// where they are kept under version control.
///
/// Effects are not run: what they have answered is recorded. So this takes no time, and asks nobody.
public struct Recordings: Sendable {
  /// The recordings, in the order of their names.
  public let files: [URL]

  /// The recordings in a folder: the files that are called `.jsonl`, also in folders inside of it.
  ///
  /// - Throws: A ``RecordingError`` where the folder cannot be read, or has none.
  public init(_ folder: URL) throws(RecordingError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder),
      isFolder.boolValue, let found = FileManager.default.enumerator(atPath: folder.path)
    else {
      throw RecordingError("\(folder.path) is no folder that can be read.")
    }
    files = found.compactMap { $0 as? String }.filter { $0.hasSuffix(".jsonl") }.sorted()
      .map { folder.appending(path: $0) }
    guard !files.isEmpty else {
      throw RecordingError("\(folder.path) has no recordings: no file in it is called '.jsonl'.")
    }
  }

  /// Runs the actions of all recordings through a reducer, and compares what each commit changes.
  ///
  /// For every action the dependencies `date` and `uuid` give what was recorded; what else a reducer reads from
  /// outside of its state is up to the caller.
  ///
  /// - Parameters:
  ///   - accept: Whether recordings of which states differ are written anew; by default where the environment has
  ///     `RONDO_ACCEPT_RECORDINGS=1`.
  ///   - reducer: The reducer as it is now.
  ///   - prepareDependencies: Changes the dependencies of the reducer.
  /// - Returns: Whether all states are as they were recorded, or were accepted. Otherwise the differences have been
  ///   reported, where this was called.
  /// - Throws: A ``RecordingError`` where a file is no recording, or cannot be run again or written.
  public func replay<R: Reducer>(
    accept: Bool? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    reducer: () -> R,
    withDependencies prepareDependencies: (inout DependencyValues) -> Void = { _ in }
  ) throws(RecordingError) -> Bool where R.State: Codable, R.Action: Codable {
    let accept =
      accept ?? (ProcessInfo.processInfo.environment["RONDO_ACCEPT_RECORDINGS"] == "1")
    let reducer = reducer()
    var reports: [String] = []
    for url in files {
      let comparison: Comparison
      do throws(RecordingError) {
        comparison = try RecordingFile(contentsOf: url).compared(with: reducer, prepareDependencies)
      } catch {
        throw RecordingError("\(url.lastPathComponent): \(error.description)")
      }
      guard !comparison.differences.isEmpty else { continue }
      if accept {
        try comparison.write(to: url)
      } else {
        reports.append(comparison.report(url.lastPathComponent))
      }
    }
    guard !reports.isEmpty else { return true }
    reportIssue(
      """
      \(reports.count) of \(files.count) recordings differ from what the feature does now. \
      If that is right, run this once with RONDO_ACCEPT_RECORDINGS=1.

      \(reports.joined(separator: "\n"))
      """, at: SourcePosition(fileID, filePath, line, column))
    return false
  }
}

/// A recording, and what a reducer makes of its actions.
struct Comparison {
  /// A commit that has changed something else than was recorded.
  struct Difference {
    /// The line of the recording.
    var line: Int
    /// The case of its last action.
    var action: String
    /// The first difference, in words.
    var text: String
  }

  var differences: [Difference] = []
  /// The number of commits of each action.
  fileprivate(set) var counts: [String: Int] = [:]
  /// All lines, with the changes that the reducer makes.
  fileprivate var lines: [RecordingLine] = []

  /// The differences by action, the most frequent first, each with the first one of its kind.
  func report(_ name: String) -> String {
    let groups = Dictionary(grouping: differences, by: \.action)
      .sorted { ($1.value.count, $0.value[0].line) < ($0.value.count, $1.value[0].line) }
    let rows = groups.map { action, all in
      let (count, first) = (counts[action] ?? all.count, all[0])
      return "    \(action): \(all.count) of \(count), first in line \(first.line): \(first.text)"
    }
    return "  \(name)\n" + rows.joined(separator: "\n")
  }

  /// Writes the recording anew, as a whole or not at all.
  func write(to url: URL) throws(RecordingError) {
    let text = lines.flatMap { LineText($0).bytes }
    do {
      try Data(text).write(to: url, options: .atomic)
    } catch {
      throw RecordingError("\(url.path) cannot be written: \(error.localizedDescription)")
    }
  }
}

extension RecordingFile {
  /// Runs the recorded actions through a reducer, to the end, and notes each commit that changes something else.
  func compared<R: Reducer>(
    with reducer: R, _ prepareDependencies: (inout DependencyValues) -> Void
  ) throws(RecordingError) -> Comparison where R.State: Codable, R.Action: Codable {
    guard notes.isEmpty, isWhole else {
      throw RecordingError(
        isWhole
          ? "It has events that this version of Rondo does not know: \(notes[0])"
          : "The recording was cut off; only whole ones can be compared.")
    }
    let run = RecordedRun(self, reducer)
    var state: R.State = try decoded(begin.data, "The initial state", line: 1)
    var (tree, recordedTree) = (RecordedNode(of: state), begin.state)
    var comparison = Comparison()
    if let difference = Self.difference(from: recordedTree, to: tree) {
      comparison.differences.append(.init(line: 1, action: "the initial state", text: difference))
    }
    var name = ""
    run.didCommit(state)
    for (number, line) in lines {
      switch line {
      case .begin(var begin):
        begin.state = tree
        begin.data = try? RecordedData(encoding: state)
        comparison.lines.append(.begin(begin))
        continue
      case .action(let action):
        try run.reduce(&state, action, line: number, prepareDependencies)
        name = action.case
      case .commit(var commit):
        run.didCommit(state)
        let new = RecordedNode(of: state)
        let changes = tree.changes(to: new)
        let recorded = recordedTree.applying(commit.changes)
        comparison.counts[name, default: 0] += 1
        if let path = Self.firstDifference(of: changes, from: commit.changes) {
          comparison.differences.append(
            .init(line: number, action: name, text: Self.words(new[path], recorded[path], path)))
        }
        (tree, recordedTree) = (new, recorded)
        commit.changes = changes
        commit.digest = new.digest
        comparison.lines.append(.commit(commit))
        continue
      default: break
      }
      comparison.lines.append(line)
    }
    return comparison
  }

  /// The path of the first change that another run of an action does not make in the same way.
  ///
  /// Where the values before were different already, an earlier action is to blame: of numbers the difference is
  /// compared then, and other values are not.
  private static func firstDifference(
    of changes: [RecordedChange], from recorded: [RecordedChange]
  ) -> [String]? {
    let others = Dictionary(recorded.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
    let paths = Set(changes.map(\.path))
    for change in changes {
      guard let other = others[change.path] else { return change.path }
      let isSame =
        change.old == other.old ? change.new == other.new : change.step == other.step
      if !isSame { return change.path }
    }
    return recorded.first { !paths.contains($0.path) }?.path
  }
}

extension RecordedChange {
  /// The difference that a change makes to a number; `nil` for other values.
  fileprivate var step: Double? {
    guard let old = old?.value.flatMap(Double.init), let new = new?.value.flatMap(Double.init)
    else { return nil }
    return new - old
  }
}

/// The actions of a recording on their way through a reducer, with the dates and identifiers of the recording.
final class RecordedRun<R: Reducer> where R.Action: Decodable {
  private let file: RecordingFile
  /// Another one runs from the moment on in which it takes this one's place.
  var reducer: R
  /// The identifiers that the reducer was given, by their numbers from 1. One that the recording shows nowhere is not
  /// there.
  private var identifiers: [Int: UUID] = [:]
  private let identifierCount = LockIsolated(0)
  /// The dates that the reducer was given, in order, by the numbers of the actions that it was handling.
  private let dates: [Int: [Date]]
  /// The commits that tools have gone back to, by the numbers of the actions that stand for that.
  private let jumps: [Int: Int]
  /// The states that they may have gone back to, by the numbers of the commits.
  private var states: [R.State] = []

  init(_ file: RecordingFile, _ reducer: R) {
    self.file = file
    self.reducer = reducer
    let draws = file.lines.compactMap { _, line in
      if case .drawn(let draw) = line, draw.effect == nil, draw.number != nil { draw } else { nil }
    }
    // Older recordings do not tell identifiers of reducers from all.
    let numbered = draws.filter { $0.reduced != nil }
    let ordered = (numbered.isEmpty ? draws : numbered).sorted { $0.number! < $1.number! }
    for (index, draw) in ordered.enumerated() {
      identifiers[draw.reduced ?? index + 1] = draw.uuid.flatMap(UUID.init)
    }
    var dates: [Int: [Date]] = [:]
    var current: Int?
    for (_, line) in file.lines {
      switch line {
      case .action(let action): current = action.action
      case .commit, .effectStarted: current = nil
      case .drawn(let draw) where draw.effect == nil:
        guard let current, let date = draw.date else { break }
        dates[current, default: []].append(Date(timeIntervalSince1970: date))
      default: break
      }
    }
    self.dates = dates
    var jumps: [Int: Int] = [:]
    for case (_, .tool(let tool)) in file.lines where tool.did == .jump {
      if let action = tool.action { jumps[action] = tool.commit }
    }
    self.jumps = jumps
  }

  /// Tells of the state behind a commit, first of all of that at the beginning.
  func didCommit(_ state: R.State) {
    if !jumps.isEmpty { states.append(state) }
  }

  /// - Returns: The action; `nil` where a tool has gone back to an earlier state.
  @discardableResult
  func reduce(
    _ state: inout R.State, _ recorded: RecordingLine.Action, line: Int,
    _ prepareDependencies: (inout DependencyValues) -> Void
  ) throws(RecordingError) -> R.Action? {
    if let commit = jumps[recorded.action] {
      guard states.indices.contains(commit) else {
        throw RecordingError(
          line: line, "a tool has gone back to commit \(commit), which is not before it")
      }
      state = states[commit]
      return nil
    }
    let action: R.Action = try file.decoded(
      recorded.data, "The action \(recorded.name)", line: line)
    reduce(
      &state, action, at: recorded.at, dates: dates[recorded.action] ?? [], prepareDependencies)
    return action
  }

  /// - Parameter dates: The dates that it was given; behind them it is given the time of the action.
  func reduce(
    _ state: inout R.State, _ action: R.Action, at time: Double, dates: [Date] = [],
    _ prepareDependencies: (inout DependencyValues) -> Void
  ) {
    let (dates, last) = (LockIsolated(dates[...]), file.date(at: time))
    withDependencies {
      $0.context = .preview
      $0.date = DateGenerator { dates.withValue { $0.popFirst() } ?? last }
      // The recording numbers only the identifiers that a reducer asks for on its own thread.
      $0.uuid = UUIDGenerator { [identifiers, identifierCount, thread = pthread_self()] in
        let isCounted = pthread_equal(thread, pthread_self()) != 0
        return isCounted ? identifiers[identifierCount.value + 1] ?? UUID() : UUID()
      }
      prepareDependencies(&$0)
    } operation: {
      whileHearingOfIdentifiers { [identifierCount] in
        identifierCount.withValue { $0 += 1 }
      } _: {
        _ = reducer.reduce(into: &state, action: action)
      }
    }
  }
}
