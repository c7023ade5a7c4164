// The calls of an endpoint in a recording, and the code that answers them in a test.

import RondoHistory
import RondoRecording

/// The calls of an endpoint that is named by `--outcome`.
struct Endpoint {
  /// The result of a call, as far as the action that followed from it tells.
  enum Result {
    case answer(RecordedNode)
    /// A thrown error; `nil` where the action does not carry it.
    case failure(RecordedNode?)
    /// The end of a stream, which the effect has told of.
    case end
  }

  let outcome: TestOptions.Outcome
  /// The results of the calls, by the actions that they have led to.
  private(set) var results: [Int: Result] = [:]

  /// The errors that calls have thrown, as far as they are known.
  var errors: [RecordedNode] {
    results.sorted { $0.key < $1.key }.compactMap { _, result in
      switch result {
      case .failure(let error): error
      case .answer(let payload) where payload.case == "failure": payload.children.first?.node
      case .answer, .end: nil
      }
    }
  }

  /// The effects that have come to their end without being cancelled, and so have read a stream to its end.
  private(set) var finished: Set<Int> = []

  /// The actions that carry answers.
  var answers: [Int] { results.compactMap { if case .answer = $1 { $0 } else { nil } } }

  /// The actions that calls have led to.
  var actions: Dictionary<Int, Result>.Keys { results.keys }

  init(_ outcome: TestOptions.Outcome, _ options: TestOptions, _ history: History) {
    self.outcome = outcome
    let failures = options.failures.filter { $0.endpoint == outcome.endpoint }
    var lasts: [Int: RecordingLine.Action] = [:]
    var sources: Set<String> = []
    var answered: Set<Int> = []
    let sure = ([outcome] + failures).map(\.case).filter { name in
      history.actions.values.contains {
        $0.effect != nil && $0.value.firstCase(name, surely: true) != nil
      }
    }
    func payload(_ action: RecordingLine.Action, at path: [String]) -> RecordedNode? {
      action.value.payload(at: path, surely: sure.contains(path[0]))
    }
    for (number, action) in history.actions.sorted(by: { $0.key < $1.key }) {
      // An action of the user is no answer: it has no effect.
      guard let effect = action.effect else { continue }
      lasts[effect] = action
      if let payload = payload(action, at: outcome.path) {
        results[number] = .answer(payload)
      } else if let failure = failures.first(where: { payload(action, at: [$0.case]) != nil }) {
        // An action that carries several values is no error, and none of them is named.
        let isAction = action.value.hasSeveralValues(at: failure.path)
        results[number] = .failure(isAction ? nil : payload(action, at: failure.path))
      } else {
        continue
      }
      answered.insert(effect)
      if let place = history.effects[effect]?.start.place { sources.insert(place) }
    }
    let isStream = outcome.kind?.isStream == true
    // Of an effect that has sent something else, the last action is what the call has led to.
    for (effect, action) in lasts where isStream || !answered.contains(effect) {
      guard let place = history.effects[effect]?.start.place, sources.contains(place),
        results[action.action] == nil
      else { continue }
      results[action.action] = isStream ? .end : .failure(nil)
    }
    for (number, effect) in history.effects where effect.end?.how == .finished {
      finished.insert(number)
    }
  }
}

/// The statement that lets an endpoint answer what was recorded, in the order of the test.
struct EndpointCode {
  /// The statement; `nil` where no action is an answer.
  private(set) var text: String?
  /// Whether a call throws an error that the recording does not have.
  private(set) var throwsUnknownError = false
  private let outcome: TestOptions.Outcome
  private let style: CodeStyle
  /// The code of an error that the endpoint has thrown elsewhere.
  private var otherError: String?

  /// The error in place of one that is not in the recording.
  static let errorType = """
    /// An endpoint has thrown an error that the recording does not have.
    private struct RecordedError: Error {}


    """

  /// The message to the user that explains why ``text`` is `nil`.
  var note: String {
    "--outcome \(outcome.text): no action of the recording is a '\(outcome.path.joined(separator: "."))'; "
      + "the endpoint is not written."
  }

  /// An answer, with the time that it takes.
  private struct Answer: Equatable {
    var code: String
    var latency: Duration?
  }

