import ComposableArchitecture

// Features without macros and without key paths to cases, as they were written before there were any.

struct OldList: Reducer {
  struct State: Equatable {
    var rows: IdentifiedArrayOf<OldRow.State> = []
    var optional: OldRow.State?
    @PresentationState var sheet: OldRow.State?
    @BindingState var text = ""
    @PresentationState var destination: Destination.State?
    var path = StackState<OldRow.State>()
  }
  enum Action: BindableAction, Equatable {
    case row(id: OldRow.State.ID, action: OldRow.Action)
    case optional(OldRow.Action)
    case sheet(PresentationAction<OldRow.Action>)
    case binding(BindingAction<State>)
    case destination(PresentationAction<Destination.Action>)
    case path(StackAction<OldRow.State, OldRow.Action>)
    case add
    case warn
  }

  struct Destination: Reducer {
    enum State: Equatable {
      case row(OldRow.State)
      case alert(AlertState<Action.Alert>)
    }
    enum Action: Equatable {
      case row(OldRow.Action)
      case alert(Alert)

      enum Alert: Equatable { case ok }
    }
    var body: some ReducerOf<Self> {
      Scope(state: /State.row, action: /Action.row) { OldRow() }
    }
  }

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce(self.core)
      .forEach(\.rows, action: /Action.row(id:action:)) { OldRow() }
      .ifLet(\.optional, action: /Action.optional) { OldRow() }
      .ifLet(\.$sheet, action: /Action.sheet) { OldRow() }
      .ifLet(\.$destination, action: /Action.destination) { Destination() }
      .forEach(\.path, action: /Action.path) { OldRow() }
  }
  func core(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .binding(\.$text): return .none
    case .add:
      state.rows.append(.init(id: state.rows.count))
      state.sheet = .init(id: 9)
      return .none
    case .warn:
      state.destination = .alert(
        AlertState(
          title: TextState("Careful"),
          message: TextState("There are \(state.rows.count) rows."),
          dismissButton: .default(TextState("OK"), action: .send(.ok))
        )
      )
      return .none
    default: return .none
    }
  }
}

struct OldRow: Reducer {
  struct State: Equatable, Identifiable { let id: Int; var n = 0 }
  enum Action: Equatable { case inc, async, done(TaskResult<Int>) }
  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .inc:
      state.n += 1
      return .none
    case .async:
      return .run { [n = state.n] send in
        await send(.done(TaskResult { n + 1 }))
      }
      .addingNothing()
    case let .done(.success(n)):
      state.n = n
      return .none
    case .done(.failure): return .none
    }
  }
}

extension Effect where Action == OldRow.Action {
  fileprivate func addingNothing() -> Self { .merge(self, .none) }
}
