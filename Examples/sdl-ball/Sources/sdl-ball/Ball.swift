// A ball that is thrown, and comes back by itself.

import Rondo
import RondoStage

/// A ball. A throw takes it to the right; an effect takes it back.
struct Ball: Reducer {
  nonisolated struct State: Equatable, Sendable {
    var isAway = false
    var returnCount = 0
  }
  nonisolated enum Action: Equatable, Sendable {
    case thrown, returned
  }
  nonisolated enum CancelID { case flight }

  @Dependency(\.continuousClock) var clock

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .thrown:
      state.isAway = true
      return .run { [clock] send in
        try await clock.sleep(for: .milliseconds(600))
        await send(.returned, animation: .easeInOut(duration: 0.5))
      }
      .cancellable(id: CancelID.flight, cancelInFlight: true)
    case .returned:
      state.isAway = false
      state.returnCount += 1
      return .none
    }
  }

  static func tree(_ state: State) -> Node {
    Node.fill().frame(width: 24, height: 24).offset(x: state.isAway ? 280 : 16, y: 88).id("ball")
  }
}
