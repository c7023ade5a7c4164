// A child that is there or not.

extension Reducer {
  /// Adds the reducer of a child that is there or not.
  ///
  /// ```swift
  /// Reduce { state, action in … }
  ///   .ifLet(\.editor, action: \.editor) { Editor() }
  /// ```
  ///
  /// The child gets its action before this reducer does. When the child's state has become `nil`
  /// afterwards, or that of another child (see ``Identifiable``), the effects of the one that was
  /// there end. A child's action that arrives when there is no child is reported, and this reducer
  /// still gets it.
  ///
  /// - Parameters:
  ///   - toWrappedState: The child's state.
  ///   - toWrappedAction: The case of the child's actions.
  ///   - wrapped: The child's reducer.
  @inlinable
  public func ifLet<WrappedState, WrappedAction, Wrapped: Reducer<WrappedState, WrappedAction>>(
    _ toWrappedState: WritableKeyPath<State, WrappedState?>,
    action toWrappedAction: CaseKeyPath<Action, WrappedAction>,
    @ReducerBuilder<WrappedState, WrappedAction> then wrapped: () -> Wrapped,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where Action: CasePathable {
    ifLet(
      toWrappedState, action: Action.allCasePaths[keyPath: toWrappedAction], then: wrapped,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Adds the reducer of a child that is there or not, whose actions a case path leads to.
  @_disfavoredOverload
  @inlinable
  public func ifLet<WrappedState, WrappedAction, Wrapped: Reducer<WrappedState, WrappedAction>>(
    _ toWrappedState: WritableKeyPath<State, WrappedState?>,
    action toWrappedAction: AnyCasePath<Action, WrappedAction>,
    @ReducerBuilder<WrappedState, WrappedAction> then wrapped: () -> Wrapped,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> {
    IfLetReducer(
      parent: self, child: wrapped(), state: toWrappedState, action: toWrappedAction,
      site: ReducerSite(
        label: "ifLet", fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

@usableFromInline
struct IfLetReducer<Parent: Reducer, Child: Reducer>: Reducer {
  @usableFromInline let parent: Parent
  @usableFromInline let child: Child
  @usableFromInline let state: WritableKeyPath<Parent.State, Child.State?>
  @usableFromInline let action: AnyCasePath<Parent.Action, Child.Action>
  @usableFromInline let site: ReducerSite

  @inlinable
  init(
    parent: Parent, child: Child,
    state: WritableKeyPath<Parent.State, Child.State?>,
    action: AnyCasePath<Parent.Action, Child.Action>, site: ReducerSite
  ) {
    self.parent = parent
    self.child = child
    self.state = state
    self.action = action
    self.site = site
  }

  @inlinable
  func reduce(into state: inout Parent.State, action: Parent.Action) -> Effect<Parent.Action> {
    _prepare().reduce(&state, action)
  }

  @inlinable
  func _prepare() -> PreparedReducer<Parent.State, Parent.Action> {
    let parent = parent._prepare().reduce
    let child = LazyReducer(child)
    let slot = OptionalChild(StateAccess(state), ChildPlace(state))
    return PreparedReducer { [action = action, site = site] state, received in
      var childEffect = Effect<Parent.Action>.none
      if let childAction = action.extract(from: received) {
        childEffect =
          slot.reduce(child, &state, childAction, embed: action.embedding)
          ?? site.missingChild(Child.State.self, of: Parent.State.self, "it is nil", received)
      }
      return slot.endingChild(of: &state) { parent(&$0, received) }.after(childEffect)
    }
  }
}

/// A child that is there or not, and what has to be done about it.
@usableFromInline
struct OptionalChild<Parent, Child> {
  @usableFromInline let access: StateAccess<Parent, Child?>
  @usableFromInline let place: ChildPlace
  @usableFromInline let identity = ChildIdentityReader(Child.self)

  @inlinable
  init(_ access: StateAccess<Parent, Child?>, _ place: ChildPlace) {
    self.access = access
    self.place = place
  }

  /// Which child is there.
  @inlinable
  @inline(__always)
  func current(_ child: UnsafePointer<Child?>) -> ChildIdentity? {
    // The value of an optional lies where the optional does.
    child.pointee == nil ? nil : identity(child)
  }

  /// Runs the child's reducer in place. `nil` when there is no child.
  @inlinable
  @inline(__always)
  func reduce<R: Reducer<Child, Action>, Action, ParentAction>(
    _ reducer: LazyReducer<R>,
    _ parent: inout Parent,
    _ action: Action,
    embed: @escaping @Sendable (Action) -> ParentAction
  ) -> Effect<ParentAction>? {
    access.with(&parent) { child in
      guard child.pointee != nil else { return nil }
      return reducer.reduce(into: &child.pointee!, action: action)
        .ofChild(ChildID(place: place), embed: embed)
    }
  }

  /// Runs the parent's reducer, and ends the child's effects if the child is gone afterwards.
  @inlinable
  @inline(__always)
  func endingChild<Action>(
    of parent: inout Parent, _ reduce: (inout Parent) -> Effect<Action>
  ) -> Effect<Action> {
    let before = access.read(&parent) { current($0) }
    let effect = reduce(&parent)
    return effect.endingChild(
      at: place, from: before, to: access.read(&parent) { current($0) })
  }
}

extension ReducerSite {
  /// Says that an action had nobody to go to; and that there is nothing to do.
  @usableFromInline
  func missingChild<Action>(
    _ child: Any.Type, of parent: Any.Type, _ problem: String, _ action: Action
  ) -> Effect<Action> {
    reportMissingChild(child, of: parent, problem, action)
    return .none
  }
}

extension Effect {
  /// This effect, started after another one.
  @inlinable
  @inline(__always)
  func after(_ first: Self) -> Self {
    first.isNone ? self : first.merge(with: self)
  }
}
