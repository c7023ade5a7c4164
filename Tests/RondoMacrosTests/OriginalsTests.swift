// Small features that use what the Composable Architecture offers.

import Foundation
import Observation
import Rondo
import RondoCompatibility
import Synchronization
import Testing

@MainActor
struct OriginalsTests {
  // K1
  @Test func aChangeWithinACaseOfPlainValuesWakesObservers() {
    let store = Store(initialState: Chooser.State()) { Chooser() }
    #expect(store.wakes(reading: \.choice) { $0.send(.choose(.number(1))) })
    #expect(store.wakes(reading: \.choice) { $0.send(.choose(.number(2))) })
    #expect(store.wakes(reading: \.choice) { $0.send(.choose(.pair(1, "a"))) })
    #expect(store.wakes(reading: \.choice) { $0.send(.choose(.pair(1, "b"))) })
    #expect(!store.wakes(reading: \.choice) { $0.send(.choose(.pair(1, "b"))) })
  }

  // K1
  @Test func aCopyThatWasChangedWakesObserversWhenItIsAssigned() {
    let store = Store(initialState: Editor.State()) { Editor() }
    store.send(.begin)
    store.send(.rename("new"))
    #expect(store.wakes(reading: \.item.name) { $0.send(.save) })
    #expect(store.item.name == "new")
    #expect(!store.wakes(reading: \.item.name) { $0.send(.save) })
  }

  // K6
  @Test func anAlertInAPlainOptionalGoesAwayWithItsAction() {
    let store = Store(initialState: Alarm.State()) { Alarm() }
    store.send(.alert(.confirm))
    #expect(store.alert == nil)
    #expect(store.confirmations == 1)
  }

  // K6
  @Test func anOptionalAlertMayHaveTheActionsOfSomethingPresented() {
    for action in [PresentationAction<Bell.Action.Alert>.presented(.confirm), .dismiss] {
      let store = Store(initialState: Bell.State()) { Bell() }
      store.send(.plain(action))
      #expect(store.plain == nil)
      store.send(.presented(action))
      #expect(store.presented == nil)
      #expect(store.confirmations == (action == .dismiss ? 0 : 2))
    }
  }

  // K16
  @Test func aFieldNamedAsAMemberOfACasePathIsReached() {
    let action = Described.Action.inner(.binding(.set(\.description, "new")))
    #expect(action[case: \.inner.binding.description] == "new")
    #expect(action.is(\.inner.binding.description))
    let path: CaseName<Described.Action, Void> = \.inner.write
    #expect(Described.Action.inner(.write).is(path))
    #expect("\(AnyCasePath<Int, Int>())" == "AnyCasePath<Int, Int>")
  }

  // K21
  @Test func theTypeOfALiteralStateIsTheReducers() {
    let fields = Store(initialState: .init(description: "new")) { Described() }
    #expect(fields.withState(\.description) == "new")
    let number = Store(initialState: 7) { Halver() }
    number.send(())
    #expect(number.state == 3.5)
  }

  // K37
  @Test func aLiteralMayBeTheStateOfAReducerOfOptionals() {
    let store = Store(initialState: 0) {
      Reduce<Int?, Bool> { state, action in
        state = action ? 1 : nil
        return .none
      }
    }
    store.send(false)
    #expect(store.state == nil)
    store.send(true)
    #expect(store.state == 1)
  }

