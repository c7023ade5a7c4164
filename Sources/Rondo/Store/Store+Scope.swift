// Stores of children.

extension Store {
  /// A store of a child that is a part of this one's state.
  ///
  /// ```swift
  /// let profile = store.scope(state: \.profile, action: \.profile)
  /// profile.send(.nameChanged("Blob"))
  /// ```
  ///
  /// A child's store is a view of the same machine: it has no state of its own. It is made once for
  /// each pair of names and kept by this store.
  ///
  /// - Parameters:
  ///   - state: The child's state.
  ///   - action: The case of the child's actions.
  @inlinable
  @_disfavoredOverload
  public func scope<ChildState, ChildAction>(
    state: KeyPath<State, ChildState>,
    action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction> where Action: CasePathable {
    guard let child = children.find(state, action, .part) else { return makePart(state, action) }
    return unsafeDowncast(child, to: Store<ChildState, ChildAction>.self)
  }

  @usableFromInline
  func makePart<ChildState, ChildAction>(
    _ state: KeyPath<State, ChildState>, _ action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction> where Action: CasePathable {
    let child = Store<ChildState, ChildAction>(
      core: ScopedCore(core, .property(state), Action.allCasePaths[keyPath: action]))
    children.keep(child, state, action, .part)
    return child
  }

  /// A store of a part of this one's state, with the same actions.
  public func scope<ChildState>(
    state: KeyPath<State, ChildState>,
    action: KeyPath<Action.AllCasePaths, Action.AllCasePaths>
  ) -> Store<ChildState, Action> where Action: CasePathable {
    if let child = children.find(state, action, .part) {
      return unsafeDowncast(child, to: Store<ChildState, Action>.self)
    }
    let child = Store<ChildState, Action>(core: ScopedCore(core, .property(state), AnyCasePath()))
    children.keep(child, state, action, .part)
    return child
  }

  /// A store of a child that may be absent: a property that may be `nil`, a case of an enum, what is
  /// presented.
  ///
  /// ```swift
  /// if let editor = store.scope(state: \.editor, action: \.editor) { show(editor) }
  /// ```
  ///
  /// The store belongs to the child that is there now. When that has gone, the store shows what it
  /// last knew, and a child that comes later gets a store of its own.
  ///
  /// - Returns: `nil` when the child is absent.
  public func scope<ChildState, ChildAction>(
    state: KeyPath<State, ChildState?>,
    action: CaseKeyPath<Action, ChildAction>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Store<ChildState, ChildAction>? where Action: CasePathable {
    core.noteAccess()
    if let child = children.find(state, action, .optional) {
      let child = unsafeDowncast(child, to: Store<ChildState, ChildAction>.self)
      let core = unsafeDowncast(
        child.core, to: ScopedCore<State, Action, ChildState, ChildAction>.self)
      if core.isAlive() { return child }
      children.forget(state, action, .optional)
    }
    guard core.withState({ $0[keyPath: state] != nil }) else { return nil }
    let site = ReducerSite(
      label: "scope(state:action:)", fileID: fileID, filePath: filePath, line: line, column: column)
    let child = Store<ChildState, ChildAction>(
      core: ScopedCore(core, .optional(state), Action.allCasePaths[keyPath: action], site))
    children.keep(child, state, action, .optional)
    return child
  }

  /// The stores of the elements of a list, in order.
  ///
  /// ```swift
  /// for row in store.scope(state: \.rows, action: \.rows) { show(row) }
  /// ```
  ///
  /// A store is made when it is first asked for, and kept for as long as there is an element with its
  /// id.
  public func scope<ID: Hashable & Sendable, ElementState, ElementAction>(
    state: KeyPath<State, IdentifiedArray<ID, ElementState>>,
    action: CaseKeyPath<Action, IdentifiedAction<ID, ElementAction>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> ElementStores<ID, ElementState, ElementAction> where Action: CasePathable {
    core.noteAccess()
    let site = ReducerSite(
      label: "scope(state:action:)", fileID: fileID, filePath: filePath, line: line, column: column)
    let elements = core.withState { $0[keyPath: state] }
    let maker: ElementStoreMaker<ID, ElementState, ElementAction>
    if let kept = children.find(state, action, .list) {
      maker = unsafeDowncast(
        kept, to: ElementStoreMaker<ID, ElementState, ElementAction>.self)
    } else {
      let path = Action.allCasePaths[keyPath: action]
      maker = ElementStoreMaker { [core] id in
        let elementPath = IdentifiedAction<ID, ElementAction>.allCasePaths[id: id]
        return ScopedCore(core, .element(state, id), path.appending(path: elementPath), site)
      }
      children.keep(maker, state, action, .list)
    }
    maker.forgetAll(butFor: elements)
    return ElementStores(elements: elements, maker: maker)
  }
}

/// The stores of the elements of a list.
@MainActor
public struct ElementStores<ID: Hashable & Sendable, State, Action>:
  @preconcurrency RandomAccessCollection
{
  let elements: IdentifiedArray<ID, State>
  let maker: ElementStoreMaker<ID, State, Action>

  public var startIndex: Int { 0 }
  public var endIndex: Int { elements.count }

  /// The store of the element at a position.
  public subscript(position: Int) -> Store<State, Action> {
    maker.store(elements.ids[position])
  }

  /// The store of the element with an id.
  public subscript(id id: ID) -> Store<State, Action>? {
    elements.index(id: id).map { _ in maker.store(id) }
  }
}

/// Makes the stores of a list's elements, and keeps them.
@MainActor
final class ElementStoreMaker<ID: Hashable & Sendable, State, Action> {
  private let makeCore: (ID) -> StoreCore<State, Action>
  private var stores: [ID: Store<State, Action>] = [:]
  private var stamp = Stamp()

  init(_ makeCore: @escaping (ID) -> StoreCore<State, Action>) {
    self.makeCore = makeCore
  }

  func store(_ id: ID) -> Store<State, Action> {
    if let store = stores[id] { return store }
    let store = Store(core: makeCore(id))
    stores[id] = store
    return store
  }

  func forgetAll(butFor elements: IdentifiedArray<ID, State>) {
    guard elements.stamp != stamp else { return }
    stamp = elements.stamp
    guard !stores.isEmpty else { return }
    stores = stores.filter { elements.index(id: $0.key) != nil }
  }
}
