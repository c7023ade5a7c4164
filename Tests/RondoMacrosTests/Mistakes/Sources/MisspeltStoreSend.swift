import Rondo

@MainActor func misspeltStoreSend(_ store: StoreOf<Model>) {
  store.send(.incremnt)  // mistake: incremnt
}
