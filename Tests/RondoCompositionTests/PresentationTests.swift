// C4: presentation.

@testable import Rondo
import Foundation
import RondoCompatibility
import RondoSeededRandomness
import Testing

@MainActor @Suite struct PresentationTests {
  private let lives = Lives()

  private func makeStore(_ name: String? = nil) -> StoreOf<Presenter> {
    let screen = name.map { Screen.State(name: $0) }
    return Store(initialState: Presenter.State(screen: screen)) { Presenter(lives: lives) }
  }

  @Test func dismissalHappensAfterTheParentHasSeenIt() {
    let store = makeStore("a")
    store.send(.screen(.dismiss))
    #expect(store.screen == nil)
    #expect(store.log == ["dismiss a"])
  }

  @Test func aChildDismissesItself() async {
    let store = makeStore("a")
    var tags: [String] = []
    let subscription = store.subscribe { tags.append("\($0.transaction)") }
    await store.send(.screen(.presented(.close))).finish()
    #expect(store.screen == nil)
    #expect(store.log == ["dismiss a"])
    #expect(tags == ["untagged", ".default"])
    subscription.cancel()
  }

  @Test func dismissingAFeatureThatNobodyPresentsIsReported() async {
    let issues = await captureIssues {
      let store = makeStore("a")
      await store.send(.part(.close)).finish()
      #expect(store.screen?.name == "a")
    }
    #expect(issues.count == 1)
  }

  @Test func dismissalIsReplacedInTests() async {
    let wasDismissed = Lives()
    let store = Store(initialState: Screen.State()) {
      Screen()
    } withDependencies: {
      $0.dismiss = DismissEffect { wasDismissed.begin() }
    }
    await store.send(.close).finish()
    #expect(wasDismissed.count == 1)
  }

  @Test func aChildKnowsWhetherItIsPresented() {
    let store = makeStore("a")
    store.send(.screen(.presented(.look)))
    store.send(.part(.look))
    #expect(store.screen?.isPresented == true)
    #expect(store.part.isPresented == false)
  }

  @Test func anotherPresentationEndsTheEffectsOfTheOneBefore() async {
    let store = makeStore("a")
    let task = store.send(.screen(.presented(.listen)))
    store.send(.open("changed in place"))
    #expect(!task.isFinished)
    store.send(.reopen("a"))
    #expect(task.isFinished)
    await lives.reach(0)
  }

  @Test func aStoreOfWhatIsPresented() {
    let store = makeStore("a")
    let screen = store.scope(state: \.screen, action: \.screen.presented)
    screen?.send(.rename("b"))
    #expect(screen?.name == "b")
  }

  @Test func reopeningManyTimesLeavesNothing() async {
    let store = makeStore()
    for _ in 0..<Soak.count(20, long: 1_000) {
      for _ in 0..<100 {
        store.send(.open("a"))
        store.send(.screen(.presented(.rename("b"))))
        store.send(.screen(.dismiss))
      }
      // Other tests want the main actor, too.
      await Task.yield()
    }
    for _ in 0..<Soak.count(100, long: 1_000) {
      store.send(.open("a"))
      store.send(.screen(.presented(.listen)))
      store.send(.screen(.dismiss))
    }
    #expect(store.hasNoChildrenInFlight)
    #expect(store.core.host.interpreter.ledger.isEmpty)
  }

  @Test func changingWhatIsPresentedCopiesNothing() {
    var state = PresentationState(wrappedValue: [1, 2, 3])
    let address = state.wrappedValue!.withUnsafeBufferPointer { $0.baseAddress }
    state.wrappedValue?[0] = 9
    #expect(state.wrappedValue!.withUnsafeBufferPointer { $0.baseAddress } == address)
    let copy = state
    state.wrappedValue?[0] = 10
    #expect(copy.wrappedValue == [9, 2, 3])
  }
}

@MainActor @Suite struct StackTests {
  private let lives = Lives()

  private func makeStore(_ names: String...) -> StoreOf<Presenter> {
    let path = StackState(names.map { Screen.State(name: $0) })
    return Store(initialState: Presenter.State(path: path)) { Presenter(lives: lives) }
  }

