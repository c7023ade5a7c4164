// A child that is there or not.

import RondoScheduling

extension Reducer {
  /// Adds the reducer of a child that is there or not.
  ///
  /// ```swift
  /// Reduce { state, action in … }
  ///   .ifLet(\.editor, action: \.editor) { Editor() }
  /// ```
  ///
  /// The child gets its action before this reducer does. When the child's state has become `nil`
  /// afterwards, or that of another child (see `Identifiable`), the effects of the one that was
  /// there end. A child's action that arrives when there is no child is reported, and this reducer
  /// still gets it.
  ///
  /// - Parameters:
  ///   - toChildState: The child's state.
  ///   - toChildAction: The case of the child's actions.
  ///   - child: The child's reducer.
  @inlinable
  public func ifLet<ChildState, ChildAction, Child: _AttachedOptional<ChildState, ChildAction>>(
    _ toChildState: WritableKeyPath<State, ChildState>,
    action toChildAction: CaseName<Action, ChildAction>,
    @_OptionalChildBuilder<ChildState, ChildAction> then child: () -> Child,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where Action: CasePathable {
    AttachedReducer(
      parent: self, child: child(), state: toChildState,
      action: Action.allCasePaths[keyPath: toChildAction],
      position: SourcePosition(fileID, filePath, line, column))
  }

  /// A child that cannot be changed has no reducer.
  @available(
    *, unavailable, message: "a child is changed by its reducer: name a property that is a 'var'"
  )
  public func ifLet<ChildState, ChildAction, Child: _AttachedOptional<ChildState, ChildAction>>(
    _ toChildState: KeyPath<State, ChildState>,
    action toChildAction: CaseName<Action, ChildAction>,
    @_OptionalChildBuilder<ChildState, ChildAction> then child: () -> Child
  ) -> Reduce<State, Action> where Action: CasePathable {
    preconditionFailure("This function cannot be called.")
  }

  /// Adds the reducer of an optional child that shares the parent's actions:
  /// `ifLet(\.value, action: \.self) { Counter() }`.
  @_disfavoredOverload
  @inlinable
  public func ifLet<ChildState, Child: _AttachedOptional<ChildState, Action>>(
    _ toChildState: WritableKeyPath<State, ChildState>,
    action _: KeyPath<Action, Action>,
    @_OptionalChildBuilder<ChildState, Action> then child: () -> Child,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> {
    AttachedReducer(
      parent: self, child: child(), state: toChildState, action: AnyCasePath(),
      position: SourcePosition(fileID, filePath, line, column))
  }

  /// Adds the reducer of a child that is there or not, or is presented, whose actions a case path
  /// leads to.
  @_disfavoredOverload
  @inlinable
  public func ifLet<
    ChildState, ChildAction, Path: _CasePathArgument,
    Child: _AttachedOptional<ChildState, ChildAction>
  >(
    _ toChildState: WritableKeyPath<State, ChildState>,
    action toChildAction: Path,
    @_OptionalChildBuilder<ChildState, ChildAction> then child: () -> Child,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where Path._PathRoot == Action, Path._PathValue == ChildAction {
    AttachedReducer(
      parent: self, child: child(), state: toChildState, action: toChildAction._casePath,
      position: SourcePosition(fileID, filePath, line, column))
  }
}

/// A parent and its optional child, ready to run.
@inlinable
func preparedOptional<Parent: Reducer, Child: Reducer>(
  _ child: Child, in parent: Parent,
  state: WritableKeyPath<Parent.State, Child.State?>,
  action: AnyCasePath<Parent.Action, Child.Action>, position: SourcePosition
) -> PreparedReducer<Parent.State, Parent.Action> {
  let parent = parent._prepare()
  let child = LazyReducer(child)
  let slot = OptionalChild(StateAccess(state), ChildPlace(state))
  let isEphemeral = EphemeralCheck<Child.State>()
  guard isEphemeral.isPossible else {
    return { state, received in
      let childEffect = slot.reduce(child, &state, received, action, position)
      return slot.endingChild(of: &state) { parent(&$0, received) }.after(childEffect)
    }
  }
  return { root, received in
    let isDismissed =
      action.extract(from: received) != nil
      && slot.access.read(&root) { $0.pointee.map { isEphemeral($0) } ?? false }
    let childEffect = slot.reduce(child, &root, received, action, position)
    return slot.endingChild(of: &root) { root in
      let before = isDismissed ? slot.access.read(&root) { slot.current($0) } : nil
      let effect = parent(&root, received)
      // Whatever the parent has put in its place stays.
      if isDismissed, before == slot.access.read(&root, { slot.current($0) }) {
        root[keyPath: state] = nil
      }
      return effect
    }.after(childEffect)
  }
}

/// A child that is there or not, and what has to be done about it.
@usableFromInline
struct OptionalChild<Parent, Child> {
  @usableFromInline let access: StateAccess<Parent, Child?>
  @usableFromInline let place: ChildPlace
  @usableFromInline let identity: ChildIdentityReader
  @usableFromInline let locator: ChildLocator

  @inlinable
  init(_ access: StateAccess<Parent, Child?>, _ place: ChildPlace) {
    self.access = access
    self.place = place
    identity = ChildIdentityReader(Child.self)
    locator = .optional(access, identity)
  }

  /// The identity of the child; `nil` when there is none.
  @inlinable
  @inline(__always)
  func current(_ child: UnsafePointer<Child?>) -> ChildIdentity? {
    // The value of an optional has the same address as the optional.
    child.pointee == nil ? nil : identity(child)
  }

  /// Runs the child's reducer in place, if the action is the child's.
  @inlinable
  @inline(__always)
  func reduce<R: Reducer<Child, Action>, Action, ParentAction>(
    _ reducer: LazyReducer<R>,
    _ parent: inout Parent,
    _ received: ParentAction,
    _ action: AnyCasePath<ParentAction, Action>,
    _ position: SourcePosition
  ) -> Effect<ParentAction> {
    guard let childAction = action.extract(from: received) else { return .none }
    return reduce(reducer, &parent, childAction, embed: action.embedding)
      ?? position.missingChild(of: "ifLet", Child.self, in: Parent.self, "it is nil", received)
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
      // A child whose state has no identity stays the same one.
      guard !identity.isBlind else {
        return reducer.reduce(into: &child.pointee!, action: action)
          .ofChild(ChildID(place: place), locator, embed: embed)
      }
      let before = current(child)
      let effect = reducer.reduce(into: &child.pointee!, action: action)
        .ofChild(ChildID(place: place), locator, known: current(child), embed: embed)
      return effect.renamingChild(at: place, from: before, to: current(child))
    }
  }

  /// Runs the parent's reducer, and ends the child's effects if the child is gone afterwards.
  @inlinable
  @inline(__always)
  func endingChild<Action>(
    of parent: inout Parent, _ reduce: (inout Parent) -> Effect<Action>
  ) -> Effect<Action> {
    guard !identity.isBlind else {
      let wasPresent = access.read(&parent) { $0.pointee != nil }
      let effect = reduce(&parent)
      guard wasPresent, access.read(&parent, { $0.pointee == nil }) else { return effect }
      return effect.endingChildren(at: place)
    }
    let before = access.read(&parent) { current($0) }
    let effect = reduce(&parent)
    return effect.endingChild(
      at: place, from: before, to: access.read(&parent) { current($0) })
  }
}

extension SourcePosition {
  /// Reports an action for a child that is not there. Returns no effect.
  @usableFromInline
  func missingChild<Action>(
    of label: String, _ child: Any.Type, in parent: Any.Type, _ problem: String, _ action: Action
  ) -> Effect<Action> {
    reportMissingChild(of: label, child, in: parent, problem, action)
    return .none
  }
}
