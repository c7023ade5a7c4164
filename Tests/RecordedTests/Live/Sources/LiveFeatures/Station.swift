// A station: a timer without drift, two waits of one length, and waits one after the other.

import Rondo

public struct Station: Reducer {
  public struct State: Equatable, Sendable {
    public internal(set) var ticks = 0
    var left = false
    var right = false
    var steps = 0

    public init() {}

    init(ticks: Int, left: Bool, right: Bool, steps: Int) {
      self.ticks = ticks
      self.left = left
      self.right = right
      self.steps = steps
    }
  }

  public enum Action: Equatable, Sendable {
    case started
    case ticked
    case leftCame
    case rightCame
    case stepMade
    case stopped
  }

  private enum CancelID { case timer }

  /// The interval of the timer.
  static let interval = Duration.milliseconds(60)
  /// A time in the middle between two ticks.
  public static let timeUntilStopped = interval * ticksUntilStopped + interval / 2
  public static let ticksUntilStopped = 4

  @Dependency(\.continuousClock) var clock

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .started:
      return .merge(
        .run { [clock] send in
          for await _ in clock.timer(interval: Self.interval) { await send(.ticked) }
        }
        .cancellable(id: CancelID.timer),
        .run { [clock] send in
          try await clock.sleep(for: .milliseconds(50))
          await send(.leftCame)
        },
        .run { [clock] send in
          try await clock.sleep(for: .milliseconds(50))
          await send(.rightCame)
        },
        .run { [clock] send in
          for _ in 0..<3 {
            try await clock.sleep(for: .seconds(1) / 30)
            await send(.stepMade)
          }
        })
    case .ticked: state.ticks += 1
    case .leftCame: state.left = true
    case .rightCame: state.right = true
    case .stepMade: state.steps += 1
    case .stopped: return .cancel(id: CancelID.timer)
    }
    return .none
  }
}
