// Elements of stacks are numbered through all stacks of a test store.

import RondoTesting
import Testing

@Reducer
private struct Screen {
  @ObservableState
  struct State: Equatable { var depth = 0 }
  enum Action { case deeper }
  var body: some ReducerOf<Self> {
    Reduce { _, _ in .none }
  }
}

@Reducer
private struct Tabs {
  @ObservableState
  struct State: Equatable {
    var left = StackState<Screen.State>()
    var right = StackState<Screen.State>()
  }
  enum Action {
    case left(StackActionOf<Screen>)
    case right(StackActionOf<Screen>)
    case linked, opened, openedTwice
  }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .linked: state.left = StackState([Screen.State(depth: 1)])
      case .opened: state.right.append(Screen.State())
      case .openedTwice: return .merge(.send(.opened), .send(.opened))
      case .left(.element(id: _, action: .deeper)): state.left.append(Screen.State(depth: 2))
      case .left, .right: break
      }
      return .none
    }
    .forEach(\.left, action: \.left) { Screen() }
    .forEach(\.right, action: \.right) { Screen() }
  }
}

@Suite struct StackNumberTests {
  @Test func numbersAreNotUsedAgainByAStackInPlaceOfAnother() async {
    let store = TestStore(initialState: Tabs.State()) { Tabs() }
    await store.send(.linked) { $0.left[id: 0] = Screen.State(depth: 1) }
    await store.send(.linked) {
      $0.left.removeAll()
      $0.left[id: 1] = Screen.State(depth: 1)
    }
    await store.send(\.left[id: 1].deeper) { $0.left[id: 2] = Screen.State(depth: 2) }
  }

  @Test func stacksDoNotShareNumbers() async {
    let store = TestStore(
      initialState: Tabs.State(left: [Screen.State()], right: [Screen.State()])
    ) {
      Tabs()
    }
    #expect(store.state.left.ids == [0])
    #expect(store.state.right.ids == [1])
    await store.send(.opened) { $0.right[id: 2] = Screen.State() }
  }

  @Test func anAssertionGivesTheNumbersThatTheFeatureGave() async {
    let store = TestStore(initialState: Tabs.State()) { Tabs() }
    await store.send(.linked) { $0.left = StackState([Screen.State(depth: 1)]) }
    await store.send(.linked) { $0.left = StackState([Screen.State(depth: 1)]) }
    await store.send(.openedTwice)
    await store.receive(\.opened) { $0.right.append(Screen.State()) }
    await store.receive(\.opened) { $0.right.append(Screen.State()) }
    #expect(store.state.right.ids == [2, 3])
  }

  @Test func aNumberThatAViewHasChosenIsTaken() async {
    let store = TestStore(initialState: Tabs.State()) { Tabs() }
    await store.send(.left(.push(id: 0, state: Screen.State()))) {
      $0.left.append(Screen.State())
    }
    await store.send(.opened) { $0.right[id: 1] = Screen.State() }
  }
}
