// Endpoints that return streams, states that are enums, and errors of any type, in written tests.

import Foundation
import RondoRecording
import Testing

@testable import RondoInspection

// V18
@Suite struct WrittenStreamTests {
  private func recording(isEquatable: Bool = true) -> RecordingText {
    RecordingText(isEquatable: isEquatable, state: .structure("Search.State", []))
  }

  private func line(_ number: Int) -> RecordedNode {
    .enumCase("line", [("0", "\(number)")])
  }

  /// A stream makes the elements of its call; behind the last one it ends where the effect has told so.
  @Test func aStreamHasTheElementsOfItsCall() throws {
    var recording = recording()
    recording.action(".connectTapped")
    let first = recording.start("connect")
    recording.action(line(1), from: first)
    recording.wait(0.02)
    recording.action(".tapped")
    recording.wait(0.02)
    recording.action(line(2), from: first)
    recording.action(".ended", from: first)
    recording.end(first)
    try recording.expectTest(
      outcomes: ["api.lines()->AsyncStream=line"],
      has: """
            $0.api.lines = { [clock = $0.continuousClock] in
              let elements = LockIsolated(-1)
              return AsyncStream(unfolding: {
                switch elements.withValue({ $0 += 1; return $0 }) {
                case 0:
                  return 1
                case 1:
                  try? await clock.sleep(for: .milliseconds(1))
                  return 2
                case 2:
                  return nil
                default:
                  try? await Task.never()
                  return nil
                }
              })
            }
        """)
  }

  /// An effect that tries again calls the endpoint once more. An action that carries no error is thrown by no test.
  @Test func aStreamThatHasFailedIsFollowedByThatOfTheNextCall() throws {
    var recording = recording()
    recording.action(".connectTapped")
    let effect = recording.start("connect")
    for number in 1...2 {
      recording.action(line(number), from: effect)
      let values: [(String, RecordedNode)] = [("0", "3"), ("attempt", "\(number)")]
      recording.action(.enumCase("dropped", type: "Search.Action", values), from: effect)
    }
    recording.end(effect)
    let text = try test(
      recording, outcomes: ["api.lines()->AsyncThrowingStream=line"],
      failures: ["api.lines()=dropped"])
    for code in ["(0, 0):\n          return 1", "(1, 0):\n          return 2"] {
      #expect(text.contains("case \(code)"), "\(text)")
    }
    for code in ["(0, 1)", "(1, 1)"] {
      #expect(text.contains("case \(code):\n          throw RecordedError()"), "\(text)")
    }
  }

  /// Each call returns a stream of its own; one that was cancelled goes on without elements.
  @Test func everyCallHasAStreamOfItsOwn() throws {
    var recording = recording()
    for number in 1...2 {
      recording.action(".connectTapped")
      let effect = recording.start("connect")
      recording.action(line(number), from: effect)
      recording.wait(0.02)
      if number == 1 {
        recording.end(effect, .cancelled, by: .task)
      } else {
        recording.action(
          .enumCase(
            "dropped", [("0", RecordedNode(type: "Dropped", kind: .struct, children: []))]),
          from: effect)
        recording.end(effect)
      }
    }
    let text = try test(
      recording, outcomes: ["api.lines(_:)->AsyncThrowingStream=line"],
      failures: ["api.lines(_:)=dropped"])
    #expect(text.contains("let callsApiLines = LockIsolated(-1)"), "\(text)")
    #expect(text.contains("case (0, 0):\n          return 1"), "\(text)")
    #expect(text.contains("case (1, 0):\n          return 2"), "\(text)")
    #expect(text.contains("case (1, 1):\n          throw Dropped()"), "\(text)")
    #expect(!text.contains("case (0, _)"), "\(text)")
  }

