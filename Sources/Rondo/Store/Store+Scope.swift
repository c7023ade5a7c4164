// Stores of children.

import RondoScheduling

extension Store {
  /// A store of a child that is a part of this one's state.
  ///
  /// ```swift
  /// let profile = store.scope(state: \.profile, action: \.profile)
  /// profile.send(.nameChanged("Blob"))
  /// ```
  ///
  /// A child's store is a view of the same machine: it has no state of its own. It is made once for
  /// each pair of key paths, and kept by this store.
  ///
  /// - Parameters:
  ///   - state: The child's state.
  ///   - action: The case of the child's actions.
  @inlinable
  @_disfavoredOverload
  public func scope<ChildState, ChildAction>(
    state: KeyPath<State, ChildState>,
    action: CaseName<Action, ChildAction>
  ) -> Store<ChildState, ChildAction> where Action: CasePathable {
    if let child = children.find(state, action, .part, as: Store<ChildState, ChildAction>.self) {
      return child
    }
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
    if let child = children.find(state, action, .part, as: Store<ChildState, Action>.self) {
      return child
    }
    let child = Store<ChildState, Action>(core: ScopedCore(core, .property(state), AnyCasePath()))
    children.keep(child, state, action, .part)
    return child
  }

  /// A store of a child that may be absent: a property that may be `nil`, a case of an enum, or a
  /// presented child.
  ///
  /// ```swift
  /// if let editor = store.scope(state: \.editor, action: \.editor) { show(editor) }
  /// ```
  ///
  /// The store belongs to the child that is there now. When that child has gone, the store shows
  /// its last known state, and a child that comes later gets a store of its own.
  ///
  /// - Returns: `nil` when the child is absent.
  public func scope<ChildState, ChildAction>(
    state: KeyPath<State, ChildState?>,
    action: CaseName<Action, ChildAction>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Store<ChildState, ChildAction>? where Action: CasePathable {
    core.noteAccess()
    if let child = children.find(state, action, .optional, as: Store<ChildState, ChildAction>.self)
    {
      if child.core.isAlive() { return child }
      let removed = children.forget(state, action, .optional)
      withExtendedLifetime(removed) {}
    }
    guard core.withState({ $0[keyPath: state] != nil }) else { return nil }
    let position = SourcePosition(fileID, filePath, line, column)
    let childCore = ScopedCore(
      core, .optional(state), Action.allCasePaths[keyPath: action], position)
    // A shared value may have gone since it was looked at.
    guard childCore.lastState != nil else { return nil }
    let child = Store<ChildState, ChildAction>(core: childCore)
    children.keep(child, state, action, .optional)
    if children.isOvergrown { releaseGoneChildren() }
    return child
  }

  /// Releases the stores of children that have gone. O(1) on average for each store that is made.
  private func releaseGoneChildren() {
    let mortals = children.beginLook()
    let gone = mortals.filter { ($0 as? any StoreOfChild)?.isOfGoneChild ?? false }
    let old = children.remove(Set(gone.map { ObjectIdentifier($0) }))
    withExtendedLifetime((mortals, old)) {}
  }

  /// The stores of the elements of a list, in order.
  ///
  /// ```swift
  /// for row in store.scope(state: \.rows, action: \.rows) { show(row) }
  /// ```
  ///
  /// A store is made when it is first asked for, and kept for as long as there is an element with
  /// its id.
  public func scope<ID: Hashable & Sendable, ElementState, ElementAction>(
    state: KeyPath<State, IdentifiedArray<ID, ElementState>>,
    action: CaseName<Action, IdentifiedAction<ID, ElementAction>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> ElementStores<ID, ElementState, ElementAction> where Action: CasePathable {
    core.noteAccess()
    let position = SourcePosition(fileID, filePath, line, column)
    let elements = core.withState { $0[keyPath: state] }
    let maker = elementMaker(state, action) { [core] id in
      ScopedCore(
        core, .element(state, id),
        Action.allCasePaths[keyPath: action]
          .appending(path: IdentifiedAction<ID, ElementAction>.allCasePaths[id: id]), position)
    }
    maker.forgetAll(elements.stamp) { elements.index(id: $0) == nil }
    return ElementStores(
      ids: elements.ids,
      find: { id in elements.index(id: id).map { maker.store(id, elements[$0]) } })
  }

  /// The stores of the features on a stack, bottom first.
  ///
  /// ```swift
  /// for screen in store.scope(state: \.path, action: \.path) { show(screen) }
  /// ```
  ///
  /// A store is made when it is first asked for, and kept for as long as its feature is on the
  /// stack. A feature that is added later under the same id gets a store of its own.
  public func scope<ElementState, ElementAction>(
    state: KeyPath<State, StackState<ElementState>>,
    action: CaseName<Action, StackAction<ElementState, ElementAction>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> ElementStores<StackElementID, ElementState, ElementAction> where Action: CasePathable {
    core.noteAccess()
    let position = SourcePosition(fileID, filePath, line, column)
    let entries = core.withState { $0[keyPath: state] }.entries
    let maker = elementMaker(state, action) { [core] (key: StackKey) in
      ScopedCore(
        core, .element(state, key.id, key.addition),
        Action.allCasePaths[keyPath: action]
          .appending(path: StackAction<ElementState, ElementAction>.allCasePaths[id: key.id]),
        position)
    }
    maker.forgetAll(entries.stamp) { entries[id: $0.id]?.addition != $0.addition }
    return ElementStores(
      ids: entries.ids,
      find: { id in
        entries[id: id].map { maker.store(StackKey(id: id, addition: $0.addition), $0.element) }
      })
  }

  private func elementMaker<Key: Hashable, ElementState, ElementAction>(
    _ state: AnyKeyPath, _ action: AnyKeyPath,
    _ makeCore: @escaping (Key) -> StoreCore<ElementState, ElementAction>
  ) -> ElementStoreMaker<Key, ElementState, ElementAction> {
    typealias Maker = ElementStoreMaker<Key, ElementState, ElementAction>
    if let kept = children.find(state, action, .list, as: Maker.self) { return kept }
    let maker = Maker(makeCore)
    children.keep(maker, state, action, .list)
    return maker
  }
}

/// A store that may be one of a child, whatever its type.
@MainActor
private protocol StoreOfChild: AnyObject {
  /// Whether the child that the store was made for is not there.
  var isOfGoneChild: Bool { get }
}

extension Store: StoreOfChild {
  fileprivate var isOfGoneChild: Bool { core.isOfGoneChild }
}

/// The key of a store of a feature on a stack. Two features may have the same id one after the
/// other, but never the same addition.
private struct StackKey: Hashable {
  let id: StackElementID
  let addition: Stamp
}

/// The stores of the elements of a list or of a stack.
@MainActor
public struct ElementStores<ID: Hashable & Sendable, State, Action>:
  @preconcurrency RandomAccessCollection
{
  /// The ids of the elements, in order.
  public let ids: [ID]
  private let find: (ID) -> Store<State, Action>?

  init(ids: some Collection<ID>, find: @escaping (ID) -> Store<State, Action>?) {
    self.ids = Array(ids)
    self.find = find
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { ids.count }

  /// The store of the element at a position.
  public subscript(position: Int) -> Store<State, Action> { find(ids[position])! }

  /// The store of the element with an id.
  public subscript(id id: ID) -> Store<State, Action>? { find(id) }
}

/// Makes the stores of a list's elements, and keeps them.
@MainActor
final class ElementStoreMaker<Key: Hashable, State, Action> {
  private let makeCore: (Key) -> StoreCore<State, Action>
  private var stores: [Key: Store<State, Action>] = [:]
  private var stamp = Stamp()

  init(_ makeCore: @escaping (Key) -> StoreCore<State, Action>) {
    self.makeCore = makeCore
  }

  /// - Parameter state: The element when the list was asked. It may have gone since then.
  func store(_ key: Key, _ state: @autoclosure () -> State?) -> Store<State, Action> {
    if let store = stores[key], !store.core.isKnownToHaveEnded { return store }
    let core = makeCore(key)
    if let state = state() { core.know(state) }
    let store = Store(core: core)
    // Released behind the access: the state of a row that has gone may ask for the list when it is released.
    withExtendedLifetime(exchange(&stores[key], with: store)) {}
    return store
  }

  /// Releases the stores of elements that are gone.
  ///
  /// - Parameter newStamp: The stamp of the list. If it is the one of the last call, nothing is
  ///   gone.
  func forgetAll(_ newStamp: Stamp, where isGone: (Key) -> Bool) {
    guard newStamp != stamp else { return }
    stamp = newStamp
    guard !stores.isEmpty else { return }
    let old = exchange(&stores, with: stores.filter { !isGone($0.key) })
    withExtendedLifetime(old) {}
  }
}
