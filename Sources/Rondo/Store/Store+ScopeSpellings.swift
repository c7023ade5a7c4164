// Scoping a store without the label `state`.

extension Store {
  /// A store of a child that is a part of this one's state. See
  /// ``scope(state:action:)-(_,CaseName<Action,ChildAction>)``.
  @inlinable
  @_disfavoredOverload
  public func scope<ChildState, ChildAction>(
    _ state: KeyPath<State, ChildState>,
    action: CaseName<Action, ChildAction>
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
    action: CaseName<Action, ChildAction>,
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
    action: CaseName<Action, IdentifiedAction<ID, ElementAction>>,
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
    action: CaseName<Action, StackAction<ElementState, ElementAction>>,
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
}
