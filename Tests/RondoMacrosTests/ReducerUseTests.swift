// `@Reducer` as the compiler expands it.

import Rondo
import RondoCompatibility
import Testing

@Reducer
private struct Empty {}

@Reducer
public struct Shown {
  public init() {}
}

@Reducer
private struct Counter {
  @ObservableState
  struct State: Equatable {
    var count = 0
  }

  enum Action {
    case increment
    case add(Int)
  }

  var step = 1

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .increment: state.count += step
      case .add(let value): state.count += value
      }
      return .none
    }
  }
}

@Reducer
private struct Chosen<Value: Equatable & Sendable> {
  @ObservableState
  struct State: Equatable {
    var value: Value
  }

  enum Action: Equatable {
    case choose(Value)
  }

  func reduce(into state: inout State, action: Action) -> EffectOf<Self> {
    guard case .choose(let value) = action else { return .none }
    state.value = value
    return .none
  }
}

@Reducer
private struct App {
  @Reducer(state: .equatable, .sendable)
  enum Destination {
    case counter(Counter = Counter(step: 10))
    case chosen(Chosen<Int>)
    case alert(AlertState<Alert>)
    @ReducerCaseIgnored
    case share(String)
    case pair(Int, label: String)
    case help
    #if DEBUG
      case debug(Counter)
    #endif

    enum Alert {
      case confirmed
    }
  }

  @ObservableState
  struct State: Equatable {
    var child = Counter.State()
    @Presents var destination: Destination.State?
  }

  enum Action {
    case child(Counter.Action)
    case destination(PresentationAction<Destination.Action>)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) { Counter() }
    Reduce { state, action in
      if case .destination(.presented(.alert(.confirmed))) = action { state.child.count = -1 }
      return .none
    }
    .ifLet(\.$destination, action: \.destination)
  }
}

struct Banner<Content: Equatable & Sendable>: Equatable, Sendable {
  var content: Content
  enum Action { case tapped }
}

@Reducer
private enum Sheet {
  case counter(feature: Counter)
  case ids([Int])
  case pair((Int, Int?))
  case failure(any Error)
  case callback(() -> Void)
  @ReducerCaseEphemeral case banner(Banner<String>)

  enum CaseScope { case counter(Int), other }

  @MainActor static func scope(_ store: Store<State, Action>) -> CaseScope {
    store.withState { $0.counter }.map { .counter($0.count) } ?? .other
  }
}

@Reducer
private struct Debugged {
  struct State { var count = 0 }
  enum Action { case tapped }

  #if DEBUG
    var body: some ReducerOf<Self> {
      Reduce { state, _ in
        state.count += 1
        return .none
      }
      EmptyReducer()
    }
  #else
    func reduce(into state: inout State, action: Action) -> EffectOf<Self> { .none }
  #endif
}

@Reducer
private struct Folder {
  @ObservableState
  struct State {
    var path = StackState<Path.State>()
  }

  enum Action {
    case path(StackActionOf<Path>)
  }

  @Reducer
  enum Path {
    case folder(Folder)
    case counter(Counter)
  }

  var body: some ReducerOf<Self> {
    EmptyReducer()
      .forEach(\.path, action: \.path)
  }
}

@Reducer
private enum Wrapped {
  case chosen(Chosen<String>)
}

extension Wrapped.State: Equatable {}
extension Wrapped.Action: Equatable {}

@Reducer
private enum NoFeature {}

@Reducer
private enum OnlyValues {
  case text(Int, Int)
}

@ViewAction(for: Listed.self)
@MainActor
private struct ListedView {
  let store: StoreOf<Listed>

  func tap() {
    send(.tapped)
  }
}

@Reducer
private struct Listed {
  @ObservableState
  struct State {
    var taps = 0
  }

  enum Action: ViewAction {
    case loaded
    case view(View)

    enum View {
      case tapped
    }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .view(.tapped) = action { state.taps += 1 }
      return .none
    }
  }
}

// C1, C4, C5, C10
@MainActor
struct ReducerUseTests {
  @Test("A destination runs the feature that is present, with its own reducer")
  func destination() {
    let store = Store(initialState: App.State()) { App() }
    store.send(.child(.increment))
    #expect(store.child.count == 1)
    let presented = Store(initialState: App.State(destination: .counter(Counter.State()))) { App() }
    presented.send(.destination(.presented(.counter(.increment))))
    #expect(presented.destination?.counter?.count == 10)
  }

  // K20
  @Test("What is presented is switched over as stores of its features")
  func presentedScopes() throws {
    let store = Store(initialState: App.State(destination: .counter(Counter.State()))) { App() }
    let destination = try #require(
      store.scope(state: \.destination, action: \.destination.presented))
    guard case .counter(let counter) = destination.case else {
      Issue.record("Another case: \(destination.case)")
      return
    }
    counter.send(.increment)
    #expect(store.destination?.counter?.count == 10)
    store.send(.destination(.dismiss))
    #expect(store.scope(state: \.destination, action: \.destination.presented)?.case == nil)
  }

  @Test("An alert is gone with its action, which the parent gets")
  func ephemeral() {
    let alert = AlertState<App.Destination.Alert> { TextState("Sure?") }
    let store = Store(initialState: App.State(destination: .alert(alert))) { App() }
    store.send(.destination(.presented(.alert(.confirmed))))
    #expect(store.destination == nil)
    #expect(store.child.count == -1)
  }

  @Test("A store of an enum is switched over as stores of its features")
  func scopes() throws {
    let store = Store(initialState: App.Destination.State.counter(Counter.State())) {
      App.Destination.body
    }
    guard case .counter(let counter) = store.case else {
      Issue.record("The store is in another case.")
      return
    }
    counter.send(.add(2))
    #expect(counter.count == 2)
  }

  @Test("A case may have a label, and hold values of any type without a mark")
  func labels() {
    let store = Store(initialState: Sheet.State.counter(feature: Counter.State())) { Sheet.body }
    store.send(.counter(feature: .add(2)))
    guard case .counter(2) = store.case else {
      Issue.record("The scope is not the one that is declared.")
      return
    }
    for state in [Sheet.State.ids([1]), .pair((1, nil)), .callback({})] {
      guard case .other = Store(initialState: state, reducer: { Sheet.body }).case else {
        Issue.record("The scope is not the one that is declared.")
        continue
      }
    }
  }

  @Test("What is marked ephemeral has its own actions, also where it is generic")
  func genericEphemeral() {
    #expect(Sheet.Action.banner(.tapped).is(\.banner))
  }

  @Test("A body may depend on the build")
  func conditionalBody() {
    let store = Store(initialState: Debugged.State()) { Debugged() }
    store.send(.tapped)
    #expect(store.withState(\.count) == 1)
  }

  @Test("A path may lead to the feature that it is in")
  func recursion() {
    let store = Store(initialState: Folder.State()) { Folder() }
    #expect(store.path.isEmpty)
  }

  @Test("A view sends its own actions")
  func viewAction() {
    let store = Store(initialState: Listed.State()) { Listed() }
    ListedView(store: store).tap()
    #expect(store.taps == 1)
  }
}

/// Features without actions: the actions of the enum have no values.
private enum WithoutActions {
  @Reducer struct Feature {}
  @Reducer enum One { case first(Feature) }
  @Reducer enum Two { case first(Feature), second(Feature) }
}
