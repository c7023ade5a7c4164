import Rondo

@MainActor func misspeltStoreScope(_ store: StoreOf<Model>) {
  _ = store.scope(state: \.chlid, action: \.child)  // mistake: chlid
}
