// A child that is always there: a property of its parent's state, or the value of one of its cases.

import RondoScheduling

/// Runs the reducer of a child that is a part of the parent.
///
/// ```swift
/// var body: some ReducerOf<Self> {
///   Scope(state: \.profile, action: \.profile) { Profile() }
///   Reduce { state, action in … }
/// }
/// ```
///
/// Reducers run in the order in which they are listed: put a scope before the parent's own logic, so
/// that the child gets its action first. The child lives as long as the parent does, and shares its
/// cancellation ids. For a child that comes and goes use
/// `ifLet(_:action:then:)` or its relatives.
public struct Scope<ParentState, ParentAction, Child: Reducer>: Reducer {
  @usableFromInline
  enum Part {
    case property(WritableKeyPath<ParentState, Child.State>)
    case value(AnyCasePath<ParentState, Child.State>, SourcePosition)
  }

  @usableFromInline let part: Part
  @usableFromInline let action: AnyCasePath<ParentAction, Child.Action>
  @usableFromInline let child: Child

  @inlinable
  init(_ part: Part, _ action: AnyCasePath<ParentAction, Child.Action>, _ child: Child) {
    self.part = part
    self.action = action
    self.child = child
  }

  /// A child whose state is a property: `Scope(\.profile, action: \.profile) { Profile() }`.
  @inlinable
  public init<ChildState, ChildAction>(
    _ toChildState: WritableKeyPath<ParentState, ChildState>,
    action toChildAction: CaseName<ParentAction, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  ) where ChildState == Child.State, ChildAction == Child.Action, ParentAction: CasePathable {
    self.init(.property(toChildState), ParentAction.allCasePaths[keyPath: toChildAction], child())
  }

  /// A child whose state is a property.
  @inlinable
  public init<ChildState, ChildAction>(
    state toChildState: WritableKeyPath<ParentState, ChildState>,
    action toChildAction: CaseName<ParentAction, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  ) where ChildState == Child.State, ChildAction == Child.Action, ParentAction: CasePathable {
    self.init(.property(toChildState), ParentAction.allCasePaths[keyPath: toChildAction], child())
  }

  /// A child that shares the parent's actions: `Scope(\.profile, action: \.self) { Profile() }`.
  @inlinable
  @_disfavoredOverload
  public init<ChildState>(
    _ toChildState: WritableKeyPath<ParentState, ChildState>,
    action _: KeyPath<ParentAction, ParentAction>,
    @ReducerBuilder<ChildState, ParentAction> child: () -> Child
  ) where ChildState == Child.State, ParentAction == Child.Action {
    self.init(.property(toChildState), AnyCasePath(), child())
  }

  /// A child that shares the parent's actions.
  @inlinable
  @_disfavoredOverload
  public init<ChildState>(
    state toChildState: WritableKeyPath<ParentState, ChildState>,
    action _: KeyPath<ParentAction, ParentAction>,
    @ReducerBuilder<ChildState, ParentAction> child: () -> Child
  ) where ChildState == Child.State, ParentAction == Child.Action {
    self.init(.property(toChildState), AnyCasePath(), child())
  }

  /// A child whose state is a property, and whose actions a case path leads to.
  @inlinable
  @_disfavoredOverload
  public init<ChildState, ChildAction, Path: _CasePathArgument>(
    state toChildState: WritableKeyPath<ParentState, ChildState>,
    action toChildAction: Path,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  )
  where
    ChildState == Child.State, ChildAction == Child.Action,
    Path._PathRoot == ParentAction, Path._PathValue == ChildAction
  {
    self.init(.property(toChildState), toChildAction._casePath, child())
  }

  /// A child whose state is the value of a case. An action that arrives in another case is reported.
  @inlinable
  public init<ChildState, ChildAction>(
    _ toChildState: CaseName<ParentState, ChildState>,
    action toChildAction: CaseName<ParentAction, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  )
  where
    ChildState == Child.State, ChildAction == Child.Action,
    ParentState: CasePathable, ParentAction: CasePathable
  {
    self.init(
      state: toChildState, action: toChildAction, child: child,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// A child whose state is the value of a case. An action that arrives in another case is reported.
  @inlinable
  public init<ChildState, ChildAction>(
    state toChildState: CaseName<ParentState, ChildState>,
    action toChildAction: CaseName<ParentAction, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  )
  where
    ChildState == Child.State, ChildAction == Child.Action,
    ParentState: CasePathable, ParentAction: CasePathable
  {
    let position = SourcePosition(fileID, filePath, line, column)
    self.init(
      .value(ParentState.allCasePaths[keyPath: toChildState], position),
      ParentAction.allCasePaths[keyPath: toChildAction], child())
  }

  /// A child whose state is the value of a case, which case paths lead to.
  @inlinable
  @_disfavoredOverload
  public init<
    ChildState, ChildAction, StatePath: _CasePathArgument, ActionPath: _CasePathArgument
  >(
    state toChildState: StatePath,
    action toChildAction: ActionPath,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  )
  where
    ChildState == Child.State, ChildAction == Child.Action,
    StatePath._PathRoot == ParentState, StatePath._PathValue == ChildState,
    ActionPath._PathRoot == ParentAction, ActionPath._PathValue == ChildAction
  {
    let position = SourcePosition(fileID, filePath, line, column)
    self.init(.value(toChildState._casePath, position), toChildAction._casePath, child())
  }

  @inlinable
  public func reduce(
    into state: inout ParentState, action: ParentAction
  ) -> Effect<ParentAction> {
    prepared()(&state, action)
  }

  @inlinable
  public func _prepare() -> PreparedReducer<ParentState, ParentAction> {
    let child = LazyReducer(child)
    switch part {
    case .property(let keyPath):
      let access = StateAccess(keyPath)
      let locator = ChildLocator.part(access)
      return { [toChild = action] state, action in
        guard let action = toChild.extract(from: action) else { return .none }
        return access.with(&state) { child.reduce(into: &$0.pointee, action: action) }
          .ofPart(locator, toChild.embedding)
      }
    case .value(let path, let position):
      let locator = ChildLocator.value(path, ChildIdentityReader(Child.State.self))
      return { [toChild = action] state, action in
        guard let childAction = toChild.extract(from: action) else { return .none }
        let effect = path.modify(&state) { child.reduce(into: &$0, action: childAction) }
        return effect?.ofPart(locator, toChild.embedding)
          ?? position.missingChild(
            of: "Scope", Child.State.self, in: ParentState.self, "the state is in another case",
            action)
      }
    }
  }
}
