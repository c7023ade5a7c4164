// C3: stores of children.

import Observation
import Rondo
import Synchronization
import Testing

@MainActor @Suite struct ScopedStoreTests {
  private func makeStore(_ state: Parent.State = Parent.State()) -> StoreOf<Parent> {
    Store(initialState: state) { Parent() }
  }

  @Test(arguments: [true, false])
  func whoSubscribesToAChildHearsNothingOfTheNextOne(isReplaced: Bool) async {
    let store = makeStore(Parent.State(child: Child.State(count: 3)))
    let child = store.scope(state: \.child, action: \.child)!
    var heard: [Int] = []
    let token = child.subscribe { heard.append($0.newState.count) }
    let states = child.states
    child.send(.increment)
    if !isReplaced { store.send(.set(nil)) }
    store.send(.set(Child.State(id: 1, count: 10)))
    store.send(.child(.increment))
    #expect(heard == [4])
    var seen: [Int] = []
    for await state in states {
      seen.append(state.count)
      if seen.count > 2 { break }
    }
    #expect(seen == [3, 4])
    token.cancel()
  }

  @Test func aStoreWhoseRowHasGoneStaysOfThatRow() {
    let store = makeStore(Parent.State(rows: [Child.State(id: 1, count: 3)]))
    let row = store.scope(state: \.rows, action: \.rows)[0]
    var heard: [Int] = []
    let token = row.subscribe { heard.append($0.newState.count) }
    store.send(.setRows([]))
    store.send(.setRows([Child.State(id: 1, count: 10)]))
    let next = store.scope(state: \.rows, action: \.rows)[0]
    #expect(next !== row)
    next.send(.increment)
    #expect((row.count, next.count) == (3, 11))
    #expect(heard.isEmpty)
    token.cancel()
  }

  @Test func aRowThatHasGoneBeforeItsStoreIsMadeShowsWhatTheListHad() {
    let store = makeStore(Parent.State(rows: [Child.State(id: 1, count: 5), Child.State(id: 2)]))
    let rows = store.scope(state: \.rows, action: \.rows)
    store.send(.setRows([]))
    #expect(rows.map(\.count) == [5, 0])
  }

  @Test func aChildReadsAndSendsThroughItsParent() {
    let store = makeStore()
    let part = store.scope(state: \.part, action: \.part)
    part.send(.incrementTwice)
    #expect(part.count == 2)
    #expect(store.part.count == 2)
  }

