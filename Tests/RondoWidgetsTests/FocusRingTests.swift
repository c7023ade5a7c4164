// The focus, which goes from field to field.

import RondoTesting
import RondoWidgets
import Testing

@MainActor
@Suite struct FocusRingTests {
  // F7
  @Test func theFocusGoesRound() async {
    let store = TestStore(initialState: Errands.State()) { Errands() }
    await store.send(.focus(.next)) { $0.focus.field = .list }
    await store.send(.focus(.next)) { $0.focus.field = .manual }
    await store.send(.focus(.next)) { $0.focus.field = .title }
    await store.send(.focus(.previous)) { $0.focus.field = .manual }
    await store.send(.focus(.focus(.list))) { $0.focus.field = .list }
  }

  // F7
  @Test func aFieldThatHasGoneGivesTheFocusToAnEnd() {
    func moved(_ action: FocusRing<Int>.Action, _ fields: [Int]) -> Int {
      var state = FocusRing.State(9, of: fields)
      _ = FocusRing().reduce(into: &state, action: action)
      return state.field
    }
    #expect(moved(.next, [1, 2, 3]) == 1)
    #expect(moved(.previous, [1, 2, 3]) == 3)
    #expect(moved(.next, []) == 9)
    #expect(moved(.focus(4), [1, 2, 3]) == 9)
  }

  // F7
  @Test func tabMovesIt() {
    #expect(FocusRing<Int>.Action(.key(.tab)) == .next)
    #expect(FocusRing<Int>.Action(.key(.backTab)) == .previous)
    #expect(FocusRing<Int>.Action(.key(.enter)) == nil)
  }
}
