// The last screen: a look at everything, and the request.

import Rondo

/// Shows what was entered, and makes the account once the terms are accepted.
@Reducer
struct Summary {
  @Reducer(state: .equatable)
  enum Destination {
    case alert(AlertState<Alert>)
    case profile(Profile)
    case terms(Terms)

    @CasePathable
    enum Alert: Equatable, Sendable { case retryButtonTapped }
  }

  @ObservableState
  struct State: Equatable {
    @Shared var data: SignUpData
    @Presents var destination: Destination.State?
    var isSubmitting = false

    init(data: Shared<SignUpData>) {
      _data = data
    }
  }

  enum Action {
    case accountCreated(Result<Account, any Error>)
    case delegate(Delegate)
    case destination(PresentationAction<Destination.Action>)
    case editProfileButtonTapped
    case submitButtonTapped

    @CasePathable
    enum Delegate { case signedUp(Account) }
  }

  @Dependency(\.accountClient) private var accounts

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .accountCreated(.success(let account)):
        state.isSubmitting = false
        return .send(.delegate(.signedUp(account)))

      case .accountCreated(.failure):
        state.isSubmitting = false
        state.destination = .alert(.notCreated)
        return .none

      case .delegate:
        return .none

      case .destination(.presented(.alert(.retryButtonTapped))):
        return submit(&state)

      case .destination(.presented(.profile(.delegate(.completed)))):
        state.destination = nil
        return .none

      case .destination:
        return .none

      case .editProfileButtonTapped:
        state.destination = .profile(Profile.State(data: state.$data))
        return .none

      case .submitButtonTapped:
        guard state.data.acceptsTerms else {
          state.destination = .terms(Terms.State(data: state.$data))
          return .none
        }
        return submit(&state)
      }
    }
    .ifLet(\.$destination, action: \.destination)
  }

  private func submit(_ state: inout State) -> Effect<Action> {
    state.isSubmitting = true
    return .run { [data = state.data] send in
      await send(
        .accountCreated(Result { try await accounts.create(data: data) }), animation: .default)
    }
  }
}

extension AlertState where Action == Summary.Destination.Alert {
  static let notCreated = Self {
    TextState("The account could not be created.")
  } actions: {
    ButtonState(action: .retryButtonTapped) { TextState("Try again") }
    ButtonState(role: .cancel) { TextState("Cancel") }
  }
}
