// A recording in the trace event format, which Perfetto opens.

import RondoHistory
import RondoRecording

/// A trace with an instant for every action, issue and commit, and a span for every effect with its waits.
struct ChromeTraceExport {
  private let history: History
  private var events: [RecordedData] = []

  /// The whole trace.
  private(set) var text = ""

  init(_ history: History) throws(CommandFailure) {
    self.history = history
    addMetadata()
    for (_, line) in history.file.lines { add(line) }
    let trace = RecordedData.object([
      "displayTimeUnit": .string("ms"), "traceEvents": .array(events),
      "otherData": .object([
        "host": .string(history.begin.host), "date": .number(history.begin.date),
      ]),
    ])
    text = try trace.json(named: history.name)
  }

  private mutating func addMetadata() {
    for (kind, thread, name) in [
      ("process_name", 0, history.begin.feature), ("thread_name", 1, "actions"),
      ("thread_name", 2, "commits"), ("thread_name", 3, "issues"),
    ] {
      events.append(
        .object([
          "ph": .string("M"), "name": .string(kind), "pid": .integer(1),
          "tid": .integer(Int64(thread)), "args": .object(["name": .string(name)]),
        ]))
    }
  }

  /// An instant on one of the threads that the metadata names.
  private mutating func addInstant(
    _ name: String, at time: Double, thread: Int64, _ arguments: [String: RecordedData]
  ) {
    events.append(
      .object([
        "ph": .string("i"), "s": .string("t"), "name": .string(name), "cat": .string("rondo"),
        "pid": .integer(1), "tid": .integer(thread),
        "ts": .integer(RecordingLine.microseconds(time)), "args": .object(arguments),
      ]))
  }

  /// The beginning or the end of a span on the track of an effect.
  private mutating func addBorder(
    _ phase: String, _ name: String, of effect: Int, at time: Double,
    _ arguments: [String: RecordedData] = [:]
  ) {
    events.append(
      .object([
        "ph": .string(phase), "name": .string(name), "cat": .string("effect"),
        "id": .string("\(effect)"), "pid": .integer(1), "tid": .integer(1),
        "ts": .integer(RecordingLine.microseconds(time)), "args": .object(arguments),
      ]))
  }

  /// The number of waits of an effect that have not ended.
  private var waits: [Int: Int] = [:]

  private mutating func add(_ line: RecordingLine) {
    switch line {
    case .action(let action):
      var arguments: [String: RecordedData] = [
        "action": .integer(Int64(action.action)), "value": .string(action.name),
      ]
      if let effect = action.effect {
        arguments["sentBy"] = .string(history.label(of: effect))
        arguments["effect"] = .integer(Int64(effect))
      }
      addInstant(action.shortName, at: action.at, thread: 1, arguments)
    case .commit(let commit):
      addInstant(
        commit.transaction.name, at: commit.at, thread: 2,
        [
          "actions": .array(commit.actions.map { .integer(Int64($0)) }),
          "changed": .array(commit.changedPaths.map(RecordedData.string)),
        ])
    case .issue(let issue):
      addInstant(
        issue.message, at: issue.at, thread: 3, ["place": .string(issue.place ?? "")])
    case .effectStarted(let start):
      var arguments: [String: RecordedData] = [
        "kind": .string(start.kind), "ids": .array(start.ids.map(RecordedData.string)),
      ]
      if let place = start.place { arguments["place"] = .string(place) }
      if let action = start.action { arguments["startedBy"] = .integer(Int64(action)) }
      addBorder("b", history.label(of: start.effect), of: start.effect, at: start.at, arguments)
    case .effectWaits(let wait):
      waits[wait.effect, default: 0] += 1
      let arguments = wait.duration.map { ["seconds": RecordedData.number($0)] } ?? [:]
      addBorder(
        "b", "waits on a \(wait.on.rawValue)", of: wait.effect, at: wait.at, arguments)
    case .effectResumed(let resumption):
      endWait(of: resumption.effect, at: resumption.at)
    case .effectEnded(let end):
      while waits[end.effect, default: 0] > 0 { endWait(of: end.effect, at: end.at) }
      let how = end.how.rawValue + history.cause(of: end, namesAction: true)
      addBorder(
        "e", history.label(of: end.effect), of: end.effect, at: end.at, ["how": .string(how)])
    case .begin, .emission, .drawn, .frame, .advance, .receive, .tool, .end, .unknown:
      break
    }
  }

  private mutating func endWait(of effect: Int, at time: Double) {
    guard waits[effect, default: 0] > 0 else { return }
    waits[effect, default: 0] -= 1
    addBorder("e", "", of: effect, at: time)
  }
}
