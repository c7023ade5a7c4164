// The forms of receiving.

@testable import RondoTestStore
import Testing

@Suite struct ReceiveTests {
  // T6
  @Test func anEqualAction() async {
    let store = makeStore()
    await store.send(.run)
    await store.receive(.increment) { $0.count = 1 }
  }

  // T6
  @Test func aPredicate() async {
    let store = makeStore()
    await store.send(.run)
    await store.receive({ $0 == .increment }) { $0.count = 1 }
  }

  // T6
  @Test func aCase() async {
    let store = makeStore()
    await store.send(.own(.init { await $0(.counted(3)) }))
    await store.receive(case: Counter.Action.counted) { $0.count = 3 }
  }

  // T6
  @Test func aCaseWithItsPayload() async {
    let store = makeStore()
    await store.send(.own(.init { await $0(.counted(3)) }))
    await store.receive(case: Counter.Action.counted, 3) { $0.count = 3 }
  }

  // T6
  @Test func aCaseThatCarriesNothing() async {
    let store = makeStore()
    await store.send(.run)
    await store.receive(case: .increment) { $0.count = 1 }
  }

  // T6
  @Test func actionsInAnyOrder() async {
    let store = makeStore()
    await store.send(.runTwo)
    await store.receive(inAnyOrder: .equal(.note("b")), .equal(.note("a"))) { $0.log = ["a", "b"] }
  }

  // T1, T6
  @Test func anAnimation() async {
    let store = makeStore()
    await store.send(.animated)
    await store.receive(.increment, animation: .default) { $0.count = 1 }
  }

  // T6
  @Test func aTransaction() async {
    let store = makeStore()
    await store.send(.animated)
    await store.receive(.increment, transaction: Transaction(animation: .default)) { $0.count = 1 }
  }
}

@Suite struct UnassertedTests {
  // T6
  @Test func aCaseThatCarriesNothingIsNotAnother() async {
    let store = makeStore()
    await store.send(.run)
    let text = await message { await store.receive(case: .decrement) { $0.count = 1 } }
    #expect(text.contains("but expected an action of the case .decrement."))
  }

  // T6
  @Test func theChangeOfSeveralActionsIsAsserted() async {
    let store = makeStore()
    await store.send(.runTwo)
    let text = await message {
      await store.receive(inAnyOrder: .equal(.note("b")), .equal(.note("a")))
    }
    #expect(text.hasPrefix("The 2 actions changed the state, which was not asserted."))
  }
}

@Suite struct CaseTests {
  struct Opaque {}

  enum Action {
    case none
    case one(Int)
    case labelled(id: Int)
    case two(Int, String)
    case labelledTwo(id: Int, name: String)
    case opaque(Opaque)
    case other(Int)
  }

  /// Actions that cannot be compared.
  struct Feature: Reducer {
    func reduce(into state: inout Int, action: Action) -> Effect<Action> {
      switch action {
      case .none:
        return .merge(.send(.one(3)), .send(.opaque(Opaque())), .send(.two(4, "a")))
      case .one(let number), .two(let number, _):
        state = number
        return .none
      default:
        return .none
      }
    }
  }

  // T6
  @Test func actionsNeedNotBeEquatable() async {
    let store = TestStore(initialState: 0) { Feature() }
    await store.send(.none)
    await store.receive(case: Action.one, 3) { $0 = 3 }
    await store.receive(case: Action.opaque)
    await store.receive(case: Action.two) { $0 = 4 }
  }

  // T6
  @Test func payloadsOfAllShapesAreExtracted() {
    #expect(CaseExtraction(Action.one).extract(from: .one(3)) == 3)
    #expect(CaseExtraction(Action.one).extract(from: .other(3)) == nil)
    #expect(CaseExtraction(Action.labelled).extract(from: .labelled(id: 3)) == 3)
    let two = CaseExtraction(Action.two).extract(from: .two(3, "a"))
    #expect(two?.0 == 3 && two?.1 == "a")
    let labelled = CaseExtraction(Action.labelledTwo).extract(from: .labelledTwo(id: 3, name: "a"))
    #expect(labelled?.0 == 3 && labelled?.1 == "a")
    #expect(CaseExtraction(Action.opaque).extract(from: .opaque(Opaque())) != nil)
  }

  // T6
  @Test func aClosureNamesCasesInsideOfEachOther() {
    indirect enum Outer {
      case inner(Action)
      case other(Action)
      case outer(child: Outer)
    }
    let one = CaseExtraction { Outer.outer(child: .inner(.one($0))) }
    #expect(one.extract(from: .outer(child: .inner(.one(3)))) == 3)
    #expect(one.extract(from: .outer(child: .inner(.other(3)))) == nil)
    #expect(one.extract(from: .outer(child: .other(.one(3)))) == nil)
    #expect(one.extract(from: .inner(.one(3))) == nil)
    #expect(one.extract(from: .outer(child: .inner(.none))) == nil)
    let two = CaseExtraction { Outer.inner(.labelledTwo(id: $0, name: $1)) }
      .extract(from: .inner(.labelledTwo(id: 3, name: "a")))
    #expect(two?.0 == 3 && two?.1 == "a")
  }

  // T6
  @Test func inAnyOrderTheWiderPatternLeavesTheNarrowerOneItsAction() async {
    let store = makeStore()
    await store.send(.runTwo)
    await store.receive(
      inAnyOrder: .case(Counter.Action.note), .equal(.note("a"))
    ) { $0.log = ["a", "b"] }
  }

  // T6
  @Test func inAnyOrderEqualActionsAreToldApartByTheirTransactions() async {
    let store = makeStore()
    await store.send(
      .own(
        .init { send in
          await send(.increment)
          await send(.increment, animation: .default)
        }))
    await store.receive(
      inAnyOrder: .equal(.increment).animation(.default), .equal(.increment)
    ) { $0.count = 2 }
    await store.send(
      .own(
        .init { send in
          await send(.increment)
          await send(.increment, animation: .default)
        }))
    let issues = await captureIssues {
      await store.receive(inAnyOrder: .equal(.increment), .equal(.increment)) { $0.count = 4 }
    }
    #expect(issues.count == 1)
  }
}
