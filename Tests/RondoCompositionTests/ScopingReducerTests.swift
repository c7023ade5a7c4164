// C2: reducers of children, by key paths and by case paths.

import Rondo
import Testing

@MainActor @Suite struct ScopingReducerTests {
  @Test func whatAChildAnswersComesBackToIt() {
    let store = Store(initialState: Parent.State(child: Child.State())) { Parent() }
    store.send(.child(.incrementTwice))
    #expect(store.child?.count == 2)
  }

  // R31
  @Test func anActionForAnAbsentChildIsReported() {
    let store = Store(initialState: Parent.State()) { Parent() }
    let issues = captureIssues { store.send(.child(.increment)) }
    #expect(issues.count == 1)
    #expect(
      issues[0].message == """
        ifLet of Parent.State received .child(.increment) for a child Child.State, but it is nil. The \
        state was left as it was, and the parent still gets the action. Send to a child only while it \
        is there, let its own reducer return its effects, so that they end with it, and let no reducer \
        that runs before this one remove it.
        """)
    #expect("\(issues[0].position.fileID)".hasSuffix("ChildFeatures.swift"))
    #expect(store.state == Parent.State(log: ["child increment: -1"]))
  }

  // R31
  @Test func anActionForAnUnknownElementIsReported() {
    let store = Store(initialState: Parent.State()) { Parent() }
    let issues = captureIssues { store.send(.rows(.element(id: 9, action: .increment))) }
    #expect(issues.count == 1)
    #expect(
      issues[0].message.hasPrefix(
        """
        forEach of Parent.State received .rows(.element(id: 9, action: .increment)) for a child \
        Child.State, but none has the id 9: there are none at all.
        """))
    #expect(store.log == ["row 9 increment: -1"])
  }

  @Test func caseStatesAreFollowed() {
    let store = Store(initialState: CaseParent.State.first(Child.State())) { CaseParent() }
    store.send(.first(.incrementTwice))
    #expect(store.state == .first(Child.State(count: 2)))
    let issues = captureIssues { store.send(.second(.increment)) }
    #expect(issues.count == 1)
    store.send(.swap)
    store.send(.second(.increment))
    #expect(store.state == .second(Child.State(count: 1)))
  }

  @Test func scopesOfCasesReportOtherCases() {
    let store = Store(initialState: CaseParent.State.first(Child.State())) {
      Scope(state: \CaseParent.State.Cases.first, action: \CaseParent.Action.Cases.first) {
        Child()
      }
    }
    store.send(.first(.increment))
    #expect(store.state == .first(Child.State(count: 1)))
  }

  @Test func pathsMadeByReflectionDoAsWell() {
    struct State { var child: Child.State? = Child.State(), rows: IdentifiedArrayOf<Child.State> }
    enum Action { case child(Child.Action), row(Int, Child.Action) }
    let rowPath = AnyCasePath<Action, (Int, Child.Action)>(
      embed: { .row($0, $1) }, extract: { if case .row(let i, let a) = $0 { (i, a) } else { nil } })
    let store = Store(initialState: State(rows: [Child.State(id: 1)])) {
      EmptyReducer<State, Action>()
        .ifLet(\.child, action: AnyCasePath(Action.child)) { Child() }
        .forEach(\.rows, action: rowPath) { Child() }
    }
    store.send(.child(.incrementTwice))
    store.send(.row(1, .increment))
    #expect(store.child?.count == 2)
    #expect(store.rows[id: 1]?.count == 1)
  }

  @Test func onChangeRunsAfterAChangeOnly() {
    let store = Store(initialState: Parent.State()) {
      Parent().onChange(of: \.part.count) { old, new in
        Reduce { state, _ in
          state.log.append("\(old) -> \(new)")
          return .none
        }
      }
    }
    store.send(.part(.increment))
    store.send(.set(nil))
    #expect(store.log == ["0 -> 1"])
  }

  @Test func changesArePrinted() {
    var printed: [String] = []
    let store = Store(initialState: Child.State()) {
      Child()._printChanges(
        _ReducerPrinter { action, old, new in printed.append("\(action) \(old.count) \(new.count)")
        })
    }
    store.send(.increment)
    #expect(printed == ["increment 0 1"])
  }

  @Test func aBodyIsReadOnce() {
    final class Count { var reads = 0 }
    struct Feature: Reducer {
      let count: Count
      var body: some Reducer<Int, Int> {
        let _ = count.reads += 1
        Reduce { state, action in
          state += action
          return .none
        }
      }
    }
    let count = Count()
    let store = Store(initialState: 0) { Feature(count: count) }
    for _ in 0..<3 { store.send(1) }
    #expect(store.state == 3)
    #expect(count.reads == 1)
  }

  @Test func aFeatureMayContainItself() {
    let leaf = Folder.State(id: 2)
    let store = Store(
      initialState: Folder.State(id: 0, folders: [Folder.State(id: 1, folders: [leaf])])
    ) { Folder() }
    store.send(.folders(.element(id: 1, action: .folders(.element(id: 2, action: .rename("x"))))))
    #expect(store.folders[id: 1]?.folders[id: 2]?.name == "x")
  }
}

private struct CaseParent: Reducer {
  enum State: Equatable, CasePathable {
    case first(Child.State), second(Child.State)

    struct AllCasePaths: Sendable {
      let first = AnyCasePath(State.first)
      let second = AnyCasePath(State.second)
    }
    static let allCasePaths = AllCasePaths()
  }

  enum Action: CasePathable {
    case first(Child.Action), second(Child.Action), swap

    struct AllCasePaths: Sendable {
      let first = AnyCasePath(Action.first)
      let second = AnyCasePath(Action.second)
    }
    static let allCasePaths = AllCasePaths()
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .swap = action { state = .second(Child.State()) }
      return .none
    }
    .ifCaseLet(\.first, action: \.first) { Child() }
    .ifCaseLet(\.second, action: \.second) { Child() }
  }
}

private struct Folder: Reducer {
  struct State: Equatable, Identifiable {
    let id: Int
    var name = ""
    var folders: IdentifiedArrayOf<State> = []
  }

  enum Action: CasePathable {
    case rename(String)
    indirect case folders(IdentifiedActionOf<Folder>)

    struct AllCasePaths: Sendable {
      let folders = AnyCasePath(Action.folders)
    }
    static let allCasePaths = AllCasePaths()
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .rename(let name) = action { state.name = name }
      return .none
    }
    .forEach(\.folders, action: \.folders) { Folder() }
  }
}
