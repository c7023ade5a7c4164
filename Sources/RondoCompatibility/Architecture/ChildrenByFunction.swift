// Elements whose reducer a function makes: `.forEach(\.rows, action: \.rows, element: Row.init)`. For
// sources that come over; new code writes a closure, which may list several reducers.

import Rondo

extension Reducer {
  /// Adds the reducer of the elements of a list, which a function makes.
  @_disfavoredOverload
  public func forEach<ID: Hashable & Sendable, Child: Reducer>(
    _ toChildState: WritableKeyPath<State, IdentifiedArray<ID, Child.State>>,
    action toChildAction: CaseName<Action, IdentifiedAction<ID, Child.Action>>,
    element makeChild: () -> Child,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where Action: CasePathable {
    forEach(
      toChildState, action: toChildAction, element: { makeChild() },
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Adds the reducer of the features on a stack, which a function makes.
  @_disfavoredOverload
  public func forEach<Child: Reducer>(
    _ toChildState: WritableKeyPath<State, StackState<Child.State>>,
    action toChildAction: CaseName<Action, StackAction<Child.State, Child.Action>>,
    destination makeChild: () -> Child,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where Action: CasePathable {
    forEach(
      toChildState, action: toChildAction, element: { makeChild() },
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