  init(_ endpoint: Endpoint, _ steps: TestSteps, _ style: CodeStyle) {
    outcome = endpoint.outcome
    self.style = style
    guard outcome.kind?.isStream != true else {
      text = StreamCode(outcome: outcome, streams: streams(endpoint, steps)).text
      return
    }
    let answers = answers(endpoint, steps)
    guard let last = answers.last else { return }
    let arguments = Array(repeating: "_", count: outcome.argumentCount).joined(separator: ", ")
    let isLate = answers.contains { $0.latency != nil }
    let time = outcome.kind == .effect ? " [queue = $0.mainQueue]" : " [clock = $0.continuousClock]"
    let head = (isLate ? time : "") + (arguments.isEmpty ? "" : " \(arguments)")
    let opening = "$0.\(outcome.endpoint) = {\(head.isEmpty ? "" : "\(head) in")"
    guard answers.contains(where: { $0 != last }) else {
      let lines = lines(last)
      text =
        lines.count == 1
        ? "\(opening) \(lines[0]) }"
        : ([opening] + lines.map { "  \($0)" } + ["}"]).joined(separator: "\n")
      return
    }
    let counter =
      "calls"
      + outcome.endpoint.split(separator: ".").map { $0.prefix(1).uppercased() + $0.dropFirst() }
      .joined()
    var lines = ["let \(counter) = LockIsolated(-1)", opening]
    lines.append("  switch \(counter).withValue({ $0 += 1; return $0 }) {")
    // Cases with several statements need a `return`, and then so do the others.
    for (index, answer) in answers.enumerated() {
      let label = index == answers.count - 1 ? "default:" : "case \(index):"
      let code = self.lines(answer, returns: isLate)
      lines +=
        code.count == 1 ? ["  \(label) \(code[0])"] : ["  \(label)"] + code.map { "    \($0)" }
    }
    text = (lines + ["  }", "}"]).joined(separator: "\n")
  }

  /// The statements of an answer.
  private func lines(_ answer: Answer, returns: Bool = false) -> [String] {
    guard let latency = answer.latency else {
      return [returns && !answer.code.hasPrefix("throw ") ? "return \(answer.code)" : answer.code]
    }
    if outcome.kind == .effect {
      let effect = "\(answer.code).delay(for: \(latency.code), scheduler: queue)"
      return [returns ? "return \(effect)" : effect]
    }
    let result = answer.code.hasPrefix("throw ") ? answer.code : "return \(answer.code)"
    return ["try? await clock.sleep(for: \(latency.code))", result]
  }

  /// The answers in the order of the test.
  ///
  /// A call that was cancelled before its answer gets none.
  private mutating func answers(_ endpoint: Endpoint, _ steps: TestSteps) -> [Answer] {
    // An action of the user is no answer: it has no effect.
    let calls = steps.calls.filter { $0.effect != nil }
    func result(_ call: TestSteps.Call) -> Endpoint.Result? {
      call.action.flatMap { endpoint.results[$0.action] }
    }
    let answered = calls.filter { result($0) != nil }
    let effects = Set(answered.compactMap(\.effect))
    // An effect that has waited less often than all that answered has not called yet.
    let waits = Dictionary(
      answered.compactMap { call in call.source.map { ($0, call.waits) } }, uniquingKeysWith: min)
    let known = answered.lazy.compactMap { call -> RecordedNode? in
      if case .answer(let payload)? = result(call) { payload } else { nil }
    }.first
    guard let known else { return [] }
    let style = style
    otherError = endpoint.errors.lazy.compactMap { $0.errorCode(style) }.first
    return calls.compactMap { call -> Answer? in
      let latency = call.action.flatMap { steps.latencies[$0.action] }
      switch result(call) {
      case .answer(let payload): return Answer(code: code(payload), latency: latency)
      case .failure(let error): return Answer(code: failure(error, call), latency: latency)
      case .end, nil: break
      }
      guard let effect = call.effect, let source = call.source, let least = waits[source],
        call.waits >= least, !effects.contains(effect)
      else { return nil }
      guard let action = call.action else { return Answer(code: noAnswer(code(known))) }
      // An error that nobody has caught is told of by its text.
      let isUncaught = action.action < 0
      return isUncaught
        ? Answer(
          code: "throw \(Code.placeholder("the error that has led to \(action.shortName)").inline)")
        : nil
    }
  }

  /// The streams that the endpoint has returned, in the order of the calls in the test.
  private mutating func streams(_ endpoint: Endpoint, _ steps: TestSteps) -> [StreamCode.Stream] {
    let calls = steps.calls.filter { $0.effect != nil }
    func result(_ call: TestSteps.Call) -> Endpoint.Result? {
      call.action.flatMap { endpoint.results[$0.action] }
    }
    let answered = calls.filter { result($0) != nil }
    let waits = Dictionary(
      answered.compactMap { call in call.source.map { ($0, call.waits) } }, uniquingKeysWith: min)
    let style = style
    otherError = endpoint.errors.lazy.compactMap { $0.errorCode(style) }.first
    var streams: [StreamCode.Stream] = []
    // The positions of the streams that effects read.
    var positions: [Int: Int] = [:]
    for call in calls {
      guard let effect = call.effect else { continue }
      var element: StreamCode.Element?
      let latency = call.action.flatMap { steps.latencies[$0.action] }
      switch result(call) {
      case .answer(let payload):
        element = StreamCode.Element(code: "return \(code(payload))", latency: latency)
      case .failure(let error):
        element = StreamCode.Element(code: failure(error, call), latency: latency)
      case .end: element = StreamCode.Element(code: StreamCode.end, latency: latency)
      case nil:
        // It was cancelled before its stream had an element.
        guard call.action == nil, let source = call.source, let least = waits[source],
          call.waits >= least
        else { continue }
      }
      let position = positions[effect] ?? streams.count
      if position == streams.count {
        streams.append(
          StreamCode.Stream(elements: [], isOver: endpoint.finished.contains(effect)))
      }
      if let element { streams[position].elements.append(element) }
      // An element behind the end belongs to the next call.
      positions[effect] = element?.isEnd == true ? nil : position
    }
    return streams
  }

