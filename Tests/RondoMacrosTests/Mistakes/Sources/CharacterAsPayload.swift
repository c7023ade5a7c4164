import Rondo
import RondoTestStore

private struct Keys: Reducer {
  struct State: Equatable { var text = "" }
  enum Key { case character(Character), enter }
  enum Action { case key(Key), typed(Character) }
  func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}

@MainActor func characterAsPayload() async {
  let store = TestStore(initialState: Keys.State()) { Keys() }
  await store.send(.typed("a"))
  await store.send(.typed("a")) { $0.text = "a" }
  await store.send(.key(.character("a"))) { $0.text = "a" }
  for character in "abc" { await store.send(.key(.character(character))) }
  await store.send(.key(.charcter("a"))) { $0.text = "a" }  // mistake: charcter
}
