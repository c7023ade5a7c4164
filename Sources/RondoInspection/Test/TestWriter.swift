// A test with `TestStore` that sends and receives what was recorded.

import Foundation
import RondoHistory
import RondoRecording
import RondoScheduling

/// Writes a test from a recording.
///
/// What a recording does not know is a placeholder, `<#the module of the feature#>`: it does not
/// compile, and says what is missing.
struct TestWriter {
  let text: String
  /// Things about the test that its reader should know.
  private(set) var notes: [String] = []

  /// The number of actions from which on a test takes long to compile.
  private static let actionLimit = 1_000

  init(_ history: History, _ options: TestOptions) {
    let endpoints = options.outcomes.map { Endpoint($0, options, history) }
    let steps = TestSteps(history, answers: Set(endpoints.flatMap(\.actions)))
    let made = MadeValues(history, steps, options, answers: Set(endpoints.flatMap(\.answers)))
    let body = Self.body(history, steps, made, options.style)
    let codes = endpoints.map { EndpointCode($0, steps, options.style) }
    for code in codes where code.text == nil { notes.append(code.note) }
    let creation = Self.creation(history, codes.compactMap(\.text), made, options)
    let imports =
      (options.imports.isEmpty ? ["<#the module of the feature#>"] : options.imports)
      .map { "@testable import \($0)\n" }.joined()
    let fileNotes = history.notes.map { "// \($0.onOneLine)\n" }.joined()
    let hidden = history.hiddenMembers
    if !hidden.isEmpty { notes.append(Self.note(hidden)) }
    if history.actions.count > Self.actionLimit {
      notes.append(
        "A test of \(history.actions.count) actions will hardly compile in reasonable time; record less."
      )
    }
    text = """
      // Written by 'rondo test' from \(history.name.onOneLine).
      \(fileNotes)
      import Foundation
      import RondoTesting
      import Testing

      \(imports)
      \(codes.contains(where: \.throwsUnknownError) ? EndpointCode.errorType : "")@MainActor
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
    _ history: History, _ endpoints: [String], _ made: MadeValues, _ options: TestOptions
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
    let label = begin.stateIsEquatable == false ? "comparingDumpsOf" : "initialState"
    text += "  let store = TestStore("
    text += "\(label): \(state.lines(indent: 2, used: 26 + label.count))"
    text += "\(isTimed ? ", timeline: timeline" : "")) {\n    \(reducer)\n  }"
    // A generator that the options name is used in place of the recorded identifiers.
    let namesGenerator = options.dependencies.contains { $0.contains(".uuid") }
    let dependencies =
      options.dependencies + endpoints
      + (namesGenerator ? [] : [made.generator].compactMap(\.self))
    guard !dependencies.isEmpty else { return text }
    return text + " withDependencies: {\n"
      + dependencies.map { $0.split(separator: "\n").map { "    \($0)\n" }.joined() }.joined()
      + "  }"
  }

  // MARK: The steps

  /// The code of a step.
  private struct Piece {
    /// The names of the constants that are made before it.
    var names: [String] = []
    var text = ""
    /// The first and the last step of those that are told together.
    var block: ClosedRange<Int>
  }

  private static func body(
    _ history: History, _ steps: TestSteps, _ made: MadeValues, _ style: CodeStyle
  ) -> String {
    var style = style
    style.dates = made.dates
    style.stateIsCasePathable = history.begin.stateIsCasePathable != false
    // The test store keeps the state in another value.
    if history.begin.stateIsEquatable == false { style.state = "$0.value" }
    let tasks = tasks(steps)
    let hidden = history.hiddenMembers
    let start =
      steps.problems.map { "  \(Code.placeholder($0, limit: 120).inline)\n" }.joined()
      + (hidden.isEmpty ? "" : "  // \(note(hidden))\n")
    var pieces: [Piece] = []
    var state = history.begin.state
    for block in steps.blocks where !block.steps.isEmpty {
      let range = pieces.count...(pieces.count + block.steps.count - 1)
      var text = ""
      var next = state
      let changes = block.commits.flatMap(\.changes).map { change in
        let change = change.moved(to: next)
        next = next.applying([change])
        return change
      }
      let calls = block.steps.filter { !$0.items.isEmpty }.count
      // One action of a commit may have undone the change of another one, so that none is seen.
      let isTogether = calls > 1 || block.isIncomplete
      // Without exhaustivity, a closure gets the state behind the changes.
      let code = ChangeCode(changes, old: state, state: next, style, appends: !isTogether)
      state = next
      let options = block.isIncomplete ? "[.state, .transactions]" : ".state"
      if isTogether {
        text +=
          block.isIncomplete
          ? "  // The commit of an action is missing in the recording: it is not compared.\n"
          : changes.isEmpty
            ? "  // Together these actions have changed nothing. What each has done is not recorded.\n"
            : "  // One change is recorded for these actions: it is compared behind the last one.\n"
        text += "  store.exhaustivity.remove(\(options))\n"
      }
      var call = 0
      for step in block.steps {
        let names = step.items.flatMap { made.names[$0.action.action] ?? [] }
        let line = self.line(step, tasks, history, style)
        if !step.items.isEmpty { call += 1 }
        let isLast = call == calls && !step.items.isEmpty
        switch step {
        case .early(let action):
          let name = "\(action.shortName), which a test receives earlier than it was recorded"
          text += "  \(Code.placeholder(name, limit: 90).inline)\n"
        case .failure: break
        default:
          let isHidden = step.items.contains { $0.action.value.hasRedactions }
          text += line
          if isLast { text += closure(code, style, hidden: isHidden ? hidden : [], behind: line) }
          text += "\n"
        }
        pieces.append(
          Piece(
            names: names, text: text, block: isTogether ? range : pieces.count...pieces.count))
        text = ""
      }
      if isTogether {
        pieces[range.upperBound].text += "  store.exhaustivity.insert(\(options))\n"
      }
    }
    return start + joined(pieces, steps.issues, tasks)
      + (steps.leavesEffects
        ? "  await store.skipInFlightEffects(strict: false)\n" : "  await store.finish()\n")
  }

  // MARK: Issues

  /// The text of all steps, with those that report issues inside of what expects them.
  private static func joined(
    _ pieces: [Piece], _ issues: [TestSteps.ExpectedIssues], _ tasks: [Int: String]
  ) -> String {
    func lets(_ piece: Piece) -> String {
      piece.names.map { "  let \($0) = store.date\n" }.joined()
    }
    func plain(_ range: Range<Int>) -> String {
      pieces[range].map { lets($0) + $0.text }.joined()
    }
    var text = ""
    var done = 0
    for issue in issues {
      // Steps whose changes are told together are expected together.
      let first = max(done, pieces[issue.steps.lowerBound].block.lowerBound)
      let last = pieces[issue.steps.upperBound].block.upperBound
      guard first <= last else { continue }
      text += plain(done..<first)
      done = last + 1
      // Constants of the closure are not known behind it.
      let inside = pieces[first...last]
      let constants =
        inside.dropFirst().flatMap(\.names)
        + tasks.values.filter { name in inside.contains { $0.text.contains("let \(name) = ") } }
      let isNeeded = constants.contains { name in
        pieces[done...].contains { $0.text.contains(name) }
      }
      guard !isNeeded, let matcher = matcher(issue.messages) else {
        let names = issue.messages.map { message in
          "  \(Code.placeholder("an issue for the test to expect: \(message)", limit: 120).inline)\n"
        }
        text += names.joined() + plain(first..<done)
        continue
      }
      let body = inside.enumerated().map { ($0 > 0 ? lets($1) : "") + $1.text }.joined()
      text += lets(pieces[first]) + "  await expectReportsIssue {\n"
      text += body.split(separator: "\n").map { "  \($0)\n" }.joined()
      text += "  } matching: {\(matcher)  }\n"
    }
    return text + plain(done..<pieces.count)
  }

  /// The body of the closure that tells the expected issues from others; `nil` where one has no words of its own.
  private static func matcher(_ messages: [String]) -> String? {
    var codes: [String] = []
    var call = "hasPrefix"
    for message in messages {
      guard let (text, isBeginning) = words(of: message) else { return nil }
      if !isBeginning { call = "contains" }
      if !codes.contains(text.debugDescription) { codes.append(text.debugDescription) }
    }
    guard codes.count > 1 else { return "\n    $0.message.\(call)(\(codes[0]))\n" }
    return " issue in\n    [\n" + codes.map { "      \($0),\n" }.joined()
      + "    ].contains { issue.message.\(call)($0) }\n"
  }

  /// The words of a message that are the same in a test, and tell it from others, the test store's own among them: those
  /// beside identifiers, dates, and what was kept out.
  private static func words(of message: String) -> (text: String, isBeginning: Bool)? {
    let line = message.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? ""
    let parts = line.replacingIdentifiers { _ in "<redacted>" }
      .replacing(/Date\([^)]*\)/, with: "<redacted>").components(separatedBy: "<redacted>")
    let longest = parts.indices.max { parts[$0].count < parts[$1].count } ?? 0
    let index = parts.firstIndex { $0.count >= 12 } ?? longest
    let text = parts[index]
    guard parts.count == 1 ? !text.isEmpty : text.count(where: \.isLetter) > 3 else { return nil }
    // A missing child is told in a test with the place where it is composed.
    let words = text.split(separator: " ", maxSplits: 3)
    if index == 0, words.count == 4, words[1] == "of" {
      return (words[..<3].joined(separator: " ") + " ", true)
    }
    guard text.count > 60 else { return (text, index == 0) }
    let start = text.prefix(60)
    return (String(start.lastIndex(of: " ").map { start[..<$0] } ?? start), index == 0)
  }

  // MARK: Redacted members

  private static func note(_ hidden: [String]) -> String {
    let names = hidden.joined(separator: ", ").onOneLine
    return hidden.count == 1
      ? "The recording does not show \(names): a closure has no line for it where an action changes it."
      : "The recording does not show \(names): closures have no lines for them where actions change them."
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
      "receive(\(item.action.value.isCasePathable ? "" : "case: ")"
        + "\(received(item.action, history, style))\(tag(item.moment)))"
    case .receiveInAnyOrder(let items):
      "receive(\n    inAnyOrder: "
        + items.map { pattern($0, history, style) }.joined(separator: ",\n    ") + ")"
    case .cancel, .early, .failure: ""
    }
  }

  private static func received(
    _ action: RecordingLine.Action, _ history: History, _ style: CodeStyle
  ) -> String {
    guard history.begin.actionIsEquatable == false else {
      return action.value.code(style).lines(indent: 2, used: 25)
    }
    let path = CasePathCode(action.value, of: history.begin.actionType, style)
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

  /// - Parameters:
  ///   - hidden: The members that the action may change, and that the recording does not show.
  ///   - line: The code in front of the closure.
  private static func closure(
    _ changes: ChangeCode, _ style: CodeStyle, hidden: [String], behind line: String
  ) -> String {
    let indent = changes.stateCase == nil ? 4 : 6
    var lines = changes.statements.map { statement in
      let used = statement.target.count + statement.link.count + statement.end.count
      let code = statement.code.lines(indent: indent, used: used)
      return "\(statement.target)\(statement.link)\(code)\(statement.end)"
    }
    if let name = changes.stateCase, !lines.isEmpty {
      lines = [
        "\(style.state).modify(\\.\(name)) {\n" + lines.map { "      \($0)\n" }.joined() + "    }"
      ]
    }
    if !hidden.isEmpty {
      let name =
        "\(hidden.joined(separator: " or ")), which was redacted: delete this if it does not change"
      lines.append(Code.placeholder(name, limit: 90).inline)
    }
    guard let first = lines.first else { return "" }
    let used = line.split(separator: "\n").last?.count ?? 0
    if lines.count == 1, used + first.count + 5 <= Code.width, !first.contains("\n") {
      return " { \(first) }"
    }
    return " {\n" + lines.map { "    \($0)\n" }.joined() + "  }"
  }
}

extension History {
  /// The members of the state that were kept out, without the positions of elements.
  fileprivate var hiddenMembers: [String] {
    var names: [String] = []
    func add(_ node: RecordedNode, _ path: [String]) {
      if node.isRedacted {
        let name = path.filter { Int($0) == nil }.joined(separator: ".")
        if !names.contains(name) { names.append(name.isEmpty ? "the state" : name) }
      }
      for child in node.children { add(child.node, path + [child.name]) }
    }
    add(begin.state, [])
    for change in moments.compactMap(\.commit).flatMap(\.changes) {
      if let new = change.new, new.hasRedactions { add(new, change.path) }
    }
    return names
  }
}

extension String {
  /// The number of placeholders in the text.
  var placeholderCount: Int {
    components(separatedBy: "<#").dropFirst().count { $0.prefix { $0 != "\n" }.contains("#>") }
  }

  /// The name behind a point, where a few words of the language have another meaning.
  var behindPoint: String {
    ["self", "init", "Type", "Protocol"].contains(self) ? "`\(self)`" : self
  }

  /// Whether a function can have the name.
  var isIdentifier: Bool { isName }

  /// The name, quoted where it is a word of the language.
  var asFunctionName: String {
    reservedWords.contains(self) ? "`\(self)`" : self
  }
}