  @Test func childrenAreMadeOnce() {
    let store = makeStore(Parent.State(child: Child.State(), rows: [Child.State(id: 1)]))
    for _ in 0..<2 {
      #expect(
        store.scope(state: \.part, action: \.part) === store.scope(state: \.part, action: \.part))
      #expect(
        store.scope(state: \.child, action: \.child)
          === store.scope(state: \.child, action: \.child))
      #expect(
        store.scope(state: \.rows, action: \.rows)[0]
          === store.scope(state: \.rows, action: \.rows)[0])
    }
  }

  @Test func theStoreOfAChildStaysWhenManyOthersHaveGone() {
    let store = Store(
      initialState: Slots.State(children: (0..<13).map { Child.State(id: $0) })
    ) {
      Slots()
    }
    func child(_ index: Int) -> StoreOf<Child>? {
      store.scope(state: \.children[index], action: \.child)
    }
    let children = (0..<13).map { child($0) }
    for index in 1..<13 {
      store.send(.remove(index))
      #expect(child(index) == nil)
    }
    #expect(children[0] != nil)
    #expect(child(0) === children[0])
  }

  @Test func theStoresOfRowsThatAreGoneAreReleased() {
    struct Weak {
      weak var token: Tokens.Token?
    }
    let store = Store(initialState: Tokens.State()) { Tokens() }
    func row(_ id: Int) -> Store<Tokens.Row, Never>? {
      store.scope(state: \.rows[id: id], action: \.row)
    }
    store.send(.add(Tokens.Row(id: 0)))
    let stays = row(0)
    var tokens: [Weak] = []
    for id in 1...1_000 {
      let added = Tokens.Row(id: id)
      tokens.append(Weak(token: added.token))
      store.send(.add(added))
      #expect(row(id)?.token === added.token)
      store.send(.remove(id))
    }
    #expect(tokens.count { $0.token != nil } < 50)
    #expect(stays != nil && row(0) === stays)
  }

  @Test func anAbsentChildHasNoStore() {
    let store = makeStore()
    #expect(store.scope(state: \.child, action: \.child) == nil)
    store.send(.set(Child.State()))
    #expect(store.scope(state: \.child, action: \.child) != nil)
  }

  @Test func aChildThatGoesWhileItsStoreIsMadeHasNone() {
    let store = Store(initialState: Flickering.State()) { Flickering() }
    #expect(store.scope(state: \.child, action: \.child) == nil)
    #expect(store.scope(state: \.child, action: \.child) == nil)
  }

  @Test func aChildOfAChildThatHasGoneShowsWhatItWas() {
    let parent = Parent.State(child: Child.State(count: 3))
    let store = Store(initialState: Family.State(parent: parent)) { Family() }
    let gone = store.scope(state: \.parent, action: \.parent)!
    store.send(.remove)
    #expect(gone.scope(state: \.child, action: \.child)?.state.count == 3)
  }

  @Test func aStoreOfAnOptionalChild() {
    let store = makeStore(Parent.State(child: Child.State()))
    let child = store.scope(state: \.child, action: \.child)
    child?.send(.incrementTwice)
    #expect(child?.count == 2)
  }

  @Test func aStoreWhoseChildIsGoneShowsWhatItKnew() {
    let store = makeStore(Parent.State(child: Child.State(count: 3)))
    let child = store.scope(state: \.child, action: \.child)
    store.send(.set(nil))
    #expect(child?.count == 3)
  }

  // R31
  @Test func anActionToAnAbsentChildReachesTheParentAndIsReported() {
    let store = makeStore(Parent.State(child: Child.State()))
    let child = store.scope(state: \.child, action: \.child)
    store.send(.set(nil))
    let issues = captureIssues { child?.send(.increment) }
    #expect(issues.count == 1)
    #expect(store.log == ["child increment: -1"])
  }

  // R31
  @Test func aStoreOfAChildThatWasReplacedIsReported() {
    let store = makeStore(Parent.State(child: Child.State(id: 1)))
    let old = store.scope(state: \.child, action: \.child)
    store.send(.set(nil))
    #expect(store.scope(state: \.child, action: \.child) == nil)
    store.send(.set(Child.State(id: 1, count: 10)))
    let new = store.scope(state: \.child, action: \.child)
    #expect(old !== new)
    let issues = captureIssues { old?.send(.increment) }
    #expect(issues.count == 1)
    #expect(issues[0].message.contains("after the child that it was made for had gone"))
    #expect(store.child?.count == 10)
    new?.send(.increment)
    #expect(store.child?.count == 11)
  }

  // R31
  @Test func aStoreThatHasSentToNobodyDoesNotReachALaterChild() {
    let store = makeStore(Parent.State(child: Child.State(id: 1)))
    let old = store.scope(state: \.child, action: \.child)
    store.send(.set(nil))
    let issues = captureIssues {
      old?.send(.increment)
      store.send(.set(Child.State(id: 1, count: 10)))
      old?.send(.increment)
    }
    #expect(issues.count == 2)
    #expect(store.child?.count == 10)
    #expect(old?.count == 0)
  }

  @Test func elementsHaveStores() {
    let store = makeStore(
      Parent.State(rows: [Child.State(id: 1), Child.State(id: 2), Child.State(id: 3)]))
    var rows = store.scope(state: \.rows, action: \.rows)
    #expect(rows.map(\.id) == [1, 2, 3])
    let second = rows[1]
    second.send(.incrementTwice)
    #expect(store.rows[id: 2]?.count == 2)
    store.send(.setRows([Child.State(id: 3), Child.State(id: 2, count: 7)]))
    rows = store.scope(state: \.rows, action: \.rows)
    #expect(rows.map(\.id) == [3, 2])
    #expect(rows[id: 2] === second)
    #expect(second.count == 7)
    #expect(rows[id: 1] == nil)
  }

  @Test func scopesNest() {
    let store = Store(initialState: Grandparent.State(parent: Parent.State(child: Child.State()))) {
      Grandparent()
    }
    let parent = store.scope(state: \.parent, action: \.parent)
    let child = parent?.scope(state: \.child, action: \.child)
    child?.send(.incrementTwice)
    #expect(store.state.parent?.child?.count == 2)
    #expect(child?.count == 2)
  }

  @Test func anObserverOfAChildIsWokenByTheChildAlone() {
    let store = makeStore(Parent.State(child: Child.State()))
    let part = store.scope(state: \.part, action: \.part)
    let wakes = Atomic(0)
    withObservationTracking {
      _ = part.count
    } onChange: {
      wakes.add(1, ordering: .relaxed)
    }
    store.send(.child(.increment))
    #expect(wakes.load(ordering: .relaxed) == 0)
    part.send(.increment)
    part.send(.increment)
    #expect(wakes.load(ordering: .relaxed) == 1)
  }

  @Test func commitsReachAChildWithTheirTransactions() {
    let store = makeStore()
    let part = store.scope(state: \.part, action: \.part)
    var seen: [String] = []
    let subscription = part.subscribe(changesOnly: true) { commit in
      seen.append("\(commit.newState.count) \(commit.actions) \(commit.transaction)")
    }
    part.send(.incrementTwice, animation: .default)
    store.send(.set(nil))
    store.send(.part(.increment))
    #expect(seen.count == 2)
    #expect(seen.first?.hasPrefix("2 ") == true && seen.first?.hasSuffix(" .default") == true)
    #expect(seen.last?.hasSuffix(" untagged") == true)
    subscription.cancel()
  }

  @Test func aChildKeepsTheMachineAlive() {
    weak var root: StoreOf<Parent>?
    let part: StoreOf<Child>
    do {
      let store = makeStore()
      root = store
      part = store.scope(state: \.part, action: \.part)
    }
    #expect(root == nil)
    part.send(.increment)
    #expect(part.count == 1)
  }

  @Test func twoStoresNeverMeet() {
    let stores = (0..<2).map { _ in makeStore(Parent.State(child: Child.State())) }
    stores[0].send(.child(.listen))
    let task = stores[1].send(.child(.listen))
    stores[0].send(.set(nil))
    #expect(!task.isFinished)
    task.cancel()
  }
}

