// The values in tests that are written from recordings: answers, errors, alerts, stacks, shared members.

import Foundation
import RondoRecording
import Testing

@testable import RondoInspection

// F9, V18
@Suite struct WrittenValuesTests {
  private func result(_ case: String, _ value: RecordedNode, type: String) -> RecordedNode {
    .enumCase("loaded", [("0", .enumCase(`case`, type: type, [("0", value)]))])
  }

  private func error(_ name: String) -> RecordedNode {
    var node = RecordedNode(".\(name)")
    node.type = "ApiError"
    return node
  }

  /// A recording of calls, each of which leads to an action.
  private func calls(_ answers: [RecordedNode]) -> RecordingText {
    var recording = RecordingText()
    for answer in answers {
      recording.action(".tapped")
      let effect = recording.start("call")
      recording.action(answer, from: effect)
      recording.end(effect)
    }
    return recording
  }

  @Test func anErrorIsThrownWithItsType() throws {
    let type = "TaskResult<Int>"
    let text = try writer(
      calls([
        result("success", "3", type: type),
        result("failure", error("offline"), type: type),
        result(
          "failure", .enumCase("refused", type: "ApiError", [("0", "3")]), type: type),
      ]), outcomes: ["api.load()=loaded"]
    ).text
    #expect(text.contains("case 0: 3\n"), "\(text)")
    #expect(text.contains("case 1: throw ApiError.offline\n"), "\(text)")
    #expect(text.contains("default: throw ApiError.refused(3)\n"), "\(text)")
    #expect(text.contains("await store.receive(.loaded(.failure(ApiError.offline)))"), "\(text)")
  }

  @Test func aResultWithATypedErrorIsReturned() throws {
    let type = "Result<Int, ApiError>"
    let recording = calls([
      result("success", "3", type: type),
      result("failure", error("offline"), type: type),
    ])
    let text = try writer(recording, outcomes: ["api.load()=loaded"]).text
    #expect(text.contains("case 0: .success(3)\n"), "\(text)")
    #expect(text.contains("default: .failure(.offline)\n"), "\(text)")
    let throwing = try writer(recording, outcomes: ["api.load() throws=loaded"]).text
    #expect(throwing.contains("default: throw ApiError.offline\n"), "\(throwing)")
  }

  @Test func aPartOfAnActionIsAnAnswer() throws {
    let text = try writer(
      calls([.enumCase("loaded", [("track", "1"), ("length", "0.5")])]),
      outcomes: ["api.load(_)=loaded.length"]
    ).text
    #expect(text.contains("$0.api.load = { _ in 0.5 }"), "\(text)")
  }

  @Test func aCaseThatIsSentForAnErrorLetsTheEndpointThrow() throws {
    let known = calls([
      .enumCase("loaded", [("0", "3")]),
      .enumCase("failed", [("0", error("offline"))]), ".gaveUp",
    ])
    let text = try writer(
      known, outcomes: ["api.load()=loaded"],
      failures: ["api.load()=failed", "api.load()=gaveUp"]
    ).text
    #expect(text.contains("case 1: throw ApiError.offline\n"), "\(text)")
    #expect(text.contains("default: throw ApiError.offline\n"), "\(text)")
    let unknown = calls([.enumCase("loaded", [("0", "3")]), ".gaveUp"])
    let other = try writer(
      unknown, outcomes: ["api.load()=loaded"], failures: ["api.load()=gaveUp"])
    #expect(other.text.contains("private struct RecordedError: Error {}"), "\(other.text)")
    #expect(other.text.contains("default: throw RecordedError()"), "\(other.text)")
    #expect(other.text.placeholderCount == 0)
  }

  @Test func anErrorThatNoCodeMakesIsNamed() throws {
    let text = try writer(
      calls([
        result(
          "failure", RecordedNode(type: "NSError", kind: .class, children: []),
          type: "TaskResult<Int>")
      ]), outcomes: ["api.load()=loaded"]
    ).text
    #expect(text.contains("throw <#the error NSError()#>"), "\(text)")
  }

  @Test func anEndpointThatNoActionIsAnAnswerOfIsLeftOut() throws {
    let written = try writer(calls([".done"]), outcomes: ["api.load()=loaded"])
    #expect(!written.text.contains("api.load"))
    #expect(written.text.placeholderCount == 0)
    #expect(written.notes.first?.hasPrefix("--outcome api.load()=loaded: no action") == true)
  }

  @Test func membersOfTheStateAreMadeAsTheyAreDeclared() throws {
    var stack = RecordedNode.stack([])
    stack.type = "StackState<State>"
    var reader = RecordedNode("3").shared
    reader.isReader = true
    var keyed = RecordedNode.list([]).shared
    keyed.isKeyed = true
    let state = RecordedNode.structure(
      "Search.State", [("path", stack), ("limit", reader), ("names", keyed)])
    let text = try writer(RecordingText(state: state)).text
    for code in ["path: StackState()", "limit: SharedReader(value: 3)", "names: []"] {
      #expect(text.contains(code), "\(text)")
    }
  }

