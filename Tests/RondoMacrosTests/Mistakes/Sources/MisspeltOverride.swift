import Rondo
import RondoTestStore

@MainActor func misspeltOverride() async {
  let store = TestStore(initialState: Child.State(id: 0)) {
    Child()
  } withDependencies: {
    $0.continuousClok = TestClock()  // mistake: continuousClok
  }
  await store.send(.tapped)
}