  @Test func idsCountFromZero() {
    let store = makeStore("a", "b")
    store.send(.push("c"))
    #expect(store.path.ids == [0, 1, 2])
    store.send(.path(.popFrom(id: 1)))
    store.send(.push("d"))
    #expect(store.path.ids == [0, 3])
    #expect(store.log == ["pop b"])
  }

  @Test func everyStackCountsItsOwnIDs() {
    let stores = [makeStore("a"), makeStore("b", "c")]
    for store in stores { store.send(.push("d")) }
    #expect(stores.map(\.path.ids) == [[0, 1], [0, 1, 2]])
    let action = Presenter.Action.path(.element(id: 0, action: .look))
    #expect(action.is(\.path[id: 0]))
    #expect(!action.is(\.path[id: 1]))
  }

  @Test func aStackHasAStoreForEveryFeature() {
    let store = makeStore("a", "b")
    var screens = store.scope(state: \.path, action: \.path)
    #expect(screens.map(\.name) == ["a", "b"])
    let first = screens[0]
    first.send(.rename("c"))
    #expect(store.path[id: 0]?.name == "c")
    screens = store.scope(state: \.path, action: \.path)
    #expect(screens[0] === first)
    #expect(screens[id: 7] == nil)
  }

  // R31
  @Test func theStoreOfAFeatureThatWasRemovedDoesNotReachTheNextUnderItsID() {
    let store = makeStore("a")
    let old = store.scope(state: \.path, action: \.path)[0]
    store.send(.setPath(["b"]))
    let new = store.scope(state: \.path, action: \.path)[0]
    #expect(old !== new)
    #expect(old.name == "a")
    new.send(.rename("c"))
    #expect(store.path.map(\.name) == ["c"])
  }

  @Test func anElementPopsItself() async {
    let store = makeStore("a", "b", "c")
    await store.send(.path(.element(id: 1, action: .close))).finish()
    #expect(store.path.map(\.name) == ["a"])
  }

  @Test func elementsThatGoEndTheirEffects() async {
    let store = makeStore("a", "b")
    let first = store.send(.path(.element(id: 0, action: .listen)))
    let second = store.send(.path(.element(id: 1, action: .listen)))
    store.send(.path(.popFrom(id: 1)))
    #expect(!first.isFinished && second.isFinished)
    store.send(.setPath(["another with the id 0"]))
    #expect(store.path.ids == [0])
    #expect(first.isFinished)
    await lives.reach(0)
  }

  @Test(arguments: [Int.max - 1, .max])
  func anIDAtTheEndOfTheNumbersIsOneLikeOthers(number: Int) throws {
    let json = Data(#"{"number":\#(number)}"#.utf8)
    let id = try JSONDecoder().decode(StackElementID.self, from: json)
    let store = makeStore()
    store.send(.path(.push(id: id, state: Screen.State(name: "b"))))
    for _ in 0..<2 { store.send(.push("c")) }
    #expect(store.path.map(\.name).suffix(3) == ["b", "c", "c"])
    #expect(Set(store.path.ids).count == store.path.count)
  }

  @Test func pushingByAnActionAddsUnderItsID() {
    let store = makeStore("a")
    store.send(.path(.push(id: 5, state: Screen.State(name: "b"))))
    store.send(.push("c"))
    #expect(store.path.ids == [0, 5, 6])
    let issues = captureIssues {
      store.send(.path(.push(id: 5, state: Screen.State(name: "d"))))
    }
    #expect(issues.count == 1)
    #expect(store.path.ids == [0, 5, 6])
  }

  // R31
  @Test func idsAreNotGivenAgainWhenAllElementsGo() {
    var stack: StackState = ["a", "b"]
    stack.removeAll()
    stack.append("c")
    #expect(stack.ids == [2])
  }

  @Test func elementsThatStayKeepTheirIDs() {
    var stack: StackState = ["a", "b", "c"]
    stack.removeAll { $0 == "a" }
    #expect(stack.ids == [1, 2])
    #expect(Array(stack) == ["b", "c"])
  }

  @Test func aStackIsACollection() {
    var stack: StackState = ["a", "b", "c", "d"]
    stack.pop(to: 2)
    #expect(Array(stack) == ["a", "b", "c"])
    stack[id: 1] = "x"
    stack[0] = "y"
    #expect(Array(stack) == ["y", "x", "c"])
    stack.removeLast()
    stack.append("z")
    #expect(stack.ids == [0, 1, 4])
    stack[id: 1] = nil
    #expect(Array(stack) == ["y", "z"])
    #expect(stack != ["y", "z"])
    stack.removeAll()
    #expect(stack.isEmpty)
  }

  @Test func aStoreOfAnElement() {
    let store = makeStore("a", "b")
    let element = store.scope(state: \.path[id: 1], action: \.path[id: 1])
    element?.send(.rename("c"))
    #expect(element?.name == "c")
    #expect(store.scope(state: \.path[id: 1], action: \.path[id: 1]) === element)
  }
}

// MARK: - Destinations

private enum Destination: CaseReducer {
  @dynamicMemberLookup
  enum State: CaseReducerState, CasePathable, Equatable {
    typealias StateReducer = Destination
    case screen(Screen.State), child(Child.State)

