// V14 and V15: recordings that go on in another way, and recordings against other code.

import Foundation
import Rondo
import RondoRecording
import RondoRuntimeTestSupport
import RondoScheduling
import Testing

@MainActor @Suite struct WhatIfRules {
  private let folder = TemporaryFile()

  private var url: URL { folder.url.appending(path: "run.jsonl") }

  /// The desk with a mistake: it adds a number of a certain size twice.
  private struct Other: Reducer {
    let timeline: TestTimeline

    func reduce(into state: inout Desk.State, action: Desk.Action) -> Effect<Desk.Action> {
      if case .add(let number) = action, number > 4 { state.count += number }
      return Desk(timeline: timeline).reduce(into: &state, action: action)
    }
  }

  /// Actions 1 to 6: insert, delay, add(2) by its effect, add(5), tag(7), add(-7).
  private func record() throws {
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let timeline = TestTimeline()
    let store = Store(initialState: Desk.State()) { Desk(timeline: timeline) }
    let recording = try store.record(to: url, clock: timeline.clock)
    store.send(.insert("a", at: 0))
    store.send(.delay(2))
    timeline.advance(by: .seconds(2))
    store.send(.add(5))
    store.send(.tag(7))
    store.send(.add(-7))
    recording.end()
  }

  // MARK: V14

  private var desk: Desk { Desk(timeline: TestTimeline()) }

  // V14
  @Test func V14_theStateAtTheForkIsTheRecordedOne() throws {
    try record()
    let fork = try RecordingFile(contentsOf: url).fork(at: 4) { desk }
    #expect(fork.state.count == 2)
    #expect(fork.state.rows == ["a"])
    #expect(fork.state.tags.isEmpty)
  }

  // V14
  @Test func V14_theFirstDifferenceIsNamedAndWhereTheyMeetAgain() throws {
    try record()
    let file = try RecordingFile(contentsOf: url)
    let outcome = try file.fork(at: 4) { desk }.run(instead: .add(6))
    #expect(outcome.first?.number == 4)
    #expect(outcome.first?.text == "count is 8, where 7 was recorded")
    #expect(outcome.meetsAgain == nil)
    #expect(outcome.state.count == 1)
    #expect(outcome.leftOut == [4])

    // Another order: what is said later is said before.
    let back = try file.fork(at: 5) { desk }.run(instead: .tag(8), .tag(7), .tag(8))
    #expect(back.first == nil)
    #expect(back.state.tags == [7])
  }

  // V14
  @Test func V14_whatFollowedFromTheActionIsLeftOut() throws {
    try record()
    let outcome = try RecordingFile(contentsOf: url).fork(at: 2) { desk }.run(instead: .add(2))
    // The answer of the delay never came; what was sent in its place has the same end.
    #expect(outcome.leftOut == [2, 3])
    #expect(outcome.first?.number == 2)
    #expect(outcome.first?.text == "count is 2, where 0 was recorded")
    #expect(outcome.meetsAgain?.number == 3)
    #expect(outcome.state.count == 0)
    let without = try RecordingFile(contentsOf: url).fork(at: 2) { desk }.run()
    #expect(without.first?.number == 3)
    #expect(without.state.count == -2)
  }

  // V14
  @Test func V14_otherCodeGoesOnFromTheFork() throws {
    try record()
    let timeline = TestTimeline()
    let file = try RecordingFile(contentsOf: url)
    let outcome = try file.fork(at: 4) { Other(timeline: timeline) }
      .run(with: Other(timeline: timeline))
    #expect(outcome.first?.action == "add")
    #expect(outcome.first?.text == "count is 12, where 7 was recorded")
    #expect(outcome.leftOut.isEmpty)
    // Behind the mistake nothing is different.
    #expect(try file.fork(at: 5) { desk }.run(with: desk).first == nil)
  }

