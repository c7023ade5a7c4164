import ComposableArchitecture
import Testing

@Suite struct TransactionDefaultsTests {
  // K31
  @Test func aSuiteThatComesOverNeedNotAssertTransactions() async {
    let store = TestStore(initialState: 0) {
      Reduce { state, action in
        guard action else { return .send(true, animation: .default) }
        state += 1
        return .none
      }
    }
    #expect(store.exhaustivity == [.state, .actions, .effects])
    await store.send(false)
    await store.receive(true) { $0 = 1 }
  }
}
