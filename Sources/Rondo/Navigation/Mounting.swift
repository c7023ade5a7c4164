// Doing something when a child has come, and when it has gone.

extension Reducer {
  /// Changes the state and adds an effect when a child has come, or has made way for another one.
  ///
  /// ```swift
  /// Reduce { state, action in … }
  ///   .ifLet(\.$editor, action: \.editor) { Editor() }
  ///   .onMount(of: \.editor) { state in
  ///     .run { _ in await analytics.track("editor") }
  ///   }
  /// ```
  ///
  /// It notices what this reducer does, whichever action that is for: list it behind the reducers that
  /// present the child. The effect is the parent's, and does not end with the child. Two children are told
  /// apart by their `id`, the identity of their observable state, or the case that an enum is in.
  ///
  /// - Parameters:
  ///   - toChild: The child.
  ///   - effect: Makes the effect, from the state with the child.
  public func onMount<Child>(
    of toChild: KeyPath<State, Child?>,
    _ effect: @escaping (_ state: inout State) -> Effect<Action>
  ) -> some Reducer<State, Action> {
    MountReducer(base: self, child: toChild) { _, isThere, state in
      isThere ? effect(&state) : .none
    }
  }

  /// Changes the state and adds an effect when a child has gone, or has made way for another one.
  ///
  /// ```swift
  ///   .onDismount(of: \.editor) { editor, state in
  ///     state.drafts.append(editor.draft)
  ///     return .none
  ///   }
  /// ```
  ///
  /// - Parameters:
  ///   - toChild: The child.
  ///   - effect: Makes the effect, from the last state of the child before the action, and the state.
  public func onDismount<Child>(
    of toChild: KeyPath<State, Child?>,
    _ effect: @escaping (_ child: Child, _ state: inout State) -> Effect<Action>
  ) -> some Reducer<State, Action> {
    MountReducer(base: self, child: toChild) { old, _, state in
      old.map { effect($0, &state) } ?? .none
    }
  }
}

struct MountReducer<Base: Reducer, Child>: Reducer {
  let base: Base
  let child: KeyPath<Base.State, Child?>
  /// Called when there is another child than before, or none, or one for the first time.
  let didChange: (_ old: Child?, _ isThere: Bool, _ state: inout Base.State) -> Effect<Base.Action>

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    prepared()(&state, action)
  }

  func _prepare() -> PreparedReducer<Base.State, Base.Action> {
    let base = base._prepare()
    let reader = ChildIdentityReader(Child.self)
    func identity(_ child: Child?) -> ChildIdentity? {
      child.map { withUnsafePointer(to: $0) { reader(UnsafeRawPointer($0)) } }
    }
    return { [child, didChange] state, action in
      let old = state[keyPath: child]
      let effect = base(&state, action)
      let new = state[keyPath: child]
      guard identity(old) != identity(new) else { return effect }
      return effect.merge(with: didChange(old, new != nil, &state))
    }
  }
}
