// Other spellings of scoping a store: without a label, by closures, and for children that come and go.

import RondoAnimation

extension Store {
  /// A store of a child that is a part of this one's state. See
  /// ``scope(state:action:)-(_,CaseKeyPath<Action,ChildAction>)``.
  @inlinable
  @_disfavoredOverload
  public func scope<ChildState, ChildAction>(
    _ state: KeyPath<State, ChildState>,
    action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction> where Action: CasePathable {
    scope(state: state, action: action) as Store<ChildState, ChildAction>
  }

  /// A store of a part of this one's state, with the same actions.
  public func scope<ChildState>(
    _ state: KeyPath<State, ChildState>,
    action: KeyPath<Action.AllCasePaths, Action.AllCasePaths>
  ) -> Store<ChildState, Action> where Action: CasePathable {
    scope(state: state, action: action) as Store<ChildState, Action>
  }

  /// A store of a child that may be absent.
  ///
  /// - Returns: `nil` when the child is absent.
  public func scope<ChildState, ChildAction>(
    _ state: KeyPath<State, ChildState?>,
    action: CaseKeyPath<Action, ChildAction>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Store<ChildState, ChildAction>? where Action: CasePathable {
    scope(
      state: state, action: action,
      fileID: fileID, filePath: filePath, line: line, column: column)
      as Store<ChildState, ChildAction>?
  }

  /// The stores of the elements of a list, in order.
  public func scope<ID: Hashable & Sendable, ElementState, ElementAction>(
    _ state: KeyPath<State, IdentifiedArray<ID, ElementState>>,
    action: CaseKeyPath<Action, IdentifiedAction<ID, ElementAction>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> ElementStores<ID, ElementState, ElementAction> where Action: CasePathable {
    scope(
      state: state, action: action,
      fileID: fileID, filePath: filePath, line: line, column: column)
      as ElementStores<ID, ElementState, ElementAction>
  }

  /// The stores of the features on a stack, bottom first.
  public func scope<ElementState, ElementAction>(
    _ state: KeyPath<State, StackState<ElementState>>,
    action: CaseKeyPath<Action, StackAction<ElementState, ElementAction>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> ElementStores<StackElementID, ElementState, ElementAction> where Action: CasePathable {
    scope(
      state: state, action: action,
      fileID: fileID, filePath: filePath, line: line, column: column)
      as ElementStores<StackElementID, ElementState, ElementAction>
  }

  // MARK: By closures

  /// A store of whatever a closure makes of this one's state.
  ///
  /// ```swift
  /// store.scope(state: { $0.profile }, action: { .profile($0) })
  /// ```
  ///
  /// It is made anew for every call, and computes its state whenever that is read. Use names of
  /// properties and cases where there are any.
  ///
  /// - Parameters:
  ///   - toChildState: Makes the child's state from this store's.
  ///   - fromChildAction: Makes this store's action of the child's.
  @_disfavoredOverload
  public func scope<ChildState, ChildAction>(
    state toChildState: @escaping (_ state: State) -> ChildState,
    action fromChildAction: @escaping (_ childAction: ChildAction) -> Action
  ) -> Store<ChildState, ChildAction> {
    let embed = Unchecked(fromChildAction)
    let projection = Projection<State, ChildState>(isMortal: false) { parent, body in
      withUnsafePointer(to: toChildState(parent.pointee)) { body($0) }
    }
    return Store<ChildState, ChildAction>(
      core: ScopedCore(
        core, projection, AnyCasePath(embed: { embed.value($0) }, extract: { _ in nil })))
  }

  /// A store of whatever a closure makes of this one's state, with the same actions.
  @_disfavoredOverload
  public func scope<ChildState>(
    state toChildState: @escaping (_ state: State) -> ChildState
  ) -> Store<ChildState, Action> {
    scope(state: toChildState, action: { $0 })
  }

  // MARK: Children that come and go

  /// Calls a closure with a store of the wrapped state whenever there begins to be one, and another
  /// closure whenever there is none, now as well.
  ///
  /// ```swift
  /// cancellable = store
  ///   .scope(state: \.details, action: \.details.presented)
  ///   .ifLet(then: { show($0) }, else: { hide() })
  /// ```
  ///
  /// - Parameters:
  ///   - unwrap: Called with a store that belongs to the state that is there now.
  ///   - else: Called when there is none.
  /// - Returns: What ends the calls when it is cancelled or released.
  public func ifLet<Wrapped>(
    then unwrap: @escaping (_ store: Store<Wrapped, Action>) -> Void,
    else: @escaping () -> Void = {}
  ) -> AnyCancellable where State == Wrapped? {
    func call(_ isPresent: Bool) {
      guard isPresent else { return `else`() }
      unwrap(Store<Wrapped, Action>(core: ScopedCore(core, .optional(\.self), AnyCasePath())))
    }
    let subscription = subscribe { commit in
      let isPresent = commit.newState != nil
      if isPresent != (commit.oldState != nil) { call(isPresent) }
    }
    call(core.withState { $0 != nil })
    return subscription
  }
}
