// V1 and V2: what is recorded, on every host.

import Foundation
@testable import RondoRecording
import RondoScheduling
import RondoTesting
import RondoSeededRandomness
import Testing

@MainActor @Suite struct HostRules {
  private let file = TemporaryFile()

  // V1
  @Test(arguments: HostKind.allCases)
  func V1_theFirstLineSaysWhatIsRecorded(kind: HostKind) async throws {
    let begin = try await kind.desk(file).read().begin
    #expect(begin.host == kind.rawValue)
    #expect(begin.feature == "Desk")
    #expect([begin.stateType, begin.actionType] == ["Desk.State", "Desk.Action"])
    #expect(begin.place?.hasPrefix("RondoRecordingTests/Hosts.swift:") == true)
    #expect(begin.state == RecordedNode(of: Desk.State()))
    #expect(begin.actionCases?.count == 23)
    #expect(begin.actionCases?.contains("sendTwo") == true)
    #expect(try begin.data?.decoded(as: Desk.State.self) == Desk.State())
  }

  // V12
  @Test func V12_theEnvironmentNamesAFileToRecordTo() {
    #expect(Recording.requestedURL(in: [:]) == nil)
    #expect(Recording.requestedURL(in: ["RONDO_RECORD": ""]) == nil)
    #expect(Recording.requestedURL(in: ["RONDO_RECORD": "/a/b c.jsonl"])?.path == "/a/b c.jsonl")
  }

  // V1
  @Test(arguments: HostKind.allCases)
  func V1_theLastLineCountsTheEvents(kind: HostKind) async throws {
    let host = try await kind.desk(file)
    await host.send(.add(1))
    await host.send(.sendOne(2))
    let recording = try await host.read()
    #expect(recording.isWhole)
    guard case .end(let end) = recording.lines.last?.line else {
      Issue.record("The last line is not the end.")
      return
    }
    #expect(end.events == recording.lines.count - 2)
  }

