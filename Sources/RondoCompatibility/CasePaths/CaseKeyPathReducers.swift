// The operators of reducers and stores, for names of cases that are held as values: in libraries over
// reducers, which know nothing of the actions.

import Rondo

extension Reducer {
  /// Adds the reducer of the elements of a list or of a stack.
  @_disfavoredOverload
  public func forEach<
    ChildState, Path: _CaseKeyPathArgument, Child: _AttachedElements<ChildState, Path._PathValue>
  >(
    _ toChildState: WritableKeyPath<State, ChildState>,
    action toChildAction: Path,
    @_ElementBuilder<ChildState, Path._PathValue> element: () -> Child,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where Path._PathRoot == Action {
    forEach(
      toChildState, action: toChildAction._anyCasePath, element: element,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Adds the reducer of a child that is there or not, or is presented.
  @_disfavoredOverload
  public func ifLet<
    ChildState, Path: _CaseKeyPathArgument, Child: _AttachedOptional<ChildState, Path._PathValue>
  >(
    _ toChildState: WritableKeyPath<State, ChildState>,
    action toChildAction: Path,
    @_OptionalChildBuilder<ChildState, Path._PathValue> then child: () -> Child,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where Path._PathRoot == Action {
    ifLet(
      toChildState, action: toChildAction._anyCasePath, then: child,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Adds what this reducer presents, or holds as an optional, and whose reducer its type implies.
  @_disfavoredOverload
  public func ifLet<ChildState: _ImpliesChild, Path: _CaseKeyPathArgument>(
    _ toChildState: WritableKeyPath<State, ChildState>,
    action toChildAction: Path,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action>
  where Path._PathRoot == Action, Path._PathValue == ChildState._ImpliedAction {
    ifLet(
      toChildState, action: toChildAction._anyCasePath,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Adds the reducer of a child whose state is the value of one case of this reducer's.
  @_disfavoredOverload
  public func ifCaseLet<
    StatePath: _CaseKeyPathArgument, ActionPath: _CaseKeyPathArgument,
    Child: Reducer<StatePath._PathValue, ActionPath._PathValue>
  >(
    _ toCaseState: StatePath,
    action toCaseAction: ActionPath,
    @ReducerBuilder<StatePath._PathValue, ActionPath._PathValue> then child: () -> Child,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action>
  where StatePath._PathRoot == State, ActionPath._PathRoot == Action {
    ifCaseLet(
      toCaseState._anyCasePath, action: toCaseAction._anyCasePath, then: child,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

extension Scope {
  /// A child whose state is a property.
  @_disfavoredOverload
  public init<ChildState, Path: _CaseKeyPathArgument>(
    state toChildState: WritableKeyPath<ParentState, ChildState>,
    action toChildAction: Path,
    @ReducerBuilder<ChildState, Path._PathValue> child: () -> Child
  )
  where
    ChildState == Child.State, Path._PathValue == Child.Action, Path._PathRoot == ParentAction
  {
    self.init(state: toChildState, action: toChildAction._anyCasePath, child: child)
  }

  /// A child whose state is the value of a case. An action that arrives in another case is reported.
  @_disfavoredOverload
  public init<StatePath: _CaseKeyPathArgument, ActionPath: _CaseKeyPathArgument>(
    state toChildState: StatePath,
    action toChildAction: ActionPath,
    @ReducerBuilder<StatePath._PathValue, ActionPath._PathValue> child: () -> Child,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  )
  where
    StatePath._PathValue == Child.State, ActionPath._PathValue == Child.Action,
    StatePath._PathRoot == ParentState, ActionPath._PathRoot == ParentAction
  {
    self.init(
      state: toChildState._anyCasePath, action: toChildAction._anyCasePath, child: child,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

extension Store {
  /// The store of a child that is always there. It is made anew for every call.
  @_disfavoredOverload
  public func scope<ChildState, Path: _CaseKeyPathArgument>(
    state: KeyPath<State, ChildState>, action: Path
  ) -> Store<ChildState, Path._PathValue> where Path._PathRoot == Action {
    let path = action._anyCasePath
    return scope(state: { $0[keyPath: state] }, action: { path.embed($0) })
  }
}
