// Diagrams of states, and of what an action led to.

import RondoRecording
import Testing

@testable import RondoInspection

// V9
@Suite struct DiagramTests {
  @Test func theFieldWithCasesIsChosenAndTransitionsAreCounted() throws {
    var recording = searchRecording()
    for _ in 1...2 {
      recording.action(
        .enumCase("queryChanged", [("0", .text("b"))]),
        [
          RecordedChange(
            path: ["phase"], old: RecordedNode(".idle"), new: RecordedNode(".searching"))
        ])
      recording.action(
        RecordedNode(".found"),
        [
          RecordedChange(
            path: ["phase"], old: RecordedNode(".searching"), new: RecordedNode(".idle"))
        ])
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
      state: .structure("Search.State", [("phase", RecordedNode(".failed"))]))
    other.action(
      RecordedNode(".cleared"),
      [RecordedChange(path: ["phase"], old: RecordedNode(".failed"), new: RecordedNode(".idle"))])
    let diagram = try StateDiagram([searchRecording().history, other.history], field: "phase")
    let text = diagram.text(.dot)
    #expect(text.contains("label=\"phase in 2 recordings\""))
    #expect(text.contains("start -> s1;"))
    #expect(text.contains("start -> s3;"))
    #expect(text.contains("s3 -> s1 [label=\"cleared\"];"))
    #expect(text.contains("unseen [shape=note, label=\"never sent: refresh\"];"))
  }

  @Test func aFieldThatIsNowhereIsRefusedWithTheOnesThereAre() throws {
    let history = try searchRecording().history
    let error = #expect(throws: CommandFailure.self) {
      try StateDiagram([history], field: "phases")
    }
    #expect(error?.message == "no state has the field 'phases'; there are: query, results, phase")
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
          e1->>store: .found#40;#91;#34;a 1#34;#93;#41; (0.400 s)
          deactivate e1

        """)
  }

  @Test func theCauseOfACancellationIsInTheSequence() throws {
    var recording = RecordingText(state: .structure("Search.State", []))
    recording.action(RecordedNode(".start"))
    let effect = recording.start("timer")
    recording.action(RecordedNode(".cleared"))
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
    var recording = RecordingText(
      feature: "S\"]; evil",
      state: .structure("S", [("a\"]", RecordedNode(".x"))]))
    recording.action(
      RecordedNode(".go\"];\nclick s1 \"javascript:1\""),
      [RecordedChange(path: ["a\"]"], old: RecordedNode(".x"), new: RecordedNode(".y\\"))])
    let history = try recording.history
    let dot = try StateDiagram([history], field: nil).text(.dot)
    #expect(dot.contains("[label=\"go\\\"];\\\\u{a}click s1 \\\"javascript:1\\\"\"]"))
    #expect(dot.contains("[label=\".y\\\\\"]"))
    let mermaid = try StateDiagram([history], field: nil).text(.mermaid)
    #expect(mermaid.contains("go#34;#93;#59;#92;u#123;a#125;click s1 #34;javascript#58;1#34;"))
    #expect(!mermaid.contains("\"]"))
  }
}
