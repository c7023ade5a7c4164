// Children named without a label, as current features name them.

import Foundation
import Rondo
import RondoCompatibility
import Testing

@MainActor
struct UnlabelledScopeTests {
  // K20
  @Test func scopesRunWithoutALabel() {
    let store = Store(initialState: Sources.State()) { Sources() }

    store.send(.tally(.increment))
    store.send(.mirror)

    #expect(store.tally.count == 1)
    #expect(store.whole.count == 1)
  }

  // K20
  @Test func storesAreScopedWithoutALabel() throws {
    let store = Store(initialState: Sources.State()) { Sources() }
    store.send(.presentTapped)

    store.scope(\.tally, action: \.tally).send(.increment)
    try #require(store.scope(\.optional, action: \.optional)).send(.increment)
    try #require(store.scope(\.presented, action: \.presented.presented)).send(.increment)
    try #require(store.scope(\.rows, action: \.rows)[id: 7]).send(.increment)
    try #require(store.scope(\.path, action: \.path).first).send(.increment)

    #expect(store.tally.count == 1)
    #expect(store.optional?.count == 1)
    #expect(store.presented?.count == 1)
    #expect(store.rows[id: 7]?.count == 1)
    #expect(store.path.first?.count == 1)
    #expect(store.scope(\.whole, action: \.self).count == 0)
  }

  // K37
  @Test func aFunctionMakesTheReducerOfAnElement() {
    let store = Store(initialState: Sources.State()) { MadeByFunctions() }
    store.send(.rows(.element(id: 7, action: .increment)))
    store.send(.path(.element(id: 0, action: .increment)))
    #expect(store.rows[id: 7]?.count == 1)
    #expect(store.path.first?.count == 1)
  }

  // K20
  @Test func storesWithAndWithoutALabelAreOne() {
    let store = Store(initialState: Sources.State()) { Sources() }

    #expect(
      store.scope(\.tally, action: \.tally) === store.scope(state: \.tally, action: \.tally))
  }

  // K20
  @Test func storesAreScopedByClosures() {
    let store = Store(initialState: Sources.State()) { Sources() }
    let child = store.scope(state: { $0.tally.count }, action: { .tally($0) })

    child.send(.increment)

    #expect(child.state == 1)
    #expect(store.scope(state: \.tally, action: Sources.Action.tally).count == 1)
    #expect(store.scope(state: { $0.tally.count }).state == 1)
  }

  // K20
  @Test func aStoreOfAnOptionalIsUnwrappedWheneverThereIsOne() {
    let store = Store(initialState: Sources.State()) { Sources() }
    var log: [String] = []
    let cancellable =
      store
      .scope(state: \.$presented.wrappedValue, action: { .presented(.presented($0)) })
      .ifLet(then: { log.append("\($0.count)") }, else: { log.append("none") })

    store.send(.presentTapped)
    store.send(.presented(.presented(.increment)))
    store.send(.presented(.dismiss))
    store.send(.presentTapped)
    cancellable.cancel()
    store.send(.presented(.dismiss))

    #expect(log == ["none", "0", "none", "0"])
  }

  // K20
  @Test func aBindingToAPresentedStoreDismissesIt() {
    let bindable = Bindable(Store(initialState: Sources.State()) { Sources() })
    let byProjection = bindable.scope(\.$presented, action: \.presented)
    let byOptional = bindable.scope(state: \.presented, action: \.presented)
    #expect(byProjection.wrappedValue == nil)

    bindable.wrappedValue.send(.presentTapped)
    byProjection.wrappedValue?.send(.increment)
    #expect(byOptional.wrappedValue?.count == 1)

    byProjection.wrappedValue = nil
    #expect(bindable.wrappedValue.presented == nil)
  }

  // K20
  @Test func aChangeAddsAnEffectAndMayChangeTheState() {
    let store = Store(initialState: Changing.State()) { Changing() }

    store.send(.binding(.set(\.name, "Blob")))

    #expect(store.log == ["was ", "saved Blob"])
  }

  // K20
  @Test func fieldsOfBindingActionsHaveNames() {
    let action = Legacy.Action.binding(.set(\.$count, 3))

    #expect(action[case: \.binding.$count] == 3)
    #expect(action.is(\.binding.$count))
    #expect(!action.is(\.binding.$other))
  }
}

@Reducer
private struct Tally {
  @ObservableState
  struct State: Equatable, Identifiable {
    var id = 7
    var count = 0
  }
  enum Action { case increment }
  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.count += 1
      return .none
    }
  }
}

private struct MadeByFunctions: Reducer {
  var body: some Reducer<Sources.State, Sources.Action> {
    EmptyReducer()
      .forEach(\.rows, action: \.rows, element: Tally.init)
      .forEach(\.path, action: \.path, destination: Tally.init)
  }
}

@Reducer
private struct Sources {
  @ObservableState
  struct State {
    var tally = Tally.State()
    var whole = Tally.State()
    var optional: Tally.State? = Tally.State()
    @Presents var presented: Tally.State?
    var rows: IdentifiedArrayOf<Tally.State> = [Tally.State()]
    var path = StackState([Tally.State()])
  }
  enum Action {
    case tally(Tally.Action)
    case optional(Tally.Action)
    case presented(PresentationAction<Tally.Action>)
    case rows(IdentifiedActionOf<Tally>)
    case path(StackActionOf<Tally>)
    case presentTapped, mirror
  }
  var body: some ReducerOf<Self> {
    Scope(\.tally, action: \.tally) { Tally() }
    Scope(\.whole, action: \.self) { Mirror() }
    Reduce { state, action in
      if case .presentTapped = action { state.presented = Tally.State() }
      return .none
    }
    .ifLet(\.optional, action: \.optional) { Tally() }
    .ifLet(\.$presented, action: \.presented) { Tally() }
    .forEach(\.rows, action: \.rows) { Tally() }
    .forEach(\.path, action: \.path) { Tally() }
  }

  struct Mirror: Reducer {
    func reduce(into state: inout Tally.State, action: Sources.Action) -> Effect<Sources.Action> {
      if case .mirror = action { state.count += 1 }
      return .none
    }
  }
}

@Reducer
private struct Changing {
  @ObservableState
  struct State {
    var name = ""
    var log: [String] = []
  }
  enum Action: BindableAction {
    case binding(BindingAction<State>)
    case saved(String)
  }
  var body: some ReducerOf<Self> {
    BindingReducer()
      .onChange(of: \.name) { oldValue, state in
        state.log.append("was \(oldValue)")
        return .send(.saved(state.name))
      }
      .onChange(of: \.log.count) { _, newValue in
        Reduce { _, _ in newValue > 9 ? .send(.saved("many")) : .none }
      }
    Reduce { state, action in
      if case .saved(let name) = action { state.log.append("saved \(name)") }
      return .none
    }
  }
}

private struct Legacy: Reducer {
  struct State {
    @BindingState var count = 0
    @BindingState var other = 0
  }
  @CasePathable
  enum Action: BindableAction {
    case binding(BindingAction<State>)
  }
  var body: some ReducerOf<Self> { BindingReducer() }
}
