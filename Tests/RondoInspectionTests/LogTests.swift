// The log of a recording, and the comparison of two.

import RondoHistory
import RondoRecording
import RondoSeededRandomness
import Testing

@testable import RondoInspection

@Suite struct LogTests {
  @Test func everyCommitIsALine() throws {
    #expect(
      CommitLog(try searchRecording().history).text == """
        Search, Store
          0.000 s  .queryChanged("a")  untagged               query: "" → "a"; phase: .idle → .searching
          0.400 s  .found(["a 1"])     .default  from search  results: [] → ["a 1"]; phase: .searching → .idle

        """)
  }

  @Test func issuesAndEffectsThatDidNotFinishAreLines() throws {
    var recording = searchRecording()
    let effect = recording.start("search")
    recording.issue("Something is wrong.\nVery.")
    recording.end(effect, .cancelled, by: .action(2))
    let text = CommitLog(try recording.history).text
    #expect(text.contains("  0.400 s  ISSUE: Something is wrong.\\u{a}Very.\n"))
    #expect(text.contains("  0.400 s  cancelled: search\n"))
  }

  @Test func theCauseOfAnEndIsToldWhereNoActionIs() throws {
    var recording = searchRecording()
    for cause in [RecordedCause.task, .host, .scope(action: 2), .effect(1)] {
      recording.end(recording.start("timer"), .cancelled, by: cause)
    }
    let lines = CommitLog(try recording.history).text.split(separator: "\n").suffix(4)
    #expect(
      lines.map { $0.dropFirst(11) } == [
        "cancelled by its task: timer", "cancelled with the store: timer",
        "cancelled with its state: timer", "cancelled by search: timer",
      ])
  }

  /// A label is a text of the recorded program, which may be anything.
  @Test func aCauseCannotSteerATerminalNorMakeALine() throws {
    var recording = searchRecording()
    let cause = recording.start("\u{1b}]0;owned\u{7}\n  0.000 s  .neverSent")
    recording.end(recording.start("timer"), .cancelled, by: .effect(cause))
    let text = CommitLog(try recording.history).text
    #expect(
      text.hasSuffix(
        "  cancelled by \\u{1b}]0;owned\\u{7}\\u{a}  0.000 s  .neverSent: timer\n"), "\(text)")
    #expect(text.contains("\n           starts merge("))
    #expect(text.split(separator: "\n").count == 5)
  }

  @Test func aCommitStandsBeforeWhatItsActionHasCancelled() throws {
    var recording = searchRecording()
    let effect = recording.start("timer")
    recording.reduce(".cleared")
    recording.wait(0.002)
    recording.end(effect, .cancelled, by: .action(3))
    recording.commit([3])
    let text = CommitLog(try recording.history).text
    #expect(
      text.hasSuffix(
        """
          0.400 s  .cleared            untagged               nothing changed
          0.402 s  cancelled: timer

        """), "\(text)")
  }

  @Test func elementsAreComparedByTheirIDs() throws {
    func row(_ id: Int, _ title: String) -> RecordedNode {
      .structure("Row", [("id", "\(id)"), ("title", .text(title))])
    }
    let old = RecordedNode.structure("State", [("rows", .list([row(1, "a"), row(2, "b")]))])
    let new = RecordedNode.structure(
      "State", [("rows", .list([row(3, "c"), row(1, "a"), row(2, "B")]))])
    var recording = RecordingText(state: old)
    recording.action(".inserted", old.changes(to: new))
    recording.action(
      ".removed",
      new.changes(to: .structure("State", [("rows", .list([row(2, "B"), row(1, "a")]))])))
    let lines = CommitLog(try recording.history).lines.map(\.changes)
    #expect(
      lines == [
        #"rows[id: 3]: + Row(id: 3, title: "c"); rows[id: 2].title: "b" → "B""#,
        #"rows[id: 3]: − Row(id: 3, title: "c"); rows order: 1, 2 → 2, 1"#,
      ])
  }

  @Test func anElementInFrontLeavesTheOthersAsTheyAre() throws {
    func state(_ words: String...) -> RecordedNode {
      .structure("State", [("words", .list(words.map { .text($0) }))])
    }
    let states = [
      state("a", "b", "c"), state("z", "a", "b", "c"), state("z", "b", "c"),
      state("z", "x", "y", "c"), state("z", "x", "q", "c"), state("c"),
    ]
    var recording = RecordingText(state: states[0])
    for (old, new) in zip(states, states.dropFirst()) {
      recording.action(".next", old.changes(to: new))
    }
    #expect(
      CommitLog(try recording.history).lines.map(\.changes) == [
        #"words.0: + "z""#, #"words.1: − "a""#, #"words.1: "b" → "x"; words.2: + "y""#,
        #"words.2: "y" → "q""#, #"words.0: − "z"; words.1: − "x"; words.2: − "q""#,
      ])
  }

  @Test func anActionWithoutACommitIsTold() throws {
    var recording = searchRecording()
    recording.reduce(".cleared")
    let text = CommitLog(try recording.history).text
    #expect(text.contains(".cleared"))
    #expect(text.contains("(the commit is missing)"))
  }

  @Test func whatWasKeptOutMayHaveChanged() throws {
    var recording = RecordingText(
      state: .structure("Search.State", [("password", .redacted), ("count", "0")]))
    recording.action(.enumCase("passwordChanged", [("0", .redacted)]))
    #expect(CommitLog(try recording.history).lines.map(\.changes) == ["nothing that is shown"])
  }

  @Test func idsOfElementsInActionsAreWrittenAsInChanges() throws {
    let element = RecordedNode.enumCase(
      "element", type: "IdentifiedAction<UUID, Action>",
      [("id", RecordedNode(id(1))), ("action", ".toggled")])
    var recording = RecordingText()
    recording.reduce(.enumCase("rows", [("0", element)]))
    let history = try recording.history.shortened(".rows(…)")
    #expect(CommitLog(history).lines.map(\.actions) == [".rows[id: \(id(1))].toggled"])
  }

  @Test func aDeepActionIsNamedToItsEnd() throws {
    func inCases(_ names: [String], _ last: RecordedNode) -> RecordedNode {
      names.reversed().reduce(last) { .enumCase($1, type: "Some.\($1)", [("0", $0)]) }
    }
    for last in [".retry", inCases(["retry"], "3")] {
      var recording = RecordingText()
      recording.reduce(inCases(["path", "detail", "alert"], last))
      let history = try recording.history.shortened(".path(…)")
      #expect(CommitLog(history).lines.map(\.actions) == [".path.detail.alert.retry"])
      #expect(history.moments[0].actions[0].casePath == "path.detail.alert.retry")
    }
  }

  @Test func aLongElementIsShownByItsFirstFields() throws {
    func row(_ number: Int) -> RecordedNode {
      .structure(
        "Row.State",
        [("id", "\(number)"), ("title", .text("row \(number)"))]
          + (0..<20).map { ("member\($0)", "0") })
    }
    let states = [[], [row(0)], [row(0), row(1)]].map { rows in
      RecordedNode.structure("Search.State", [("rows", .list(rows))])
    }
    var recording = RecordingText(state: states[0])
    for (old, new) in zip(states, states.dropFirst()) {
      recording.action(".added", old.changes(to: new))
    }
    #expect(
      CommitLog(try recording.history).lines.map(\.changes) == [
        #"rows: [] → [Row.State(id: 0, title: "row 0", member0: 0, …), … 1 in all]"#,
        #"rows[id: 1]: + Row.State(id: 1, title: "row 1", member0: 0, member1: 0, …)"#,
      ])
  }

  // MARK: Comparison

  @Test func commitsAreCountedInSentences() throws {
    func recording(_ actions: Int, _ last: String) -> RecordingText {
      var recording = RecordingText(state: "0")
      for _ in 0..<actions { recording.action(".same") }
      if !last.isEmpty { recording.action(RecordedNode(last)) }
      return recording
    }
    func text(_ actions: Int, _ last: String = "", _ other: String = "") throws -> [Substring] {
      try HistoryDifference(recording(actions, last).history, recording(actions, other).history)
        .text.split(separator: "\n").prefix(3).map { $0 }
    }
    let names = "search.jsonl and search.jsonl"
    #expect(try text(0) == ["\(names) agree, and have no commits."])
    #expect(try text(1) == ["\(names) agree in 1 commit."])
    #expect(try text(2) == ["\(names) agree in 2 commits."])
    #expect(
      try text(0, ".a", ".b")
        == [
          "--- search.jsonl: 1 commit", "+++ search.jsonl: 1 commit",
          "They differ from the beginning.",
        ])
    #expect(try text(1, ".a", ".b").last == "They agree in the first commit.")
    #expect(try text(2, ".a", ".b").last == "They agree in the first 2 commits.")
  }

  @Test func aRecordingAgreesWithItself() throws {
    let difference = HistoryDifference(try searchRecording().history, try searchRecording().history)
    #expect(difference.isEmpty)
    #expect(difference.text == "search.jsonl and search.jsonl agree in 2 commits.\n")
  }

  @Test func timesDoNotCount() throws {
    var slow = RecordingText(state: try searchRecording().history.begin.state)
    var fast = slow
    slow.wait(2)
    slow.action(".cleared")
    fast.action(".cleared")
    #expect(HistoryDifference(try slow.history, try fast.history).isEmpty)
  }

  /// Two runs of one program have identifiers and dates of their own.
  @Test func whatEveryRunMakesAnewDoesNotCount() throws {
    func recording(_ ids: [String], _ dates: [String]) -> RecordingText {
      let state = RecordedNode.structure("Search.State", [("rows", .list([]))])
      var recording = RecordingText(state: state)
      var rows: [RecordedNode] = []
      for (id, date) in zip(ids, dates) {
        let row = RecordedNode.structure(
          "Row", [("id", RecordedNode(id)), ("at", "Date(2026-09-\(date)Z)")])
        let old = RecordedNode.structure("Search.State", [("rows", .list(rows))])
        rows.append(row)
        recording.action(
          ".added", old.changes(to: .structure("Search.State", [("rows", .list(rows))])))
      }
      return recording
    }
    func id(_ number: Int) -> String { "9BC7F2B0-0000-4000-8000-00000000000\(number)" }
    func differs(_ one: RecordingText, _ other: RecordingText) throws -> Bool {
      try !HistoryDifference(one.history, other.history).isEmpty
    }
    let present = ["21T14:13:20.001", "21T14:13:20.002"]
    let one = recording([id(0), id(1)], present)
    #expect(
      try !differs(one, recording([id(2), id(3)], ["21T14:13:20.004", "21T14:13:20.005"])))
    // A row twice is another program than two rows.
    #expect(try differs(one, recording([id(2), id(2)], present)))
    // A date that is not the present has its meaning.
    #expect(try differs(one, recording([id(0), id(1)], ["21T14:13:20.001", "22T14:13:20.002"])))
  }

  private func id(_ number: Int) -> String { "9BC7F2B0-0000-4000-8000-00000000000\(number)" }

  private func differs(_ one: RecordingText, _ other: RecordingText) throws -> Bool {
    try !HistoryDifference(one.history, other.history).isEmpty
  }

  /// Sets and dictionaries are in the order of their texts, which differs from run to run.
  @Test func newIdentifiersInSetsAndDictionariesDoNotCount() throws {
    func recording(_ kind: RecordedNode.Kind, _ ids: [String], chosen: Int) -> RecordingText {
      let titles = [ids[0]: "a", ids[1]: "b"]
      let children = ids.sorted().map { id in
        RecordedNode.Child(id, kind == .set ? RecordedNode(id) : .text(titles[id] ?? ""))
      }
      let old = RecordedNode.structure(
        "Search.State", [("ids", RecordedNode(kind: kind, children: []))])
      let new = RecordedNode.structure(
        "Search.State", [("ids", RecordedNode(kind: kind, children: children))])
      var recording = RecordingText(state: old)
      recording.action(".added", old.changes(to: new))
      recording.action(
        ".chosen",
        new.changes(
          to: .structure(
            "Search.State",
            [
              (
                "ids",
                RecordedNode(kind: kind, children: children.filter { $0.name != ids[chosen] })
              )
            ])))
      return recording
    }
    for kind in [RecordedNode.Kind.set, .dictionary] {
      let one = recording(kind, [id(0), id(1)], chosen: 0)
      #expect(try !differs(one, recording(kind, [id(2), id(3)], chosen: 0)))
      if kind == .dictionary {
        #expect(try !differs(one, recording(kind, [id(5), id(4)], chosen: 0)))
        #expect(try differs(one, recording(kind, [id(2), id(3)], chosen: 1)))
      }
    }
  }

  @Test func newIdentifiersInTextsDoNotCount() throws {
    func recording(_ id: String, _ other: String) -> RecordingText {
      let old = RecordedNode.structure("Search.State", [("key", .text("")), ("same", .text(""))])
      let new = RecordedNode.structure(
        "Search.State", [("key", .text(id)), ("same", .text("row \(other.lowercased())"))])
      var recording = RecordingText(state: old)
      recording.action(".added", old.changes(to: new))
      return recording
    }
    #expect(try !differs(recording(id(0), id(0)), recording(id(1), id(1))))
    #expect(try differs(recording(id(0), id(0)), recording(id(1), id(2))))
  }

  @Test func newIdentifiersInTheInitialStateDoNotCount() throws {
    func recording(_ first: String, _ second: String, _ chosen: String) -> RecordingText {
      var recording = RecordingText(
        state: .structure(
          "Search.State", [("id", RecordedNode(first)), ("other", RecordedNode(second))]))
      recording.action(
        ".chosen",
        [
          RecordedChange(
            path: ["other"], old: RecordedNode(second), new: RecordedNode(chosen))
        ])
      return recording
    }
    let one = recording(id(0), id(1), id(0))
    #expect(try !differs(one, recording(id(2), id(3), id(2))))
    #expect(try differs(one, recording(id(2), id(2), id(2))))
    #expect(try differs(one, recording(id(2), id(3), id(3))))
    // An identifier that both have is the same one.
    #expect(try differs(one, recording(id(1), id(0), id(1))))
  }

  @Test func issuesCount() throws {
    func recording(_ messages: [String]) -> RecordingText {
      var recording = searchRecording()
      for message in messages { recording.issue(message) }
      return recording
    }
    let one = recording(["Row \(id(0)) is gone.", "Slow."])
    #expect(try !differs(one, recording(["Slow.", "Row \(id(1)) is gone."])))
    let difference = HistoryDifference(
      try one.history, try recording(["Slow.", "Slow."]).history)
    #expect(
      difference.text.hasSuffix(
        """
        -   0.400 s  ISSUE: Row \(id(0)) is gone.
        +   0.400 s  ISSUE: Slow.

        """), "\(difference.text)")
  }

  @Test func effectsCount() throws {
    func recording(_ labels: [String], end: RecordingLine.EffectEnd.How? = nil) -> RecordingText {
      var recording = searchRecording()
      recording.action(".cleared")
      for label in labels {
        let effect = recording.start(label, ids: [id(labels.count)])
        if let end { recording.end(effect, end, by: end == .cancelled ? .task : nil) }
      }
      return recording
    }
    #expect(try !differs(recording(["a", "b"]), recording(["b", "a"], end: .finished)))
    #expect(try differs(recording(["a"]), recording([])))
    let difference = HistoryDifference(
      try recording(["a"]).history, try recording(["a"], end: .cancelled).history)
    #expect(
      difference.text.contains(
        """
        !              what is left out above    effects.0: "a <1>" → "a <1>, cancelled by its task"

        """), "\(difference.text)")
  }

  @Test func effectsInsideOfAnOperatorCount() throws {
    func recording(_ labels: [String]) -> RecordingText {
      var recording = searchRecording()
      let outer = recording.start("receive", kind: "receive")
      for label in labels { recording.end(recording.start(label, parent: outer)) }
      return recording
    }
    #expect(try !differs(recording(["a", "b"]), recording(["b", "a"])))
    #expect(try differs(recording(["load"]), recording(["save"])))
    #expect(try differs(recording(["a", "b"]), recording(["a"])))
  }

  @Test func whatIsLeftOutOfALineCounts() throws {
    func recording(_ end: String) -> RecordingText {
      var recording = searchRecording()
      let text = String(repeating: "a", count: 200) + end
      recording.action(
        .enumCase("queryChanged", [("0", .text(text))]),
        [RecordedChange(path: ["query"], old: .text("a"), new: .text(text))])
      return recording
    }
    let difference = HistoryDifference(try recording("b").history, try recording("c").history)
    #expect(
      difference.text.contains(
        """
        !              what is left out above    queryChanged.0: …aaaaaaaaaab" → …aaaaaaaaaac"
        !              what is left out above    query after: …aaaaaaaaaab" → …aaaaaaaaaac"
        """), "\(difference.text)")
  }

  @Test func whatTheUserHasSentCounts() throws {
    var (one, other) = (searchRecording(), searchRecording())
    one.action(
      .enumCase("chosen", [("0", "9BC7F2B0-0000-4000-8000-000000000001")]))
    other.action(
      .enumCase("chosen", [("0", "9BC7F2B0-0000-4000-8000-000000000002")]))
    #expect(try !HistoryDifference(one.history, other.history).isEmpty)
  }

  @Test func theFirstDifferenceIsShownWithWhatIsAroundIt() throws {
    let same = searchRecording()
    var other = searchRecording()
    var more = same
    more.action(".cleared")
    other.action(
      ".cleared",
      [RecordedChange(path: ["query"], old: .text("a"), new: .text(""))])
    let difference = HistoryDifference(try more.history, try other.history)
    #expect(!difference.isEmpty)
    #expect(difference.text.contains("They agree in the first 2 commits.\n"))
    #expect(difference.text.contains("-   0.400 s  .cleared  untagged  nothing changed\n"))
    #expect(difference.text.contains("+   0.400 s  .cleared  untagged  query: \"a\" → \"\"\n"))
  }

  @Test func recordingsOfOtherFeaturesAreNotCompared() throws {
    let one = RecordingText(state: "0")
    let other = RecordingText(feature: "Home", state: "0")
    let difference = HistoryDifference(try one.history, try other.history)
    #expect(!difference.isEmpty)
    #expect(
      difference.text == """
        search.jsonl is a recording of Search, with Search.State and Search.Action
        search.jsonl is a recording of Home, with Home.State and Home.Action
        They are of different features, so their commits were not compared.

        """)
  }

  @Test func anotherInitialStateIsADifference() throws {
    let other = RecordingText(state: .structure("Search.State", [("query", .text("b"))]))
    let one = RecordingText(state: .structure("Search.State", [("query", .text(""))]))
    #expect(
      HistoryDifference(try one.history, try other.history).text.contains("query: \"\" → \"b\""))
  }

  /// Older recordings do not tell the types of leaves.
  @Test func theTypeOfALeafIsNoDifference() throws {
    func recording(_ query: String, type: String?) -> RecordingText {
      var price = RecordedNode("3.5")
      price.type = type
      return RecordingText(
        state: .structure("Search.State", [("price", price), ("query", .text(query))]))
    }
    let (old, new) = (recording("a", type: nil), recording("b", type: "Decimal"))
    let text = HistoryDifference(try old.history, try new.history).text
    #expect(text.contains("query: \"a\" → \"b\""))
    #expect(!text.contains("price"), "\(text)")
  }

  @Test func longRecordingsThatHaveNothingInCommonAreCompared() throws {
    var one = RecordingText(state: "0")
    var other = one
    let count = Soak.count(1_000, long: 3_000)
    for number in 0..<count {
      one.action(".a\(number)")
      other.action(".b\(number)")
    }
    let text = HistoryDifference(try one.history, try other.history).text
    #expect(text.split(separator: "\n").count == 2 * count + 3)
  }
}

extension History {
  /// The same history, with actions that have a short name because their own is too long.
  fileprivate func shortened(_ name: String) -> Self {
    var history = self
    for index in history.events.indices {
      guard case .moment(var moment) = history.events[index] else { continue }
      moment.actions[0].name = name
      history.events[index] = .moment(moment)
    }
    return history
  }
}