  @Test func anAlertIsMadeByItsParts() throws {
    let button = RecordedNode.structure(
      "ButtonState<Alert>",
      [
        ("role", ".destructive"),
        (
          "action",
          .structure(
            "ButtonStateAction<Alert>",
            [("action", ".confirmed"), ("transaction", "untagged")])
        ), ("label", .text("Log out")),
      ])
    let alert = RecordedNode.structure(
      "AlertState<Alert>",
      [
        ("title", .text("Log out?")), ("message", "nil"),
        ("buttons", .list([button])),
      ])
    #expect(
      alert.code().inline
        == #"AlertState(title: { TextState("Log out?") }, "#
        + #"actions: { ButtonState(role: .destructive, action: .confirmed, "#
        + #"label: { TextState("Log out") }) })"#)
  }

  @Test func whatABindingHasWrittenIsWritten() throws {
    #expect(
      RecordedNode(#".set(\State.text, "Hi")"#).code().inline == #".set(\.text, "Hi")"#)
  }

  // A test cannot tell the element of a stack, or what is in an optional, without a question mark.
  @Test func aSharedValueIsWrittenThroughWhoeverHoldsIt() throws {
    func state(_ count: String) -> RecordedNode {
      let tally = RecordedNode.structure("Tally.State", [("count", RecordedNode(count).shared)])
      var sheet = tally
      sheet.isOptional = true
      let detail = RecordedNode.enumCase("detail", type: "Path.State", [("0", tally)])
      return .structure(
        "Search.State",
        [("sheet", sheet), ("tally", tally), ("path", .stack([("#2", detail)]))])
    }
    func written(_ names: [String]) throws -> String {
      func part(_ count: String) -> RecordedNode {
        var state = state(count)
        state.children.removeAll { !names.contains($0.name) }
        return state
      }
      var recording = RecordingText(state: part("0"))
      recording.action(".counted", part("0").changes(to: part("1")))
      return try test(recording)
    }
    let codes = [
      "$0.sheet?.$count.withLock { $0 = 1 }", "$0.tally.$count.withLock { $0 = 1 }",
      "$0.path[id: 2]?[case: \\.detail]?.$count.withLock { $0 = 1 }",
    ]
    for (names, code) in zip([["sheet", "tally"], ["tally"], ["path"]], codes) {
      let text = try written(names)
      #expect(text.contains("await store.send(.counted) { \(code) }"), "\(text)")
    }
  }

  @Test func sharedValuesThatAreEqualAreWrittenEach() throws {
    func state(_ count: String) -> RecordedNode {
      var limit = RecordedNode(count).shared
      limit.isReader = true
      return .structure(
        "Search.State",
        [("limit", limit)] + ["a", "b"].map { ($0, RecordedNode(count).shared) })
    }
    var recording = RecordingText(state: state("0"))
    recording.action(".counted", state("0").changes(to: state("1")))
    try recording.expectTest(
      has: """
          await store.send(.counted) {
            $0.$a.withLock { $0 = 1 }
            $0.$b.withLock { $0 = 1 }
          }
        """)
  }

  /// Older recordings do not tell what can be compared, and what case paths lead to.
  @Test func anOlderRecordingIsWrittenByTheNamesOfItsTypes() throws {
    var recording = RecordingText(isEquatable: false, state: .structure("Search.State", []))
    recording.action(".start")
    let effect = recording.start("answer")
    let action = RecordedNode.enumCase("share", type: "Row.Action", [("0", "3")])
    recording.action(.enumCase("row", [("0", action)]), from: effect)
    recording.action(.enumCase("failed", [("0", error("offline"))]), from: effect)
    let text = try test(recording)
    #expect(text.contains("await store.receive(\\.row.share, 3)\n"), "\(text)")
    #expect(text.contains("await store.receive(\\.failed)\n"), "\(text)")
  }

  @Test func aTypeInsideOfAGenericOneHasItsOuterType() throws {
    let row = RecordedNode.structure("Picker<Item>.Row<Home.Item>", [("id", "1")])
    #expect(row.code().inline == "Picker<Item>.Row(id: 1)")
    let text = try test(
      RecordingText(feature: "Picker<Item>", state: .structure("Picker<Item>.State", []))
    ) { $0.initializers = [try TestOptions.Initializer("Picker<Item>.State(item:)")] }
    #expect(text.contains("TestStore(initialState: Picker<Item>.State()) {\n    Picker<Item>()\n"))
  }

  /// The marks of a node are for code that is written from it: older recordings have other ones.
  @Test func theDigestDoesNotChangeByMarks() throws {
    var marked = RecordedNode("3").shared
    marked.isReader = true
    marked.isKeyed = true
    marked.isOptional = true
    marked.isEquatable = false
    marked.isCasePathable = false
    marked.type = "ApiError"
    #expect(marked.digest == RecordedNode("3").digest)
    let text = RecordingText(state: marked).text
    #expect(try RecordingFile(Data(text.utf8)).begin.state == marked)
  }
}
