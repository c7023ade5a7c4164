// A chain of ten children, without a type that is named: it type-checks in a fraction of a second.

import Rondo
import Testing

@MainActor
struct TypeCheckingTests {
  // Y12
  @Test func aChainOfTenChildrenNeedsNoTypes() {
    let store = Store(initialState: Ten.State()) { Ten() }
    store.send(.open)
    store.send(.c9(.presented(.tapped)))
    #expect(store.c9?.count == 1)
  }
}

@Reducer
private struct Leaf {
  @ObservableState
  struct State: Equatable { var count = 0 }
  enum Action { case tapped }
  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.count += 1
      return .none
    }
  }
}

@Reducer
private struct Ten {
  @ObservableState
  struct State {
    @Presents var c0: Leaf.State?
    @Presents var c1: Leaf.State?
    @Presents var c2: Leaf.State?
    @Presents var c3: Leaf.State?
    @Presents var c4: Leaf.State?
    @Presents var c5: Leaf.State?
    @Presents var c6: Leaf.State?
    @Presents var c7: Leaf.State?
    @Presents var c8: Leaf.State?
    @Presents var c9: Leaf.State?
  }
  enum Action {
    case open
    case c0(PresentationAction<Leaf.Action>)
    case c1(PresentationAction<Leaf.Action>)
    case c2(PresentationAction<Leaf.Action>)
    case c3(PresentationAction<Leaf.Action>)
    case c4(PresentationAction<Leaf.Action>)
    case c5(PresentationAction<Leaf.Action>)
    case c6(PresentationAction<Leaf.Action>)
    case c7(PresentationAction<Leaf.Action>)
    case c8(PresentationAction<Leaf.Action>)
    case c9(PresentationAction<Leaf.Action>)
  }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .open: state.c9 = Leaf.State()
      default: break
      }
      return .none
    }
    .ifLet(\.$c0, action: \.c0) { Leaf() }
    .ifLet(\.$c1, action: \.c1) { Leaf() }
    .ifLet(\.$c2, action: \.c2) { Leaf() }
    .ifLet(\.$c3, action: \.c3) { Leaf() }
    .ifLet(\.$c4, action: \.c4) { Leaf() }
    .ifLet(\.$c5, action: \.c5) { Leaf() }
    .ifLet(\.$c6, action: \.c6) { Leaf() }
    .ifLet(\.$c7, action: \.c7) { Leaf() }
    .ifLet(\.$c8, action: \.c8) { Leaf() }
    .ifLet(\.$c9, action: \.c9) { Leaf() }
  }
}