  // V1
  @Test(arguments: HostKind.allCases)
  func V1_onlyTheUserMayReadTheFile(kind: HostKind) async throws {
    _ = FileManager.default.createFile(
      atPath: file.url.path, contents: Data("old".utf8), attributes: [.posixPermissions: 0o644])
    let host = try await kind.desk(file)
    let attributes = try FileManager.default.attributesOfItem(atPath: file.url.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(!file.text.contains("old"))
    host.recording.end()
  }

  // V1
  @Test(arguments: HostKind.allCases)
  func V1_nothingIsRecordedAfterTheEnd(kind: HostKind) async throws {
    let host = try await kind.desk(file)
    await host.send(.add(1))
    host.recording.end()
    let text = file.text
    await host.send(.add(2))
    await host.settle()
    #expect(file.text == text)
  }

  // V1
  @Test(arguments: HostKind.allCases)
  func V1_everyLineIsThereAtOnce(kind: HostKind) async throws {
    let host = try await kind.desk(file)
    await host.send(.add(1))
    let recording = try RecordingFile(contentsOf: file.url)
    #expect(recording.actions.map(\.name) == [".add(1)"])
    #expect(recording.commits.count == 1)
    #expect(!recording.isWhole)
    host.recording.end()
  }

  // V2
  @Test(arguments: HostKind.allCases)
  func V2_commitsHaveActionsTransactionsAndChanges(kind: HostKind) async throws {
    let host = try await kind.desk(file)
    await host.send(.insert("a", at: 0))
    await host.finish(.run(3))
    let commits = try await host.read().commits
    #expect(commits.map(\.commit) == [1, 2, 3])
    #expect(commits.map(\.actions) == [[1], [2], [3]])
    #expect(
      commits[0].changes == [RecordedChange(path: ["rows", "0"], new: RecordedNode("\"a\""))])
    #expect(commits[1].changes == [])
    #expect(
      commits[2].changes == [
        RecordedChange(path: ["count"], old: RecordedNode("0"), new: RecordedNode("3"))
      ])
    #expect(commits[0].transaction == RecordedTransaction(name: "untagged", tagged: false))
    #expect(commits[2].transaction.name == ".easeIn")
    #expect(commits[2].transaction.animation?.duration == 0.35)
    #expect(commits[2].transaction.animation?.samples.first == 0)
    #expect(commits[2].transaction.animation?.samples.last == 1)
  }

  // V2
  @Test(arguments: HostKind.allCases)
  func V2_everyActionLeadsToItsCause(kind: HostKind) async throws {
    let host = try await kind.desk(file)
    await host.finish(.sendTwo(1))
    await host.finish(.run(5))
    let recording = try await host.read()
    #expect(
      recording.causes == [
        ".sendTwo(1)",
        ".add(1) <- send <- .sendTwo(1)",
        ".sendOne(1) <- send <- .sendTwo(1)",
        ".add(1) <- send <- .sendOne(1) <- send <- .sendTwo(1)",
        ".run(5)",
        #".add(5) <- run "answer" <- .run(5)"#,
      ])
    #expect(recording.starts.count == recording.ends.count)
    #expect(recording.emissions.compactMap(\.action) == [2, 3, 4, 6])
  }

  // V2
  @Test(arguments: HostKind.allCases)
  func V2_effectsHaveNamePlaceAndIDs(kind: HostKind) async throws {
    let host = try await kind.desk(file)
    let cancel = await host.send(.sleep(1))
    await cancel()
    let start = try #require(try await host.read().starts.first)
    #expect(start.kind == "run")
    #expect(start.label == #"run "nap""#)
    #expect(start.place?.hasPrefix("RondoRecordingTests/Desk.swift:") == true)
    #expect(start.ids == [".sleep"])
    #expect(start.action == 1)
  }

  // V2
  @Test(arguments: HostKind.allCases)
  func V2_aCancellationHasItsCause(kind: HostKind) async throws {
    let host = try await kind.desk(file)
    await host.send(.wait)
    await host.send(.cancel)
    do {
      let cancel = await host.send(.wait)
      await cancel()
    }
    await host.send(.open)
    await host.send(.drawer(.watch))
    await host.send(.close)
    await host.send(.wait)
    await host.settle()
    host.release()
    await host.settle()
    let ends = try await host.read().ends
    #expect(ends.map(\.how) == [.cancelled, .cancelled, .cancelled, .cancelled])
    #expect(ends.map(\.by) == [.action(2), .task, .scope(action: 6), .host])
  }

  // V2
  @Test(arguments: HostKind.allCases)
  func V2_anErrorThatNobodyCaughtIsAFailure(kind: HostKind) async throws {
    let host = try await kind.desk(file)
    _ = await captureIssues { await host.finish(.fail) }
    let recording = try await host.read()
    #expect(recording.ends.map(\.how) == [.failed])
    #expect(recording.issues.count == 1)
  }

  // V2
  @Test(arguments: HostKind.allCases)
  func V2_issuesOfAReducerAreRecorded(kind: HostKind) async throws {
    let host = try await kind.desk(file)
    _ = await captureIssues { await host.send(.report) }
    let issues = try await host.read().issues
    #expect(issues.map(\.message) == ["The desk is on fire."])
    #expect(issues.first?.place?.hasPrefix("RondoRecordingTests/Desk.swift:") == true)
  }

  // V2
  @Test(arguments: HostKind.allCases)
  func V2_sleepsAreWaitsOnTheClock(kind: HostKind) async throws {
    let host = try await kind.desk(file)
    await host.send(.sleep(4))
    await host.advance(by: .seconds(1))
    await waitUntil { self.file.text.contains("effectEnded") }
    let recording = try await host.read()
    #expect(recording.waits.map(\.on) == [.clock])
    #expect(recording.waits.map(\.until) == [1])
    #expect(recording.resumptions.map(\.at) == [1])
    #expect(recording.causes.last == #".add(4) <- run "nap" <- .sleep(4)"#)
  }

  /// A feature may sleep until it is cancelled, and a test may set any date.
  // V3
  @Test func V3_aTimeBeyondTheLimitIsRecordedAsTheLimit() async throws {
    let date = Date(timeIntervalSince1970: -1e13)
    let store = TestStore(initialState: 0) {
      Reduce<Int, Int> { _, _ in
        @Dependency(\.date) var date
        _ = date.now
        return .run { _ in
          @Dependency(\.continuousClock) var clock
          try await clock.sleep(for: .seconds(2_000_000_000_000))
        }
      }
    } withDependencies: {
      $0.date = .constant(date)
    }
    let file = TemporaryFile()
    let recording = try store.record(to: file.url)
    await store.send(1)
    await store.skipInFlightEffects()
    recording.end()
    let copy = try RecordingFile(contentsOf: file.url)
    #expect(copy.isWhole)
    #expect(copy.waits.map(\.duration) == [1e12])
    #expect(copy.waits.map(\.until) == [1e12])
    let dates = copy.lines.compactMap {
      if case .drawn(let draw) = $0.line { draw.date } else { nil }
    }
    #expect(dates == [-1e12])
  }

  /// A number of seconds beyond 104 days does not have every nanosecond.
  // V2
  @Test func V2_aLongWaitIsNotRecordedShorterThanItIs() async throws {
    for nanoseconds in 123_456_789..<123_456_799 {
      let length = Duration.seconds(200 * 86_400) + .nanoseconds(nanoseconds)
      let file = TemporaryFile()
      let store = TestStore(initialState: 0) {
        Reduce<Int, Int> { _, _ in
          .run { _ in
            @Dependency(\.continuousClock) var clock
            try await clock.sleep(for: length)
          }
        }
      }
      let recording = try store.record(to: file.url)
      await store.send(1)
      await store.skipInFlightEffects()
      recording.end()
      let wait = try #require(try RecordingFile(contentsOf: file.url).waits.first)
      #expect(Duration.seconds(wait.duration ?? 0) >= length)
      #expect(Duration.seconds(wait.duration ?? 0) - length < .nanoseconds(8))
    }
  }

  // V2
  @Test(arguments: HostKind.allCases)
  func V2_workOfSchedulersIsAWait(kind: HostKind) async throws {
    let host = try await kind.desk(file)
    await host.send(.debounce(1))
    await host.send(.delay(2))
    await host.advance(by: .milliseconds(500))
    // An actor resumes it later than time moves.
    await waitUntil { self.file.text.contains("effectResumed") }
    await host.advance(by: .milliseconds(1_500))
    await waitUntil { self.file.text.matches(of: /effectEnded/).count == 4 }
    let recording = try await host.read()
    #expect(recording.waits.map(\.on) == [.scheduler, .scheduler])
    #expect(recording.waits.map(\.until) == [0.5, 2])
    #expect(recording.waits.map(\.scheduler) == [nil, "queue"])
    #expect(recording.resumptions.map(\.at) == [0.5, 2])
    #expect(recording.causes.contains(".add(1) <- send <- .debounce(1)"))
    #expect(recording.causes.contains(".add(2) <- delay <- .delay(2)"))
  }

  // V2
  @Test(arguments: HostKind.allCases)
  func V2_anEffectWithATimeLimitHasItsPlaceInTheSource(kind: HostKind) async throws {
    let host = try await kind.desk(file)
    await host.send(.expire)
    await host.advance(by: .seconds(1))
    await waitUntil { self.file.text.matches(of: /effectEnded/).count == 2 }
    let starts = try await host.read().starts
    #expect(starts.count == 2)
    #expect(
      starts.allSatisfy { $0.place?.hasPrefix("RondoRecordingTests/Desk.swift:") == true })
  }

  // V2
  @Test(arguments: HostKind.allCases)
  func V2_waitingForATurnIsAWait(kind: HostKind) async throws {
    let host = try await kind.desk(file)
    await host.send(.queue(1))
    await host.send(.queue(2))
    let recording = try await host.read()
    let wait = try #require(recording.waits.first { $0.on == .turn })
    #expect(wait.until == nil)
    #expect(recording.starts.first { $0.effect == wait.effect }?.action == 2)
  }

  // V2
  @Test(arguments: HostKind.allCases)
  func V2_anAnswerThatIsDroppedHasNoAction(kind: HostKind) async throws {
    let host = try await kind.desk(file)
    await host.finish(.dropped)
    let recording = try await host.read()
    #expect(recording.emissions.map(\.action) == [nil])
    #expect(recording.actions.count == 1)
  }

  // S5
  @Test(arguments: HostKind.allCases)
  func S5_aFailureThatIsDroppedIsOne(kind: HostKind) async throws {
    let host = try await kind.desk(file)
    await host.finish(.refused)
    await host.finish(.dropped)
    #expect(try await host.read().emissions.map(\.failed) == [true, nil])
  }

  // V2
  @Test func V2_effectsInFlightAtTheBeginningAreThere() async throws {
    let store = Store(initialState: Desk.State()) { Desk(timeline: TestTimeline()) }
    store.send(.wait)
    let recording = try store.record(to: file.url)
    store.send(.cancel)
    recording.end()
    let lines = try RecordingFile(contentsOf: file.url)
    #expect(lines.starts.map(\.action) == [nil])
    #expect(lines.ends.map(\.by) == [.action(1)])
  }

  // V2, V3
  @Test(arguments: HostKind.allCases)
  func V3_theChangesOfAnyProgramLeadToItsFinalState(kind: HostKind) async throws {
    try await forEachSeed(Soak.isOn ? 4 : 2) { random in
      let file = TemporaryFile()
      let host = try await kind.desk(file)
      for _ in 0..<40 { await host.finish(Desk.Action.random(&random)) }
      let state = await host.state()
      let recording = try await host.read()
      let trees = recording.trees
      #expect(trees.last == RecordedNode(of: state))
      #expect(trees.dropFirst().map(\.digest) == recording.commits.map(\.digest))
      #expect(
        try recording.replay { Desk(timeline: TestTimeline()) }
          == .agrees(commits: recording.commits.count))
    }
  }

  // V2
  @Test func V2_liveStoresAndTestStoresHaveTheSameCauses() async throws {
    try await forEachSeed(Soak.isOn ? 4 : 2) { random in
      let program = (0..<30).map { _ in Desk.Action.random(&random) }
      var causes: [[String]] = []
      for kind in HostKind.allCases {
        let file = TemporaryFile()
        let host = try await kind.desk(file)
        for action in program { await host.finish(action) }
        causes.append(try await host.read().causes)
      }
      #expect(causes[0] == causes[2])
      #expect(causes[1] == causes[2])
    }
  }
}

extension Desk.Action {
  /// An action whose effects end without time passing.
  static func random(_ random: inout Randomness) -> Self {
    let number = random.int(in: 0..<5)
    let name = ["ann", "bob", "eve"][random.int(in: 0..<3)]
    switch random.int(in: 0..<11) {
    case 0: return .add(number)
    case 1: return .insert(name, at: number)
    case 2: return .removeRow(number)
    case 3: return .score(name, random.bool() ? number : nil)
    case 4: return .tag(number)
    case 5:
      let selections: [Desk.Selection?] = [
        .row(number), .score(name: name, value: number), Desk.Selection.none, nil,
      ]
      return .select(selections[random.int(in: 0..<4)])
    case 6: return .sendOne(number)
    case 7: return .sendTwo(number)
    case 8: return .run(number)
    case 9: return random.bool() ? .open : .close
    default: return .dropped
    }
  }
}
