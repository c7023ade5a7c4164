// C6: bindings.

import Rondo
import RondoCompatibility
import Testing

private struct Form: Reducer {
  struct State: Equatable {
    var name = ""
    var count = 0
    @BindingState var isOn = false
    var log: [String] = []
  }

  enum Action: BindableAction, Equatable {
    case binding(BindingAction<State>), other
  }

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding(\.name): state.log.append("name \(state.name)")
      case .binding: state.log.append("another")
      case .other: state.log.append("other")
      }
      return .none
    }
  }
}

@MainActor @Suite struct BindingTests {
  private let store = Store(initialState: Form.State()) { Form() }

  @Test func aBindingActionWritesBeforeTheReducersBehind() {
    store.send(.binding(.set(\.name, "Blob")))
    store.send(.binding(.set(\.count, 3)))
    store.send(.binding(.set(\.$isOn, true)))
    store.send(.other)
    #expect(store.name == "Blob" && store.count == 3 && store.isOn)
    #expect(store.log == ["name Blob", "another", "another", "other"])
  }

  @Test func bindingActionsAreComparedByFieldAndValue() {
    #expect(BindingAction<Form.State>.set(\.count, 1) == .set(\.count, 1))
    #expect(BindingAction<Form.State>.set(\.count, 1) != .set(\.count, 2))
    #expect(BindingAction<Form.State>.set(\.name, "1") != .set(\.count, 1))
  }

  @Test func fieldsHaveCasePaths() {
    let path = BindingAction<Form.State>.allCasePaths[keyPath: \.count]
    #expect(path.extract(from: path.embed(3)) == 3)
    #expect(path.extract(from: .set(\.name, "")) == nil)
  }

  @Test func writesThroughAStoreAreActions() {
    store.name = "a"
    store.binding(\.name).wrappedValue = "b"
    @Bindable var bindable = store
    $bindable.name.wrappedValue = "c"
    #expect(store.log == ["name a", "name b", "name c"])
  }

  @Test func writesCarryTheirTransaction() {
    var tags: [String] = []
    let subscription = store.subscribe { tags.append("\($0.transaction)") }
    store.binding(\.count).wrappedValue = 1
    store.binding(\.count).animation().wrappedValue = 2
    #expect(tags == ["untagged", ".default"])
    subscription.cancel()
  }

  // TX10
  @Test func theCodeAroundOverridesWhatABindingOfAStoreSays() {
    var tags: [Transaction] = []
    let subscription = store.subscribe { tags.append($0.transaction) }
    let count = store.binding(\.count).animation(.linear)
    withAnimation(.easeIn) { count.wrappedValue = 1 }
    withTransaction(\.isContinuous, true) { count.wrappedValue = 2 }
    #expect(tags.map(\.animation) == [.easeIn, .linear])
    #expect(tags.map(\.isContinuous) == [false, true])
    subscription.cancel()
  }

  // C6
  @Test func aCasePathLeadsToTheBindableActions() {
    var state = Form.State()
    let reducer = BindingReducer(action: AnyCasePath(Wrapped.form))
    _ = reducer.reduce(into: &state, action: .form(.binding(.set(\.name, "Blob"))))
    _ = reducer.reduce(into: &state, action: .other)
    #expect(state == Form.State(name: "Blob"))
  }

  private enum Wrapped { case form(Form.Action), other }

  @Test func bindingsHaveParts() {
    var value = (name: "a", count: 1)
    let binding = Binding(get: { value }, set: { value = $0 })
    binding.count.wrappedValue = 2
    #expect(value.count == 2)
    #expect(Binding.constant(3).wrappedValue == 3)
  }
}
