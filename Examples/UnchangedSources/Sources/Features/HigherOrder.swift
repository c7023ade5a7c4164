import ComposableArchitecture
import Foundation

// A reducer that enhances another one.

extension Reducer {
  func analytics(
    _ log: @escaping @Sendable (Action) -> Void
  ) -> some Reducer<State, Action> {
    LoggingReducer(base: self, log: log)
  }

  func resettable(to initial: State, on isReset: @escaping (Action) -> Bool) -> some ReducerOf<Self>
  {
    Reduce { state, action in
      if isReset(action) { state = initial }
      return self.reduce(into: &state, action: action)
    }
  }
}

private struct LoggingReducer<Base: Reducer>: Reducer {
  let base: Base
  let log: @Sendable (Base.Action) -> Void

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    log(action)
    return base.reduce(into: &state, action: action)
  }
}

struct FavoritingState<ID: Hashable & Sendable>: Equatable {
  @PresentationState var alert: AlertState<FavoritingAction.Alert>?
  let id: ID
  var isFavorite: Bool
}

@CasePathable
enum FavoritingAction {
  case alert(PresentationAction<Alert>)
  case buttonTapped
  case response(Result<Bool, any Error>)

  enum Alert: Equatable {}
}

@Reducer
struct Favoriting<ID: Hashable & Sendable> {
  typealias State = FavoritingState<ID>
  typealias Action = FavoritingAction

  let favorite: @Sendable (ID, Bool) async throws -> Bool

  private struct CancelID: Hashable {
    let id: AnyHashable
  }

  var body: some Reducer<FavoritingState<ID>, FavoritingAction> {
    Reduce { state, action in
      switch action {
      case .alert(.dismiss):
        state.alert = nil
        state.isFavorite.toggle()
        return .none
      case .alert:
        return .none
      case .buttonTapped:
        state.isFavorite.toggle()
        return .run { [id = state.id, isFavorite = state.isFavorite, favorite] send in
          await send(.response(Result { try await favorite(id, isFavorite) }))
        }
        .cancellable(id: state.id, cancelInFlight: true)
      case let .response(.failure(error)):
        state.alert = AlertState { TextState(error.localizedDescription) }
        return .none
      case let .response(.success(isFavorite)):
        state.isFavorite = isFavorite
        return .none
      }
    }
  }
}

@Reducer
struct Episode {
  @ObservableState
  struct State: Equatable, Identifiable {
    @Presents var alert: AlertState<FavoritingAction.Alert>?
    let id: UUID
    var isFavorite: Bool
    let title: String

    var favorite: FavoritingState<ID> {
      get { .init(alert: alert, id: id, isFavorite: isFavorite) }
      set { (alert, isFavorite) = (newValue.alert, newValue.isFavorite) }
    }
  }

  enum Action {
    case favorite(FavoritingAction)
  }

  let favorite: @Sendable (State.ID, Bool) async throws -> Bool

  var body: some Reducer<State, Action> {
    Scope(state: \.favorite, action: \.favorite) {
      Favoriting(favorite: favorite)
    }
  }
}

@Reducer
struct Episodes {
  @ObservableState
  struct State: Equatable {
    var episodes: IdentifiedArrayOf<Episode.State> = []
  }

  enum Action {
    case episodes(IdentifiedActionOf<Episode>)
  }

  var favorite: @Sendable (Episode.State.ID, Bool) async throws -> Bool = { _, isFavorite in
    isFavorite
  }

  var body: some Reducer<State, Action> {
    EmptyReducer()
      .forEach(\.episodes, action: \.episodes) {
        Episode(favorite: favorite)
      }
  }
}

// A reducer that contains itself.

@Reducer
struct Nested {
  @ObservableState
  struct State: Equatable, Identifiable {
    let id: UUID
    var name: String = ""
    var rows: IdentifiedArrayOf<State> = []
  }

  enum Action {
    case addRowButtonTapped
    case nameTextFieldChanged(String)
    case onDelete(IndexSet)
    indirect case rows(IdentifiedActionOf<Nested>)
  }

  @Dependency(\.uuid) var uuid

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .addRowButtonTapped:
        state.rows.append(State(id: self.uuid()))
        return .none
      case let .nameTextFieldChanged(name):
        state.name = name
        return .none
      case let .onDelete(indexSet):
        state.rows.remove(atOffsets: indexSet)
        return .none
      case .rows:
        return .none
      }
    }
    .forEach(\.rows, action: \.rows) {
      Self()
    }
  }
}

// Changes that are answered.

@Reducer
struct Settings {
  @ObservableState
  struct State: Equatable {
    @Presents var alert: AlertState<Never>?
    var digest = Digest.daily
    var isOn = false
    var isHapticFeedbackEnabled = true
    var userSettings = UserSettings()
    var saves = 0
    @ObservationStateIgnored var cache: [String: Int] = [:]
  }

  enum Digest: String, CaseIterable, Hashable { case daily, off, weekly }

  struct UserSettings: Codable, Equatable {
    var name = ""
    var size: Double = 12 {
      didSet { size = min(size, 100) }
    }
  }

  enum Action: BindableAction, Equatable {
    case alert(PresentationAction<Never>)
    case binding(BindingAction<State>)
    case reset
    case saved
  }

  @Dependency(\.continuousClock) var clock

  var body: some ReducerOf<Self> {
    CombineReducers {
      BindingReducer()
        .onChange(of: \.isHapticFeedbackEnabled) { _, newValue in
          Reduce { state, _ in
            state.cache["changes", default: 0] += newValue ? 1 : 2
            return .run { send in await send(.saved) }
          }
        }
      Reduce { state, action in
        switch action {
        case .binding(\.digest):
          state.isOn = state.digest != .off
          return .none
        case .binding(\.userSettings.name), .binding:
          return .none
        case .alert:
          return .none
        case .reset:
          state = State()
          return .none
        case .saved:
          state.saves += 1
          return .none
        }
      }
    }
    .onChange(of: \.userSettings) { oldValue, newValue in
      Reduce { state, action in
        guard oldValue.size != newValue.size else { return .none }
        enum CancelID { case saveDebounce }
        return .run { send in
          try await clock.sleep(for: .seconds(0.5))
          await send(.saved)
        }
        .cancellable(id: CancelID.saveDebounce, cancelInFlight: true)
      }
    }
    .ifLet(\.$alert, action: \.alert)
  }
}
