import Rondo
import RondoTestStore

@MainActor func misspeltAssertion() async {
  let store = TestStore(initialState: Child.State(id: 0)) { Child() }
  await store.send(.tapped) { $0.cuont = 1 }  // mistake: cuont
}
