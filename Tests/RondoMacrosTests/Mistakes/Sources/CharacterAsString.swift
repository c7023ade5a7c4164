import Rondo
import RondoTestStore

private struct Typing: Reducer {
  struct State: Equatable { var text = "" }
  enum Action { case typed(Character) }
  func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}

@MainActor func characterAsString(_ text: String) async {
  let store = TestStore(initialState: Typing.State()) { Typing() }
  await store.send(.typed(text))  // mistake: Character
  await store.send(.typed("ab"))
}
