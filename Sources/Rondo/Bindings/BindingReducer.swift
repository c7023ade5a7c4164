// A reducer that writes the values of binding actions to the state.

/// Writes to the fields that binding actions name.
///
/// ```swift
/// var body: some ReducerOf<Self> {
///   BindingReducer()
///   Reduce { state, action in
///     switch action {
///     case .binding(\.query): return .send(.search)
///     case .binding: return .none
///     …
///     }
///   }
/// }
/// ```
///
/// List it first, so that the reducers behind it see the new value.
public struct BindingReducer<State, Action, ViewAction: BindableAction>: Reducer
where State == ViewAction.State {
  private let toViewAction: (Action) -> ViewAction?

  /// Handles actions that are bindable themselves.
  public init() where Action == ViewAction {
    toViewAction = { $0 }
  }

  /// Handles actions that have one bindable case.
  public init(action toViewAction: CaseName<Action, ViewAction>) where Action: CasePathable {
    self.init(action: Action.allCasePaths[keyPath: toViewAction])
  }

  /// Handles actions that have one bindable case, found by a case path.
  public init(action toViewAction: AnyCasePath<Action, ViewAction>) {
    self.toViewAction = toViewAction.extraction
  }

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    toViewAction(action)?.binding?.write(to: &state)
    return .none
  }

  public func _prepare() -> PreparedReducer<State, Action> {
    { [toViewAction] state, action in
      toViewAction(action)?.binding?.write(to: &state)
      return .none
    }
  }
}
