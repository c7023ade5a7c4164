import Rondo
import RondoTestStore

@MainActor func misspeltSend() async {
  let store = TestStore(initialState: Child.State(id: 0)) { Child() }
  await store.send(.taped)  // mistake: taped
}