  /// The code of an endpoint that waits until it is cancelled.
  ///
  /// - Parameter result: A value of the type of its answers, which is given when it is cancelled.
  private func noAnswer(_ result: String) -> String {
    if outcome.kind == .effect { return ".run { _ in try await Task.never() }" }
    return result.hasPrefix("throw ")
      ? "try await Task.never()" : "(try? await Task.never()) ?? \(result)"
  }

  /// The code of an endpoint that throws.
  private mutating func failure(_ error: RecordedNode?, _ call: TestSteps.Call) -> String {
    guard outcome.kind != .effect else {
      return Code.placeholder("the effect that has sent \(call.action?.shortName ?? "")").inline
    }
    if let code = error?.errorCode(style) { return "throw \(code)" }
    // Another error that the endpoint has thrown has the right type, at least.
    if let otherError { return "throw \(otherError)" }
    throwsUnknownError = true
    return "throw RecordedError()"
  }

  private func code(_ payload: RecordedNode) -> String {
    if outcome.kind == .effect { return ".send(\(payload.code(style).inline))" }
    if payload.case == outcome.path.last, payload.children.count > 1 {
      let text = "the part of \(payload.summary(limit: 30)); name it by =\(outcome.case).LABEL"
      return Code.placeholder(text, limit: 90).inline
    }
    let result = payload.children.first?.node
    switch payload.case {
    case "success" where !returnsResult(payload): return result?.code(style).inline ?? "()"
    case "failure" where !returnsResult(payload):
      let error = result?.errorCode(style)
      return "throw "
        + (error ?? Code.placeholder("the error \(result?.summary(limit: 40) ?? "")").inline)
    default: return payload.code(style).inline
    }
  }

  /// Whether the endpoint returns a `Result`. A result with an error of a known type was hardly made
  /// by catching an error.
  private func returnsResult(_ payload: RecordedNode) -> Bool {
    if let kind = outcome.kind { return kind == .result }
    return payload.type?.hasPrefix("Result<") == true && !payload.isOfAnyError
  }
}

extension RecordedNode {
  private func payload(ofThis name: String) -> RecordedNode? {
    if `case` == name { return children.count == 1 ? children[0].node : self }
    // A case that carries nothing.
    return value == ".\(name)" ? RecordedNode(kind: .tuple, children: []) : nil
  }

  /// The value at a path from a case: through cases, labels and positions.
  func payload(at path: [String], surely: Bool = false) -> RecordedNode? {
    guard let name = path.first,
      var node = firstCase(name, surely: surely)?.payload(ofThis: name)
    else { return nil }
    for name in path.dropFirst() {
      guard let part = node.payload(ofThis: name) ?? node[name] else { return nil }
      node = part
    }
    return node
  }

  /// Whether the case that a path leads to carries several values.
  func hasSeveralValues(at path: [String]) -> Bool {
    guard let name = path.last else { return false }
    let outer = path.count == 1 ? self : payload(at: path.dropLast())
    return outer?.firstCase(name).map { $0.children.count > 1 } ?? false
  }

  /// The case of a name, where it is that of this action, or of what stands in it as the action of a child does.
  ///
  /// - Parameter surely: Whether enums that may be values, and cases of what an action carries that carry nothing, are left
  ///   out.
  func firstCase(_ name: String, surely: Bool = false) -> RecordedNode? {
    if `case` == name || value == ".\(name)" { return self }
    return children.lazy.map(\.node).filter { child in
      let isAction = ["Action", "Result<"].contains { child.type?.contains($0) == true }
      return child.kind == .enum && isAction || !surely && (child.kind ?? .enum) == .enum
    }
    .compactMap { $0.firstCase(name, surely: surely) }.first
  }

  /// Whether this is a result with an error of any type.
  var isOfAnyError: Bool {
    guard let type else { return false }
    return type.hasPrefix("TaskResult<") || type.hasSuffix("any Error>")
      || type.hasSuffix(", Error>")
  }

  /// The code of an error where no type is expected: `ApiError.refused(3)`; `nil` where it cannot be made.
  func errorCode(_ style: CodeStyle) -> String? {
    let code = code(style)
    guard code.isComplete, kind != nil || type != nil else { return nil }
    guard code.inline.hasPrefix(".") else { return kind == .struct || isCase ? code.inline : nil }
    guard let type, type.isTypeName else { return nil }
    return type + code.inline
  }
}
