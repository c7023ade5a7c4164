// Signing up, screen by screen. It shows a stack of screens, an enum of sheets and alerts, data that
// all screens share, and an effect that lives as long as the stack: a session that runs out and takes
// the user back to the start.

import Rondo

/// The welcome screen, and the stack of screens that lead to an account.
@Reducer
struct SignUp {
  @Reducer(state: .equatable)
  enum Path {
    case credentials(Credentials)
    case profile(Profile)
    case summary(Summary)
  }

  @ObservableState
  struct State: Equatable {
    var account: Account?
    @Presents var alert: AlertState<Action.Alert>?
    @Shared var data: SignUpData
    var path = StackState<Path.State>()
    var secondsLeft: Int?
    let sessionLength: Int

    /// - Parameter sessionLength: How long the user may take, in seconds.
    init(sessionLength: Int = 300) {
      _data = Shared(value: SignUpData())
      self.sessionLength = sessionLength
    }
  }

  enum Action {
    case alert(PresentationAction<Alert>)
    case path(StackActionOf<Path>)
    case sessionExpired
    case sessionTicked
    case startButtonTapped

    @CasePathable
    enum Alert: Equatable, Sendable { case startAgainButtonTapped }
  }

  private enum CancelID { case session }

  @Dependency(\.continuousClock) private var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .alert(.presented(.startAgainButtonTapped)), .startButtonTapped:
        return start(&state)

      case .alert:
        return .none

      case .path(.element(id: _, action: .credentials(.delegate(.completed)))):
        state.path.append(.profile(Profile.State(data: state.$data)))
        return .none

      case .path(.element(id: _, action: .profile(.delegate(.completed)))):
        state.path.append(.summary(Summary.State(data: state.$data)))
        return .none

      case .path(.element(id: _, action: .summary(.delegate(.signedUp(let account))))):
        state.account = account
        state.path.removeAll()
        return .none

      case .path:
        return .none

      case .sessionExpired:
        state.alert = .sessionExpired
        state.path.removeAll()
        return .none

      case .sessionTicked:
        let secondsLeft = (state.secondsLeft ?? 0) - 1
        state.secondsLeft = secondsLeft
        return secondsLeft > 0 ? .none : .send(.sessionExpired, animation: .default)
      }
    }
    .ifLet(\.$alert, action: \.alert)
    .forEach(\.path, action: \.path)
    .onChange(of: \.path.isEmpty) { _, isEmpty in
      Reduce { state, _ in
        isEmpty ? end(&state) : .none
      }
    }
  }

  private func start(_ state: inout State) -> Effect<Action> {
    state.secondsLeft = state.sessionLength
    state.path.append(.credentials(Credentials.State(data: state.$data)))
    return .run { send in
      for await _ in clock.timer(interval: .seconds(1)) {
        await send(.sessionTicked)
      }
    }
    .cancellable(id: CancelID.session, cancelInFlight: true)
  }

  /// However the user has left the stack, nothing of the session remains.
  private func end(_ state: inout State) -> Effect<Action> {
    state.secondsLeft = nil
    state.$data.withLock { $0 = SignUpData() }
    return .cancel(id: CancelID.session)
  }
}

extension AlertState where Action == SignUp.Action.Alert {
  static let sessionExpired = Self {
    TextState("Your session has expired.")
  } actions: {
    ButtonState(action: .startAgainButtonTapped) { TextState("Start again") }
    ButtonState(role: .cancel) { TextState("OK") }
  }
}
