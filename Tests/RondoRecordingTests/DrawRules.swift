// V2 and V3: the identifiers and dates that dependencies give.

import Foundation
import RondoRecording
import RondoScheduling
import RondoTesting
import Testing

@MainActor @Suite struct DrawRules {
  private let file = TemporaryFile()

  /// Identifiers that are as unlike each other as real ones.
  private static func generator(_ drawn: LockIsolated<[UUID]>) -> UUIDGenerator {
    UUIDGenerator {
      let uuid = UUID()
      drawn.withValue { $0.append(uuid) }
      return uuid
    }
  }

  private func draws(of recording: RecordingFile) -> [RecordingLine.Draw] {
    recording.lines.compactMap { if case .drawn(let draw) = $0.line { draw } else { nil } }
  }

  // V2
  @Test func V2_identifiersAreToldInTheOrderInWhichTheyWereGiven() async throws {
    let drawn = LockIsolated<[UUID]>([])
    let store = Store(initialState: Maker.State()) {
      Maker()
    } withDependencies: {
      $0.uuid = Self.generator(drawn)
    }
    let recording = try store.record(to: file.url)
    store.send(.makeTwo)
    await store.send(.makeLater).finish()
    recording.end()
    let ids = drawn.value
    #expect(
      store.ids == [ids[1].uuidString, ids[0].uuidString, "row \(ids[3].uuidString.lowercased())"])
    let draws = draws(of: try RecordingFile(contentsOf: file.url))
    #expect(draws.map(\.uuid) == [ids[0], ids[1], ids[3]].map(\.uuidString))
    #expect(draws.map(\.number) == [1, 2, 4])
    #expect(draws.map(\.effect) == [nil, nil, 1])
  }

  // V16
  @Test func V16_theStepsOfConcatenationsAreTold() throws {
    let scheduler = DispatchQueue.test
    let store = Store(initialState: 0) {
      Reduce<Int, Int> { state, number in
        state += number
        guard number == 1 else { return .none }
        func late(_ number: Int) -> Effect<Int> {
          Effect.send(number).delay(for: .seconds(1), scheduler: scheduler)
        }
        return .merge(
          .concatenate(late(10), .merge(late(20), .concatenate(late(30), late(40)))), late(50))
      }
    }
    let recording = try store.record(to: file.url)
    store.send(1)
    scheduler.advance(by: .seconds(3))
    recording.end()
    #expect(store.withState { $0 } == 151)
    let starts = try RecordingFile(contentsOf: file.url).starts.filter { $0.parent == nil }
    let steps = starts.map { start in
      (start.steps ?? []).map { "\($0.of).\($0.step)" }.joined(separator: " ")
    }
    #expect(steps == ["1.1", "", "1.2", "1.2 2.1", "1.2 2.2"])
  }

  // S5
  @Test func S5_whatAnEffectWasMadeForIsTold() throws {
    let scheduler = DispatchQueue.test
    let store = Store(initialState: 0) {
      Reduce<Int, Int> { state, number in
        state += number
        guard number == 1 else { return .none }
        @Sendable func late(_ number: Int) -> Effect<Int> {
          Effect.send(number).delay(for: .seconds(1), scheduler: scheduler)
        }
        // It answers while it is started: what is started next is beside it, and not made for it.
        let now = Effect<Int>.future(name: "now") { $0(2) }
        return .merge(
          now.flatMap { _ in .merge(late(10), late(20).flatMap { _ in late(30) }) }, late(40))
      }
    }
    let recording = try store.record(to: file.url)
    store.send(1)
    scheduler.advance(by: .seconds(2))
    recording.end()
    #expect(store.withState { $0 } == 81)
    let starts = try RecordingFile(contentsOf: file.url).starts.filter { $0.kind != "send" }
    let now = try #require(starts.first).effect
    let inner = starts.filter { $0.after == now }
    #expect(inner.count == 2)
    #expect(starts.filter { $0.after == nil }.map(\.kind) == ["future", "delay"])
    #expect(starts.last?.after == inner.last?.effect)
  }

  // V2
  @Test func V2_aTestStoreRecordsWhatItsDependenciesGive() async throws {
    let store = TestStore(initialState: Maker.State()) {
      Maker()
    } withDependencies: {
      $0.uuid = .incrementing
    }
    let recording = try store.record(to: file.url)
    await store.send(.makeTwo) { $0.ids = [UUID(1).uuidString, UUID(0).uuidString] }
    recording.end()
    #expect(
      draws(of: try RecordingFile(contentsOf: file.url)).map(\.uuid)
        == [UUID(0).uuidString, UUID(1).uuidString])
  }

  // V3
  @Test func V3_anIdentifierThatNobodyMaySeeIsNowhereInTheFile() async throws {
    let drawn = LockIsolated<[UUID]>([])
    let store = Store(initialState: Maker.State()) {
      Maker()
    } withDependencies: {
      $0.uuid = Self.generator(drawn)
    }
    let recording = try store.record(to: file.url, redacting: [.state(\.key)])
    store.send(.makeSecrets)
    store.send(.makeTwo)
    recording.end()
    let text = file.text
    for id in drawn.value.prefix(2) { #expect(!text.contains(id.uuidString)) }
    #expect(draws(of: try RecordingFile(contentsOf: file.url)).map(\.number) == [3, 4])
  }

  // V2
  @Test func V2_datesAreToldWhenTheyAreRead() async throws {
    let timeline = TestTimeline(startDate: Date(timeIntervalSince1970: 1_000))
    let store = Store(initialState: Maker.State()) {
      Maker()
    } withDependencies: {
      $0.date = DateGenerator { timeline.date }
    }
    let recording = try store.record(to: file.url, clock: timeline.clock, date: timeline.date)
    await timeline.advance(by: .seconds(1.5))
    await store.send(.look).finish()
    recording.end()
    let lines = try RecordingFile(contentsOf: file.url).lines.map(\.line)
    let events = lines.compactMap { line -> String? in
      switch line {
      case .action(let action): action.name
      case .commit: "commit"
      case .drawn(let draw): "\(draw.date ?? 0) \(draw.effect.map(String.init) ?? "reducer")"
      default: nil
      }
    }
    #expect(
      events == [
        ".look", "1001.5 reducer", "commit", "1001.5 1", ".looked(Date(1970-01-01T00:17:41.500Z))",
        "commit",
      ])
  }
}

/// A feature that makes things with dependencies.
private struct Maker: Reducer {
  struct State: Equatable, Sendable {
    var ids: [String] = []
    var key = ""
    @Redacted var token = ""
    var date: Date?
  }

  enum Action: Equatable, Sendable {
    case makeTwo
    case makeLater
    case made(String)
    case makeSecrets
    case look
    case looked(Date)
  }

  @Dependency(\.uuid) var uuid
  @Dependency(\.date) var date

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .makeTwo:
      let first = uuid().uuidString
      state.ids = [uuid().uuidString, first]
    case .makeLater:
      return .run { [uuid] send in
        // An identifier that is not used.
        _ = uuid()
        await send(.made("row \(uuid().uuidString.lowercased())"))
      }
    case .made(let text): state.ids.append(text)
    case .makeSecrets:
      state.key = uuid().uuidString
      state.token = uuid().uuidString
    case .look:
      state.date = date.now
      return .run { [date] send in await send(.looked(date.now.addingTimeInterval(60))) }
    case .looked: break
    }
    return .none
  }
}
