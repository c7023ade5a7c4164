// The endpoints that a recording tells of.

import Foundation
import Rondo
import RondoProcesses
import RondoRecording
import Testing

@DependencyClient
struct NumberClient: Sendable {
  var number: @Sendable () async -> Int = { 0 }
}

extension NumberClient: DependencyKey {
  static let liveValue = Self(number: { 5 })
  static let testValue = liveValue
}

// V16
@MainActor @Suite struct EndpointUseTests {
  @Test func theFirstUseOfAnEndpointByAnEffectIsTold() async throws {
    let folder = TemporaryFolder()
    let file = folder.file("a.jsonl")
    let store = Store(initialState: 0) {
      Reduce<Int, Int> { state, number in
        state += number
        guard number == 1 else { return .none }
        return .run { send in
          @Dependency(NumberClient.self) var client
          for _ in 1...3 { await send(client.number()) }
        }
      }
    }
    let recording = try store.record(to: file)
    await store.send(1).finish()
    // This is no effect's.
    _ = NumberClient().number
    recording.end()
    #expect(store.withState { $0 } == 16)
    let draws = try RecordingFile(contentsOf: file).lines.compactMap { _, line in
      if case .drawn(let draw) = line { draw } else { nil }
    }
    #expect(draws.map(\.endpoint) == ["NumberClient.number"])
    #expect(draws.map(\.effect) == [1])
  }
}
