import Rondo

@MainActor func misspeltStoreAction(_ store: StoreOf<Model>) {
  _ = store.scope(state: \.child, action: \.chlid)  // mistake: chlid
}
