// K20: children that share the actions of their parents.

import Rondo
import RondoTestCompatibility
import RondoTesting
import Testing

@Reducer
private struct Dial {
  @ObservableState
  struct State: Equatable {
    var value = 0
  }
  enum Action {
    case turned(Int)
  }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .turned(let value): state.value = value
      }
      return .none
    }
  }
}

@Reducer
private struct Panel {
  @ObservableState
  struct State: Equatable {
    var chosen: Identified<Int, Dial.State?>?
    var mode = Mode.manual(Dial.State())
  }
  @CasePathable
  enum Mode: Equatable {
    case manual(Dial.State), automatic
  }
  enum Action {
    case dial(Dial.Action), mode(Dial.Action)
  }
  var body: some ReducerOf<Self> {
    Scope(state: \.mode, action: \.mode) {
      EmptyReducer().ifCaseLet(\.manual, action: \.self) { Dial() }
    }
    EmptyReducer()
      .ifLet(\.chosen, action: \.dial) {
        EmptyReducer().ifLet(\.value, action: \.self) { Dial() }
      }
  }
}

struct SharedActionTests {
  // K20
  @Test func anOptionalChildSharesTheActionsOfItsParent() async {
    let state = Panel.State(chosen: Identified(Dial.State(), id: 1))
    let store = TestStore(initialState: state) { Panel() }
    await store.send(\.dial.turned, 3) { $0.chosen?.value?.value = 3 }
  }

  // K20
  @Test func aCaseSharesTheActionsOfItsParent() async {
    let store = TestStore(initialState: Panel.State()) { Panel() }
    await store.send(\.mode.turned, 3) { $0.mode = .manual(Dial.State(value: 3)) }
  }

  // K20
  @Test func actionsThatAreNoEnumAreShared() async {
    let store = TestStore(initialState: Int?.some(1)) {
      EmptyReducer<Int?, Int>().ifLet(\.self, action: \.self) {
        Reduce { state, action in
          state += action
          return .none
        }
      }
    }
    await store.send(2) { $0 = 3 }
  }

  // K32
  @MainActor
  @Test func aReducerNeedNotBeInAClosure() async {
    let test = TestStore(initialState: Dial.State(), reducer: Dial())
    await test.send(.turned(1)) { $0.value = 1 }
    let store = Store(initialState: Dial.State(), reducer: Dial())
    store.send(.turned(1))
    #expect(store.value == 1)
  }
}
