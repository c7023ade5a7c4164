// Stores that are made of closures, for the spellings in `RondoCompatibility`.

extension Store {
  /// A store of whatever closures make of this one's state and of the child's actions. It is made anew
  /// for every call.
  package func computed<ChildState, ChildAction>(
    _ toChildState: @escaping (_ state: State) -> ChildState,
    _ fromChildAction: @escaping (_ childAction: ChildAction) -> Action
  ) -> Store<ChildState, ChildAction> {
    let embed = Unchecked(fromChildAction)
    let projection = Projection<State, ChildState>(isMortal: false) { parent, body in
      withUnsafePointer(to: toChildState(parent.pointee)) { body($0) }
    }
    return Store<ChildState, ChildAction>(
      core: ScopedCore(
        core, projection, AnyCasePath(embed: { embed.value($0) }, extract: { _ in nil })))
  }

  /// A store of the value that is there now, if there is one. It is made anew for every call.
  package func unwrapped<Wrapped>() -> Store<Wrapped, Action>? where State == Wrapped? {
    let child = ScopedCore<State, Action, Wrapped, Action>(core, .optional(\.self), AnyCasePath())
    return child.lastState == nil ? nil : Store<Wrapped, Action>(core: child)
  }
}
