import ComposableArchitecture
import Foundation

@Reducer
struct AppFeature {
  enum Tab: String, CaseIterable { case todos, inventory, stats }

  @ObservableState
  struct State: Equatable {
    var currentTab = Tab.todos
    var todos = Todos.State()
    var inventory = Inventory.State()
    var stats = StatsTab.State()
    var stack = AppStack.State()
    var session: Session.State? = nil
  }

  enum Action {
    case selectTab(Tab)
    case todos(Todos.Action)
    case inventory(Inventory.Action)
    case stats(StatsTab.Action)
    case stack(AppStack.Action)
    case session(Session.Action)
    case didChangeScenePhase
  }

  var body: some Reducer<State, Action> {
    self.core
      .ifLet(\.session, action: \.session) { Session() }
      .dependency(\.calendar, Calendar(identifier: .gregorian))
      .transformDependency(\.self) { $0.locale = Locale(identifier: "en_US") }
  }

  @ReducerBuilder<State, Action>
  private var core: some Reducer<State, Action> {
    Scope(state: \.todos, action: \.todos) { Todos() }
    Scope(state: \.inventory, action: \.inventory) { Inventory() }
    Scope(state: \.stats, action: \.stats, child: StatsTab.init)
    Scope(state: \.stack, action: \.stack) { AppStack() }
    Reduce(self.reduceTabs)
  }

  private func reduceTabs(into state: inout State, action: Action) -> EffectOf<Self> {
    switch action {
    case .selectTab(let tab):
      state.currentTab = tab
      return .none
    case .didChangeScenePhase, .todos, .inventory, .stats, .stack, .session:
      return .none
    }
  }
}

@MainActor
final class AppModel {
  static let store = Store(initialState: AppFeature.State()) {
    AppFeature()
      .analytics { _ in }
  } withDependencies: {
    $0.uuid = .incrementing
  }

  func use() {
    let store = Self.store
    _ = store.currentTab
    let todos: StoreOf<Todos> = store.scope(state: \.todos, action: \.todos)
    todos.send(.addTodoButtonTapped)
    for row in todos.scope(state: \.todos, action: \.todos) {
      row.send(.binding(.set(\.description, "x")))
    }
    let detail = store.scope(state: \.inventory, action: \.inventory)
      .scope(state: \.destination?.add, action: \.destination.add)
    _ = detail?.item.name
    switch store.scope(state: \.session, action: \.session) {
    case .some(let session):
      switch session.state {
      case .loggedIn:
        if let store = session.scope(state: \.loggedIn, action: \.loggedIn) {
          _ = store.xPlayerName
        }
      case .loggedOut:
        if let store = session.scope(state: \.loggedOut, action: \.loggedOut) { _ = store.email }
      }
    case .none:
      break
    }
    let stack = store.scope(state: \.stack, action: \.stack)
    for id in stack.path.ids {
      guard let screen = stack.scope(state: \.path[id: id], action: \.path[id: id]) else {
        continue
      }
      switch screen.case {
      case .screenA(let store): store.send(.incrementButtonTapped)
      case .screenB(let store): store.send(.tick)
      }
    }
    store.withState { _ = $0.currentTab }
    store.send(.selectTab(.inventory), animation: .spring())
    Task { await store.send(.didChangeScenePhase).finish() }
  }
}
