import Rondo

@MainActor func misspeltInitialState() {
  let store = Store(initialState: Child.State(id: 0, cuont: 1)) {  // mistake: cuont
    Child()
  }
  store.send(.tapped)
}
