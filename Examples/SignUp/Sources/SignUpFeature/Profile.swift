// The second screen, which the last one presents again as a sheet.

import Rondo

/// Asks for a name.
@Reducer
struct Profile {
  @ObservableState
  struct State: Equatable {
    @Shared var data: SignUpData
  }

  enum Action: BindableAction {
    case backButtonTapped
    case binding(BindingAction<State>)
    case delegate(Delegate)
    case nextButtonTapped

    @CasePathable
    enum Delegate { case completed }
  }

  @Dependency(\.dismiss) private var dismiss

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .backButtonTapped:
        return .run { _ in await dismiss() }

      case .binding, .delegate:
        return .none

      case .nextButtonTapped:
        return state.data.name.isEmpty ? .none : .send(.delegate(.completed))
      }
    }
  }
}
