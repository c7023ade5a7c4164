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
