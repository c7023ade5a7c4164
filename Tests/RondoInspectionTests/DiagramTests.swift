// Diagrams of states, and of what an action led to.

import Foundation
import RondoSeededRandomness
import Testing

@testable import RondoHistory
@testable import RondoInspection
@testable import RondoRecording

// V9
@Suite struct DiagramTests {
  @Test func theFieldWithCasesIsChosenAndTransitionsAreCounted() throws {
    var recording = searchRecording()
    for _ in 1...2 {
      recording.action(
        .enumCase("queryChanged", [("0", .text("b"))]),
        [
          .member("phase", from: ".idle", to: ".searching")
        ])
      recording.action(".found", [.member("phase", from: ".searching", to: ".idle")])
    }
    #expect(
      try StateDiagram([recording.history], field: nil).text(.mermaid)
        == """
        ---
        title: "phase in 1 recording"
        ---
        stateDiagram-v2
          state ".idle" as s1
          state ".searching" as s2
          [*] --> s1
          s1 --> s2 : queryChanged ×3
          s2 --> s1 : found ×3
          state "never sent#58; cleared" as unseen

        """.replacing("#58;", with: ":"))
  }

  @Test func severalRecordingsAddUpAndTellWhatNoneHas() throws {
    var other = RecordingText(
      cases: ["queryChanged", "found", "cleared", "refresh"],
      state: .structure("Search.State", [("phase", ".failed")]))
    other.action(
      ".cleared",
      [.member("phase", from: ".failed", to: ".idle")])
    let diagram = try StateDiagram([searchRecording().history, other.history], field: "phase")
    let text = diagram.text(.dot)
    #expect(text.contains("label=\"phase in 2 recordings\""))
    #expect(text.contains("start -> s1;"))
    #expect(text.contains("start -> s3;"))
    #expect(text.contains("s3 -> s1 [label=\"cleared\"];"))
    #expect(text.contains("unseen [shape=note, label=\"never sent: refresh\"];"))
  }

  /// A field that takes some values, and perhaps one with a value of an element of a list.
  private func texts(_ count: Int, fields: [String] = ["name"]) throws -> History {
    func state(_ number: Int) -> RecordedNode {
      let row = RecordedNode.structure("Row", [("isDone", "\(number % 2 == 0)")])
      return .structure(
        "Search.State",
        fields.map { ($0, .text("text \(number)")) } + [("rows", .list([row]))])
    }
    var recording = RecordingText(state: state(0))
    for number in 1..<count {
      recording.action(".next", state(number - 1).changes(to: state(number)))
    }
    return try recording.history
  }

  @Test func aTextWithManyValuesIsNotDrawnUnasked() throws {
    let error = #expect(throws: CommandFailure.self) {
      try StateDiagram([texts(21, fields: ["name", "query"])], field: nil)
    }
    #expect(
      error?.message
        == "no field has cases, or at most 20 values; choose one by --field: name, query")
    #expect(try StateDiagram([texts(20)], field: nil).field == ["name"])
    #expect(try StateDiagram([texts(21)], field: "name").text(.dot).contains("s21 [label="))
  }

  @Test func aFieldThatIsNowhereIsRefusedWithTheOnesThereAre() throws {
    let history = try searchRecording().history
    let error = #expect(throws: CommandFailure.self) {
      try StateDiagram([history], field: "phases")
    }
    #expect(error?.message == "no state has the field 'phases'; there are: query, results, phase")
  }

  @Test func recordingsOfTwoFeaturesAreNotMixed() throws {
    let other = RecordingText(
      feature: "Login", state: .structure("Login.State", [("phase", ".off")]))
    let histories = [try searchRecording().history, try other.history]
    let error = #expect(throws: CommandFailure.self) {
      try StateDiagram(histories, field: "phase")
    }
    #expect(
      error?.message
        == "a diagram is about one feature, and search.jsonl has Search.State and Search.Action, "
        + "search.jsonl has Login.State and Login.Action; name the recordings of one")
  }

  /// A store whose state is that of one feature or of another: both have a field `phase`.
  private func twoFeatures() throws -> History {
    func login(_ phase: String) -> RecordedNode {
      .enumCase(
        "login", type: "App.State",
        [("0", .structure("Login.State", [("phase", RecordedNode(phase))]))])
    }
    func home(_ phase: String) -> RecordedNode {
      .enumCase(
        "home", type: "App.State",
        [("0", .structure("Home.State", [("phase", RecordedNode(phase))]))])
    }
    func action(_ name: String, _ child: String) -> RecordedNode {
      .enumCase(name, type: "App.Action", [("0", RecordedNode(child))])
    }
    func phase(_ old: String, _ new: String) -> RecordedChange {
      RecordedChange(path: ["0", "phase"], old: RecordedNode(old), new: RecordedNode(new))
    }
    var recording = RecordingText(feature: "App", state: login(".idle"))
    recording.action(action("login", ".submitted"), [phase(".idle", ".busy")])
    recording.action(
      action("login", ".signedIn"),
      [RecordedChange(path: [], old: login(".busy"), new: home(".idle"))])
    recording.action(action("home", ".opened"), [phase(".idle", ".busy")])
    return try recording.history
  }

  @Test func theStateItselfIsDrawnWhereItIsThatOfTwoFeatures() throws {
    let diagram = try StateDiagram([twoFeatures()], field: nil)
    let lines = diagram.text(.dot).split(separator: "\n")
      .filter { $0.contains("s1") || $0.contains("label") }
      .map { String($0.trimmingPrefix("  ")) }
    #expect(
      lines == [
        "label=\"state in 1 recording\"; labelloc=t; rankdir=LR;",
        "s1 [label=\".login\"];", "s2 [label=\".home\"];", "start -> s1;",
        "s1 -> s2 [label=\"login.signedIn\"];",
      ])
    #expect(diagram.notes == ["The states are those of .; --field also draws 0.phase."])
    #expect(try StateDiagram([twoFeatures()], field: ".").text(.dot) == diagram.text(.dot))
  }

  @Test func fieldsOfTwoFeaturesWithOneNameAreNotMixed() throws {
    let text = try StateDiagram([twoFeatures()], field: "0.phase").text(.dot)
    for (state, name) in [
      ("s1", ".login › .idle"), ("s2", ".login › .busy"), ("s3", ".home › .idle"),
      ("s4", ".home › .busy"),
    ] {
      #expect(text.contains("  \(state) [label=\"\(name)\"];\n"))
    }
    #expect(text.contains("  s3 -> s4 [label=\"home.opened\"];\n"))
    #expect(!text.contains("s1 -> s4"))
  }

  @Test func anActionIsNamedByItsChildrensCases() throws {
    let child = RecordedNode.enumCase(
      "credentials", type: "Path.Action", [("0", ".nextButtonTapped")])
    let element = RecordedNode.enumCase(
      "element", type: "StackAction<State, Action>",
      [("id", "#0"), ("action", child)])
    let set = RecordedNode.enumCase(
      "set", type: "BindingAction<State>",
      [("0", "\\State.data.email"), ("1", .text("a"))])
    for (action, name) in [
      (.enumCase("path", [("0", element)]), "path.credentials.nextButtonTapped"),
      (.enumCase("binding", [("0", set)]), "binding data.email"),
      (.enumCase("found", [("0", .list([]))]), "found"), (".cleared", "cleared"),
    ] as [(RecordedNode, String)] {
      var recording = RecordingText(state: .structure("S", []))
      recording.action(action)
      #expect(try recording.history.actions[1]?.casePath == name)
    }
  }

  @Test func whatAnActionLedToIsASequence() throws {
    #expect(
      try SequenceDiagram(searchRecording().history, action: 1).text(.mermaid) == """
        sequenceDiagram
          actor outside as Outside
          participant store as Search
          participant e1 as search
          outside->>store: .queryChanged#40;#34;a#34;#41;
          store->>+e1: starts
          e1->>store: .found#40;#91;#34;a 1#34;#93;#41; (0.400 s, .default)
          deactivate e1

        """)
  }

  @Test func anActionOfAnEffectDoesNotComeFromOutside() throws {
    let diagram = try SequenceDiagram(searchRecording().history, action: 2)
    #expect(
      diagram.text(.mermaid) == """
        sequenceDiagram
          participant store as Search
          participant e1 as search
          e1->>store: .found#40;#91;#34;a 1#34;#93;#41; (0.400 s, .default)

        """)
    #expect(diagram.text(.dot).contains("  e1 [shape=ellipse, label=\"search\"];\n"))
    #expect(diagram.text(.dot).contains("  e1 -> a2 [label=\"0.400 s, .default\"];\n"))
  }

  /// Three effects under one id: the first has used an endpoint, the others are a step behind it.
  private func steps() -> RecordingText {
    var recording = RecordingText()
    recording.action(".appeared")
    let first = recording.start("run", ids: [".load"], steps: [.init(of: 1, step: 1)])
    recording.uses("SearchClient.login", by: first)
    recording.action(".loggedIn", from: first)
    recording.end(first)
    for line in [44, 45] {
      let effect = recording.start(
        "run", place: "Search.swift:\(line)", ids: [".load"], action: 1,
        steps: [.init(of: 1, step: 2)])
      recording.end(effect)
    }
    return recording
  }

  // V16
  @Test func everyEffectHasANameOfItsOwn() throws {
    let history = try steps().history
    #expect(
      (1...3).map(history.label) == [
        "searchClient.login", "run Search.swift:44", "run Search.swift:45",
      ])
    // The only effect with a cancellation id has the id as its name.
    var recording = RecordingText()
    recording.action(".appeared")
    let effect = recording.start("run", ids: [".load"])
    let part = recording.start("delay", kind: "delay", ids: [".load"], parent: effect)
    let send = recording.start("send", kind: "send", place: nil)
    recording.action(".loaded", from: send)
    let named = recording.start("run \"quotes\"", ids: [".load"])
    #expect(
      try [effect, part, send, named].map(recording.history.label) == [
        "load", "delay Search.swift:40", "send loaded", "quotes",
      ])
  }

  // V16
  @Test func aSequenceSaysWhatAnEffectStartsBehind() throws {
    let history = try steps().history
    #expect(history.effects(before: 2) == [1])
    #expect(history.effects(before: 1).isEmpty)
    let diagram = try SequenceDiagram(history, action: 1)
    #expect(diagram.text(.mermaid).contains("  store->>+e3: starts, behind searchClient.login\n"))
    #expect(diagram.text(.dot).contains("  e1 -> e3 [style=dashed, label=\"then\"];\n"))
  }

  /// A concatenation of two steps, of which the second has two effects: an operator with three parts, of which two were
  /// made for an answer of the first, and one under an operator of its own.
  private func tree() -> RecordingText {
    var recording = RecordingText(state: .structure("Home.State", []))
    recording.action(".onAppear")
    func step(_ number: Int) -> [RecordingLine.EffectStart.Step] { [.init(of: 1, step: number)] }
    let first = recording.start("future \"files.load\"", kind: "future", steps: step(1))
    recording.end(first)
    let outer = recording.start("receive", kind: "receive", ids: [".load"], steps: step(2))
    let logIn = recording.start(
      "future \"server.logIn\"", kind: "future", parent: outer, steps: step(2))
    let other = recording.start("receive", kind: "receive", ids: [".load"], steps: step(2))
    let only = recording.start(
      "future \"matches.load\"", kind: "future", parent: other, steps: step(2))
    for name in ["server.week", "server.today"] {
      let part = recording.start(
        "future \"\(name)\"", kind: "future", action: 1, parent: outer, after: logIn,
        steps: step(2))
      recording.end(part)
      recording.action(".loaded", from: outer, animation: ".default")
    }
    for effect in [logIn, only, other, outer] { recording.end(effect) }
    return recording
  }

  // S5
  @Test func theTreeSaysWhatWaitsForWhatAndWhatIsTagged() throws {
    let history = try tree().history
    let tree = EffectTree(history, action: 1, tags: history.tags)
    #expect(
      tree.text == """
        concatenate(files.load ⇒ merge(receive[.default](server.logIn ⇒ merge(server.week, \
        server.today)), matches.load))
        """)
    // One line has no room for it.
    let log = CommitLog(history).text.split(separator: "\n").map {
      String($0.trimmingPrefix("           "))
    }
    let start = try #require(log.firstIndex(of: "starts"))
    #expect(
      log[(start + 1)...].prefix(9) == [
        "  concatenate", "    files.load             0.000 s", "    then merge",
        "      receive              0.000 s", "        → loaded                    [.default]",
        "        server.logIn       0.000 s", "          on answer merge",
        "            server.week    0.000 s", "            server.today   0.000 s",
      ])
  }

  // S5
  @Test func theTreeTellsWorkFromWhatReceivesItsAnswers() throws {
    var recording = RecordingText(state: .structure("Home.State", []))
    recording.action(".onAppear")
    _ = recording.start("run \"other\"")
    let outer = recording.start("receive", kind: "receive", ids: [".listening"])
    let timer = recording.start("timer", kind: "timer", parent: outer)
    func wait(_ effect: Int, _ scheduler: String) -> RecordingLine {
      .effectWaits(.init(at: 0, effect: effect, on: .scheduler, scheduler: scheduler))
    }
    recording.add(wait(timer, "background"))
    func line(_ recording: RecordingText) throws -> EffectTree.Line? {
      let history = try recording.history
      return EffectTree(history, action: 1, tags: history.tags).lines.last
    }
    #expect(try line(recording)?.scheduler == "background")
    #expect(try line(recording)?.answers.isEmpty == true)
    // The scheduler that an effect works on stays the same when answers of another one are received.
    recording.add(wait(outer, "main.animation()"))
    for _ in 0..<2 { recording.action(".turn", from: outer, animation: ".default") }
    #expect(try line(recording)?.scheduler == "background")
    #expect(
      try line(recording)?.answers == [
        .init(
          action: "turn", hasFailed: false, tag: ".default", scheduler: "main.animation()",
          isReceived: true)
      ])
  }

  // S5
  @Test(arguments: ["Result<Int, ApiError>", "TaskResult<Int>"])
  func theTreeSaysWhatHasFailed(type: String) throws {
    var recording = RecordingText(state: .structure("Home.State", []))
    recording.action(".onAppear")
    let names = ["thrown", "answered", "recovered", "dropped", "fine", "unheard"]
    let effects = names.map { recording.start("run \"\($0)\"") }
    func answer(_ name: String) -> RecordedNode {
      .enumCase("loaded", [("0", .enumCase(name, type: type, [("0", "1")]))])
    }
    recording.action(answer("failure"), from: effects[1])
    for name in ["failure", "success"] { recording.action(answer(name), from: effects[2]) }
    recording.add(.emission(.init(at: 0, effect: effects[3], failed: true)))
    recording.add(.emission(.init(at: 0, effect: effects[5])))
    recording.action(answer("success"), from: effects[4])
    for effect in effects { recording.end(effect, effect == effects[0] ? .failed : .finished) }
    let file = try RecordingFile(Data(recording.text.utf8))
    let started = EffectTree(file, action: 1, scope: "")
    #expect(
      started.lines.dropFirst().map(\.how) == [
        "failed", "failed", "finished", "failed", "finished", "finished",
      ])
    #expect(
      started.table.map { $0.start + $0.rest.joined(separator: ", ") } == [
        "merge", "  thrown      0.000 s  failed", "  answered    0.000 s  failed",
        "    ✗ loaded           untagged", "  recovered   0.000 s",
        "    ✗ loaded           untagged", "    → loaded           untagged",
        "  dropped     0.000 s  failed, its answer dropped", "  fine        0.000 s",
        "    → loaded           untagged",
        "  unheard     0.000 s  its answer dropped",
      ])
  }

  // S5
  @Test func effectsThatAreAlikeAreCountedInTheTree() throws {
    var recording = RecordingText(state: .structure("Home.State", []))
    recording.action(".onAppear")
    let timer = recording.start("timer", kind: "timer", ids: [".clock"])
    for _ in 0..<300 { _ = recording.start("run \"tick\"", after: timer) }
    for index in 0..<30 { _ = recording.start("run \"\(index)\"") }
    let history = try recording.history
    let names = (0..<19).map(String.init).joined(separator: ", ")
    #expect(
      EffectTree(history, action: 1, tags: [:]).text
        == "merge(clock ⇒ tick ×300, \(names), … 11 more)")
  }

  // S5
  @Test func aDeepTreeIsCut() throws {
    var recording = RecordingText(state: .structure("Home.State", []))
    recording.action(".onAppear")
    var after: Int?
    let count = Soak.count(10_000, long: 100_000)
    for index in 0..<count { after = recording.start("run \"\(index)\"", after: after) }
    let steps = (1...count / 2).map { RecordingLine.EffectStart.Step(of: $0, step: 1) }
    _ = recording.start("run \"deep\"", steps: steps)
    let text = EffectTree(try recording.history, action: 1, tags: [:]).text
    #expect(text.hasPrefix("merge(0 ⇒ 1 ⇒ 2 ⇒ ") && text.hasSuffix("…)"))
  }

  // S5
  @Test func partsWithNamesAreParticipants() throws {
    let text = try SequenceDiagram(tree().history, action: 1).text(.mermaid)
    for line in [
      "  participant e2 as receive Search.swift#58;40", "  participant e4 as matches.load",
      "  e2->>+e3: starts, behind files.load", "  e2->>+e6: starts, behind server.logIn",
      "  store->>+e4: starts, behind files.load",
    ] { #expect(text.contains("\(line)\n")) }
    #expect(!text.contains("participant e5 "))
  }

  @Test func theCauseOfACancellationIsInTheSequence() throws {
    var recording = RecordingText()
    recording.action(".start")
    let effect = recording.start("timer")
    recording.action(".cleared")
    recording.end(effect, .cancelled, by: .action(2))
    let diagram = try SequenceDiagram(recording.history, action: 1)
    #expect(diagram.text(.mermaid).contains("  note over e1: cancelled by .cleared\n"))
    #expect(diagram.text(.dot).contains("xlabel=\"cancelled by .cleared\""))
  }

  @Test func anActionThatIsNotThereIsRefused() throws {
    let history = try searchRecording().history
    let error = #expect(throws: CommandFailure.self) {
      try SequenceDiagram(history, action: 7)
    }
    #expect(error?.message == "search.jsonl: there is no action 7; the last one is 2")
  }

  @Test func namesAreNoCode() throws {
    var recording = RecordingText(feature: "S\"]; evil", state: .structure("S", [("a\"]", ".x")]))
    recording.action(
      ".go\"];\nclick s1 \"javascript:1\"",
      [RecordedChange(path: ["a\"]"], old: ".x", new: ".y\\")])
    let history = try recording.history
    let dot = try StateDiagram([history], field: nil).text(.dot)
    #expect(dot.contains("[label=\"go\\\"];\\\\u{a}click s1 \\\"javascript:1\\\"\"]"))
    #expect(dot.contains("[label=\".y\\\\\"]"))
    let mermaid = try StateDiagram([history], field: nil).text(.mermaid)
    #expect(mermaid.contains("go#34;#93;#59;#92;u#123;a#125;click s1 #34;javascript#58;1#34;"))
    #expect(!mermaid.contains("\"]"))
  }
}
