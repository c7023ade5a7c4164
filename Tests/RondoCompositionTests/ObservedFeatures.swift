// Features whose states are observed by field, written as the macros would write them.

import Observation
import Rondo

/// A feature that is observed by field.
struct Item: Reducer {
  /// The state, with the code that the macro would write.
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
    static var _$layout: StateLayout<Self> {
      var layout = StateLayout(registrar: \Self._$observationRegistrar)
      layout.add(\.count, \._count)
      layout.add(\.name, \._name)
      return layout
    }

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

/// Shows an item, and lists some.
struct ItemBox: Reducer {
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
    static var _$layout: StateLayout<Self> {
      var layout = StateLayout(registrar: \Self._$observationRegistrar)
      layout.add(\.items, \._items)
      return layout
    }
  }

  enum Action: CasePathable {
    case item(Item.Action), items(IdentifiedActionOf<Item>), open, close, add
    case replaceRow(Int), replaceAll

    struct AllCasePaths: Sendable {
      let item = AnyCasePath(Action.item)
      let items = AnyCasePath(Action.items)
    }
    static let allCasePaths = AllCasePaths()
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .open: state.item = Item.State()
      case .close: state.item = nil
      case .replaceRow(let id): state.items[id: id] = Item.State(id: id)
      case .replaceAll: state.items = [Item.State(id: 1), Item.State(id: 2)]
      case .add: state.items.append(Item.State(id: state.items.count + 1))
      default: break
      }
      return .none
    }
    .ifLet(\.item, action: \.item) { Item() }
    .forEach(\.items, action: \.items) { Item() }
  }
}
