import ComposableArchitecture
import Foundation

struct AuthenticationResponse: Equatable, Sendable {
  var token: String
  var twoFactorRequired: Bool
}

enum AuthenticationError: Equatable, LocalizedError, Sendable {
  case invalidUserPassword
  case invalidTwoFactor

  var errorDescription: String? {
    switch self {
    case .invalidUserPassword: "Unknown user or invalid password."
    case .invalidTwoFactor: "Invalid second factor (try 1234)"
    }
  }
}

@DependencyClient
struct AuthenticationClient: Sendable {
  var login: @Sendable (_ email: String, _ password: String) async throws -> AuthenticationResponse
  var twoFactor: @Sendable (_ code: String, _ token: String) async throws -> AuthenticationResponse
}

extension AuthenticationClient: TestDependencyKey {
  static let testValue = Self()
  static let previewValue = Self(
    login: { _, _ in AuthenticationResponse(token: "deadbeef", twoFactorRequired: false) },
    twoFactor: { _, _ in AuthenticationResponse(token: "deadbeef", twoFactorRequired: false) }
  )
}

extension DependencyValues {
  var authenticationClient: AuthenticationClient {
    get { self[AuthenticationClient.self] }
    set { self[AuthenticationClient.self] = newValue }
  }
}

@Reducer
struct TwoFactor: Sendable {
  @ObservableState
  public struct State: Equatable {
    @Presents public var alert: AlertState<Action.Alert>?
    public var code = ""
    public var isFormValid = false
    public var isRequestInFlight = false
    public let token: String

    public init(token: String) {
      self.token = token
    }
  }

  public enum Action: Sendable, ViewAction {
    case alert(PresentationAction<Alert>)
    case twoFactorResponse(Result<AuthenticationResponse, any Error>)
    case view(View)

    public enum Alert: Equatable, Sendable {}

    @CasePathable
    public enum View: BindableAction, Sendable {
      case binding(BindingAction<State>)
      case submitButtonTapped
    }
  }

  @Dependency(\.authenticationClient) var authenticationClient

  public init() {}

  public var body: some ReducerOf<Self> {
    BindingReducer(action: \.view)
    Reduce { state, action in
      switch action {
      case .alert:
        return .none

      case let .twoFactorResponse(.failure(error)):
        state.alert = AlertState { TextState(error.localizedDescription) }
        state.isRequestInFlight = false
        return .none

      case .twoFactorResponse(.success):
        state.isRequestInFlight = false
        return .none

      case .view(.binding):
        state.isFormValid = state.code.count >= 4
        return .none

      case .view(.submitButtonTapped):
        state.isRequestInFlight = true
        return .run { [code = state.code, token = state.token] send in
          await send(
            .twoFactorResponse(
              Result { try await self.authenticationClient.twoFactor(code: code, token: token) }
            ),
            animation: .default
          )
        }
      }
    }
    .ifLet(\.$alert, action: \.alert)
  }
}

@Reducer
struct Login: Sendable {
  @ObservableState
  struct State: Equatable {
    @Presents var alert: AlertState<Action.Alert>?
    @Presents var twoFactor: TwoFactor.State?
    var email = ""
    var isFormValid = false
    var isLoginRequestInFlight = false
    var password = ""
  }

  enum Action: Sendable, ViewAction {
    case alert(PresentationAction<Alert>)
    case loginResponse(Result<AuthenticationResponse, any Error>)
    case twoFactor(PresentationAction<TwoFactor.Action>)
    case view(View)

    @CasePathable
    enum Alert: Equatable, Sendable {}

    @CasePathable
    enum View: BindableAction, Sendable {
      case binding(BindingAction<State>)
      case loginButtonTapped
    }
  }

  @Dependency(\.authenticationClient) var authenticationClient

  var body: some ReducerOf<Self> {
    BindingReducer(action: \.view)
    Reduce { state, action in
      switch action {
      case .alert:
        return .none
      case let .loginResponse(.success(response)):
        state.isLoginRequestInFlight = false
        if response.twoFactorRequired {
          state.twoFactor = TwoFactor.State(token: response.token)
        }
        return .none
      case let .loginResponse(.failure(error)):
        state.alert = AlertState { TextState(error.localizedDescription) }
        state.isLoginRequestInFlight = false
        return .none
      case .twoFactor:
        return .none
      case .view(.binding):
        state.isFormValid = !state.email.isEmpty && !state.password.isEmpty
        return .none
      case .view(.loginButtonTapped):
        state.isLoginRequestInFlight = true
        return .run { [email = state.email, password = state.password] send in
          await send(
            .loginResponse(
              Result {
                try await self.authenticationClient.login(email: email, password: password)
              }))
        }
      }
    }
    .ifLet(\.$alert, action: \.alert)
    .ifLet(\.$twoFactor, action: \.twoFactor) {
      TwoFactor()
    }
  }
}

@ViewAction(for: Login.self)
struct LoginScreen {
  let store: StoreOf<Login>

  @MainActor
  func enter(email: String, password: String) {
    send(.binding(.set(\.email, email)))
    send(.binding(.set(\.password, password)), animation: .default)
    send(.loginButtonTapped)
  }
}

@Reducer
struct NewGame {
  @ObservableState
  struct State: Equatable {
    var oPlayerName = ""
    var xPlayerName = ""
  }
  enum Action: BindableAction {
    case binding(BindingAction<State>)
    case logoutButtonTapped
  }
  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding, .logoutButtonTapped: .none
      }
    }
  }
}

@Reducer(state: .equatable)
enum TicTacToe {
  case login(Login)
  case newGame(NewGame)

  static var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .login(.twoFactor(.presented(.twoFactorResponse(.success)))):
        state = .newGame(NewGame.State())
        return .none
      case let .login(.loginResponse(.success(response))) where !response.twoFactorRequired:
        state = .newGame(NewGame.State())
        return .none
      case .login:
        return .none
      case .newGame(.logoutButtonTapped):
        state = .login(Login.State())
        return .none
      case .newGame:
        return .none
      }
    }
    .ifCaseLet(\.login, action: \.login) {
      Login()
    }
    .ifCaseLet(\.newGame, action: \.newGame) {
      NewGame()
    }
  }
}

@Reducer
struct Session {
  @ObservableState
  enum State: Equatable {
    case loggedOut(Login.State)
    case loggedIn(NewGame.State)

    init() { self = .loggedOut(Login.State()) }
  }

  enum Action {
    case loggedOut(Login.Action)
    case loggedIn(NewGame.Action)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .loggedOut(.loginResponse(.success(let response))) where !response.twoFactorRequired:
        state = .loggedIn(NewGame.State())
        return .none
      default:
        return .none
      }
    }
    .ifCaseLet(\.loggedOut, action: \.loggedOut) { Login() }
    .ifCaseLet(\.loggedIn, action: \.loggedIn) { NewGame() }
  }
}