    struct AllCasePaths: Sendable {
      let screen = AnyCasePath(State.screen)
      let child = AnyCasePath(State.child)
    }
    static let allCasePaths = AllCasePaths()
  }

  enum Action: CasePathable {
    case screen(Screen.Action), child(Child.Action)

    struct AllCasePaths: Sendable {
      let screen = AnyCasePath(Action.screen)
      let child = AnyCasePath(Action.child)
    }
    static let allCasePaths = AllCasePaths()
  }

  enum CaseScope {
    case screen(StoreOf<Screen>), child(StoreOf<Child>)
  }

  static var body: some Reducer<State, Action> {
    Scope(state: \.screen, action: \.screen) { Screen() }
    Scope(state: \.child, action: \.child) { Child() }
  }

  static func scope(_ store: Store<State, Action>) -> CaseScope {
    switch store.state {
    case .screen: .screen(store.scope(state: \.screen, action: \.screen)!)
    case .child: .child(store.scope(state: \.child, action: \.child)!)
    }
  }
}

private struct Host: Reducer {
  struct State: Equatable {
    @PresentationState var destination: Destination.State?
  }

  enum Action: CasePathable {
    case destination(PresentationAction<Destination.Action>), show(Destination.State)

    struct AllCasePaths: Sendable {
      let destination = AnyCasePath(Action.destination)
    }
    static let allCasePaths = AllCasePaths()
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .show(let destination) = action { state.destination = destination }
      return .none
    }
    .ifLet(\.$destination, action: \.destination)
  }
}

@MainActor @Suite struct DestinationTests {
  private func makeStore(_ destination: Destination.State?) -> StoreOf<Host> {
    Store(initialState: Host.State(destination: destination)) { Host() }
  }

  @Test func aCaseOfWhatIsPresentedIsChangedOrDismissed() {
    var state = PresentationState<Destination.State>(wrappedValue: .child(Child.State()))
    state[case: \.child]?.count = 1
    #expect(state.wrappedValue == .child(Child.State(count: 1)))
    state[case: /Destination.State.child] = Child.State(count: 2)
    #expect(state[case: \.child]?.count == 2)
    state[case: \.child] = nil
    #expect(state.wrappedValue == nil)
  }

  @Test func anotherCaseThanThatPresentedIsNotChanged() {
    var state = PresentationState<Destination.State>(wrappedValue: .child(Child.State()))
    let issues = captureIssues {
      state[case: \.screen]?.name = "a"
      state[case: \.screen] = nil
      state[case: \.screen] = Screen.State()
    }
    #expect(issues.count == 3)
    #expect(issues.allSatisfy { $0.message.contains("is in another one: .child(") })
    #expect(state.wrappedValue == .child(Child.State()))
  }

