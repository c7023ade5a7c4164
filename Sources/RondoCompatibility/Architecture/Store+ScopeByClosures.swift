// Stores of children by closures, and of children that come and go, as sources had them before key
// paths to cases.

import Rondo
import RondoScheduling

extension Store {
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
    computed(toChildState, fromChildAction)
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
    func call() {
      if let store: Store<Wrapped, Action> = unwrapped() { unwrap(store) } else { `else`() }
    }
    let subscription = subscribe { commit in
      if (commit.newState != nil) != (commit.oldState != nil) { call() }
    }
    call()
    return subscription
  }
}