/// A parent of many children, each of which may be absent.
private struct Slots: Reducer {
  struct State: Equatable {
    var children: [Child.State?]
  }

  enum Action: CasePathable {
    case child(Child.Action)
    case remove(Int)

    struct AllCasePaths: Sendable {
      let child = AnyCasePath(Action.child)
    }
    static let allCasePaths = AllCasePaths()
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    if case .remove(let index) = action { state.children[index] = nil }
    return .none
  }
}

/// A parent of a parent, which may be absent.
private struct Family: Reducer {
  struct State {
    var parent: Parent.State?
  }

  enum Action: CasePathable {
    case parent(Parent.Action)
    case remove

    struct AllCasePaths: Sendable {
      let parent = AnyCasePath(Action.parent)
    }
    static let allCasePaths = AllCasePaths()
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    if case .remove = action { state.parent = nil }
    return .none
  }
}

/// A parent whose child is there each second time that it is looked at, as a shared one may be.
private struct Flickering: Reducer {
  struct State {
    let looks = LockIsolated(0)

    var child: Child.State? {
      looks.withValue { $0 += 1 }
      return looks.value.isMultiple(of: 2) ? nil : Child.State()
    }
  }

  enum Action: CasePathable {
    case child(Child.Action)

    struct AllCasePaths: Sendable {
      let child = AnyCasePath(Action.child)
    }
    static let allCasePaths = AllCasePaths()
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}

/// A list whose rows hold objects.
private struct Tokens: Reducer {
  final class Token {}

  struct Row: Identifiable {
    let id: Int
    let token = Token()
  }

  struct State {
    var rows: IdentifiedArrayOf<Row> = []
  }

  enum Action: CasePathable {
    case row(Never)
    case add(Row)
    case remove(Int)

    struct AllCasePaths: Sendable {
      var row: AnyCasePath<Action, Never> {
        AnyCasePath(embed: Action.row) { _ in nil }
      }
    }
    static let allCasePaths = AllCasePaths()
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .add(let row): state.rows.append(row)
    case .remove(let id): state.rows.remove(id: id)
    }
    return .none
  }
}