  @Test func aCaseOfAnElementIsChangedOrRemoved() {
    var path: StackState<Destination.State> = [.child(Child.State()), .screen(Screen.State())]
    path[id: 0, case: \.child]?.count = 1
    path[id: 1, case: /Destination.State.screen]?.name = "a"
    #expect(Array(path) == [.child(Child.State(count: 1)), .screen(Screen.State(name: "a"))])
    let issues = captureIssues {
      path[id: 0, case: \.screen] = nil
      path[id: 9, case: \.child]?.count = 2
    }
    #expect(issues.count == 2)
    path[id: 0, case: \.child] = nil
    #expect(path.ids == [1])
  }

  @Test func eachDestinationHasItsReducer() {
    let store = makeStore(.child(Child.State()))
    store.send(.destination(.presented(.child(.incrementTwice))))
    #expect(store.destination == .child(Child.State(count: 2)))
  }

  @Test func anotherDestinationEndsTheEffectsOfTheOneBefore() {
    let store = makeStore(.child(Child.State()))
    let task = store.send(.destination(.presented(.child(.listen))))
    store.send(.show(.screen(Screen.State())))
    #expect(task.isFinished)
  }

  @Test func storesOfDestinations() {
    let store = makeStore(.child(Child.State()))
    let child = store.scope(
      state: \.destination?.child, action: \.destination.presented.child)
    child?.send(.increment)
    #expect(child?.count == 1)
    let destination = store.scope(state: \.destination, action: \.destination.presented)
    guard case .child(let same)? = destination?.case else {
      Issue.record("another case")
      return
    }
    same.send(.increment)
    #expect(child?.count == 2)
  }

  @Test func destinationsHaveNamesInTheirPresentation() {
    let path: AnyCasePath<Host.Action, PresentationAction<Child.Action>> =
      Host.Action.allCasePaths[keyPath: \.destination.child]
    guard
      case .destination(.presented(.child(.increment))) = path.embed(.presented(.increment))
    else {
      Issue.record("another case")
      return
    }
    #expect(path.extract(from: .destination(.presented(.child(.ping)))) == .presented(.ping))
    #expect(path.extract(from: .destination(.dismiss)) == nil)
  }

  @Test func actionsOfAPresentedChildHaveNames() {
    let path = Host.Action.allCasePaths[keyPath: \.destination.child.ping]
    #expect(Host.Action.destination(.presented(.child(.ping))).is(\.destination.child.ping))
    #expect(path.extract(from: .destination(.presented(.child(.ping)))) != nil)
    #expect(path.extract(from: .destination(.presented(.child(.increment)))) == nil)
    #expect(path.extract(from: .destination(.dismiss)) == nil)
  }
}

// C5: elements that are moved are the ones that they were.
@Suite struct StackOrderTests {
  private let stack = StackState([3, 1, 2])

  /// The elements, by their ids, as the stack has them.
  private func pairs(_ change: (inout StackState<Int>) -> Void) -> [String] {
    var stack = stack
    change(&stack)
    return zip(stack.ids, stack).map { "\($0) is \($1)" }
  }

  @Test func sortingMovesIdsWithTheirElements() {
    #expect(pairs { $0.sort() } == ["#1 is 1", "#2 is 2", "#0 is 3"])
    #expect(pairs { $0.sort(by: >) } == ["#0 is 3", "#2 is 2", "#1 is 1"])
  }

  @Test func swappingAndReversingMoveIdsWithTheirElements() {
    #expect(pairs { $0.swapAt(0, 2) } == ["#2 is 2", "#1 is 1", "#0 is 3"])
    #expect(pairs { $0.reverse() } == ["#2 is 2", "#1 is 1", "#0 is 3"])
  }

  @Test func shufflingMovesIdsWithTheirElements() {
    #expect(Set(pairs { $0.shuffle() }) == ["#0 is 3", "#1 is 1", "#2 is 2"])
  }

  @Test func whatAFilterLeavesKeepsItsIDs() {
    #expect(pairs { $0 = $0.filter { $0 != 1 } } == ["#0 is 3", "#2 is 2"])
  }
}