  // K12
  @Test func aWriteThatNobodyDoesIsReportedWhereTheStoreWasMade() {
    let line = #line + 1
    let store = Store(initialState: Form.State()) { Form(isBound: false) }
    let issues = captureIssues { store.name = "Blob" }
    #expect(
      issues.map(\.message) == [
        """
        A store was to write to a field and sent .set(\\State.name, "Blob"), but nothing has written to \
        the field. List 'BindingReducer()' first in the body of the feature.
        """
      ])
    #expect(issues.map(\.position.line) == [UInt(line)])
  }

  // K12
  @Test func aWriteOfAStoreIsDone() {
    let store = Store(initialState: Form.State()) { Form(isBound: true) }
    let issues = captureIssues { store.name = "Blob" }
    #expect(issues.map(\.message) == [])
    #expect(store.name == "Blob")
  }

  // K20
  @Test func aWriteOfAStoreIsDoneByAnActionOfTheViews() {
    let store = Store(initialState: Sheeted.State()) { Sheeted() }
    store.name = "Blob"
    #expect(store.name == "Blob")
    store.binding(\.name).wrappedValue = "Blob Jr."
    #expect(store.log == ["Blob", "Blob Jr."])
  }

  // K12
  @Test func aWriteOfTheViewsThatNobodyDoesIsReported() {
    let store = Store(initialState: Sheeted.State()) {
      Reduce<Sheeted.State, Sheeted.Action> { _, _ in .none }
    }
    let issues = captureIssues { store.name = "Blob" }
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains(".set(\\State.name, \"Blob\")") == true)
  }

  // K20
  @Test func aPartOfABindingStateIsBoundTo() {
    let store = Store(initialState: Plain.State()) { Plain() }
    store.send(.set(\.$size.width, 3))
    store.send(.binding(.set(\.$size.height, 4)))
    #expect(store.withState(\.size) == Plain.Size(width: 3, height: 4))
    #expect(store.withState(\.widths) == [3])
  }

  // K25
  @Test func aReducerThatPrintsHasAType() {
    let reducer: _PrintChangesReducer<Halver> = Halver()._printChanges(nil)
    let store = Store(initialState: 4) { reducer }
    store.send(())
    #expect(store.state == 2)
  }

  // K14
  @Test func aKeyPathOfAnObservedStateIsWrittenAsItIs() {
    func text(_ keyPath: PartialKeyPath<Form.State>) -> String { summary(of: keyPath) }
    #expect(text(\.name) == "\\State.name")
    #expect(text(\.size.width) == "\\State.size.width")
    #expect(text(\.nested?.isOn) == "\\State.nested?.isOn?")
    #expect(text(\.isEmpty) == "\\State.isEmpty")
    #expect(text(\.$nested) == "\\State.$nested")
    #expect("\(BindingAction.set(\Form.State.name, "a"))" == ".set(\\State.name, \"a\")")
  }

  // K14
  @Test func aKeyPathOfAGenericStateIsWrittenAsItIs() {
    let action = BindingAction<Choice<Int>.State>.set(\.chosen, 1)
    #expect("\(action)" == ".set(\\State.chosen, 1)")
  }

  // K22
  @Test func anEnumOfFeaturesMayHaveItsOwnActions() {
    let store = Store(initialState: Screen.State.alarm(Alarm.State())) { Screen.body }
    store.send(.alarm(.alert(.confirm)))
    #expect(store.state.alarm?.confirmations == 1)
    store.send(.other)
  }

  // K25
  @Test func aCaseOfASharedEnumIsSharedToo() throws {
    @Shared(value: Sheet(content: .text("a"))) var page
    let found: Shared<String>? = $page.content.text
    let text = try #require(found)
    text.withLock { $0 = "b" }
    #expect(page.content == .text("b"))
    let reader: SharedReader<String>? = $page.content.text
    #expect(reader?.wrappedValue == "b")
    $page.withLock { $0.content = .empty }
    text.withLock { $0 = "c" }
    #expect(page.content == .empty)
    let missing: Shared<String>? = $page.content.text
    #expect(missing == nil)
  }

  // K26
  @Test func perceptionIsObservation() {
    @Shared(value: 0) var count
    let isWoken = Flag()
    withPerceptionTracking {
      _ = count
    } onChange: {
      isWoken.value.withLock { $0 = true }
    }
    $count.withLock { $0 += 1 }
    #expect(isWoken.value.withLock { $0 })
    let model = Model()
    let isModelWoken = Flag()
    withPerceptionTracking {
      _ = model.count
    } onChange: {
      isModelWoken.value.withLock { $0 = true }
    }
    model.count += 1
    #expect(isModelWoken.value.withLock { $0 })
  }

  // K25
  @Test func overridesInARowAreOneReducer() {
    let reducer: _DependencyKeyWritingReducer<Dated> = Dated()
      .dependency(\.date, .constant(Date(timeIntervalSince1970: 1)))
      .transformDependency(\.date) { $0 = .constant(Date(timeIntervalSince1970: 2)) }
    let store = Store(initialState: 0) { reducer }
    store.send(())
    #expect(store.state == 1)
  }

  // K22
  @Test func aValueHasAnIDBesideIt() {
    var value = Identified([1], id: "a")
    value.value.append(2)
    #expect(value.id == "a")
    #expect(value.count == 2)
    #expect(Identified("b", id: \.count).id == 1)
  }

  // H13
  @Test func aWrapperReadsTheBodyOfItsBaseOnce() {
    let reads = Reads()
    let store = Store(initialState: 0) { Wrapper(base: Wrapper(base: Counted(reads: reads))) }
    for _ in 0..<5 { store.send(1) }
    #expect(store.state == 5)
    #expect(reads.count.withLock { $0 } == 1)
  }

  // H13
  @Test func twoBasesOfOneTypeAreToldApart() {
    let store = Store(initialState: 0) {
      Both(first: Adder(amount: 1), second: Adder(amount: 10))
    }
    store.send(1)
    store.send(1)
    #expect(store.state == 22)
  }
}

