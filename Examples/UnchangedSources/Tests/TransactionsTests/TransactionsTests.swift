import ComposableArchitecture
import Testing

// The one line by which all test stores of this target ask for transactions.
enum TestStoreDefaults: TestStoreConfiguration {}

@Suite struct TransactionsTests {
  // K31
  @Test func aTargetAsksForTransactionsInOneLine() async {
    let store = TestStore(initialState: 0) {
      Reduce { state, action in
        guard action else { return .send(true, animation: .default) }
        state += 1
        return .none
      }
    }
    #expect(store.exhaustivity == .on)
    await store.send(false)
    let issues = await captureIssues {
      await store.receive(true) { $0 = 1 }
    }
    #expect(issues.count == 1)
  }
}
