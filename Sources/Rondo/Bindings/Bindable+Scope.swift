// Bindings to the stores of children that are presented.

extension Bindable {
  /// A binding to the store of a child that is presented, for whatever shows it. Writing `nil`
  /// dismisses the child.
  ///
  /// ```swift
  /// @Bindable var store: StoreOf<List>
  ///
  /// sheet(item: $store.scope(\.$editor, action: \.editor))
  /// ```
  public func scope<State, Action, ChildState, ChildAction>(
    _ state: KeyPath<State, PresentationState<ChildState>>,
    action: CaseName<Action, PresentationAction<ChildAction>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Binding<Store<ChildState, ChildAction>?>
  where Value == Store<State, Action>, Action: CasePathable {
    scope(
      state.appending(path: \.wrappedValue), action: action,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// A binding to the store of a child that is presented, named as the optional that it is.
  public func scope<State, Action, ChildState, ChildAction>(
    _ state: KeyPath<State, ChildState?>,
    action: CaseName<Action, PresentationAction<ChildAction>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Binding<Store<ChildState, ChildAction>?>
  where Value == Store<State, Action>, Action: CasePathable {
    let store = wrappedValue
    let presented = action.appending(path: \.presented)
    return Binding(
      get: {
        store.scope(
          state: state, action: presented,
          fileID: fileID, filePath: filePath, line: line, column: column)
      },
      set: { child in
        guard child == nil, store.core.withState({ $0[keyPath: state] != nil }) else { return }
        store.send(Action.allCasePaths[keyPath: action].embed(.dismiss))
      })
  }

  /// A binding to the store of a child that is presented. See `scope(_:action:)`.
  public func scope<State, Action, ChildState, ChildAction>(
    state: KeyPath<State, PresentationState<ChildState>>,
    action: CaseName<Action, PresentationAction<ChildAction>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Binding<Store<ChildState, ChildAction>?>
  where Value == Store<State, Action>, Action: CasePathable {
    scope(
      state.appending(path: \.wrappedValue), action: action,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// A binding to the store of a child that is presented, named as the optional that it is.
  public func scope<State, Action, ChildState, ChildAction>(
    state: KeyPath<State, ChildState?>,
    action: CaseName<Action, PresentationAction<ChildAction>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Binding<Store<ChildState, ChildAction>?>
  where Value == Store<State, Action>, Action: CasePathable {
    scope(
      state, action: action, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