  /// A value of the type `any Error` cannot be compared, so its case alone is.
  @Test func anErrorOfAnyTypeIsNotCompared() throws {
    var recording = recording(isEquatable: false)
    recording.action(".connectTapped")
    let effect = recording.start("connect")
    let error = RecordedNode(type: "Dropped", kind: .struct, children: [])
    recording.action(.enumCase("dropped", [("0", error)]), from: effect)
    recording.end(effect)
    let text = try test(
      recording, outcomes: ["api.lines()->AsyncThrowingStream=line"],
      failures: ["api.lines()=dropped"])
    #expect(text.contains("await store.receive(\\.dropped)\n"), "\(text)")
  }

  private func screen(_ name: String, _ count: Int) -> RecordedNode {
    .enumCase(
      name, type: "Search.State",
      [("0", .structure("Round.State", [("count", "\(count)")]))])
  }

  /// A change inside of a case is written in place; another case is written as a new value.
  @Test func aStateThatIsAnEnumIsWrittenByItsCase() throws {
    var recording = RecordingText(state: screen("round", 1))
    recording.action(".tapped", [RecordedChange(path: ["0", "count"], old: "1", new: "2")])
    recording.action(
      ".ended", [RecordedChange(path: [], old: screen("round", 2), new: screen("results", 3))])
    let text = try test(recording)
    #expect(
      text.contains(
        """
          await store.send(.tapped) {
            $0.modify(\\.round) {
              $0.count = 2
            }
          }
        """), "\(text)")
    #expect(text.contains("{ $0 = .results(Round.State(count: 3)) }"), "\(text)")
  }

  /// A long list is not written anew for what is put behind it.
  @Test func elementsBehindTheLastOneAreAppended() throws {
    var recording = RecordingText(
      state: .structure("Search.State", [("lines", .list([.text("a")]))]))
    func added(_ index: Int, _ line: String) -> RecordedChange {
      RecordedChange(path: ["lines", "\(index)"], old: nil, new: .text(line))
    }
    recording.action(".came", [added(1, "b"), added(2, "c")])
    recording.action(
      ".came",
      [
        added(3, "d"),
        RecordedChange(path: ["lines", "0"], old: .text("a"), new: .text("z")),
      ])
    try recording.expectTest(
      has: """
          await store.send(.came) {
            $0.lines.append("b")
            $0.lines.append("c")
          }
          await store.send(.came) { $0.lines = ["z", "b", "c", "d"] }
        """)
  }

  /// A case that carries no state of a child has no closure of its own.
  @Test func aCaseOfValuesIsMadeAnewOnce() throws {
    func results(_ score: Int, _ count: Int) -> RecordedNode {
      .enumCase(
        "results", type: "Search.State",
        [("score", "\(score)"), ("of", "\(count)")])
    }
    var recording = RecordingText(state: results(1, 4))
    recording.action(
      ".tapped", [.member("score", from: "1", to: "2"), .member("of", from: "4", to: "5")])
    try recording.expectTest(has: "await store.send(.tapped) { $0 = .results(score: 2, of: 5) }")
  }
}

// V14
@Suite struct ForkWriterTests {
  private func fork(_ recording: RecordingText, at number: Int) throws -> String {
    var options = TestOptions()
    options.imports = ["SearchFeature"]
    return try ForkWriter(recording.history, at: number, options).text
  }

  @Test func theTestDoesWhatWasRecorded() throws {
    var recording = RecordingText()
    recording.action(.enumCase("found", [("0", "7")]))
    recording.encode()
    let text = try fork(recording, at: 1)
    #expect(text.contains("let fork = try recording.fork(at: 1) {\n    Search()\n  }"), "\(text)")
    #expect(text.contains("let outcome = try fork.run(instead: .found(7))"), "\(text)")
    #expect(!text.contains("<#"))
  }

  @Test func whatCannotForkIsRefused() throws {
    let recording = searchRecording()
    #expect(throws: CommandFailure.self) { try fork(recording, at: 9) }
    let error = #expect(throws: CommandFailure.self) { try fork(recording, at: 1) }
    #expect(error?.message.contains("were not recorded as data") == true)
  }
}
