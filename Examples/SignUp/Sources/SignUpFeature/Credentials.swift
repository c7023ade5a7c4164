// The first screen: an address that is free, and a password.

import Rondo

/// Asks for an address and a password. The address is looked up when the user stops typing.
@Reducer
struct Credentials {
  @ObservableState
  struct State: Equatable {
    /// The state of the address; `nil` while it is none.
    enum Availability { case checking, available, taken, unknown }

    @Shared var data: SignUpData
    var availability: Availability?

    var canContinue: Bool {
      availability == .available && data.password.count >= 8
    }
  }

  enum Action: BindableAction {
    case binding(BindingAction<State>)
    case delegate(Delegate)
    case emailChecked(Result<Bool, any Error>)
    case nextButtonTapped

    @CasePathable
    enum Delegate { case completed }
  }

  private enum CancelID { case check }

  @Dependency(\.accountClient) private var accounts
  @Dependency(\.mainQueue) private var mainQueue

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding(\.data.email):
        guard state.data.email.contains("@") else {
          state.availability = nil
          return .cancel(id: CancelID.check)
        }
        state.availability = .checking
        return .run { [email = state.data.email] send in
          await send(.emailChecked(Result { try await accounts.isAvailable(email: email) }))
        }
        .debounce(id: CancelID.check, for: .milliseconds(300), scheduler: mainQueue)

      case .binding, .delegate:
        return .none

      case .emailChecked(.success(let isAvailable)):
        state.availability = isAvailable ? .available : .taken
        return .none

      case .emailChecked(.failure):
        state.availability = .unknown
        return .none

      case .nextButtonTapped:
        return state.canContinue ? .send(.delegate(.completed)) : .none
      }
    }
  }
}
