// The time of tests that are written from recordings of machines under load.

import Foundation
import RondoRecording
import Testing

@testable import RondoInspection

// V18
@Suite struct WrittenTimeTests {
  private func recording(_ fields: [String] = []) -> RecordingText {
    RecordingText(state: .structure("Search.State", fields.map { ($0, "0") }))
  }

  private func change(_ field: String, _ old: Int, _ new: Int) -> [RecordedChange] {
    [RecordedChange(path: [field], old: "\(old)", new: "\(new)")]
  }

  /// A timer's next wait is recorded from its late tick on, and ends earlier than that says.
  @Test func aTimerKeepsItsPaceHoweverLateItsTicksAre() throws {
    var recording = recording()
    recording.action(".start")
    let timer = recording.start("timer", kind: "timer")
    recording.waits(timer, 0.1, on: .scheduler)
    for pause in [0.14, 0.065, 0.095] {
      recording.wait(pause)
      recording.resumes(timer)
      recording.action(".ticked", from: timer)
      recording.waits(timer, 0.1, on: .scheduler)
    }
    try recording.expectTest(
      has: """
          await store.send(.start)
          await store.advance(by: .milliseconds(100))
          await store.receive(.ticked)
          await store.advance(by: .milliseconds(100))
          await store.receive(.ticked)
          await store.advance(by: .milliseconds(100))
          await store.receive(.ticked)
        """)
  }

  /// A tap that a reducer ignores, since an answer is awaited: the answer has to come behind it.
  @Test func anAnswerTakesAsLongAsWhatCameBeforeIt() throws {
    var recording = recording()
    recording.action(".tapped")
    let call = recording.start("call")
    recording.wait(0.02)
    recording.action(".tapped")
    recording.wait(0.02)
    recording.action(.enumCase("loaded", [("0", "7")]), from: call)
    recording.end(call)
    let text = try test(recording, outcomes: ["api.load()=loaded"])
    #expect(
      text.contains(
        """
            $0.api.load = { [clock = $0.continuousClock] in
              try? await clock.sleep(for: .milliseconds(1))
              return 7
            }
        """), "\(text)")
    #expect(
      text.contains(
        """
          await store.send(.tapped)
          await store.send(.tapped)
          await store.advance(by: .milliseconds(1))
          await store.receive(.loaded(7))
        """), "\(text)")
  }

  /// One answer comes at once, the other takes its time: both are returned.
  @Test func effectsOfAnEndpointAreReturnedWhereOneOfThemIsLate() throws {
    var recording = recording()
    recording.action(".tapped")
    let first = recording.start("call")
    recording.action(.enumCase("loaded", [("0", "1")]), from: first)
    recording.end(first)
    recording.action(".tapped")
    let second = recording.start("call")
    recording.wait(0.02)
    recording.action(".tapped")
    recording.wait(0.02)
    recording.action(.enumCase("loaded", [("0", "2")]), from: second)
    recording.end(second)
    let text = try test(recording, outcomes: ["api.load()->Effect=loaded"])
    #expect(text.contains("case 0: return .send(1)\n"), "\(text)")
    #expect(text.contains("default: return .send(2).delay(for: "), "\(text)")
  }

  /// The second call is answered first.
  @Test func answersThatTakeTheirTimeAreGivenInTheOrderOfTheCalls() throws {
    var recording = recording()
    recording.action(".tapped")
    let first = recording.start("call")
    recording.wait(0.02)
    recording.action(".tapped")
    let second = recording.start("call")
    recording.wait(0.02)
    recording.action(.enumCase("loaded", [("0", "2")]), from: second)
    recording.action(.enumCase("loaded", [("0", "1")]), from: first)
    let text = try test(recording, outcomes: ["api.load()=loaded"])
    let answers = text.split(separator: "\n").filter {
      $0.contains("return ") && !$0.contains("+=")
    }
    #expect(answers.map { $0.suffix(1) } == ["1", "2"], "\(text)")
  }

  /// A wait of the user's action ends before a tick, and the tick was late.
  @Test func theUsersPauseIsShorterWhereOnlyThatKeepsTheOrder() throws {
    var recording = recording(["value"])
    recording.action(".start")
    let timer = recording.start("timer", kind: "timer")
    recording.waits(timer, 0.1, on: .scheduler)
    recording.wait(0.09)
    recording.action(".tapped")
    let effect = recording.start("effect", place: "Search.swift:50")
    recording.waits(effect, 0.03)
    recording.wait(0.031)
    recording.resumes(effect)
    recording.action(".woken", from: effect, change("value", 0, 5))
    recording.end(effect)
    recording.wait(0.02)
    recording.resumes(timer)
    recording.action(".ticked", from: timer, change("value", 5, 9))
    recording.end(timer)
    try recording.expectTest(
      has: """
          await store.send(.start)
          await store.advance(by: .milliseconds(69))
          await store.send(.tapped)
          await store.advance(by: .milliseconds(30))
          await store.receive(.woken) { $0.value = 5 }
          await store.advance(by: .milliseconds(1))
          await store.receive(.ticked) { $0.value = 9 }
        """)
  }

  /// Two counts of one number, which virtual time brings the other way round, on one timer's line.
  @Test func countsOfOneNumberAreMovedOverEachOther() throws {
    var recording = recording(["count"])
    recording.action(".start")
    let slow = recording.start("slow")
    let quick = recording.start("quick", place: "Search.swift:50")
    recording.waits(slow, 0.2)
    recording.waits(quick, 0.1)
    recording.wait(0.25)
    recording.resumes(slow)
    recording.action(".slow", from: slow, change("count", 0, 1))
    recording.resumes(quick)
    recording.action(".quick", from: quick, change("count", 1, 3))
    recording.end(slow)
    recording.end(quick)
    try recording.expectTest(
      has: """
          await store.advance(by: .milliseconds(100))
          await store.receive(.quick) { $0.count = 2 }
          await store.advance(by: .milliseconds(100))
          await store.receive(.slow) { $0.count = 3 }
        """)
  }

  /// The interval of a throttle began with the value that passed.
  @Test func whatAThrottleHasHeldBackComesAtTheEndOfItsInterval() throws {
    var recording = recording()
    recording.action(".changed")
    let first = recording.start("throttle", kind: "throttle", place: "Search.swift:60")
    let inner = recording.start("send", kind: "send", parent: first)
    recording.action(".shown", from: inner)
    recording.end(inner)
    recording.end(first)
    recording.wait(0.02)
    recording.action(".changed")
    let second = recording.start("throttle", kind: "throttle", place: "Search.swift:60")
    recording.waits(second, 0.05, on: .scheduler, since: 0)
    recording.wait(0.031)
    recording.resumes(second)
    recording.action(".shown", from: second)
    recording.end(second)
    try recording.expectTest(
      has: """
          await store.send(.changed)
          await store.advance(by: .milliseconds(50))
          await store.receive(.shown)
        """)
  }
}
