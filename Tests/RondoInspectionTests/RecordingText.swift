// Recordings for tests, as text.

import Foundation
import Testing

@testable import RondoHistory
@testable import RondoInspection
@testable import RondoRecording

/// A recording that is put together line by line.
struct RecordingText {
  private(set) var lines: [RecordingLine]
  private var time = 0.0
  private var actions = 0
  private var commits = 0
  private var effects = 0

  init(
    host: String = "Store", feature: String = "Search", cases: [String]? = nil,
    isEquatable: Bool? = true, state: RecordedNode = .structure("Search.State", [])
  ) {
    lines = [
      .begin(
        RecordingLine.Begin(
          host: host, feature: feature, stateType: "\(feature).State",
          actionType: "\(feature).Action", date: 1_790_000_000, actionCases: cases,
          actionIsEquatable: isEquatable, state: state))
    ]
  }

  /// A recording whose state has some counts, which are 0.
  init(counts first: String, _ others: String..., isEquatable: Bool = true) {
    let counts = [first] + others
    self.init(
      isEquatable: isEquatable, state: .structure("Search.State", counts.map { ($0, "0") }))
  }

  mutating func wait(_ seconds: Double) { time = ((time + seconds) * 1000).rounded() / 1000 }

  /// An action with its commit.
  @discardableResult
  mutating func action(
    _ value: RecordedNode, from effect: Int? = nil, _ changes: [RecordedChange] = [],
    animation: String? = nil
  ) -> Int {
    reduce(value, from: effect)
    commit([actions], changes, animation: animation)
    return actions
  }

  /// Any other line.
  mutating func add(_ line: RecordingLine) { lines.append(line) }

  /// An action whose commit comes later.
  mutating func reduce(_ value: RecordedNode, from effect: Int? = nil) {
    actions += 1
    if let effect {
      lines.append(
        .emission(RecordingLine.Emission(at: time, effect: effect, action: actions)))
    }
    let name = value.case ?? String((value.value ?? "").dropFirst())
    lines.append(
      .action(
        RecordingLine.Action(
          at: time, action: actions, case: name, name: value.summary(), value: value,
          effect: effect)))
  }

  mutating func commit(
    _ actions: [Int], _ changes: [RecordedChange] = [], animation: String? = nil
  ) {
    commits += 1
    let transaction = RecordedTransaction(
      name: animation ?? "untagged", tagged: animation != nil,
      animation: animation.map { .init(curve: $0, duration: 0.35, samples: [0, 0.5, 1]) })
    lines.append(
      .commit(
        RecordingLine.Commit(
          at: time, commit: commits, actions: actions, transaction: transaction, changes: changes,
          digest: "0000000000000000")))
  }

  mutating func start(
    _ label: String, kind: String = "run", place: String? = "Search.swift:40", ids: [String] = [],
    action: Int? = nil, parent: Int? = nil, after: Int? = nil,
    steps: [RecordingLine.EffectStart.Step]? = nil
  ) -> Int {
    effects += 1
    lines.append(
      .effectStarted(
        RecordingLine.EffectStart(
          at: time, effect: effects, kind: kind, label: label, place: place, ids: ids,
          action: action ?? (actions == 0 ? nil : actions), parent: parent, after: after,
          steps: steps)))
    return effects
  }

  mutating func waits(
    _ effect: Int, _ seconds: Double?, on wait: RecordingLine.EffectWait.Wait = .clock,
    since: Double? = nil
  ) {
    lines.append(
      .effectWaits(
        RecordingLine.EffectWait(
          at: time, effect: effect, on: wait, since: since, duration: seconds)))
  }

  mutating func resumes(_ effect: Int) {
    lines.append(.effectResumed(RecordingLine.EffectResumption(at: time, effect: effect)))
  }

  mutating func end(
    _ effect: Int, _ how: RecordingLine.EffectEnd.How = .finished, by cause: RecordedCause? = nil
  ) {
    lines.append(
      .effectEnded(RecordingLine.EffectEnd(at: time, effect: effect, how: how, by: cause)))
  }

  /// An identifier that the action or commit before shows.
  mutating func draws(_ uuid: String, number: Int) {
    lines.append(.drawn(RecordingLine.Draw(at: time, uuid: uuid, number: number)))
  }

  mutating func uses(_ endpoint: String, by effect: Int) {
    lines.append(.drawn(RecordingLine.Draw(at: time, endpoint: endpoint, effect: effect)))
  }

  /// The present, which a reducer or an effect has read.
  mutating func reads(_ date: Double, from effect: Int? = nil) {
    lines.append(.drawn(RecordingLine.Draw(at: time, date: date, effect: effect)))
  }

