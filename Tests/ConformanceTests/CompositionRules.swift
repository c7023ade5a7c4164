// R13, R31, C2 to C5 and H10: features that are made of others, on every host.

import Dispatch
import Rondo
import RondoRuntimeTestSupport
import Testing

/// A feature with a child of each kind: an optional, a list, something presented, and a stack.
private struct Family: Reducer {
  struct State: Equatable, Carried, Sendable {
    var child: Child.State?
    var rows: IdentifiedArrayOf<Child.State> = []
    @PresentationState var sheet: Child.State?
    var path = StackState<Child.State>()
    /// The actions that the parent itself has got.
    var log: [String] = []
  }

  enum Action: CasePathable, Carried, Sendable {
    case child(Child.Action)
    case rows(IdentifiedActionOf<Child>)
    case sheet(PresentationAction<Child.Action>)
    case path(StackActionOf<Child>)
    case set(WritableKeyPath<State, Child.State?> & Sendable, Child.State?)
    case removeRow(Int)
    case push(Child.State)
    case cancel(Int)
    case listen(Int)
    case next

    struct AllCasePaths: Sendable {
      let child = AnyCasePath(Action.child)
      let rows = AnyCasePath(Action.rows)
      let sheet = AnyCasePath(Action.sheet)
      let path = AnyCasePath(Action.path)
    }
    static let allCasePaths = AllCasePaths()
  }

  let live: Count

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      state.log.append(name(of: action, state))
      switch action {
      case .set(let keyPath, let child): state[keyPath: keyPath] = child
      case .removeRow(let id): state.rows.remove(id: id)
      case .push(let child): state.path.append(child)
      case .cancel(let id): return .cancel(id: id)
      case .listen(let id):
        return .run { [live] _ in await live.during { await suspendUntilCancelled() } }
          .cancellable(id: id)
      default: break
      }
      return .none
    }
    .ifLet(\.child, action: \.child) { Child(live: live) }
    .forEach(\.rows, action: \.rows) { Child(live: live) }
    .ifLet(\.$sheet, action: \.sheet) { Child(live: live) }
    .forEach(\.path, action: \.path) { Child(live: live) }
  }

  /// The name of an action, with the current number of the child concerned.
  private func name(of action: Action, _ state: State) -> String {
    switch action {
    case .child: "child \(state.child?.number ?? -1)"
    case .rows(.element(let id, _)): "row \(id) \(state.rows[id: id]?.number ?? -1)"
    case .sheet(.presented): "sheet \(state.sheet?.number ?? -1)"
    case .sheet(.dismiss): "dismiss"
    case .path(.element(let id, _)): "path \(state.path[id: id]?.number ?? -1)"
    case .path(.popFrom): "pop"
    case .path(.push): "push"
    case .next: "next"
    case .set, .removeRow, .push, .cancel, .listen: "parent"
    }
  }
}

/// A child that counts, waits for ever, and closes itself.
private struct Child: Reducer {
  struct State: Equatable, Identifiable, Sendable {
    var id = 1
    var number = 0
  }
  enum Action: Sendable { case count, wait, cancel, close, closed }

  let live: Count
  @Dependency(\.dismiss) var dismiss

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .count:
      state.number += 1
      return .none
    case .wait:
      return .run { [live] _ in await live.during { await suspendUntilCancelled() } }
        .cancellable(id: 7)
    case .cancel: return .cancel(id: 7)
    case .close: return .run { _ in await dismiss() }
    case .closed: return .none
    }
  }
}

extension Count {
  /// Counts a closure for as long as it runs.
  fileprivate func during(_ body: () async -> Void) async {
    add()
    await body()
    add(-1)
  }
}

/// A family whose first effect is followed by another action.
private struct FollowedFamily: Reducer {
  let family: Family

  func reduce(into state: inout Family.State, action: Family.Action) -> Effect<Family.Action> {
    let effect = family.reduce(into: &state, action: action)
    guard case .child(.wait) = action else { return effect }
    return .concatenate(effect, .send(.next))
  }
}

@MainActor @Suite struct CompositionRules {
  private let live = Count()

  private func family(
    _ kind: HostKind, _ state: Family.State = Family.State()
  ) async -> any Host<Family.State, Family.Action> {
    let live = live
    return await kind.make(state) { Family(live: live) }
  }

  private var fullState: Family.State {
    var state = Family.State(child: Child.State(), rows: [Child.State(id: 1), Child.State(id: 2)])
    state.sheet = Child.State()
    state.path.append(Child.State())
    return state
  }

  // C2
  @Test(arguments: HostKind.stores)
  func C2_aChildGetsItsActionBeforeItsParent(kind: HostKind) async {
    let host = await family(kind, fullState)
    await host.send(.child(.count))
    await host.send(.rows(.element(id: 2, action: .count)))
    await host.send(.sheet(.presented(.count)))
    await host.send(.path(.element(id: await host.state.path.ids[0], action: .count)))
    #expect(await host.state.log == ["child 1", "row 2 1", "sheet 1", "path 1"])
  }

