// R7: fields are observed one by one.

import Observation
import Rondo
import Synchronization
import Testing

private struct Item: Reducer {
  /// What the macro would write.
  struct State: ObservableState, Identifiable, Equatable {
    var id = 0
    var count: Int {
      get {
        _$observationRegistrar.access(self, keyPath: \.count)
        return _count
      }
      set {
        _$observationRegistrar.mutate(
          self, keyPath: \.count, &_count, newValue, _$isIdentityEqual)
      }
      _modify {
        let oldValue = _$observationRegistrar.willModify(self, keyPath: \.count, &_count)
        defer {
          _$observationRegistrar.didModify(
            self, keyPath: \.count, &_count, oldValue, _$isIdentityEqual)
        }
        yield &_count
      }
    }
    private var _count = 0
    var name: String {
      get {
        _$observationRegistrar.access(self, keyPath: \.name)
        return _name
      }
      set {
        _$observationRegistrar.mutate(self, keyPath: \.name, &_name, newValue, _$isIdentityEqual)
      }
    }
    private var _name = ""

    private var _$observationRegistrar = ObservationStateRegistrar()
    var _$id: ObservableStateID { _$observationRegistrar.id }
    mutating func _$willModify() { _$observationRegistrar._$willModify() }

    init(id: Int = 0) { self.id = id }
  }

  enum Action { case count, sameCount, name(String), replace }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .count: state.count += 1
    case .sameCount: state.count += 0
    case .name(let name): state.name = name
    case .replace: state = State(id: state.id)
    }
    return .none
  }
}

private struct Box: Reducer {
  struct State: ObservableState {
    var item: Item.State? {
      get {
        _$observationRegistrar.access(self, keyPath: \.item)
        return _item.wrappedValue
      }
      set {
        _$observationRegistrar.mutate(
          self, keyPath: \.item, &_item.wrappedValue, newValue, _$isIdentityEqual)
      }
      _modify {
        let oldValue = _$observationRegistrar.willModify(
          self, keyPath: \.item, &_item.wrappedValue)
        defer {
          _$observationRegistrar.didModify(
            self, keyPath: \.item, &_item.wrappedValue, oldValue, _$isIdentityEqual)
        }
        yield &_item.wrappedValue
      }
    }
    private var _item = PresentationState<Item.State>(wrappedValue: nil)

    var items: IdentifiedArrayOf<Item.State> {
      get {
        _$observationRegistrar.access(self, keyPath: \.items)
        return _items
      }
      set {
        _$observationRegistrar.mutate(
          self, keyPath: \.items, &_items, newValue, _$isIdentityEqual)
      }
      _modify {
        let oldValue = _$observationRegistrar.willModify(self, keyPath: \.items, &_items)
        defer {
          _$observationRegistrar.didModify(
            self, keyPath: \.items, &_items, oldValue, _$isIdentityEqual)
        }
        yield &_items
      }
    }
    private var _items: IdentifiedArrayOf<Item.State> = [Item.State(id: 1), Item.State(id: 2)]

    private var _$observationRegistrar = ObservationStateRegistrar()
    var _$id: ObservableStateID { _$observationRegistrar.id }
    mutating func _$willModify() { _$observationRegistrar._$willModify() }
  }

  enum Action: CasePathable {
    case item(Item.Action), items(IdentifiedActionOf<Item>), open, close, add
    case replaceRow(Int)

    struct AllCasePaths: Sendable {
      var item: AnyCasePath<Action, Item.Action> {
        AnyCasePath(embed: Action.item) { if case .item(let a) = $0 { a } else { nil } }
      }
      var items: AnyCasePath<Action, IdentifiedActionOf<Item>> {
        AnyCasePath(embed: Action.items) { if case .items(let a) = $0 { a } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .open: state.item = Item.State()
      case .close: state.item = nil
      case .replaceRow(let id): state.items[id: id] = Item.State(id: id)
      case .add: state.items.append(Item.State(id: state.items.count + 1))
      default: break
      }
      return .none
    }
    .ifLet(\.item, action: \.item) { Item() }
    .forEach(\.items, action: \.items) { Item() }
  }
}

/// Counts how often a piece of code that reads a state is woken.
@MainActor private final class Watch {
  private let wakes = Atomic(0)
  private var seen = 0
  private let read: @MainActor () -> Void

  init(_ read: @escaping @MainActor () -> Void) {
    self.read = read
    arm()
  }

  /// The wake-ups so far. Reads again if it was woken.
  var count: Int {
    let count = wakes.load(ordering: .relaxed)
    if count > seen { arm() }
    seen = count
    return count
  }

  private func arm() {
    withObservationTracking(read) { [weak self] in self?.wakes.add(1, ordering: .relaxed) }
  }
}

@MainActor @Suite struct ObservableStateTests {
  @Test func anObserverOfOneFieldIsNotWokenByAnother() {
    let store = Store(initialState: Item.State()) { Item() }
    let watch = Watch { _ = store.count }
    store.send(.name("Blob"))
    #expect(watch.count == 0)
    store.send(.count)
    #expect(watch.count == 1)
  }

  @Test func anEqualValueWakesNobody() {
    let store = Store(initialState: Item.State()) { Item() }
    let watch = Watch { _ = (store.count, store.name) }
    store.send(.sameCount)
    store.send(.name(""))
    #expect(watch.count == 0)
  }

  @Test func anotherStateInThePlaceOfOneWakesItsObservers() {
    let store = Store(initialState: Item.State()) { Item() }
    let watch = Watch { _ = store.count }
    store.send(.replace)
    #expect(watch.count == 1)
  }

  @Test func aParentIsWokenWhenAChildComesAndGoesOnly() {
    let store = Store(initialState: Box.State()) { Box() }
    let watch = Watch { _ = store.item == nil }
    store.send(.open)
    #expect(watch.count == 1)
    store.send(.item(.count))
    #expect(watch.count == 1)
    store.send(.close)
    #expect(watch.count == 2)
  }

  @Test func aChildsStoreIsObservedByField() {
    let store = Store(initialState: Box.State()) { Box() }
    store.send(.open)
    let item = store.scope(state: \.item, action: \.item)
    let watch = Watch { _ = item?.count }
    item?.send(.name("Blob"))
    #expect(watch.count == 0)
    item?.send(.count)
    #expect(watch.count == 1)
    store.send(.item(.replace))
    #expect(watch.count == 2)
  }

  @Test func aListIsWokenByItsElementsComingAndGoingOnly() {
    let store = Store(initialState: Box.State()) { Box() }
    let list = Watch { _ = store.items.count }
    let row = store.scope(state: \.items, action: \.items)[0]
    let field = Watch { _ = row.count }
    store.send(.items(.element(id: 1, action: .count)))
    #expect(list.count == 0)
    #expect(field.count == 1)
    store.send(.items(.element(id: 2, action: .count)))
    #expect(field.count == 1)
    store.send(.add)
    #expect(list.count == 1)
  }

  @Test func aRowThatIsReplacedUnderItsIDWakesItsReaders() {
    let store = Store(initialState: Box.State()) { Box() }
    let row = store.scope(state: \.items, action: \.items)[0]
    let field = Watch { _ = row.count }
    store.send(.replaceRow(1))
    #expect(field.count == 1)
    store.send(.items(.element(id: 1, action: .replace)))
    #expect(field.count == 2)
    row.send(.count)
    #expect(field.count == 3)
  }
}
