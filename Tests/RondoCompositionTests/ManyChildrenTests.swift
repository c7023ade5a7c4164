// C1: bodies of many parts. They are checked by the compiler, which gives up on one that is hard.

import Rondo
import Testing

private struct Thirty: Reducer {
  typealias State = Parent.State
  typealias Action = Parent.Action

  var body: some ReducerOf<Self> {
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
    Scope(state: \.part, action: \.part) { Child() }
  }
}

/// A body that is one expression: the types of all links are found at once.
private struct Chain: Reducer {
  typealias State = Presenter.State
  typealias Action = Presenter.Action

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      state.log.append("reduce")
      return .none
    }
    .ifLet(\.$screen, action: \.screen) { Screen() }
    .ifLet(\.$screen, action: \.screen) { Screen() }
    .ifLet(\.$screen, action: \.screen) { Screen() }
    .ifLet(\.$screen, action: \.screen) { Screen() }
    .forEach(\.path, action: \.path) { Screen() }
    .ifLet(\.$screen, action: \.screen) { Screen() }
    .ifLet(\.$screen, action: \.screen) { Screen() }
    .ifLet(\.$screen, action: \.screen) { Screen() }
    .ifLet(\.$screen, action: \.screen) { Screen() }
  }
}

@MainActor @Suite struct ManyChildrenTests {
  @Test func thirtyReducersInOneBuilder() {
    let store = Store(initialState: Parent.State()) { Thirty() }
    store.send(.part(.increment))
    #expect(store.part.count == 30)
  }

  @Test func eightPresentedChildrenInOneChain() {
    let store = Store(initialState: Presenter.State(screen: Screen.State())) { Chain() }
    store.send(.screen(.presented(.rename("b"))))
    #expect(store.screen?.name == "b")
    #expect(store.log == ["reduce"])
  }
}