  // C2
  @Test(arguments: HostKind.stores)
  func C2_aChildsEffectsEndWithIt(kind: HostKind) async {
    let host = await family(kind, fullState)
    let id = await host.state.path.ids[0]
    let waits: [(wait: Family.Action, end: Family.Action)] = [
      (.child(.wait), .set(\.child, nil)),
      (.child(.wait), .set(\.child, Child.State(id: 9))),
      (.rows(.element(id: 2, action: .wait)), .removeRow(2)),
      (.sheet(.presented(.wait)), .set(\.sheet, nil)),
      (.sheet(.presented(.wait)), .sheet(.dismiss)),
      (.path(.element(id: id, action: .wait)), .path(.popFrom(id: id))),
    ]
    for (wait, end) in waits {
      if await host.state.child == nil { await host.send(.set(\.child, Child.State())) }
      if await host.state.sheet == nil { await host.send(.set(\.sheet, Child.State())) }
      let task = await host.send(wait)
      #expect(!task.isFinished, "\(wait)")
      await host.send(end)
      await host.finish(task)
      #expect(task.isFinished, "\(end)")
    }
  }

  // C4
  @Test(arguments: HostKind.stores)
  func C4_aChildThatIsPresentedClosesItself(kind: HostKind) async {
    let host = await family(kind, fullState)
    let task = await host.send(.sheet(.presented(.close)))
    await host.finish(task)
    #expect(await host.state.sheet == nil)
    #expect(await host.state.log == ["sheet 0", "dismiss"])
  }

  // C5
  @Test(arguments: HostKind.stores)
  func C5_aFeatureOnAStackClosesItself(kind: HostKind) async {
    let host = await family(kind)
    await host.send(.push(Child.State()))
    let id = await host.state.path.ids[0]
    let task = await host.send(.path(.element(id: id, action: .close)))
    await host.finish(task)
    #expect(await host.state.path.isEmpty)
    #expect(await host.state.log == ["parent", "path 0", "pop"])
  }

  // R13
  @Test(arguments: HostKind.stores)
  func R13_aParentsCancellationReachesItsChildrenAndAChildsStaysWithIt(kind: HostKind) async {
    let host = await family(kind, fullState)
    let own = await host.send(.listen(7))
    let row = await host.send(.rows(.element(id: 1, action: .wait)))
    let other = await host.send(.rows(.element(id: 2, action: .wait)))
    await host.send(.rows(.element(id: 1, action: .cancel)))
    await host.finish(row)
    #expect([own.isFinished, row.isFinished, other.isFinished] == [false, true, false])
    await host.send(.cancel(7))
    await host.finish(own)
    await host.finish(other)
    #expect(own.isFinished && other.isFinished)
  }

  // R13
  @Test(arguments: HostKind.stores)
  func R13_twoHostsShareNoIds(kind: HostKind) async {
    let one = await family(kind)
    let two = await family(kind)
    let task = await one.send(.listen(7))
    await two.send(.cancel(7))
    #expect(!task.isFinished)
    await one.send(.cancel(7))
    await one.finish(task)
    #expect(task.isFinished)
  }

  // R31
  @Test(arguments: HostKind.stores)
  func R31_anActionForAChildThatIsNotThereIsReportedAndTheParentGetsIt(kind: HostKind) async {
    let state = Family.State()
    let host = await family(kind, state)
    let actions: [(Family.Action, problem: String)] = [
      (.child(.count), "it is nil"),
      (.rows(.element(id: 3, action: .count)), "none has the id 3"),
      (.sheet(.presented(.count)), "it is not presented"),
      (.sheet(.dismiss), "it is not presented"),
      (.path(.element(id: 7, action: .count)), "none has the id #7"),
      (.path(.popFrom(id: 4)), "none has the id #4"),
    ]
    for (action, problem) in actions {
      let count = await host.state.log.count
      let messages = await issues { await host.send(action) }
      #expect(messages.count == 1 && messages[0].contains(problem), "\(messages)")
      #expect(await host.state.log.count == count + 1)
      var state = await host.state
      state.log = []
      #expect(state == Family.State())
    }
  }

  // H10
  @Test(arguments: HostKind.stores)
  func H10_whatGoesOnBehindAChildThatHasGoneKeepsItsOwnTransaction(kind: HostKind) async {
    let live = live
    var state = Family.State()
    state.child = Child.State()
    let host = await kind.make(state) { FollowedFamily(family: Family(live: live)) }
    await host.send(.child(.wait), Transaction(tag: "x"))
    await host.send(.set(\.child, nil), Transaction(tag: "y"))
    #expect(await host.state.log == ["child 0", "parent", "next"])
    #expect(host.transactions.map(Marks.text) == ["x", "y", "x"])
  }
}
