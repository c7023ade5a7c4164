// The scope of a store by a name of a case that is held as a value.

import Rondo

extension Store {
  /// The store of a child that is always there. It is made anew for every call.
  @_disfavoredOverload
  public func scope<ChildState, Path: _CasePathArgument>(
    state: KeyPath<State, ChildState>, action: Path
  ) -> Store<ChildState, Path._PathValue> where Path._PathRoot == Action {
    let path = action._casePath
    return scope(state: { $0[keyPath: state] }, action: { path.embed($0) })
  }
}
