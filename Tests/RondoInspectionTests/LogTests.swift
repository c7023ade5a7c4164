// The log of a recording, and the comparison of two.

import RondoRecording
import Testing

@testable import RondoInspection

@Suite struct LogTests {
  @Test func everyCommitIsALine() throws {
    #expect(
      CommitLog(try searchRecording().history).text == """
        Search, Store
          0.000 s  .queryChanged("a")  untagged  query: "" → "a"; phase: .idle → .searching
          0.400 s  .found(["a 1"])     .default  results: [] → ["a 1"]; phase: .searching → .idle

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

  @Test func aCommitStandsBeforeWhatItsActionHasCancelled() throws {
    var recording = searchRecording()
    let effect = recording.start("timer")
    recording.reduce(RecordedNode(".cleared"))
    recording.wait(0.002)
    recording.end(effect, .cancelled, by: .action(3))
    recording.commit([3])
    let text = CommitLog(try recording.history).text
    #expect(
      text.hasSuffix(
        """
          0.400 s  .cleared            untagged  nothing changed
          0.402 s  cancelled: timer

        """), "\(text)")
  }

  @Test func elementsAreComparedByTheirIDs() throws {
    func row(_ id: Int, _ title: String) -> RecordedNode {
      .structure("Row", [("id", RecordedNode("\(id)")), ("title", .text(title))])
    }
    let old = RecordedNode.structure("State", [("rows", .list([row(1, "a"), row(2, "b")]))])
    let new = RecordedNode.structure(
      "State", [("rows", .list([row(3, "c"), row(1, "a"), row(2, "B")]))])
    var recording = RecordingText(state: old)
    recording.action(RecordedNode(".inserted"), old.changes(to: new))
    recording.action(
      RecordedNode(".removed"),
      new.changes(to: .structure("State", [("rows", .list([row(2, "B"), row(1, "a")]))])))
    let lines = CommitLog(try recording.history).lines.map(\.changes)
    #expect(
      lines == [
        #"rows[id: 3]: + Row(id: 3, title: "c"); rows[id: 2].title: "b" → "B""#,
        #"rows[id: 3]: − Row(id: 3, title: "c"); rows order: 1, 2 → 2, 1"#,
      ])
  }

  @Test func anActionWithoutACommitIsTold() throws {
    var recording = searchRecording()
    recording.reduce(RecordedNode(".cleared"))
    let text = CommitLog(try recording.history).text
    #expect(text.contains(".cleared"))
    #expect(text.contains("(the commit is missing)"))
  }

  // MARK: Comparison

  @Test func aRecordingAgreesWithItself() throws {
    let difference = HistoryDifference(try searchRecording().history, try searchRecording().history)
    #expect(difference.isEmpty)
    #expect(difference.text == "search.jsonl and search.jsonl agree in 2 commits.\n")
  }

  @Test func timesDoNotCount() throws {
    var slow = RecordingText(state: try searchRecording().history.begin.state)
    var fast = slow
    slow.wait(2)
    slow.action(RecordedNode(".cleared"))
    fast.action(RecordedNode(".cleared"))
    #expect(HistoryDifference(try slow.history, try fast.history).isEmpty)
  }

  @Test func theFirstDifferenceIsShownWithWhatIsAroundIt() throws {
    let same = searchRecording()
    var other = searchRecording()
    var more = same
    more.action(RecordedNode(".cleared"))
    other.action(
      RecordedNode(".cleared"),
      [RecordedChange(path: ["query"], old: .text("a"), new: .text(""))])
    let difference = HistoryDifference(try more.history, try other.history)
    #expect(!difference.isEmpty)
    #expect(difference.text.contains("They agree in the first 2.\n"))
    #expect(difference.text.contains("-   0.400 s  .cleared  untagged  nothing changed\n"))
    #expect(difference.text.contains("+   0.400 s  .cleared  untagged  query: \"a\" → \"\"\n"))
  }

  @Test func recordingsOfOtherFeaturesAreNotCompared() throws {
    let one = RecordingText(state: RecordedNode("0"))
    let other = RecordingText(feature: "Home", state: RecordedNode("0"))
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

  @Test func longRecordingsThatHaveNothingInCommonAreCompared() throws {
    var one = RecordingText(state: RecordedNode("0"))
    var other = one
    for number in 0..<3_000 {
      one.action(RecordedNode(".a\(number)"))
      other.action(RecordedNode(".b\(number)"))
    }
    let text = HistoryDifference(try one.history, try other.history).text
    #expect(text.split(separator: "\n").count == 6_003)
  }
}