  /// Gives the state and all actions data, as `Codable` types have it.
  mutating func encode() {
    lines = lines.map { line in
      switch line {
      case .begin(var begin):
        begin.data = .object([:])
        return .begin(begin)
      case .action(var action):
        action.data = .object([:])
        return .action(action)
      default: return line
      }
    }
  }

  mutating func issue(_ message: String) {
    lines.append(.issue(RecordingLine.Issue(at: time, message: message)))
  }

  /// The recording with its last line.
  var text: String {
    cutOff + Self.line(.end(RecordingLine.End(at: time, events: lines.count - 1)))
  }

  /// The recording without its last line.
  var cutOff: String { lines.map(Self.line).joined() }

  private static func line(_ line: RecordingLine) -> String {
    String(decoding: LineText(line).bytes, as: UTF8.self)
  }

  var history: History {
    get throws { History(try RecordingFile(Data(text.utf8)), name: "search.jsonl") }
  }
}

extension RecordedNode {
  /// A case of an enum that carries values: `.found("a")`.
  static func enumCase(
    _ name: String, type: String = "Search.Action", _ children: [(String, RecordedNode)]
  ) -> RecordedNode {
    RecordedNode(
      type: type, kind: .enum, case: name, children: children.map { Child($0, $1) })
  }

  static func structure(_ type: String, _ children: [(String, RecordedNode)]) -> RecordedNode {
    RecordedNode(type: type, kind: .struct, children: children.map { Child($0, $1) })
  }

  static func list(_ elements: [RecordedNode]) -> RecordedNode {
    RecordedNode(
      kind: .collection, children: elements.enumerated().map { Child("\($0)", $1) })
  }

  static func stack(_ elements: [(String, RecordedNode)]) -> RecordedNode {
    RecordedNode(kind: .dictionary, children: elements.map { Child($0, $1) })
  }

  static func text(_ text: String) -> RecordedNode { RecordedNode(text.debugDescription) }

  var shared: RecordedNode {
    var node = self
    node.isShared = true
    return node
  }
}

/// The search of the documentation: a query, a wait, an answer.
func searchRecording() -> RecordingText {
  var recording = RecordingText(
    cases: ["queryChanged", "found", "cleared"],
    state: .structure(
      "Search.State",
      [("query", .text("")), ("results", .list([])), ("phase", RecordedNode(".idle"))]))
  recording.action(
    .enumCase("queryChanged", [("0", .text("a"))]),
    [
      RecordedChange(path: ["query"], old: .text(""), new: .text("a")),
      RecordedChange(path: ["phase"], old: RecordedNode(".idle"), new: RecordedNode(".searching")),
    ])
  let effect = recording.start("search", ids: ["CancelID.search"])
  recording.waits(effect, 0.3)
  recording.wait(0.3)
  recording.resumes(effect)
  recording.wait(0.1)
  recording.action(
    .enumCase("found", [("0", .list([.text("a 1")]))]), from: effect,
    [
      RecordedChange(path: ["results"], old: .list([]), new: .list([.text("a 1")])),
      RecordedChange(path: ["phase"], old: RecordedNode(".searching"), new: RecordedNode(".idle")),
    ], animation: ".default")
  recording.end(effect)
  return recording
}

/// The writer of the test that is made from a recording.
func writer(
  _ recording: RecordingText, outcomes: [String] = [], failures: [String] = [],
  _ change: (inout TestOptions) throws -> Void = { _ in }
) throws -> TestWriter {
  var options = TestOptions()
  options.imports = ["SearchFeature"]
  options.outcomes = try outcomes.map { try TestOptions.Outcome($0) }
  options.failures = try failures.map { try TestOptions.Outcome($0, of: "--failure") }
  try change(&options)
  return TestWriter(try recording.history, options)
}

/// The test that is written from a recording.
func test(
  _ recording: RecordingText, outcomes: [String] = [], failures: [String] = [],
  _ change: (inout TestOptions) throws -> Void = { _ in }
) throws -> String {
  try writer(recording, outcomes: outcomes, failures: failures, change).text
}

extension RecordingText {
  /// Expects that the test that is written from it has a text.
  func expectTest(
    outcomes: [String] = [], has text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let written = try test(self, outcomes: outcomes)
    #expect(written.contains(text), sourceLocation: sourceLocation)
  }
}

extension RecordedNode: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) { self.init(value) }
}

extension RecordedChange {
  /// A change of one member: from 0 to 1, if nothing else is said.
  static func member(_ name: String, from old: RecordedNode = "0", to new: RecordedNode = "1")
    -> Self
  {
    Self(path: [name], old: old, new: new)
  }
}