  // V14
  @Test func V14_anActionThatIsNotThereIsRefused() throws {
    try record()
    let file = try RecordingFile(contentsOf: url)
    #expect(
      throws: RecordingError("There is no action 9 in the recording; the last one is 6.")
    ) { _ = try file.fork(at: 9) { desk } }
  }

  // MARK: V15

  // V15
  @Test func V15_aFolderAgreesWithTheCodeThatWasRecorded() throws {
    try record()
    #expect(try Recordings(folder.url).replay { desk })
  }

  // V15
  @Test func V15_theReportTellsByActionWhatDiffers() throws {
    try record()
    let timeline = TestTimeline()
    var agrees = true
    let report = try captureIssues {
      agrees = try Recordings(folder.url).replay { Other(timeline: timeline) }
    }
    #expect(!agrees)
    #expect(
      report.map(\.message) == [
        """
        1 of 1 recordings differ from what the feature does now. If that is right, run this once with \
        RONDO_ACCEPT_RECORDINGS=1.

          run.jsonl
            add: 1 of 3, first in line \(try line(of: 4)): count is 12, where 7 was recorded
        """
      ])
  }

  /// The line of the commit of an action.
  private func line(of action: Int) throws -> Int {
    try RecordingFile(contentsOf: url).lines.first {
      if case .commit(let commit) = $0.line { commit.actions.contains(action) } else { false }
    }?.number ?? 0
  }

  // V15
  @Test func V15_whatIsAcceptedIsTheRecordingFromThenOn() throws {
    try record()
    let timeline = TestTimeline()
    let recordings = try Recordings(folder.url)
    #expect(try recordings.replay(accept: true) { Other(timeline: timeline) })
    #expect(try recordings.replay { Other(timeline: timeline) })
    let file = try RecordingFile(contentsOf: url)
    #expect(try file.replay { Other(timeline: timeline) } == .agrees(commits: 6))
    var agrees = true
    let issues = try captureIssues { agrees = try recordings.replay { desk } }
    #expect(issues.count == 1)
    #expect(!agrees)
  }

  // V15
  @Test func V15_anAcceptedRecordingThatAgreesIsLeftAlone() throws {
    try record()
    let before = try Data(contentsOf: url)
    #expect(try Recordings(folder.url).replay(accept: true) { desk })
    #expect(try Data(contentsOf: url) == before)
  }

  // V15
  @Test func V15_aFolderWithoutRecordingsIsRefused() throws {
    #expect(throws: RecordingError.self) { try Recordings(folder.url) }
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    #expect(throws: RecordingError.self) { try Recordings(folder.url) }
    try Data("nonsense\n".utf8).write(to: url)
    let problem = "run.jsonl: Line 1: this is not the beginning of a recording."
    let recordings = try Recordings(folder.url)
    #expect(throws: RecordingError(problem)) { try recordings.replay { desk } }
  }

  // V15
  @Test func V15_theIdentifiersOfAReplayAreTheRecordedOnes() throws {
    try recordIdentifiers()
    #expect(try Recordings(folder.url).replay { Made() })
  }

  // V14
  @Test func V14_otherCodeGetsTheIdentifiersBehindThoseOfTheFork() throws {
    try recordIdentifiers()
    let fork = try RecordingFile(contentsOf: url).fork(at: 2) { Made() }
    #expect(try fork.run(with: Made()).first == nil)
  }

  // V7
  @Test func identifiersThatNothingShowsCountInAReplay() async throws {
    struct Hiding: Reducer {
      struct State: Codable, Equatable, Sendable { var ids: [UUID] = [] }
      enum Action: String, Codable, Equatable, Sendable { case make, work, start, stop }
      var hasDrawn: Promise<Void>?
      @Dependency(\.uuid) var uuid

      var body: some Reducer<State, Action> {
        // A part with a generator of its own.
        Reduce<State, Action> { _, _ in
          @Dependency(\.uuid) var uuid
          _ = uuid()
          return .none
        }
        .dependency(\.uuid, .incrementing)
        Reduce { state, action in
          switch action {
          case .make:
            _ = uuid()
            state.ids.append(uuid())
            return .none
          case .work: return .run { [uuid] _ in _ = uuid() }
          case .start:
            return .run { [uuid, hasDrawn] _ in
              try? await Task.never()
              _ = uuid()
              hasDrawn?.fulfil()
            }
            .cancellable(id: 1)
          case .stop: return .cancel(id: 1)
          }
        }
      }
    }
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let hasDrawn = Promise<Void>()
    let store = Store(initialState: Hiding.State()) {
      Hiding(hasDrawn: hasDrawn)
    } withDependencies: {
      $0.uuid = UUIDGenerator { UUID() }
    }
    let recording = try store.record(to: url)
    for action in [Hiding.Action.make, .work, .make] { await store.send(action).finish() }
    // The closure of an effect that has ended.
    store.send(.start)
    store.send(.stop)
    await hasDrawn.value
    store.send(.make)
    recording.end()
    let file = try RecordingFile(contentsOf: url)
    #expect(try file.replay { Hiding() } == .agrees(commits: 6))
  }

  // V7
  @Test func identifiersOfOtherThreadsDifferInAReplay() throws {
    struct Threaded: Reducer {
      struct State: Codable, Equatable, Sendable {
        var otherCount = 0
        var own: UUID?
      }
      enum Action: String, Codable, Equatable, Sendable { case make }
      @Dependency(\.uuid) var uuid

      func reduce(into state: inout State, action: Action) -> Effect<Action> {
        let others = LockIsolated<Set<UUID>>([])
        let isDone = DispatchSemaphore(value: 0)
        Thread { [uuid] in
          for _ in 1...4 { others.withValue { _ = $0.insert(uuid()) } }
          isDone.signal()
        }
        .start()
        isDone.wait()
        state.otherCount = others.value.count
        state.own = uuid()
        return .none
      }
    }
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let store = Store(initialState: Threaded.State()) {
      Threaded()
    } withDependencies: {
      $0.uuid = UUIDGenerator { UUID() }
    }
    let recording = try store.record(to: url)
    store.send(.make)
    recording.end()
    #expect(try RecordingFile(contentsOf: url).replay { Threaded() } == .agrees(commits: 1))
  }

  private struct Made: Reducer {
    struct State: Codable, Equatable, Sendable { var ids: [UUID] = [] }
    enum Action: String, Codable, Equatable, Sendable { case make }
    @Dependency(\.uuid) var uuid

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      state.ids.append(uuid())
      return .none
    }
  }

  /// Three actions, each of which appends an identifier.
  private func recordIdentifiers() throws {
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let store = Store(initialState: Made.State()) {
      Made()
    } withDependencies: {
      $0.uuid = UUIDGenerator { UUID() }
    }
    let recording = try store.record(to: url)
    for _ in 1...3 { store.send(.make) }
    recording.end()
  }
}
