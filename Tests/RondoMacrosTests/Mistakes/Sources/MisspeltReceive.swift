import Rondo
import RondoTestStore

@MainActor func misspeltReceive() async {
  let store = TestStore(initialState: Child.State(id: 0)) { Child() }
  await store.receive(\.taped)  // mistake, unnamed: 'Child.Action'
}