extension Store {
  /// Whether a change wakes who has read a member of the state.
  fileprivate func wakes<Value>(
    reading keyPath: KeyPath<State, Value>, by change: (Store) -> Void
  ) -> Bool {
    let isWoken = Mutex(false)
    withExtendedLifetime(self) {
      let flag = Flag()
      withObservationTracking {
        _ = self[dynamicMember: keyPath]
      } onChange: {
        flag.value.withLock { $0 = true }
      }
      change(self)
      isWoken.withLock { $0 = flag.value.withLock { $0 } }
    }
    return isWoken.withLock { $0 }
  }
}

private final class Flag: Sendable {
  let value = Mutex(false)
}

@Reducer
private struct Chooser {
  @CasePathable
  @ObservableState
  enum Choice: Equatable { case number(Int), pair(Int, String) }

  @ObservableState
  struct State { var choice = Choice.number(0) }
  enum Action { case choose(Choice) }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .choose(let choice): state.choice = choice
      }
      return .none
    }
  }
}

@Reducer
private struct Alarm {
  @ObservableState
  struct State: Equatable {
    var alert: AlertState<Action.Alert>? = AlertState { TextState("Ring") }
    var confirmations = 0
  }
  enum Action {
    case alert(Alert)
    enum Alert { case confirm }
  }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      state.confirmations += 1
      return .none
    }
    .ifLet(\.alert, action: \.alert)
  }
}

@Reducer
private struct Bell {
  @ObservableState
  struct State: Equatable {
    var plain: AlertState<Action.Alert>? = AlertState { TextState("Ring") }
    @Presents var presented: AlertState<Action.Alert>? = AlertState { TextState("Ring") }
    var confirmations = 0
  }
  enum Action {
    case plain(PresentationAction<Alert>)
    case presented(PresentationAction<Alert>)
    enum Alert { case confirm }
  }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .plain(.presented(.confirm)), .presented(.presented(.confirm)): state.confirmations += 1
      case .plain(.dismiss), .presented(.dismiss): break
      }
      return .none
    }
    .ifLet(\.plain, action: \.plain)
    .ifLet(\.presented, action: \.presented)
  }
}

@Reducer
private struct Sheeted {
  @ObservableState
  struct State: Equatable {
    var name = ""
    var log: [String] = []
  }
  enum Action: ViewAction {
    case view(View)

