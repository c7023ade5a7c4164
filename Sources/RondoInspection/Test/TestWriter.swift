// A test with `TestStore` that sends and receives what was recorded.

import RondoRecording
import RondoScheduling

/// Writes a test from a recording.
///
/// What a recording does not know is a placeholder, `<#the module of the feature#>`: it does not
/// compile, and says what is missing.
struct TestWriter {
  let text: String

  /// The number of placeholders in the text.
  var placeholderCount: Int { text.matches(of: /<#.*?#>/).count }

  init(_ history: History, _ options: TestOptions) {
    let steps = TestSteps(history)
    let made = MadeValues(history, steps, options)
    let body = Self.body(history, steps, made, options.style)
    let creation = Self.creation(history, steps, made, options)
    let imports =
      (options.imports.isEmpty ? ["<#the module of the feature#>"] : options.imports)
      .map { "@testable import \($0)\n" }.joined()
    let notes = history.notes.map { "// \($0.onOneLine)\n" }.joined()
    text = """
      // Written by 'rondo test' from \(history.name.onOneLine).
      \(notes)
      import Foundation
      import RondoTesting
      import Testing

      \(imports)
      @MainActor
      @Test func \(Self.name(history, options))() async {
      \(creation)

      \(body)}

      """
  }

  private static func name(_ history: History, _ options: TestOptions) -> String {
    if let name = options.name { return name.asFunctionName }
    let words = history.name.split { !$0.isLetter && !$0.isNumber }.filter { $0 != "jsonl" }
    let name = words.enumerated()
      .map { $0 == 0 ? $1.lowercased() : $1.prefix(1).uppercased() + $1.dropFirst() }.joined()
    return (name.first?.isLetter == true ? name : "recorded\(name)").asFunctionName
  }

  // MARK: The store

  private static func creation(
    _ history: History, _ steps: TestSteps, _ made: MadeValues, _ options: TestOptions
  ) -> String {
    let begin = history.begin
    let state = options.state.map(Code.text) ?? begin.state.code(options.style)
    let reducer =
      options.reducer
      ?? (begin.feature.isTypeName ? "\(begin.feature)()" : "<#the reducer#>")
    var text = ""
    // A dependency that goes by time is made with the store's. The time of a test store may have begun at
    // any date.
    let isTimed =
      options.namesTimeline
      || begin.host == "TestStore"
        && begin.date != TestTimeline().startDate.timeIntervalSince1970
    if isTimed {
      let date = "Date(timeIntervalSince1970: \(number(begin.date)))"
      text += "  let timeline = TestTimeline(startDate: \(date))\n"
    }
    text += "  let store = TestStore("
    text += "initialState: \(state.lines(indent: 2, used: 38))"
    text += "\(isTimed ? ", timeline: timeline" : "")) {\n    \(reducer)\n  }"
    // A generator that the options name is used in place of the recorded identifiers.
    let namesGenerator = options.dependencies.contains { $0.contains(".uuid") }
    let dependencies =
      options.dependencies + options.outcomes.map { override($0, steps, options) }
      + (namesGenerator ? [] : [made.generator].compactMap(\.self))
    guard !dependencies.isEmpty else { return text }
    return text + " withDependencies: {\n"
      + dependencies.map { $0.split(separator: "\n").map { "    \($0)\n" }.joined() }.joined()
      + "  }"
  }

  /// The statement that lets an endpoint answer what was recorded, in the order of the test.
  ///
  /// A call that was cancelled before its answer gets none. One that led to another action has failed with
  /// an error that the recording does not have.
  private static func override(
    _ outcome: TestOptions.Outcome, _ steps: TestSteps, _ options: TestOptions
  ) -> String {
    // An action of the user is no answer: it has no effect.
    let calls = steps.calls.filter { $0.effect != nil }
    let answered = calls.filter { $0.action?.value.payload(of: outcome.case) != nil }
    let effects = Set(answered.compactMap(\.effect))
    // An effect that had not come as far as one that answered had not called.
    let waits = Dictionary(
      answered.compactMap { call in call.source.map { ($0, call.waits) } }, uniquingKeysWith: min)
    let known = answered.compactMap { $0.action?.value.payload(of: outcome.case) }
    // Of an effect that has sent something else, the last action is what the call has led to.
    let lasts = Dictionary(
      calls.compactMap { call in call.effect.map { ($0, call.action?.action) } },
      uniquingKeysWith: { $1 })
    let answers = calls.compactMap { call -> String? in
      if let payload = call.action?.value.payload(of: outcome.case) {
        return answer(payload, outcome, options.style)
      }
      guard let effect = call.effect, let source = call.source, let least = waits[source],
        call.waits >= least, !effects.contains(effect)
      else { return nil }
      guard let action = call.action else {
        return noAnswer(outcome, result: answer(known[0], outcome, options.style))
      }
      return lasts[effect] == action.action ? failure(outcome, action) : nil
    }
    let arguments = Array(repeating: "_", count: outcome.argumentCount).joined(separator: ", ")
    let opening = "$0.\(outcome.endpoint) = {\(arguments.isEmpty ? "" : " \(arguments) in")"
    guard let last = answers.last else {
      return "\(opening) <#no action of the recording is a '\(outcome.case)'#> }"
    }
    guard Set(answers).count > 1 else { return "\(opening) \(last) }" }
    let counter =
      "calls"
      + outcome.endpoint.split(separator: ".").map { $0.prefix(1).uppercased() + $0.dropFirst() }
      .joined()
    let lines =
      ["let \(counter) = LockIsolated(-1)", opening]
      + ["  switch \(counter).withValue({ $0 += 1; return $0 }) {"]
      + answers.dropLast().enumerated().map { "  case \($0): \($1)" }
      + ["  default: \(last)", "  }", "}"]
    return lines.joined(separator: "\n")
  }

  /// The code of an endpoint that waits until it is cancelled.
  ///
  /// - Parameter result: A value of the type of its answers, which is given when it is cancelled.
  private static func noAnswer(_ outcome: TestOptions.Outcome, result: String) -> String {
    if outcome.isEffect { return ".run { _ in try await Task.never() }" }
    return result.hasPrefix("throw ")
      ? "try await Task.never()" : "(try? await Task.never()) ?? \(result)"
  }

  /// The code of an endpoint whose answer is not known: it led to another action.
  private static func failure(
    _ outcome: TestOptions.Outcome, _ action: RecordingLine.Action
  ) -> String {
    outcome.isEffect
      ? Code.placeholder("the effect that has sent \(action.shortName)").inline
      : "throw \(Code.placeholder("the error that has led to \(action.shortName)").inline)"
  }

  private static func answer(
    _ payload: RecordedNode, _ outcome: TestOptions.Outcome, _ style: CodeStyle
  ) -> String {
    if outcome.isEffect { return ".send(\(payload.code(style).inline))" }
    if payload.case == outcome.case, payload.children.count > 1 {
      return Code.placeholder("the part of \(payload.summary(limit: 40)) that was answered").inline
    }
    switch payload.case {
    case "success": return payload.children.first?.node.code(style).inline ?? "()"
    case "failure":
      let error = payload.children.first?.node
      let isKnown = error?.code(style).isComplete == true && error?.value?.hasPrefix(".") != true
      let code = isKnown ? error?.code(style).inline : nil
      return "throw "
        + (code ?? Code.placeholder("the error \(error?.summary(limit: 40) ?? "")").inline)
    default: return payload.code(style).inline
    }
  }

  // MARK: The steps

  private static func body(
    _ history: History, _ steps: TestSteps, _ made: MadeValues, _ style: CodeStyle
  ) -> String {
    var style = style
    style.dates = made.dates
    let tasks = tasks(steps)
    var text = steps.problems.map { "  \(Code.placeholder($0, limit: 120).inline)\n" }.joined()
    var state = history.begin.state
    for block in steps.blocks {
      let changes = block.commits.flatMap(\.changes)
      let next = state.applying(changes)
      let code = ChangeCode(changes, old: state, state: next, style)
      state = next
      let calls = block.steps.filter { !$0.items.isEmpty }.count
      let isTogether = calls > 1 && !changes.isEmpty || block.isIncomplete
      let options = block.isIncomplete ? "[.state, .transactions]" : ".state"
      if isTogether {
        text +=
          block.isIncomplete
          ? "  // The commit of an action is missing in the recording: it is not compared.\n"
          : "  // One change is recorded for these actions: it is compared behind the last one.\n"
        text += "  store.exhaustivity.remove(\(options))\n"
      }
      var call = 0
      for step in block.steps {
        for name in step.items.flatMap({ made.names[$0.action.action] ?? [] }) {
          text += "  let \(name) = store.date\n"
        }
        let line = self.line(step, tasks, history, style)
        if !step.items.isEmpty { call += 1 }
        let isLast = call == calls && !step.items.isEmpty
        switch step {
        case .early(let action):
          let name = "\(action.shortName), which a test receives earlier than it was recorded"
          text += "  \(Code.placeholder(name, limit: 90).inline)\n"
        default: text += line + (isLast ? closure(code, behind: line) : "") + "\n"
        }
      }
      if isTogether { text += "  store.exhaustivity.insert(\(options))\n" }
    }
    text +=
      steps.leavesEffects
      ? "  await store.skipInFlightEffects(strict: false)\n" : "  await store.finish()\n"
    return text
  }

  /// The names of the tasks of actions that are cancelled, by the numbers of the actions.
  private static func tasks(_ steps: TestSteps) -> [Int: String] {
    let cancelled = steps.blocks.flatMap(\.steps).compactMap { step in
      if case .cancel(let action) = step { action.action } else { nil }
    }
    guard cancelled.count > 1 else { return Dictionary(cancelled.map { ($0, "task") }) { $1 } }
    return Dictionary(cancelled.sorted().enumerated().map { ($1, "task\($0 + 1)") }) { $1 }
  }

  /// The line for a step, without the closure of its call.
  private static func line(
    _ step: TestSteps.Step, _ tasks: [Int: String], _ history: History, _ style: CodeStyle
  ) -> String {
    switch step {
    case .cancel(let action): "  await \(tasks[action.action] ?? "").cancel()"
    case .send(let item):
      "  \(tasks[item.action.action].map { "let \($0) = " } ?? "")await store."
        + call(step, history, style)
    default: "  await store.\(call(step, history, style))"
    }
  }

  /// The call of the store for a step, without its closure.
  private static func call(
    _ step: TestSteps.Step, _ history: History, _ style: CodeStyle
  ) -> String {
    switch step {
    case .advance(let duration): "advance(\(duration > .zero ? "by: \(duration.code)" : ""))"
    case .send(let item):
      "send(\(item.action.value.code(style).lines(indent: 2, used: 22))\(tag(item.moment)))"
    case .receive(let item):
      "receive(\(received(item.action, history, style))\(tag(item.moment)))"
    case .receiveInAnyOrder(let items):
      "receive(\n    inAnyOrder: "
        + items.map { pattern($0, history, style) }.joined(separator: ",\n    ") + ")"
    case .cancel, .early: ""
    }
  }

  private static func received(
    _ action: RecordingLine.Action, _ history: History, _ style: CodeStyle
  ) -> String {
    guard history.begin.actionIsEquatable == false else {
      return action.value.code(style).lines(indent: 2, used: 25)
    }
    let path = CasePathCode(action.value, style)
    guard let value = path.value, value.isComplete else { return path.path }
    return "\(path.path), \(value.lines(indent: 2, used: 27 + path.path.count))"
  }

  /// The argument for an action that may come before or after others.
  private static func pattern(
    _ item: TestSteps.Item, _ history: History, _ style: CodeStyle
  ) -> String {
    let isCase = history.begin.actionIsEquatable == false
    let argument = received(item.action, history, style)
    return (isCase ? ".case(\(argument))" : ".equal(\(argument))")
      + tag(item.moment, isModifier: true)
  }

  /// The argument for the transaction of an action, or the modifier of a pattern for it.
  private static func tag(_ moment: History.Moment, isModifier: Bool = false) -> String {
    guard let transaction = moment.commit?.transaction, transaction.tagged else { return "" }
    guard let curve = transaction.animation?.curve, transaction.name == curve, curve.isMemberCall
    else {
      let name = Code.placeholder(transaction.name).inline
      return isModifier ? ".transaction(\(name))" : ", transaction: \(name)"
    }
    return isModifier ? ".animation(\(curve))" : ", animation: \(curve)"
  }

  /// - Parameter line: The code in front of the closure.
  private static func closure(_ changes: ChangeCode, behind line: String) -> String {
    let lines = changes.statements.map { statement in
      let used = statement.target.count + 3 + statement.end.count
      return "\(statement.target) = \(statement.code.lines(indent: 4, used: used))\(statement.end)"
    }
    guard let first = lines.first else { return "" }
    let used = line.split(separator: "\n").last?.count ?? 0
    if lines.count == 1, used + first.count + 5 <= Code.width, !first.contains("\n") {
      return " { \(first) }"
    }
    return " {\n" + lines.map { "    \($0)\n" }.joined() + "  }"
  }
}

extension RecordedNode {
  /// The value that the first case of a name carries, anywhere in this value.
  func payload(of name: String) -> RecordedNode? {
    if `case` == name { return children.count == 1 ? children[0].node : self }
    // A case that carries nothing.
    if value == ".\(name)" { return RecordedNode(kind: .tuple, children: []) }
    for child in children {
      if let payload = child.node.payload(of: name) { return payload }
    }
    return nil
  }
}

extension String {
  /// Whether a function can have the name.
  var isIdentifier: Bool { isName }

  /// The name, quoted where it is a word of the language.
  fileprivate var asFunctionName: String {
    reservedWords.contains(self) ? "`\(self)`" : self
  }
}
