// V4: running a recording again.

import Foundation
import Rondo
import RondoRecording
import RondoScheduling
import Testing

@MainActor @Suite struct ReplayRules {
  private let file = TemporaryFile()

  private func recorded() throws -> RecordingFile {
    let timeline = TestTimeline()
    let store = Store(initialState: Desk.State()) { Desk(timeline: timeline) }
    let recording = try store.record(to: file.url, clock: timeline.clock)
    store.send(.insert("a", at: 0))
    store.send(.sendTwo(1))
    store.send(.delay(2))
    timeline.advance(by: .seconds(2))
    recording.end()
    return try RecordingFile(contentsOf: file.url)
  }

  // V4
  @Test func V4_aReplayRunsNoEffects() throws {
    let recording = try recorded()
    let timeline = TestTimeline()
    #expect(try recording.replay { Desk(timeline: timeline) } == .agrees(commits: 5))
    #expect(timeline.waiting.isEmpty)
  }

  // V4
  @Test func V4_everyDigitOfANumberIsKept() throws {
    struct State: Codable, Equatable, Sendable {
      var price = Decimal(10) / 3
      var offset = -0.0
      var total = Decimal(string: "12345678901234567890123456789")!
      var ratio = 0.1
    }
    func reducer() -> Reduce<State, Double> {
      Reduce { state, offset in
        state.offset = offset
        return .none
      }
    }
    let store = Store(initialState: State(), reducer: reducer)
    let recording = try store.record(to: file.url)
    store.send(1)
    store.send(-0.0)
    recording.end()
    let read = try RecordingFile(contentsOf: file.url)
    #expect(try read.replay(reducer: reducer) == .agrees(commits: 2))
  }

  // V4
  @Test func V4_aReplayTellsEveryCommit() throws {
    var counts: [[Int]] = []
    var names: [[Desk.Action]] = []
    _ = try recorded().replay {
      Desk(timeline: TestTimeline())
    } didCommit: { commit in
      counts.append([commit.oldState.count, commit.newState.count])
      names.append(commit.actions)
    }
    #expect(counts == [[0, 0], [0, 1], [1, 2], [2, 2], [2, 4]])
    #expect(
      names == [
        [.insert("a", at: 0)], [.sendTwo(1), .add(1)], [.sendOne(1), .add(1)], [.delay(2)],
        [.add(2)],
      ])
  }

  // V4
  @Test func V4_theFirstStateThatDiffersIsNamed() throws {
    let recording = try recorded()
    let outcome = try recording.replay {
      Reduce<Desk.State, Desk.Action> { state, action in
        if case .add(let number) = action { state.count += 10 * number }
        if case .insert(let row, _) = action { state.rows.append(row) }
        return .none
      }
    }
    guard case .differs(let line, let difference) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    guard case .commit(let commit) = recording.lines.first(where: { $0.number == line })?.line
    else {
      Issue.record("Line \(line) is no commit.")
      return
    }
    #expect(commit.changes.map(\.path) == [["count"]])
    #expect(difference.contains("count is "))
    #expect(difference.contains("was recorded"))
  }

  // V4
  @Test func V4_theBytesOfDataAreCompared() throws {
    struct State: Codable { var bytes = Data([1, 2, 3]); var more: Data? }
    let store = Store(initialState: State()) {
      Reduce<State, Data> { state, bytes in
        state.bytes = bytes
        state.more = bytes
        return .none
      }
    }
    let recording = try store.record(to: file.url)
    store.send(Data([4, 5, 6]))
    recording.end()
    let lines = try RecordingFile(contentsOf: file.url)
    let outcome = try lines.replay {
      Reduce<State, Data> { state, bytes in
        state.bytes = bytes
        state.more = Data(bytes.reversed())
        return .none
      }
    }
    guard case .differs(3, let difference) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(difference.contains("more is 3 bytes"))
  }

  // V4
  @Test func V4_aStateThatIsTooDeepToBeComparedIsSaidToBe() throws {
    indirect enum Deep: Codable { case end, more(Deep) }
    struct State: Codable { var deep = Deep.end }
    let store = Store(initialState: State()) {
      Reduce<State, Int> { state, depth in
        for _ in 0..<depth { state.deep = .more(state.deep) }
        return .none
      }
    }
    let recording = try store.record(to: file.url)
    store.send(10)
    store.send(80)
    recording.end()
    let lines = try RecordingFile(contentsOf: file.url)
    let problem = """
      Line 5: After 80 the state is more than 64 levels deep. What is deeper is not in the \
      recording, so it cannot be compared.
      """
    #expect(throws: RecordingError(problem)) {
      _ = try lines.replay {
        Reduce<State, Int> { state, depth in
          for _ in 0..<depth { state.deep = .more(state.deep) }
          return .none
        }
      }
    }
  }

  // V4
  @Test func V4_aRecordingThatWasCutOffIsReplayedUpToThere() throws {
    _ = try recorded()
    let lines = file.text.split(separator: "\n").dropLast()
    let part = try RecordingFile(Data((lines.joined(separator: "\n") + "\n").utf8))
    guard case .cutOff(let commits) = try part.replay(reducer: { Desk(timeline: TestTimeline()) })
    else {
      Issue.record("It is not cut off.")
      return
    }
    #expect(commits == part.commits.count)
  }

  // V4
  @Test func V4_eachDateOfAReplayIsTheOneThatWasRead() throws {
    struct Dated: Reducer {
      struct State: Codable, Equatable, Sendable { var seconds: [Double] = [] }
      enum Action: String, Codable, Equatable, Sendable { case look }
      @Dependency(\.date) var date

      func reduce(into state: inout State, action: Action) -> Effect<Action> {
        state.seconds += [date().timeIntervalSince1970, date().timeIntervalSince1970]
        return .none
      }
    }
    let timeline = TestTimeline(startDate: Date(timeIntervalSince1970: 1_000))
    let reads = LockIsolated(0)
    let store = Store(initialState: Dated.State()) {
      Dated()
    } withDependencies: {
      // Time passes between an action and each reading of the date.
      $0.date = DateGenerator {
        reads.withValue { $0 += 1 }
        return Date(timeIntervalSince1970: 1_000 + Double(reads.value) / 4)
      }
    }
    let recording = try store.record(to: file.url, clock: timeline.clock, date: timeline.date)
    store.send(.look)
    store.send(.look)
    recording.end()
    #expect(store.seconds == [1_000.25, 1_000.5, 1_000.75, 1_001])
    #expect(
      try RecordingFile(contentsOf: file.url).replay { Dated() } == .agrees(commits: 2))
  }
}
