// H18: mends that had no test of their own.

import Rondo
import RuntimeTestSupport
import Testing

@MainActor @Suite struct MendTests {
  // H18
  @Test func H18_aCommitInsideAnotherStoresReducerKeepsItsTransaction() {
    let inner = Store(initialState: [] as [String]) { Script { _ in .none } }
    var lines: [String] = []
    let subscription = inner.subscribe { lines.append(Marks.text($0.transaction)) }
    let outer = Store(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state += action
        inner.send("a", transaction: Marks(tag: "x", duration: 1).transaction)
        inner.send("b")
        return .none
      }
    }
    outer.send(1, transaction: Transaction(tag: "outer"))
    #expect(lines == ["x+1", "-"])
    subscription.cancel()
  }
}
