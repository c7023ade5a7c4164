// A counter, for benchmarks.

import Rondo
import RondoDurable

struct BenchCounter: Reducer {
  struct State: Codable, Equatable, Sendable {
    var sum = 0
  }

  enum Action: Codable, Equatable, Sendable {
    case add(Int)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .add(let number): state.sum += number
    }
    return .none
  }

  static func feature(kind: String) -> DurableFeature<State, Action> {
    DurableFeature(kind, initialState: { _ in State() }) { BenchCounter() }
  }
}
