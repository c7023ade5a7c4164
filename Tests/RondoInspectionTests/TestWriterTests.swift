// Tests that are written from recordings.

import Foundation
import Testing

@testable import RondoHistory
@testable import RondoInspection
@testable import RondoRecording

// V8
@Suite struct TestWriterTests {
  @Test func sendsReceivesTagsTimeAndChangesAreWritten() throws {
    #expect(
      try test(searchRecording()) == """
        // Written by 'rondo test' from search.jsonl.

        import Foundation
        import RondoTesting
        import Testing

        @testable import SearchFeature

        @MainActor
        @Test func search() async {
          let store = TestStore(initialState: Search.State(query: "", results: [], phase: .idle)) {
            Search()
          }

          await store.send(.queryChanged("a")) {
            $0.query = "a"
            $0.phase = .searching
          }
          await store.advance(by: .milliseconds(300))
          await store.receive(.found(["a 1"]), animation: .default) {
            $0.results = ["a 1"]
            $0.phase = .idle
          }
          await store.finish()
        }

        """)
  }

  @Test func theUsersPauseDoesNotPassTheEndOfAWait() throws {
    var recording = RecordingText()
    recording.action(".start")
    let effect = recording.start("timer")
    recording.waits(effect, 0.5)
    // A real clock is late: the wait was to end, and had not.
    recording.wait(0.505)
    recording.action(".tapped")
    recording.resumes(effect)
    recording.action(".ticked", from: effect)
    recording.end(effect)
    try recording.expectTest(
      has: """
          await store.advance(by: .milliseconds(499))
          await store.send(.tapped)
          await store.advance(by: .milliseconds(1))
          await store.receive(.ticked)
          await store.finish()
        """)
  }

  // A live clock is late, and the store learns of a wait later than it begins.
  @Test func timeGoesOnByWhatWasAskedFor() throws {
    var recording = RecordingText()
    recording.action(".start")
    let effect = recording.start("timer")
    for late in [0.004, 0.019] {
      recording.wait(late)
      recording.waits(effect, 1)
      recording.wait(1.003)
      recording.resumes(effect)
      recording.action(".ticked", from: effect)
    }
    recording.wait(0.01)
    // Three intervals after one reading of the clock, as a timer asks for it.
    recording.waits(effect, 3, since: 0)
    recording.wait(1)
    recording.resumes(effect)
    recording.action(".ticked", from: effect)
    let text = try test(recording)
    let lines = text.split(separator: "\n").filter { $0.contains("advance") }
    #expect(lines.allSatisfy { $0 == "  await store.advance(by: .seconds(1))" }, "\(text)")
  }

  /// Two waits of one length, whose ends came the other way round.
  private func swapped(_ fields: [String], to value: String = "1") -> RecordingText {
    var recording = RecordingText(state: .structure("Search.State", fields.map { ($0, "0") }))
    recording.action(".start")
    let effects = [recording.start("a"), recording.start("b")]
    for effect in effects { recording.waits(effect, 0.3) }
    recording.wait(0.301)
    for (effect, name) in zip(effects, ["a", "b"]).reversed() {
      recording.resumes(effect)
      let field = name == "a" ? fields[0] : fields[fields.count - 1]
      recording.action(
        ".\(name)", from: effect,
        [RecordedChange(path: [field], old: "0", new: RecordedNode(value))])
    }
    return recording
  }

  @Test func answersOfOneTimeThatCameTheOtherWayRoundAreReceivedInAnyOrder() throws {
    #expect(
      try test(swapped(["one", "two"])).contains(
        """
          await store.send(.start)
          await store.advance(by: .milliseconds(300))
          await store.receive(
            inAnyOrder: .equal(.a),
            .equal(.b)) {
            $0.two = 1
            $0.one = 1
          }
        """))
  }

  /// On threads, two effects that start together begin their waits in any order.
  @Test func waitsThatBeganTheOtherWayRoundEndInAnyOrder() throws {
    var recording = RecordingText(counts: "one", "two")
    recording.action(".start")
    let effects = [recording.start("a"), recording.start("b")]
    for effect in effects.reversed() { recording.waits(effect, 0.3) }
    recording.wait(0.301)
    for (effect, field) in zip(effects, ["one", "two"]).reversed() {
      recording.resumes(effect)
      recording.action(".\(field)", from: effect, [.member(field)])
    }
    try recording.expectTest(
      has: """
          await store.advance(by: .milliseconds(300))
          await store.receive(
            inAnyOrder: .equal(.one),
            .equal(.two)) {
        """)
  }

  /// Answers of endpoints come at once in a test, in the order in which their effects started.
  @Test func answersOfEndpointsThatCameTheOtherWayRoundAreReceivedInAnyOrder() throws {
    var recording = RecordingText(counts: "one", "two", isEquatable: false)
    recording.action(".start")
    let effects = [recording.start("a"), recording.start("b"), recording.start("c")]
    for (effect, field) in zip(effects, ["one", "two"]).reversed() {
      recording.wait(0.02)
      recording.action(".\(field)", from: effect, [.member(field)], animation: ".default")
    }
    recording.action(".three", from: effects[2])
    try recording.expectTest(
      has: """
          await store.send(.start)
          await store.receive(
            inAnyOrder: .case(\\.one).animation(.default),
            .case(\\.two).animation(.default)) {
            $0.two = 1
            $0.one = 1
          }
          await store.receive(\\.three)
        """)
  }

  /// The spinner's wait had ended before the answer cancelled it.
  @Test func anAnswerDoesNotMoveOverWhatItHasCancelled() throws {
    var recording = RecordingText(counts: "one", "two")
    recording.action(".start")
    let (call, timer) = (recording.start("call"), recording.start("timer"))
    recording.waits(timer, 1)
    recording.wait(1)
    recording.resumes(timer)
    recording.action(".late", from: timer, [.member("one")])
    recording.waits(timer, 1)
    recording.wait(0.5)
    let loaded = recording.action(".loaded", from: call, [.member("two")])
    recording.end(timer, .cancelled, by: .action(loaded))
    recording.end(call)
    try recording.expectTest(
      has: """
          await store.receive(.late) { $0.one = 1 }
          <#loaded, which a test receives earlier than it was recorded#>
        """)
  }

  /// Two answers that count down one number.
  @Test func answersOfEndpointsThatChangeOneFieldAreReceivedInAnyOrder() throws {
    var recording = RecordingText(state: .structure("Search.State", [("pending", "2")]))
    recording.action(".start")
    let effects = [recording.start("a"), recording.start("b")]
    for (effect, pending) in zip(effects.reversed(), [1, 0]) {
      recording.wait(0.02)
      recording.action(
        RecordedNode(effect == effects[0] ? ".one" : ".two"), from: effect,
        [
          RecordedChange(
            path: ["pending"], old: "\(pending + 1)", new: "\(pending)")
        ])
      recording.end(effect)
    }
    try recording.expectTest(
      has: """
          await store.receive(
            inAnyOrder: .equal(.one),
            .equal(.two)) { $0.pending = 0 }
          await store.finish()
        """)
  }

  /// The machine stood still: the shorter wait had not ended when the longer one had.
  @Test func anEffectThatOnlyATestWakesIsAPlaceholder() throws {
    var recording = RecordingText()
    recording.action(".start")
    let (short, long) = (recording.start("short"), recording.start("long"))
    recording.waits(short, 0.1)
    recording.waits(long, 0.2)
    recording.wait(0.5)
    recording.resumes(long)
    recording.action(".came", from: long)
    recording.end(short, .cancelled)
    try recording.expectTest(has: "<#in a test the effect at Search.swift:40 wakes after 0.1 s;")
  }

  @Test func anEffectThatEndsWithItsStoreIsLeftInFlight() throws {
    var recording = RecordingText()
    recording.action(".start")
    let timer = recording.start("timer")
    recording.waits(timer, 1)
    recording.end(timer, .cancelled, by: .host)
    try recording.expectTest(has: "await store.skipInFlightEffects(strict: false)")
  }

  /// A user's action may come between a wake-up and the action that it leads to.
  @Test func whatIsDueIsLetThroughBeforeTheAnswerThatNeedsIt() throws {
    var recording = RecordingText()
    recording.action(".start")
    let effect = recording.start("receive")
    recording.waits(effect, nil, on: .scheduler)
    recording.resumes(effect)
    recording.action(".tapped")
    recording.action(".came", from: effect)
    try recording.expectTest(
      has: """
          await store.send(.start)
          await store.advance()
          await store.receive(.came)
          await store.send(.tapped)
        """)
  }

  /// An effect of an effect's action comes behind what was started before it.
  @Test func answersToAnswersComeBehindTheAnswersBeforeThem() throws {
    var recording = RecordingText(
      state: .structure("Search.State", ["one", "two", "three"].map { ($0, "0") }))
    recording.action(".start")
    let effects = [recording.start("a"), recording.start("b")]
    func change(_ field: String) -> [RecordedChange] {
      [.member(field)]
    }
    recording.action(".one", from: effects[0], change("one"))
    let next = recording.start("c")
    recording.action(".three", from: next, change("three"))
    recording.action(".two", from: effects[1], change("two"))
    try recording.expectTest(
      has: """
          await store.receive(.one) { $0.one = 1 }
          await store.receive(
            inAnyOrder: .equal(.two),
            .equal(.three)) {
        """)
  }

  @Test func anAnswerThatCannotBeMovedIsAPlaceholder() throws {
    #expect(
      try test(swapped(["one"], to: "true")).contains(
        """
          await store.receive(.b) { $0.one = true }
          <#a, which a test receives earlier than it was recorded#>
          await store.receive(.a) { $0.one = true }
        """))
  }

  @Test func whatNeedsNoClockTakesNoTime() throws {
    var recording = RecordingText(counts: "answer", "taps")
    recording.action(".start")
    let call = recording.start("endpoint")
    let timer = recording.start("timer")
    recording.waits(timer, 0.5)
    recording.wait(0.2)
    recording.action(".tapped", [.member("taps")])
    recording.wait(0.1)
    recording.action(".answered", from: call, [.member("answer")])
    try recording.expectTest(
      has: """
          await store.send(.start)
          await store.receive(.answered) { $0.answer = 1 }
          await store.advance(by: .milliseconds(200))
          await store.send(.tapped) { $0.taps = 1 }
        """)
  }

  @Test func whatASchedulerLetsThroughAtOnceIsLetThrough() throws {
    var recording = RecordingText()
    recording.action(".start")
    let effect = recording.start("receive")
    recording.waits(effect, nil, on: .scheduler)
    recording.resumes(effect)
    recording.action(".answered", from: effect)
    recording.end(effect)
    try recording.expectTest(
      has: """
          await store.send(.start)
          await store.advance()
          await store.receive(.answered)
        """)
  }

  @Test func whatIsInFlightAtTheEndIsSkipped() throws {
    var recording = searchRecording()
    _ = recording.start("timer")
    try recording.expectTest(has: "await store.skipInFlightEffects(strict: false)")
  }

  @Test func actionsOfOneCommitAreComparedBehindTheLast() throws {
    var recording = RecordingText(counts: "count")
    recording.reduce(".start")
    let effect = recording.start("now")
    recording.reduce(".started", from: effect)
    recording.commit([1, 2], [.member("count", to: "2")])
    recording.end(effect)
    try recording.expectTest(
      has: """
          store.exhaustivity.remove(.state)
          await store.send(.start)
          await store.receive(.started) { $0.count = 2 }
          store.exhaustivity.insert(.state)
        """)
  }

  // V18: behind these actions the closure gets the list as it is then, and would append to it once more.
  @Test func aListIsWrittenAsAWholeForActionsOfOneCommit() throws {
    var recording = RecordingText(
      state: .structure("Search.State", [("lines", .list([.text("a")]))]))
    recording.reduce(".start")
    let effect = recording.start("now")
    recording.reduce(".started", from: effect)
    recording.commit([1, 2], [RecordedChange(path: ["lines", "1"], old: nil, new: .text("b"))])
    recording.end(effect)
    try recording.expectTest(has: #"await store.receive(.started) { $0.lines = ["a", "b"] }"#)
  }

  @Test func actionsThatCannotBeComparedAreReceivedByTheirCase() throws {
    var recording = RecordingText(isEquatable: false, state: .structure("Search.State", []))
    recording.action(".start")
    let effect = recording.start("check")
    let answer = RecordedNode.enumCase(
      "emailChecked", type: "Credentials.Action",
      [("0", .enumCase("success", type: "Result<Bool, any Error>", [("0", "true")]))])
    recording.action(
      .enumCase(
        "path", type: "SignUp.Action",
        [
          (
            "0",
            .enumCase(
              "element", type: "StackAction<Path.State, Path.Action>",
              [
                ("id", "#0"),
                ("action", .enumCase("credentials", type: "Path.Action", [("0", answer)])),
              ])
          )
        ]), from: effect)
    try recording.expectTest(
      has: "await store.receive(\\.path[id: 0].credentials.emailChecked.success, true)")
  }

  @Test func sharedValuesAreWrittenOnceUnderTheirLock() throws {
    let old = RecordedNode.structure("Data", [("name", .text(""))]).shared
    let new = RecordedNode.structure("Data", [("name", .text("Blob"))]).shared
    func state(_ data: RecordedNode) -> RecordedNode {
      .structure(
        "SignUp.State",
        [("data", data), ("path", .stack([("#0", .structure("Row", [("data", data)]))]))])
    }
    var recording = RecordingText(feature: "SignUp", state: state(old))
    recording.action(.enumCase("named", [("0", .text("Blob"))]), state(old).changes(to: state(new)))
    try recording.expectTest(has: "{ $0.$data.withLock { $0.name = \"Blob\" } }")
  }

  @Test func anElementOfAListIsWrittenByItselfOnlyIfItIsAlone() throws {
    func row(_ id: Int, _ title: String) -> RecordedNode {
      .structure("Row", [("id", "\(id)"), ("title", .text(title))])
    }
    func state(_ rows: RecordedNode...) -> RecordedNode {
      .structure("Search.State", [("rows", .list(rows))])
    }
    let states = [
      state(row(1, "a"), row(2, "b")), state(row(1, "a"), row(2, "c")),
      state(row(2, "c"), row(1, "a")), state(row(2, "c")),
    ]
    var recording = RecordingText(state: states[0])
    for (old, new) in zip(states, states.dropFirst()) {
      recording.action(".next", old.changes(to: new))
    }
    let text = try test(recording)
    #expect(text.contains("{ $0.rows[1].title = \"c\" }"))
    #expect(text.contains("{ $0.rows = [Row(id: 2, title: \"c\"), Row(id: 1, title: \"a\")] }"))
    #expect(text.contains("{ $0.rows = [Row(id: 2, title: \"c\")] }"))
  }

  @Test func anInitializerTakesWhatItIsSaidToTake() throws {
    let recording = RecordingText(
      state: .structure("Search.State", [("query", .text("")), ("isBusy", "false")]))
    let text = try test(recording) {
      $0.initializers = [try TestOptions.Initializer("Search.State(query:)")]
    }
    #expect(text.contains("initialState: Search.State(query: \"\"))"))
  }

  @Test func aSharedMemberIsReadBeforeTheStateIsWrittenTo() throws {
    let data = RecordedNode.structure("Data", [("name", .text(""))]).shared
    func state(_ sheet: RecordedNode) -> RecordedNode {
      let detail = RecordedNode.enumCase(
        "detail", type: "Path.State", [("0", .structure("Detail.State", [("sheet", sheet)]))])
      return .structure("SignUp.State", [("data", data), ("path", .stack([("#2", detail)]))])
    }
    let states = [state("nil"), state(.structure("Sheet.State", [("data", data)]))]
    var recording = RecordingText(feature: "SignUp", state: states[0])
    recording.action(".opened", states[0].changes(to: states[1]))
    try recording.expectTest(
      has: """
          await store.send(.opened) {
            let data = $0.$data
            $0.path[id: 2, case: \\.detail]?.sheet = Sheet.State(data: data)
          }
        """)
  }

  @Test func elementsOfAStackAreWrittenByTheirIds() throws {
    let old = RecordedNode.structure("SignUp.State", [("path", .stack([]))])
    let detail = RecordedNode.enumCase(
      "detail", type: "Path.State", [("0", .structure("Detail.State", [("name", .text("a"))]))])
    let new = RecordedNode.structure("SignUp.State", [("path", .stack([("#0", detail)]))])
    var recording = RecordingText(feature: "SignUp", state: old)
    recording.action(".pushed", old.changes(to: new))
    recording.action(
      ".named",
      [RecordedChange(path: ["path", "#0", "0", "name"], old: .text("a"), new: .text("b"))])
    recording.action(".popped", [RecordedChange(path: ["path", "#0"], old: detail)])
    let text = try test(recording)
    #expect(text.contains("{ $0.path[id: 0] = .detail(Detail.State(name: \"a\")) }"))
    #expect(text.contains("{ $0.path[id: 0, case: \\.detail]?.name = \"b\" }"))
    #expect(text.contains("await store.send(.popped) { $0.path[id: 0] = nil }"))
  }

  @Test func endpointsAnswerWhatWasRecordedInItsOrder() throws {
    var recording = searchRecording()
    let effect = recording.start("search")
    recording.action(.enumCase("found", [("0", .list([]))]), from: effect)
    let text = try test(recording, outcomes: ["api.search(_)=found"]) {
      $0.dependencies = ["$0.date = .constant(Date())"]
    }
    #expect(
      text.contains(
        """
          } withDependencies: {
            $0.date = .constant(Date())
            let callsApiSearch = LockIsolated(-1)
            $0.api.search = { _ in
              switch callsApiSearch.withValue({ $0 += 1; return $0 }) {
              case 0: ["a 1"]
              default: []
              }
            }
          }
        """))
  }

  /// The first call of a test is that of the effect that started first.
  @Test func answersThatCameTheOtherWayRoundAreGivenInTheOrderOfTheCalls() throws {
    var recording = RecordingText(counts: "one", "two")
    recording.action(".start")
    let effects = [recording.start("a"), recording.start("b")]
    for (effect, field) in zip(effects, ["one", "two"]).reversed() {
      recording.wait(0.02)
      recording.action(.enumCase("loaded", [("0", .text(field))]), from: effect, [.member(field)])
    }
    try recording.expectTest(
      outcomes: ["api.load(_)=loaded"], has: "case 0: \"one\"\n      default: \"two\"")
  }

  /// The effect of the first query had called the endpoint when it was cancelled.
  @Test func aCallThatWasCancelledGetsNoAnswer() throws {
    var recording = RecordingText()
    // An effect that is cancelled before its task begins does not call either.
    recording.action(.enumCase("queryChanged", [("0", .text("q0"))]))
    recording.end(recording.start("search"), .cancelled)
    for count in 1...3 {
      recording.action(.enumCase("queryChanged", [("0", .text("q\(count)"))]))
      if count > 1 { recording.end(count, .cancelled) }
      let effect = recording.start("search")
      recording.waits(effect, 0.3)
      // The second one is cancelled before it calls.
      recording.wait(count == 2 ? 0.1 : 0.3)
      if count != 2 { recording.resumes(effect) }
      recording.wait(0.01)
    }
    recording.action(.enumCase("found", [("0", .text("r3"))]), from: 4)
    try recording.expectTest(
      outcomes: ["api.search(_)=found"],
      has: "case 0: (try? await Task.never()) ?? \"r3\"\n      default: \"r3\"")
  }

  // MARK: What comes from outside

  /// A view that goes away cancels the task that it has sent its action with.
  @Test func aTaskThatWasCancelledFromOutsideIsCancelled() throws {
    var recording = RecordingText()
    recording.action(".task")
    let timer = recording.start("timer")
    recording.waits(timer, 1)
    recording.wait(1)
    recording.resumes(timer)
    recording.action(".ticked", from: timer)
    // An effect of the effect's action ends with the same task.
    let answer = recording.start("answer")
    recording.waits(timer, 1)
    recording.wait(0.25)
    recording.end(timer, .cancelled, by: .task)
    recording.end(answer, .cancelled, by: .task)
    recording.action(".cleared")
    try recording.expectTest(
      has: """
          let task = await store.send(.task)
          await store.advance(by: .seconds(1))
          await store.receive(.ticked)
          await store.advance(by: .milliseconds(250))
          await task.cancel()
          await store.send(.cleared)
          await store.finish()
        """)
  }

  @Test func tasksThatWereCancelledAreNumbered() throws {
    var recording = RecordingText()
    recording.action(".one")
    let one = recording.start("one")
    recording.action(".two")
    let two = recording.start("two")
    recording.end(two, .cancelled, by: .task)
    recording.end(one, .cancelled, by: .task)
    try recording.expectTest(
      has: """
          let task1 = await store.send(.one)
          let task2 = await store.send(.two)
          await task2.cancel()
          await task1.cancel()
        """)
  }

  /// A recording may say that an effect was started by the action that it sends.
  @Test func aCircleOfCausesHasNoTask() throws {
    var recording = RecordingText()
    recording.action(".one")
    let effect = recording.start("one")
    recording.action(".two", from: effect)
    recording.end(effect, .cancelled, by: .task)
    var file = try RecordingFile(Data(recording.text.utf8))
    for index in file.lines.indices {
      guard case .effectStarted(var start) = file.lines[index].line else { continue }
      start.action = 2
      file.lines[index].line = .effectStarted(start)
    }
    #expect(!TestWriter(History(file, name: "a"), TestOptions()).text.contains("cancel()"))
  }

  @Test func anEffectOfTheTimeBeforeTheRecordingIsAPlaceholder() throws {
    var recording = RecordingText()
    let effect = recording.start("timer")
    recording.action(".ticked", from: effect)
    recording.action(".ticked", from: effect)
    let text = try test(recording)
    #expect(
      text.matches(of: /<#the effect at Search.swift:40 was in flight when the recording began/)
        .count
        == 1)
  }

  // MARK: Issues

  @Test func anIssueOfTheReducerIsExpected() throws {
    var recording = RecordingText(counts: "count")
    recording.reduce(".tapped")
    recording.issue("The cart was empty.\nSend it later.")
    recording.commit([1], [.member("count")])
    recording.action(".cleared")
    try recording.expectTest(
      has: """
          await expectReportsIssue {
            await store.send(.tapped) { $0.count = 1 }
          } matching: {
            $0.message.hasPrefix("The cart was empty.")
          }
          await store.send(.cleared)
        """)
  }

  /// The task of the effect listens where it was started.
  @Test func anErrorThatNobodyHasCaughtIsExpectedFromTheStartOfItsEffect() throws {
    var recording = RecordingText()
    recording.action(".load")
    let effect = recording.start("load")
    recording.waits(effect, 1)
    recording.wait(0.5)
    recording.action(".tapped")
    recording.wait(0.5)
    recording.resumes(effect)
    recording.issue("load threw an error of \(Self.uuids[0]).")
    recording.end(effect, .failed)
    recording.wait(2)
    recording.action(".cleared")
    try recording.expectTest(
      has: """
          await expectReportsIssue {
            await store.send(.load)
            await store.advance(by: .milliseconds(500))
            await store.send(.tapped)
            await store.advance(by: .milliseconds(500))
          } matching: {
            $0.message.hasPrefix("load threw an error of ")
          }
          await store.send(.cleared)
        """)
  }

  @Test func anIssueOfAnAnswersReducerIsExpectedFromTheStartOfItsEffect() throws {
    var recording = RecordingText()
    recording.action(".load")
    let effect = recording.start("load")
    for number in 1...2 {
      recording.reduce(".came", from: effect)
      recording.issue("It came \(number).")
      recording.commit([number + 1])
    }
    recording.end(effect)
    try recording.expectTest(
      has: """
          await expectReportsIssue {
            await store.send(.load)
            await store.receive(.came)
            await store.receive(.came)
          } matching: { issue in
            [
              "It came 1.",
              "It came 2.",
            ].contains { issue.message.hasPrefix($0) }
          }
          await store.finish()
        """)
  }

  @Test func anIssueWhoseTimeIsNotKnownIsAPlaceholder() throws {
    var recording = searchRecording()
    recording.issue("The endpoint is slow.")
    try recording.expectTest(
      has: "  <#an issue for the test to expect: The endpoint is slow.#>\n  await store.send(")
    // Failures of the test store's own are not the feature's.
    var own = RecordingText(host: "TestStore", state: .structure("Search.State", []))
    own.action(".tapped")
    own.issue("The state is not as asserted.")
    #expect(try !test(own).contains("asserted"))
  }

  // An empty beginning, or a short one, is that of other issues, too: those of the test store itself.
  @Test func anIssueIsExpectedByWhatIsTheSameInItAndTellsItFromOthers() throws {
    let id = Self.uuids[0]
    for (message, code) in [
      ("\(id) is unknown.", #"contains(" is unknown.")"#),
      ("Date(2026-09-21T14:13:20.250Z) is over.", #"contains(" is over.")"#),
      ("<redacted> is wrong.", #"contains(" is wrong.")"#),
      ("The \(id) is no row of the list.", #"contains(" is no row of the list.")"#),
      ("A row of the list: \(id)", #"hasPrefix("A row of the list: ")"#),
    ] {
      var recording = RecordingText(state: .structure("Search.State", []))
      recording.reduce(RecordedNode(".load"))
      recording.issue(message)
      recording.commit([1])
      try recording.expectTest(has: "    $0.message.\(code)\n")
    }
    for message in ["", id, "\(id) \(id)", "A \(id)"] {
      var recording = RecordingText(state: .structure("Search.State", []))
      recording.reduce(RecordedNode(".load"))
      recording.issue(message)
      recording.commit([1])
      try recording.expectTest(has: "  <#an issue for the test to expect: \(message)#>\n")
    }
  }

  /// A constant that is made inside of a closure is not known behind it.
  @Test func anIssueAroundADateThatIsNeededLaterIsAPlaceholder() throws {
    let states = [dated([]), dated([date("20.500")]), dated([date("20.500"), date("20.500")])]
    var recording = RecordingText(state: states[0])
    recording.action(".load")
    let effect = recording.start("load")
    recording.waits(effect, 1)
    recording.wait(0.5)
    recording.action(".added", states[0].changes(to: states[1]))
    recording.wait(0.5)
    recording.resumes(effect)
    recording.issue("It has failed.")
    recording.end(effect, .failed)
    recording.action(".added", states[1].changes(to: states[2]))
    let text = try test(recording)
    #expect(
      text.contains(
        "  <#an issue for the test to expect: It has failed.#>\n  await store.send(.load)\n"),
      "\(text)")
    #expect(!text.contains("expectReportsIssue"))
  }

  // MARK: Redacted members

  @Test func aMemberThatIsNotShownIsNamed() throws {
    var recording = RecordingText(
      state: .structure("Login.State", [("name", .text("")), ("password", .redacted)]))
    recording.action(.enumCase("passwordChanged", [("0", .redacted)]))
    recording.action(
      .enumCase("both", [("0", .redacted)]),
      [RecordedChange(path: ["name"], old: .text(""), new: .text("a"))])
    recording.action(".cleared")
    let member = "<#password, which was redacted: delete this if it does not change#>"
    try recording.expectTest(
      has: """
          // The recording does not show password: a closure has no line for it where an action changes it.
          await store.send(.passwordChanged(<#0, which was redacted#>)) {
            \(member)
          }
          await store.send(.both(<#0, which was redacted#>)) {
            $0.name = "a"
            \(member)
          }
          await store.send(.cleared)

        """)
    let notes = TestWriter(try recording.history, TestOptions()).notes
    #expect(
      notes == [
        "The recording does not show password: a closure has no line for it where an action changes it."
      ])
  }

  // MARK: Identifiers and dates

  private static let uuids = (0..<4).map { "9BC7F2B0-0000-4000-8000-00000000000\($0)" }

  private func rows(_ ids: [String]) -> RecordedNode {
    .structure(
      "Search.State",
      [("rows", .list(ids.map { .structure("Row", [("id", RecordedNode($0))]) }))])
  }

  @Test func identifiersThatTheFeatureHasMadeAreMadeAgain() throws {
    let ids = Self.uuids
    let states = [rows([ids[0]]), rows([ids[0], ids[1]]), rows([ids[0], ids[1], ids[2]])]
    var recording = RecordingText(state: states[0])
    recording.action(".added", states[0].changes(to: states[1]))
    let effect = recording.start("make")
    recording.action(
      .enumCase("made", [("0", RecordedNode(ids[2]))]), from: effect,
      states[1].changes(to: states[2]))
    // The user's action carries an identifier that the feature has not made.
    recording.action(.enumCase("chosen", [("0", RecordedNode(ids[3]))]))
    try recording.expectTest(
      has: """
            let identifiers = LockIsolated<ArraySlice<UUID>>([
              UUID(uuidString: "\(ids[1])")!,
              UUID(uuidString: "\(ids[2])")!,
            ])
            $0.uuid = UUIDGenerator { identifiers.withValue { $0.popFirst() } ?? UUID() }
          }

        """)
    let own = try test(recording) { $0.dependencies = ["$0.uuid = .constant(UUID(1))"] }
    #expect(!own.contains("UUIDGenerator"))
    let answered = try test(recording, outcomes: ["api.make()=made"])
    #expect(answered.matches(of: /"9BC7[-0-9A-F]*2"\)!,/).isEmpty)
  }

  @Test func identifiersThatCountFromZeroAreCounted() throws {
    let ids = (0..<2).map { "00000000-0000-0000-0000-00000000000\($0)" }
    let states = [rows([]), rows([ids[0]]), rows(ids)]
    var recording = RecordingText(state: states[0])
    for (old, new) in zip(states, states.dropFirst()) {
      recording.action(".added", old.changes(to: new))
    }
    try recording.expectTest(has: "{\n    $0.uuid = .incrementing\n  }\n")
  }

  /// The identifiers that the feature asks for: the second is put in front of the first, and the third is
  /// nowhere.
  @Test func identifiersAreMadeInTheOrderInWhichTheyWereGiven() throws {
    let ids = Self.uuids
    let states = [rows([]), rows([ids[1], ids[0]]), rows([ids[3], ids[1], ids[0]])]
    var recording = RecordingText(state: states[0])
    recording.action(".added", states[0].changes(to: states[1]))
    recording.draws(ids[0], number: 1)
    recording.draws(ids[1], number: 2)
    // The identifier of a service was not given by the dependency.
    let effect = recording.start("load")
    recording.action(.enumCase("loaded", [("0", RecordedNode(ids[2]))]), from: effect)
    recording.action(".added", states[1].changes(to: states[2]))
    recording.draws(ids[3], number: 4)
    try recording.expectTest(
      has: """
            let identifiers = LockIsolated<ArraySlice<UUID>>([
              UUID(uuidString: "\(ids[0])")!,
              UUID(uuidString: "\(ids[1])")!,
              UUID(),
              UUID(uuidString: "\(ids[3])")!,
            ])
        """)
  }

  /// The second effect's answer comes first in a test.
  @Test func identifiersOfAnswersThatCameTheOtherWayRoundAreMadeInTheOrderOfTheTest() throws {
    let ids = Self.uuids
    var recording = RecordingText(counts: "one", "two")
    recording.action(".start")
    let effects = [recording.start("a"), recording.start("b")]
    for (index, field) in ["one", "two"].enumerated().reversed() {
      recording.wait(0.02)
      recording.action(
        .enumCase(field, [("0", RecordedNode(ids[index]))]), from: effects[index], [.member(field)])
      recording.draws(ids[index], number: 2 - index)
    }
    let text = try test(recording)
    let first = try #require(text.range(of: "UUID(uuidString: \"\(ids[0])\")!,"))
    let second = try #require(text.range(of: "UUID(uuidString: \"\(ids[1])\")!,"))
    #expect(first.lowerBound < second.lowerBound, "\(text)")
  }

  @Test func manyIdentifiersThatAreNowhereAreNotAllMade() throws {
    var recording = RecordingText(state: rows([]))
    recording.action(".added", rows([]).changes(to: rows([Self.uuids[0]])))
    recording.draws(Self.uuids[0], number: .max)
    #expect(try test(recording).split(separator: "\n").count < 1_100)
  }

  /// A feature may keep `uuid().uuidString`, or make a text with it.
  @Test func identifiersInTextsAreMadeAgain() throws {
    let ids = Self.uuids
    let states = [
      RecordedNode.structure("Search.State", [("key", .text(""))]),
      .structure("Search.State", [("key", .text("row-\(ids[1].lowercased())"))]),
      .structure("Search.State", [("key", .text(ids[2]))]),
    ]
    var recording = RecordingText(state: states[0])
    recording.action(".added", states[0].changes(to: states[1]))
    recording.action(".added", states[1].changes(to: states[2]))
    recording.action(.enumCase("chosen", [("0", RecordedNode(ids[2]))]))
    try recording.expectTest(
      has: """
            let identifiers = LockIsolated<ArraySlice<UUID>>([
              UUID(uuidString: "\(ids[1])")!,
              UUID(uuidString: "\(ids[2])")!,
            ])
        """)
  }

  /// The recording begins at 14:13:20.
  private func date(_ seconds: String) -> RecordedNode {
    "Date(2026-09-21T14:13:\(seconds)Z)"
  }

  private func dated(_ dates: [RecordedNode]) -> RecordedNode {
    .structure("Search.State", [("dates", .list(dates))])
  }

  @Test func thePresentIsThatOfTheStore() throws {
    let states = [
      dated([date("19.000")]), dated([date("19.000"), date("20.001")]),
      dated([date("19.000"), date("20.001"), date("20.503")]),
    ]
    var recording = RecordingText(state: states[0])
    recording.action(".added", states[0].changes(to: states[1]))
    let effect = recording.start("later")
    recording.waits(effect, 0.5)
    recording.wait(0.502)
    recording.resumes(effect)
    recording.action(
      .enumCase("came", [("0", date("20.503"))]), from: effect, states[1].changes(to: states[2]))
    recording.end(effect)
    try recording.expectTest(
      has: """
          let date1 = store.date
          await store.send(.added) { $0.dates.append(date1) }
          await store.advance(by: .milliseconds(500))
          let date2 = store.date
          await store.receive(.came(date2)) { $0.dates.append(date2) }
          await store.finish()
        """)
    let own = try test(recording) { $0.dependencies = ["$0.date = .constant(Date())"] }
    #expect(!own.contains("store.date"))
  }

  @Test func aDateThatTheFeatureHasReckonedIsAPlaceholder() throws {
    let states = [dated([]), dated([date("20.000")]), dated([date("20.000"), date("50.000")])]
    var recording = RecordingText(state: states[0])
    recording.action(.enumCase("chosen", [("0", date("20.000"))]), states[0].changes(to: states[1]))
    recording.action(".added", states[1].changes(to: states[2]))
    let text = try test(recording)
    #expect(text.contains("send(.chosen(Date(timeIntervalSince1970: 1790000000)))"))
    #expect(text.contains("<#Date(2026-09-21T14:13:50.000Z), which the feature has made#>"))
    // A test whose time begins at the recorded date has the same dates.
    let timed = try test(recording) { $0.dependencies = ["$0.api = .on(timeline)"] }
    #expect(timed.contains("Date(timeIntervalSince1970: 1790000030)"))
  }

  /// On a real clock, a feature has read the present, and reckoned with it.
  @Test func aDateThatWasReckonedFromThePresentIsReckonedInATest() throws {
    let states = [
      dated([]), dated([date("20.050")]), dated([date("20.050"), date("50.123")]),
      dated([date("20.050"), date("50.123"), date("59.321")]),
    ]
    var recording = RecordingText(state: states[0])
    recording.wait(0.05)
    recording.reduce(".added")
    recording.reads(1_790_000_000.050_4)
    recording.commit([1], states[0].changes(to: states[1]))
    let effect = recording.start("later")
    recording.waits(effect, 10)
    recording.wait(10)
    recording.resumes(effect)
    recording.reads(1_790_000_010.123_4, from: effect)
    recording.action(
      .enumCase("came", [("0", date("50.123"))]), from: effect, states[1].changes(to: states[2]))
    recording.action(".fixed", states[2].changes(to: states[3]))
    let text = try test(recording)
    #expect(
      text.contains(
        """
          let date1 = store.date
          await store.send(.added) { $0.dates = [date1] }
          await store.advance(by: .seconds(10))
          let date2 = store.date
          await store.receive(.came(date2.addingTimeInterval(20))) {
            $0.dates.append(date2.addingTimeInterval(20))
          }
        """), "\(text)")
    // Another date stays a placeholder.
    #expect(text.contains("<#Date(2026-09-21T14:13:59.321Z), which the feature has made#>"))
  }

  /// On a real clock, the later of two effects may go on first. A test has them in their order.
  @Test func aDateIsThatOfItsActionWhereACommitHasItsActionsInAnotherOrder() throws {
    let states = [dated([]), dated([date("50.012")])]
    var recording = RecordingText(state: states[0])
    recording.action(".start")
    let (later, sooner) = (recording.start("later"), recording.start("sooner"))
    recording.waits(later, 0.01)
    recording.waits(sooner, 0.008)
    recording.wait(0.012)
    recording.resumes(later)
    recording.reads(1_790_000_000.012_4, from: later)
    recording.reduce(.enumCase("came", [("0", date("50.012"))]), from: later)
    recording.resumes(sooner)
    recording.reduce(".ticked", from: sooner)
    recording.commit([2, 3], states[0].changes(to: states[1]))
    recording.end(later)
    recording.end(sooner)
    let text = try test(recording)
    let ticked = try #require(text.range(of: "store.receive(.ticked)"))
    let came = try #require(text.range(of: "store.receive(.came(date.addingTimeInterval(30)))"))
    #expect(ticked.lowerBound < came.lowerBound, "\(text)")
    #expect(!text.contains("<#"), "\(text)")
  }

  // V18
  @Test func aDateIsReadBeforeTheActionOfACommitWhoseReducerHasReadIt() throws {
    let states = [dated([]), dated([date("20.010")])]
    var recording = RecordingText(state: states[0])
    recording.action(".start")
    let (line, count) = (recording.start("line"), recording.start("count"))
    recording.waits(line, 0.01)
    recording.waits(count, 0.011)
    recording.wait(0.012)
    recording.resumes(line)
    recording.reduce(".line", from: line)
    recording.reads(1_790_000_000.010_4)
    recording.resumes(count)
    recording.reduce(".counted", from: count)
    recording.commit([2, 3], states[0].changes(to: states[1]))
    recording.end(line)
    recording.end(count)
    // In the test a millisecond passes between the two.
    try recording.expectTest(
      has: """
          let date = store.date
          await store.receive(.line)
          await store.advance(by: .milliseconds(1))
          await store.receive(.counted) { $0.dates = [date] }
        """)
  }

  // V18
  @Test func ofDatesThatArePrintedAlikeTheLastOneHasStayed() throws {
    let states = [dated([]), dated([date("20.010")])]
    var recording = RecordingText(state: states[0])
    recording.action(".start")
    let effects = [recording.start("first"), recording.start("second")]
    for (index, effect) in effects.enumerated() {
      recording.waits(effect, 0.01 + Double(index) / 1000)
    }
    recording.wait(0.012)
    for (index, effect) in effects.enumerated() {
      recording.resumes(effect)
      recording.reduce(".line", from: effect)
      recording.reads(1_790_000_000.010_4 + Double(index) / 10_000)
    }
    recording.commit([2, 3], states[0].changes(to: states[1]))
    for effect in effects { recording.end(effect) }
    try recording.expectTest(
      has: """
          await store.receive(.line)
          await store.advance(by: .milliseconds(1))
          let date = store.date
          await store.receive(.line) { $0.dates = [date] }
        """)
  }

  // V18
  @Test func actionsThatHaveTakenEachOtherBackAreNotComparedOneByOne() throws {
    var recording = RecordingText(state: .structure("Search.State", [("isTyping", "true")]))
    recording.action(".start")
    let (ended, typing) = (recording.start("ended"), recording.start("typing"))
    recording.waits(ended, 0.01)
    recording.waits(typing, 0.011)
    recording.wait(0.012)
    recording.resumes(ended)
    recording.reduce(".typingEnded", from: ended)
    recording.resumes(typing)
    recording.reduce(".typing", from: typing)
    recording.commit([2, 3])
    recording.end(ended)
    recording.end(typing)
    let text = try test(recording)
    #expect(
      text.contains(
        """
          // Together these actions have changed nothing. What each has done is not recorded.
          store.exhaustivity.remove(.state)
        """), "\(text)")
    #expect(text.contains("store.exhaustivity.insert(.state)"), "\(text)")
  }

  // V13
  @Test func aStateThatAToolHasPutBackIsAPlaceholder() throws {
    let states = ["0", "1"].map {
      RecordedNode.structure("Search.State", [("one", RecordedNode($0))])
    }
    var recording = RecordingText(state: states[0])
    recording.action(".first", states[0].changes(to: states[1]))
    recording.add(.tool(RecordingLine.Tool(at: 0, did: .jump, action: 2, commit: 0)))
    recording.action(".first", states[1].changes(to: states[0]))
    try recording.expectTest(
      has: "<#the state behind commit 0, which a tool has put back at action 2#>")
  }

  @Test func theTimeOfATestStoreBeginsWhereItBegan() throws {
    let states = [dated([]), dated([date("50.000")])]
    var recording = RecordingText(host: "TestStore", state: states[0])
    recording.action(".added", states[0].changes(to: states[1]))
    let text = try test(recording)
    #expect(
      text.contains(
        """
          let timeline = TestTimeline(startDate: Date(timeIntervalSince1970: 1790000000))
          let store = TestStore(initialState: Search.State(dates: []), timeline: timeline) {
        """), "\(text)")
    #expect(text.contains("{ $0.dates = [Date(timeIntervalSince1970: 1790000030)] }"))
  }

  // MARK: Several actions in a commit

  @Test func aCommitOfSeveralActionsIsNotMovedOverOneThatItConflictsWith() throws {
    var recording = RecordingText(counts: "one", "two")
    recording.action(".first")
    let effects = [recording.start("a"), recording.start("b")]
    recording.wait(0.1)
    recording.action(".second")
    let timer = recording.start("timer")
    recording.waits(timer, 0.3)
    recording.wait(0.3)
    recording.resumes(timer)
    recording.action(".ticked", from: timer, [.member("one", to: "true")])
    recording.reduce(".three", from: effects[0])
    recording.reduce(".four", from: effects[1])
    recording.commit([4, 5], [.member("one", from: "true", to: "false"), .member("two", to: "2")])
    try recording.expectTest(has: "<#three, which a test receives earlier than it was recorded#>")
  }

  // MARK: Time

  @Test func theUsersPauseIsNotShortenedByRounding() throws {
    var recording = RecordingText()
    recording.wait(0.1)
    recording.action(".start")
    let effect = recording.start("timer")
    recording.waits(effect, 5)
    recording.wait(0.2)
    recording.action(".tapped")
    try recording.expectTest(has: "await store.advance(by: .milliseconds(200))")
  }

  @Test func longWaitsHaveTheirLength() throws {
    var recording = RecordingText()
    recording.action(".start")
    let effect = recording.start("timer")
    let days = 200.0 * 86_400
    recording.waits(effect, days)
    recording.wait(days)
    recording.resumes(effect)
    recording.waits(effect, days + 0.5, since: days)
    recording.wait(days + 0.5)
    recording.resumes(effect)
    recording.action(".ticked", from: effect)
    try recording.expectTest(has: "await store.advance(by: .milliseconds(34560000500))")
  }

  /// The effect has caught an error, and sent another action.
  @Test func theErrorOfACallThatLedToAnotherActionIsOneOfTheTest() throws {
    var recording = RecordingText()
    for count in 1...3 {
      recording.action(.enumCase("queryChanged", [("0", .text("q\(count)"))]))
      let effect = recording.start("search")
      recording.action(".started", from: effect)
      recording.waits(effect, 0.3)
      recording.wait(0.3)
      recording.resumes(effect)
      recording.action(
        count == 2 ? RecordedNode(".failed") : .enumCase("found", [("0", .text("r\(count)"))]),
        from: effect)
      recording.end(effect)
    }
    try recording.expectTest(
      outcomes: ["api.search(_)=found"],
      has: """
              case 0: "r1"
              case 1: throw RecordedError()
              default: "r3"
        """)
  }

  @Test func anActionWithoutItsCommitIsNotCompared() throws {
    var recording = searchRecording()
    recording.reduce(".cleared")
    try recording.expectTest(
      has: """
          // The commit of an action is missing in the recording: it is not compared.
          store.exhaustivity.remove([.state, .transactions])
          await store.send(.cleared)
          store.exhaustivity.insert([.state, .transactions])
        """)
  }

  @Test func aListInAnOptionalIsWrittenAsAWhole() throws {
    func row(_ title: String) -> RecordedNode { .structure("Row", [("title", .text(title))]) }
    func optional(_ node: RecordedNode) -> RecordedNode {
      var node = node
      node.isOptional = true
      return node
    }
    for (old, new, code) in [
      (optional(.list([.text("a")])), optional(.list([.text("a"), .text("b")])), #"= ["a", "b"]"#),
      (optional(.list([row("a")])), optional(.list([row("b")])), #"= [Row(title: "b")]"#),
      (.list([optional(row("a"))]), .list([optional(row("b"))]), #"= [Row(title: "b")]"#),
    ] {
      let states = [old, new].map { RecordedNode.structure("Search.State", [("rows", $0)]) }
      var recording = RecordingText(state: states[0])
      recording.action(RecordedNode(".next"), states[0].changes(to: states[1]))
      try recording.expectTest(has: "await store.send(.next) { $0.rows \(code) }")
    }
  }

  @Test func whatAnActionCarriesIsNoAnswerOfAnEndpoint() throws {
    let document = RecordedNode.structure("Document", [("status", RecordedNode(".loaded"))])
    var recording = RecordingText(state: .structure("Search.State", []))
    recording.action(RecordedNode(".start"))
    let effects = [recording.start("load"), recording.start("watch", place: "Search.swift:50")]
    recording.action(.enumCase("saved", [("0", document)]), from: effects[1])
    recording.action(.enumCase("statusChanged", [("0", RecordedNode(".loaded"))]), from: effects[1])
    recording.action(
      .enumCase("statusChanged", [("0", .enumCase("loaded", type: "Status", [("0", .text("x"))]))]),
      from: effects[1])
    recording.action(
      .enumCase(
        "row", [("0", .enumCase("loaded", type: "Row.Action", [("0", .text("one"))]))]),
      from: effects[0])
    try recording.expectTest(
      outcomes: ["api.load(_)=loaded"], has: #"$0.api.load = { _ in "one" }"#)
  }

  @Test func casesThatAreWordsOfTheLanguageAreInBackticks() {
    #expect(RecordedNode(".self").code().inline == ".`self`")
    #expect(RecordedNode(".default").code().inline == ".default")
    #expect(RecordedNode.enumCase("init", [("0", RecordedNode("3"))]).code().inline == ".`init`(3)")
  }

  @Test(arguments: [
    ("\"a\\\"b\"", "\"a\\\"b\""), ("-2.5", "-2.5"), ("1e-05", "1e-05"), ("nil", "nil"),
    (".idle", ".idle"),
    ("10000000000 s", ".seconds(10000000000)"), ("8999999999.1 s", ".milliseconds(8999999999100)"),
    (
      "0.000000000000000001 s",
      "Duration(secondsComponent: 0, attosecondsComponent: 1)"
    ),
    (
      "-20000000000.5 s",
      "Duration(secondsComponent: -20000000000, attosecondsComponent: -500000000000000000)"
    ),
    ("0.4 s", ".milliseconds(400)"), ("2 s", ".seconds(2)"), ("-0.000001 s", ".microseconds(-1)"),
    ("00000000-0000-0000-0000-00000000000F", "UUID(15)"),
    (
      "9BC7F2B0-0000-4000-8000-00000000000F",
      "UUID(uuidString: \"9BC7F2B0-0000-4000-8000-00000000000F\")!"
    ),
    ("Date(2026-09-21T14:13:20.250Z)", "Date(timeIntervalSince1970: 1790000000.25)"),
    ("https://rondo.org/a?b=\"c", "URL(string: \"https://rondo.org/a?b=\\\"c\")!"),
    ("\\State.name", "\\.name"), ("#3", "3"), ("inf", ".infinity"),
    ("1..<5", "1..<5"), ("-2.5...1e+20", "-2.5...1e+20"), ("-5..<-1", "-5..<(-1)"),
  ])
  func aLeafIsWrittenAsCode(text: String, code: String) {
    #expect(RecordedNode(text).code().inline == code)
  }

  @Test(arguments: [
    "(Function)", "12 bytes", "a; b", ".a(b)", "\"", "fatalError()", "#>", "Date(x)", "#", "#1a",
    "1.", "-", "1e", "1e+", "\"a\\", "\"\\\"", "\"\\u{}\"", "\"\\q\"", "\"a\"b\"", "1e5 s",
    "\"a\nb\"",
  ])
  func whatCannotBeWrittenIsAPlaceholderThatNamesIt(text: String) {
    let code = RecordedNode(text).code().inline
    #expect(code.hasPrefix("<#") && code.hasSuffix("#>"))
    #expect(code.dropFirst(2).dropLast(2).contains("#>") == false)
  }

  @Test func aValueWithAMemberThatCannotBeSetIsMadeAnew() throws {
    func row(_ title: String) -> RecordedNode {
      .structure("Row", [("id", "1"), ("title", .text(title))])
    }
    func state(_ count: Int, _ title: String) -> RecordedNode {
      .structure(
        "Search.State", [("count", "\(count)"), ("rows", .list([row(title)]))])
    }
    let states = [state(0, "a"), state(1, "a"), state(1, "b")]
    var recording = RecordingText(state: states[0])
    for (old, new) in zip(states, states.dropFirst()) {
      recording.action(".next", old.changes(to: new))
    }
    let text = try test(recording) {
      $0.membersWithoutSetter = ["Search.State.count", "Row.title"]
    }
    #expect(
      text.contains(
        "{ $0 = Search.State(count: 1, rows: [Row(id: 1, title: \"a\")]) }"), "\(text)")
    #expect(text.contains("{ $0.rows[0] = Row(id: 1, title: \"b\") }"))
    let hidden = try test(recording) {
      $0.membersWithoutSetter = ["Search.State.count"]
      $0.initializers = [try TestOptions.Initializer("Search.State(rows:)")]
    }
    #expect(hidden.contains("{ $0 = <#count, which a test cannot set#> }"))
  }

  @Test func rangesAreWrittenAsCode() {
    func range(_ type: String, _ bounds: [(String, RecordedNode)]) -> String {
      RecordedNode.structure(type, bounds).code().inline
    }
    #expect(range("PartialRangeFrom<Int>", [("lowerBound", "1")]) == "1...")
    #expect(range("PartialRangeUpTo<Int>", [("upperBound", "-1")]) == "..<(-1)")
    #expect(
      range("PartialRangeThrough<String>", [("upperBound", .text("a"))]) == "...\"a\"")
  }

  /// A recording may come from anywhere, and its test is run.
  @Test func nothingInARecordingBecomesCodeThatIsNoValue() throws {
    let code = "exit(1)"
    let attacks = [
      "\"\" + \(code) + \"\"", "\"\\(\(code))\"", ".a(\(code))", "\\State.a[\(code)]", "1; \(code)",
      "true\n\(code)",
    ]
    for attack in attacks {
      let leaf = RecordedNode(attack)
      var recording = RecordingText(
        feature: attack, state: .structure("Search.State", [("a", leaf), (attack, leaf)]))
      recording.action(
        .enumCase(attack, [(attack, leaf)]),
        [
          RecordedChange(path: ["a"], new: .structure(attack, [("a", leaf)])),
          RecordedChange(path: [attack], new: leaf),
          RecordedChange(path: ["a", attack, "b"], new: leaf),
        ], animation: attack)
      let text = try test(recording)
      #expect(text.replacing(/<#.*?#>/, with: "").contains(code) == false, "\(text)")
    }
  }

  @Test func whatIsNotKnownIsAPlaceholder() throws {
    let recording = RecordingText(
      state: .structure(
        "Search.State", [("token", .redacted), ("view", RecordedNode(kind: .class, children: []))]))
    let text = try test(recording) { $0.imports = [] }
    #expect(text.contains("@testable import <#the module of the feature#>"))
    #expect(text.contains("token: <#token, which was redacted#>"))
    #expect(text.contains("view: <#an instance of a class#>"))
  }
}
