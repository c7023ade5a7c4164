// C2: what a child has in flight ends with the child.

@testable import Rondo
import RondoSeededRandomness
import Testing

@MainActor @Suite struct ChildLifetimeTests {
  private let lives = Lives()

  private func makeStore(_ state: Parent.State) -> StoreOf<Parent> {
    Store(initialState: state) { Parent(lives: lives) }
  }

  @Test func aChildOfAnotherIdentityEndsTheEffectsOfTheOneBefore() async {
    let store = makeStore(Parent.State(child: Child.State(id: 1)))
    let task = store.send(.child(.listen))
    store.send(.set(Child.State(id: 1, count: 5)))
    #expect(!task.isFinished)
    store.send(.set(Child.State(id: 2)))
    #expect(task.isFinished)
    await lives.reach(0)
  }

  @Test func anElementThatIsRemovedEndsItsEffectsAlone() async {
    let store = makeStore(Parent.State(rows: [Child.State(id: 1), Child.State(id: 2)]))
    let first = store.send(.rows(.element(id: 1, action: .listen)))
    let second = store.send(.rows(.element(id: 2, action: .listen)))
    store.send(.setRows([Child.State(id: 2), Child.State(id: 3)]))
    #expect(first.isFinished)
    #expect(!second.isFinished)
    store.send(.setRows([]))
    #expect(second.isFinished)
    await lives.reach(0)
  }

  @Test func effectsOfAPartGoOn() async {
    let store = makeStore(Parent.State(child: Child.State()))
    let task = store.send(.part(.listen))
    store.send(.set(nil))
    #expect(!task.isFinished)
    task.cancel()
    await lives.reach(0)
  }

  @Test(arguments: [Grandparent.Action.close, .cancel])
  func grandchildrenEndWithTheirParents(by end: Grandparent.Action) async {
    let store = Store(initialState: Grandparent.State(parent: Parent.State(child: Child.State()))) {
      Grandparent(lives: lives)
    }
    let task = store.send(.parent(.child(.listen)))
    await lives.reach(1)
    store.send(end)
    #expect(task.isFinished)
    await lives.reach(0)
  }

  @Test func openingAndClosingLeavesNothingBehind() async {
    let store = makeStore(Parent.State())
    for id in 0..<Soak.count(500, long: 10_000) {
      store.send(.set(Child.State(id: id)))
      store.send(.child(.listen))
      store.send(.set(nil))
      // Other tests want the main actor, too.
      if id.isMultiple(of: 50) { await Task.yield() }
    }
    #expect(store.hasNoChildrenInFlight)
  }
}

struct Grandparent: Reducer {
  struct State: Equatable {
    var parent: Parent.State?
  }

  enum Action: CasePathable {
    case parent(Parent.Action), close, cancel

    struct AllCasePaths: Sendable {
      let parent = AnyCasePath(Action.parent)
    }
    static let allCasePaths = AllCasePaths()
  }

  var lives = Lives()

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .parent: return .none
      case .close:
        state.parent = nil
        return .none
      case .cancel: return .cancel(id: "listening")
      }
    }
    .ifLet(\.parent, action: \.parent) { Parent(lives: lives) }
  }
}

extension Store {
  /// Whether the registry of children is empty.
  var hasNoChildrenInFlight: Bool { core.host.interpreter.children.isEmpty }
}
