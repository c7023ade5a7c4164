// A recording as OTLP JSON, which collectors of OpenTelemetry read.

import RondoHistory
import RondoRecording

/// One trace: a span for the recording, and within it a span for every effect.
///
/// The span of an effect lies in that of the effect which it is a part of, or which has sent the action that
/// started it. An action is an event of the span that has sent it; one from outside is an event of the recording.
struct TelemetryExport {
  /// The whole request, as an exporter sends it.
  let text: String

  private struct Span {
    var name: String
    var parent: Int?
    var start: Int64
    var end: Int64?
    var attributes: [RecordedData]
    var events: [RecordedData] = []
    var problem: String?
  }

  init(_ history: History) throws(CommandFailure) {
    let origin = RecordingLine.microseconds(history.begin.date)
    // The span of the recording has the number 0, as effects count from 1.
    var spans = [0: Span(name: history.begin.feature, start: 0, end: 0, attributes: [])]
    var last: Int64 = 0
    var commits: [Int: RecordingLine.Commit] = [:]
    for case (_, .commit(let commit)) in history.file.lines {
      for action in commit.actions { commits[action] = commit }
    }
    for (_, line) in history.file.lines {
      let time = RecordingLine.microseconds(line.at ?? 0)
      last = max(last, time)
      func event(_ name: String, _ attributes: [RecordedData]) throws(CommandFailure)
        -> RecordedData
      {
        .object([
          "timeUnixNano": .string(try Self.nanoseconds(origin, time, history)),
          "name": .string(name), "attributes": .array(attributes),
        ])
      }
      switch line {
      case .action(let action):
        var attributes = [
          Self.attribute("rondo.action", action.action),
          Self.attribute("rondo.action.value", action.name),
        ]
        if let commit = commits[action.action] {
          attributes.append(Self.attribute("rondo.transaction", commit.transaction.name))
          attributes.append(Self.attribute("rondo.changed", commit.changedPaths))
        }
        spans[action.effect ?? 0]?.events.append(try event(action.shortName, attributes))
      case .issue(let issue):
        let attributes = [
          Self.attribute("rondo.issue", issue.message),
          Self.attribute("code.location", issue.place ?? ""),
        ]
        spans[0]?.events.append(try event("issue", attributes))
        spans[0]?.problem = issue.message
      case .effectStarted(let start):
        var attributes = [
          Self.attribute("rondo.effect", start.effect),
          Self.attribute("rondo.effect.kind", start.kind),
          Self.attribute("rondo.effect.ids", start.ids),
        ]
        if let place = start.place { attributes.append(Self.attribute("code.location", place)) }
        if let action = start.action {
          attributes.append(Self.attribute("rondo.effect.action", action))
        }
        spans[start.effect] = Span(
          name: history.label(of: start.effect),
          parent: start.parent ?? start.action.flatMap { history.actions[$0]?.effect } ?? 0,
          start: time, attributes: attributes)
      case .effectWaits(let wait):
        spans[wait.effect]?.events.append(
          try event("waits", [Self.attribute("rondo.wait", wait.on.rawValue)]))
      case .effectResumed(let resumption):
        spans[resumption.effect]?.events.append(try event("resumes", []))
      case .effectEnded(let end):
        let how = end.how.rawValue + history.cause(of: end, namesAction: true)
        spans[end.effect]?.end = time
        spans[end.effect]?.attributes.append(Self.attribute("rondo.effect.end", how))
        if end.how == .failed { spans[end.effect]?.problem = "an error that nobody caught" }
      case .begin, .commit, .emission, .drawn, .frame, .advance, .receive, .tool, .end, .unknown:
        break
      }
    }
    spans[0]?.end = last
    let trace = Self.traceID(history.begin)
    var list: [RecordedData] = []
    for (number, span) in spans.sorted(by: { $0.key < $1.key }) {
      var fields: [String: RecordedData] = [
        "traceId": .string(trace), "spanId": .string(Self.spanID(number)),
        "name": .string(span.name), "kind": .integer(1),
        "startTimeUnixNano": .string(try Self.nanoseconds(origin, span.start, history)),
        "endTimeUnixNano": .string(try Self.nanoseconds(origin, span.end ?? last, history)),
        "attributes": .array(
          span.attributes
            + (span.end == nil ? [Self.attribute("rondo.effect.end", "still running")] : [])),
        "events": .array(span.events),
      ]
      if let parent = span.parent { fields["parentSpanId"] = .string(Self.spanID(parent)) }
      if let problem = span.problem {
        fields["status"] = .object(["code": .integer(2), "message": .string(problem)])
      }
      list.append(.object(fields))
    }
    let resource = [
      Self.attribute("service.name", history.begin.feature),
      Self.attribute("rondo.host", history.begin.host),
    ]
    let request = RecordedData.object([
      "resourceSpans": .array([
        .object([
          "resource": .object(["attributes": .array(resource)]),
          "scopeSpans": .array([
            .object(["scope": .object(["name": .string("rondo")]), "spans": .array(list)])
          ]),
        ])
      ])
    ])
    text = try request.json(named: history.name)
  }

  private static func attribute(_ key: String, value: RecordedData) -> RecordedData {
    .object(["key": .string(key), "value": value])
  }

  private static func attribute(_ key: String, _ text: String) -> RecordedData {
    attribute(key, value: .object(["stringValue": .string(text)]))
  }

  /// A number, which this JSON has as a text.
  private static func attribute(_ key: String, _ number: Int) -> RecordedData {
    attribute(key, value: .object(["intValue": .string("\(number)")]))
  }

  private static func attribute(_ key: String, _ texts: [String]) -> RecordedData {
    let values = texts.map { RecordedData.object(["stringValue": .string($0)]) }
    return attribute(key, value: .object(["arrayValue": .object(["values": .array(values)])]))
  }

  /// A time since 1970 in nanoseconds, for which there are 64 bits without a sign.
  private static func nanoseconds(
    _ origin: Int64, _ time: Int64, _ history: History
  ) throws(CommandFailure) -> String {
    let sum = origin + time
    guard
      let (nanoseconds, isTooLarge) = UInt64(exactly: sum)?.multipliedReportingOverflow(by: 1000),
      !isTooLarge
    else {
      throw CommandFailure(
        .data,
        "\(history.name): the recording has a date before 1970 or after 2554, which OTLP cannot say; "
          + "use --chrome-trace")
    }
    return "\(nanoseconds)"
  }

  /// The same for the same recording, so that one that is sent twice is one trace.
  private static func traceID(_ begin: RecordingLine.Begin) -> String {
    let place = RecordedNode("\(begin.feature) \(begin.place ?? "") \(begin.date.bitPattern)")
    return place.digest + begin.state.digest
  }

  private static func spanID(_ number: Int) -> String {
    let digits = String(UInt64(number) + 1, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
