// A counter, for benchmarks.

import Rondo
import RondoDurable

struct BenchCounter: Reducer {
  struct State: Codable, Equatable, Sendable {
    var sum = 0
  }

  enum Action: Codable, Equatable, Sendable {
    case add(Int)
    /// Sets a timer, with a number that its end is told with.
    case remind(Int, after: Double)
    case reminded(Int)
  }

  var didRemind: @Sendable (Int) -> Void = { _ in }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .add(let number): state.sum += number
    case .remind(let number, let seconds):
      return .durableTimer("reminder", number, id: "reminder", after: .seconds(seconds))
    case .reminded(let number):
      state.sum += 1
      didRemind(number)
    }
    return .none
  }

  /// - Parameter didRemind: Called with the number of each timer that has fired.
  static func feature(
    kind: String, didRemind: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> DurableFeature<State, Action> {
    DurableFeature(kind, initialState: { _ in State() }) {
      BenchCounter(didRemind: didRemind)
    } work: {
      DurableTimer("reminder", onResume: .deadline) { .reminded($0) }
    }
  }
}
