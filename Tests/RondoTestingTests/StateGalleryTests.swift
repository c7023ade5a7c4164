// The messages of failures about the state.

import Foundation
import RondoTesting
import Testing

/// A feature whose author forgot the `BindingReducer`.
private struct Deaf: Reducer {
  struct State: Equatable { var query = "" }
  enum Action: BindableAction {
    case binding(BindingAction<State>)
  }
  func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}

/// A feature whose author forgot to list the reducers of its children.
private struct Childless: Reducer {
  struct State: Equatable {
    var child = Leaf.State()
    @PresentationState var sheet: Leaf.State? = Leaf.State()
    var rows: IdentifiedArrayOf<Leaf.State> = [Leaf.State()]
    var path = StackState([Leaf.State()])
  }
  enum Action {
    case child(Leaf.Action)
    case sheet(PresentationAction<Leaf.Action>)
    case rows(IdentifiedActionOf<Leaf>)
    case path(StackActionOf<Leaf>)
    case picked(Leaf.Color)
  }
  func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}

private struct Leaf: Reducer {
  struct State: Equatable, Identifiable {
    let id = 0
    var count = 0
  }
  enum Action { case tapped }
  enum Color { case red }
  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.count += 1
    return .none
  }
}

@Suite struct StateGalleryTests {
  /// The last line of the failure of an action that has changed nothing.
  private func advice(
    _ action: Childless.Action, _ update: @escaping (inout Childless.State) -> Void
  ) async -> String {
    let text = await message {
      let store = TestStore(initialState: Childless.State()) { Childless() }
      await store.send(action, assert: update)
    }
    return text.components(separatedBy: "\n").last ?? ""
  }

  // F4
  @Test(arguments: [
    (Childless.Action.child(.tapped), "'Scope(state: \\.child, action: \\.child)'"),
    (.sheet(.presented(.tapped)), "'.ifLet(\\.$sheet, action: \\.sheet)'"),
    (.rows(.element(id: 0, action: .tapped)), "'.forEach(\\.rows, action: \\.rows)'"),
    (.path(.element(id: 0, action: .tapped)), "'.forEach(\\.path, action: \\.path)'"),
  ])
  private func aChildWhoseReducerIsNotListed(
    _ action: Childless.Action, _ composition: String
  ) async {
    let advice = await advice(action) { $0.child.count = 1 }
    #expect(
      advice == """
        Nothing has changed, as if no reducer of the child had run: see that the feature's body has \
        \(composition), or correct the closure behind 'send'.
        """)
  }

  // F4
  @Test func aValueThatIsNoActionOfAChild() async {
    let advice = await advice(.picked(.red)) { $0.child.count = 1 }
    #expect(advice == "Correct the closure behind 'send', or the reducer.")
  }

  // T9
  @Test func aBindingThatNobodyWrites() async {
    let text = await message {
      let store = TestStore(initialState: Deaf.State()) { Deaf() }
      await store.send(.binding(.set(\.query, "b"))) { $0.query = "b" }
    }
    #expect(
      text == """
        The state after .binding(.set(\\State.query, "b")) is not as asserted.

        − Deaf.State(query: "b")
        + Deaf.State(query: "")

        (expected: −, actual: +)

        Nothing has written to the field: list 'BindingReducer()' first in the feature's body, or correct the closure behind 'send'.
        """)
  }

  // T1, T9
  @Test func anUnassertedChange() async {
    let text = await message {
      let store = makeStore()
      await store.send(.increment)
    }
    #expect(
      text == """
        .increment changed the state, which was not asserted.

        − Counter.State(count: 0, log: [])
        + Counter.State(count: 1, log: [])

        (expected: −, actual: +)

        Assert the change in a closure behind 'send'.
        """)
  }

  // T1, T9
  @Test(arguments: [true, false]) func aWrongChange(isExhaustive: Bool) async {
    let text = await message {
      let store = makeStore()
      if !isExhaustive { store.exhaustivity = .off }
      await store.send(.increment) { $0.count = 2 }
    }
    #expect(
      text == """
        The state after .increment is not as asserted.

        − Counter.State(count: 2, log: [])
        + Counter.State(count: 1, log: [])

        (expected: −, actual: +)

        Correct the closure behind 'send', or the reducer.
        """)
  }

  // T9
  @Test func aWrongChangeOfALargeState() async {
    let text = await message {
      let store = makeStore(.init(count: 0, log: (0..<30).map { "line \($0)" }))
      await store.send(.note("new")) {
        $0.log[3] = "changed"; $0.log.append("old")
      }
    }
    #expect(
      text == """
        The state after .note("new") is not as asserted.

          Counter.State(
            … (1 unchanged)
            log: [
              … (3 unchanged)
        −     [3]: "changed",
        +     [3]: "line 3",
              … (26 unchanged)
        −     [30]: "old",
        +     [30]: "new",
            ]
          )

        (expected: −, actual: +)

        Correct the closure behind 'send', or the reducer.
        """)
  }

  // T12
  @Test func aChangeThatDidNotHappen() async {
    let text = await message {
      let store = makeStore()
      await store.send(.nothing) { $0.count = 0 }
    }
    #expect(
      text == """
        .nothing did not change the state, but a change was asserted.

        Remove the closure behind 'send', or correct the reducer.
        """)
  }

  // T12
  @Test func aClosureThatThrows() async {
    struct Mishap: Error {}
    let text = await message {
      let store = makeStore()
      await store.send(.increment) { _ in throw Mishap() }
      #expect(store.state.count == 1)
    }
    #expect(
      text == """
        The closure behind 'send' threw an error, so nothing was compared: Mishap()

        Let the closure set what is expected, and nothing else. The store goes on with the state as the reducer left it.
        """)
  }

  // T12
  @Test func aClosureThatThrowsInBetween() async {
    struct Mishap: Error {}
    let text = await message {
      let store = makeStore()
      store.assert { _ in throw Mishap() }
    }
    #expect(
      text.hasPrefix(
        "The closure behind 'assert' threw an error, so nothing was compared: Mishap()"))
  }

  // T7
  @Test func aWrongStateInBetween() async {
    let text = await message {
      let store = makeStore()
      store.assert { $0.count = 2 }
    }
    #expect(
      text == """
        The state is not as asserted.

        − Counter.State(count: 2, log: [])
        + Counter.State(count: 0, log: [])

        (expected: −, actual: +)

        Correct the closure behind 'assert', or the reducer.
        """)
  }
}