    @CasePathable
    enum View: BindableAction { case binding(BindingAction<State>) }
  }
  var body: some ReducerOf<Self> {
    BindingReducer(action: \.view)
    Reduce { state, action in
      switch action {
      case .view(.binding(\.name)): state.log.append(state.name)
      case .view(.binding): break
      }
      return .none
    }
  }
}

@Reducer
private struct Plain {
  struct Size: Equatable { var width = 0; var height = 0 }

  struct State: Equatable {
    @BindingState var size = Size()
    var widths: [Int] = []
  }
  enum Action: BindableAction { case binding(BindingAction<State>) }
  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding(\.$size.width): state.widths.append(state.size.width)
      case .binding: break
      }
      return .none
    }
  }
}

@Reducer
private struct Choice<Value: Equatable & Sendable> {
  @ObservableState
  struct State: Equatable { var chosen: Value }
  enum Action: BindableAction { case binding(BindingAction<State>) }
  var body: some ReducerOf<Self> { BindingReducer() }
}

private struct Sheet: Equatable {
  @CasePathable
  @dynamicMemberLookup
  enum Content: Equatable { case text(String), empty }

  var content: Content
}

@Perceptible
private final class Model {
  var count = 0
}

private struct Dated: Reducer {
  @Dependency(\.date.now) var now

  func reduce(into state: inout Double, action: Void) -> Effect<Void> {
    state = now.timeIntervalSince1970
    return .none
  }
}

private struct Halver: Reducer {
  func reduce(into state: inout Double, action: Void) -> Effect<Void> {
    state /= 2
    return .none
  }
}

@Reducer
private struct Form {
  struct Size: Equatable { var width = 0 }

  @ObservableState
  struct Nested: Equatable { var isOn = false }

  @ObservableState
  struct State: Equatable {
    var name = ""
    var size = Size()
    @Presents var nested: Nested?
    var isEmpty: Bool { name.isEmpty }
  }
  enum Action: BindableAction { case binding(BindingAction<State>) }

  let isBound: Bool

  var body: some ReducerOf<Self> {
    if isBound { BindingReducer() }
  }
}

@Reducer
private struct Described {
  struct State { var description = "" }
  enum Action {
    case inner(Inner)

    @CasePathable
    enum Inner { case binding(BindingAction<State>), write }
  }
  var body: some ReducerOf<Self> { EmptyReducer() }
}

@Reducer
private enum Screen {
  case alarm(Alarm)

  enum Action {
    case alarm(Alarm.Action)
    case other
  }
}

private final class Reads: Sendable {
  let count = Mutex(0)
}

private struct Counted: Reducer {
  let reads: Reads

  var body: some Reducer<Int, Int> {
    let _ = reads.count.withLock { $0 += 1 }
    Reduce { state, action in
      state += action
      return .none
    }
  }
}

private struct Wrapper<Base: Reducer>: Reducer {
  let base: Base

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    base.reduce(into: &state, action: action)
  }
}

private struct Adder: Reducer {
  let amount: Int

  var body: some Reducer<Int, Int> {
    Reduce { state, _ in
      state += amount
      return .none
    }
  }
}

private struct Both: Reducer {
  let first: Adder
  let second: Adder

  func reduce(into state: inout Int, action: Int) -> Effect<Int> {
    .merge(first.reduce(into: &state, action: action), second.reduce(into: &state, action: action))
  }
}

/// Changes a copy, and takes the copy over later.
private struct Editor: Reducer {
  @ObservableState struct Item: Equatable { var name = "" }
  @ObservableState struct State {
    var item = Item()
    var draft = Item()
  }
  enum Action { case begin, rename(String), save }
  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .begin: state.draft = state.item
    case .rename(let name): state.draft.name = name
    case .save: state.item = state.draft
    }
    return .none
  }
}
