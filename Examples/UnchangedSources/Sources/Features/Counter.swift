import ComposableArchitecture
import Foundation

@Reducer
struct Counter {
  @ObservableState
  struct State: Equatable, Identifiable {
    let id: UUID
    var count = 0
    var fact: String?
    var isLoading = false
    var isTimerOn = false

    init(id: UUID = UUID(), count: Int = 0) {
      self.id = id
      self.count = count
    }
  }

  enum Action {
    case decrementButtonTapped
    case incrementButtonTapped
    case factButtonTapped
    case factResponse(Result<String, any Error>)
    case timerTick
    case toggleTimerButtonTapped
    case cancelButtonTapped
    case delegate(Delegate)

    @CasePathable
    enum Delegate: Equatable {
      case didReach(Int)
    }
  }

  private enum CancelID { case timer, fact }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.factClient) var factClient

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .decrementButtonTapped:
        state.count -= 1
        return forgetFact(&state)

      case .incrementButtonTapped:
        state.count += 1
        return .merge(
          forgetFact(&state),
          state.count >= 10
            ? .send(.delegate(.didReach(state.count)), animation: .default)
            : .none
        )

      case .factButtonTapped:
        state.fact = nil
        state.isLoading = true
        return .run { [count = state.count] send in
          await send(.factResponse(Result { try await self.factClient.fetch(count) }))
        }
        .cancellable(id: CancelID.fact, cancelInFlight: true)

      case let .factResponse(.success(fact)):
        state.isLoading = false
        state.fact = fact
        return .none

      case .factResponse(.failure):
        state.isLoading = false
        return .none

      case .cancelButtonTapped:
        state.isLoading = false
        return .cancel(id: CancelID.fact)

      case .timerTick:
        state.count += 1
        return forgetFact(&state)

      case .toggleTimerButtonTapped:
        state.isTimerOn.toggle()
        return .run { [isTimerOn = state.isTimerOn] send in
          guard isTimerOn else { return }
          for await _ in self.clock.timer(interval: .seconds(1)) {
            await send(.timerTick, animation: .interpolatingSpring(stiffness: 3000, damping: 40))
          }
        }
        .cancellable(id: CancelID.timer, cancelInFlight: true)

      case .delegate:
        return .none
      }
    }
  }

  // A fact about the number before is none about this one, and may still be on its way.
  private func forgetFact(_ state: inout State) -> Effect<Action> {
    state.fact = nil
    state.isLoading = false
    return .cancel(id: CancelID.fact)
  }
}
