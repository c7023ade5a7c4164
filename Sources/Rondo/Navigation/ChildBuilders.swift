// Turns the closures of `ifLet` and `forEach` into reducers of children.

import RondoScheduling

/// A child's reducer, and the kind of place that the child has in its parent.
///
/// The closures of ``Reducer/ifLet(_:action:then:fileID:filePath:line:column:)-(_,CaseName<Self.Action,_>,_,_,_,_,_)``
/// and its relatives make one. Its kind follows from the types at the place.
///
/// One method for all kinds of places keeps type checking linear: with a method for each kind the
/// compiler tries every combination along a chain.
public protocol _AttachedChild<ParentState, ParentAction> {
  /// The field of the parent's state.
  associatedtype ParentState

  /// The value of the parent's case of actions.
  associatedtype ParentAction

  /// The parent with this child, ready to run.
  func _attach<Parent: Reducer>(
    to parent: Parent,
    state: WritableKeyPath<Parent.State, ParentState>,
    action: AnyCasePath<Parent.Action, ParentAction>,
    at position: SourcePosition
  ) -> PreparedReducer<Parent.State, Parent.Action>
}

/// A child that `ifLet` takes.
public protocol _AttachedOptional<ParentState, ParentAction>: _AttachedChild {}

/// Children that `forEach` takes.
public protocol _AttachedElements<ParentState, ParentAction>: _AttachedChild {}

/// The part that is common to all closures that list a child's reducers.
public protocol _ChildBuilder {}

extension _ChildBuilder {
  @inlinable
  public static func buildPartialBlock<R: Reducer>(first: R) -> R {
    first
  }

  @inlinable
  public static func buildPartialBlock<R0: Reducer, R1: Reducer<R0.State, R0.Action>>(
    accumulated: R0, next: R1
  ) -> ReducerBuilder<R0.State, R0.Action>._Sequence<R0, R1> {
    ReducerBuilder.buildPartialBlock(accumulated: accumulated, next: next)
  }

  @inlinable
  public static func buildOptional<R: Reducer>(_ wrapped: R?) -> R? {
    wrapped
  }

  @inlinable
  public static func buildEither<R0: Reducer, R1: Reducer<R0.State, R0.Action>>(
    first reducer: R0
  ) -> ReducerBuilder<R0.State, R0.Action>._Conditional<R0, R1> {
    .first(reducer)
  }

  @inlinable
  public static func buildEither<R0: Reducer, R1: Reducer<R0.State, R0.Action>>(
    second reducer: R1
  ) -> ReducerBuilder<R0.State, R0.Action>._Conditional<R0, R1> {
    .second(reducer)
  }

  @inlinable
  public static func buildArray<R: Reducer>(
    _ reducers: [R]
  ) -> ReducerBuilder<R.State, R.Action>._SequenceMany<R> {
    ReducerBuilder.buildArray(reducers)
  }

  @inlinable
  public static func buildLimitedAvailability<R: Reducer>(
    _ wrapped: R
  ) -> Reduce<R.State, R.Action> {
    wrapped.erased()
  }
}

// MARK: - A child that may be absent

/// Lists the reducers of a child that may be absent: an optional property, or what is presented.
@resultBuilder
public enum _OptionalChildBuilder<ParentState, ParentAction>: _ChildBuilder {
  @inlinable
  public static func buildExpression<R: Reducer>(_ expression: R) -> R
  where ParentState == PresentationState<R.State>, ParentAction == PresentationAction<R.Action> {
    expression
  }

  @inlinable
  public static func buildExpression<R: Reducer>(_ expression: R) -> R
  where ParentState == R.State?, ParentAction == R.Action {
    expression
  }

  @inlinable
  public static func buildBlock<State, Action>() -> EmptyReducer<State, Action>
  where ParentState == PresentationState<State>, ParentAction == PresentationAction<Action> {
    EmptyReducer()
  }

  @inlinable
  public static func buildBlock<State>() -> EmptyReducer<State, ParentAction>
  where ParentState == State? {
    EmptyReducer()
  }

  @inlinable
  public static func buildFinalResult<R: Reducer>(_ reducer: R) -> _PresentedChild<R>
  where ParentState == PresentationState<R.State>, ParentAction == PresentationAction<R.Action> {
    _PresentedChild(reducer)
  }

  @inlinable
  public static func buildFinalResult<R: Reducer>(_ reducer: R) -> _OptionalChild<R>
  where ParentState == R.State?, ParentAction == R.Action {
    _OptionalChild(reducer)
  }
}

/// The reducer of a child that is presented.
public struct _PresentedChild<Child: Reducer>: _AttachedOptional {
  public typealias ParentState = PresentationState<Child.State>
  public typealias ParentAction = PresentationAction<Child.Action>

  @usableFromInline let child: Child

  @inlinable
  init(_ child: Child) {
    self.child = child
  }

  @inlinable
  public func _attach<Parent: Reducer>(
    to parent: Parent,
    state: WritableKeyPath<Parent.State, ParentState>,
    action: AnyCasePath<Parent.Action, ParentAction>,
    at position: SourcePosition
  ) -> PreparedReducer<Parent.State, Parent.Action> {
    preparedPresentation(of: child, in: parent, state: state, action: action, position: position)
  }
}

/// The reducer of a child that is an optional property.
public struct _OptionalChild<Child: Reducer>: _AttachedOptional {
  public typealias ParentState = Child.State?
  public typealias ParentAction = Child.Action

  @usableFromInline let child: Child

  @inlinable
  init(_ child: Child) {
    self.child = child
  }

  @inlinable
  public func _attach<Parent: Reducer>(
    to parent: Parent,
    state: WritableKeyPath<Parent.State, ParentState>,
    action: AnyCasePath<Parent.Action, ParentAction>,
    at position: SourcePosition
  ) -> PreparedReducer<Parent.State, Parent.Action> {
    preparedOptional(child, in: parent, state: state, action: action, position: position)
  }
}

// MARK: - Several children

/// Lists the reducers of the elements of a list or of a stack.
@resultBuilder
public enum _ElementBuilder<ParentState, ParentAction>: _ChildBuilder {
  @inlinable
  public static func buildExpression<ID, R: Reducer>(_ expression: R) -> R
  where
    ParentState == IdentifiedArray<ID, R.State>, ParentAction == IdentifiedAction<ID, R.Action>
  {
    expression
  }

  @inlinable
  public static func buildExpression<R: Reducer>(_ expression: R) -> R
  where ParentState == StackState<R.State>, ParentAction == StackAction<R.State, R.Action> {
    expression
  }

  /// Actions that are pairs, which older features have.
  @inlinable
  public static func buildExpression<ID, R: Reducer>(_ expression: R) -> R
  where ParentState == IdentifiedArray<ID, R.State>, ParentAction == (ID, R.Action) {
    expression
  }

  @inlinable
  public static func buildBlock<ID, State, Action>() -> EmptyReducer<State, Action>
  where ParentState == IdentifiedArray<ID, State>, ParentAction == IdentifiedAction<ID, Action> {
    EmptyReducer()
  }

  @inlinable
  public static func buildBlock<State, Action>() -> EmptyReducer<State, Action>
  where ParentState == StackState<State>, ParentAction == StackAction<State, Action> {
    EmptyReducer()
  }

  @inlinable
  public static func buildFinalResult<ID: Hashable & Sendable, R: Reducer>(
    _ reducer: R
  ) -> _ListElement<ID, R>
  where
    ParentState == IdentifiedArray<ID, R.State>, ParentAction == IdentifiedAction<ID, R.Action>
  {
    _ListElement(reducer)
  }

  @inlinable
  public static func buildFinalResult<R: Reducer>(_ reducer: R) -> _StackElement<R>
  where ParentState == StackState<R.State>, ParentAction == StackAction<R.State, R.Action> {
    _StackElement(reducer)
  }

  @inlinable
  public static func buildFinalResult<ID: Hashable & Sendable, R: Reducer>(
    _ reducer: R
  ) -> _PairedElement<ID, R>
  where ParentState == IdentifiedArray<ID, R.State>, ParentAction == (ID, R.Action) {
    _PairedElement(reducer)
  }
}

/// The reducer of a list's elements.
public struct _ListElement<ID: Hashable & Sendable, Element: Reducer>: _AttachedElements {
  public typealias ParentState = IdentifiedArray<ID, Element.State>
  public typealias ParentAction = IdentifiedAction<ID, Element.Action>

  @usableFromInline let element: Element

  @inlinable
  init(_ element: Element) {
    self.element = element
  }

  @inlinable
  public func _attach<Parent: Reducer>(
    to parent: Parent,
    state: WritableKeyPath<Parent.State, ParentState>,
    action: AnyCasePath<Parent.Action, ParentAction>,
    at position: SourcePosition
  ) -> PreparedReducer<Parent.State, Parent.Action> {
    preparedElements(
      element, in: parent, state: state,
      extract: { parentAction in
        guard case .element(let id, let action)? = action.extract(from: parentAction) else {
          return nil
        }
        return (id, action)
      },
      embed: { action.embed(.element(id: $0, action: $1)) }, position: position)
  }
}

/// The reducer of a list's elements whose actions are pairs of an id and an action.
public struct _PairedElement<ID: Hashable & Sendable, Element: Reducer>: _AttachedElements {
  public typealias ParentState = IdentifiedArray<ID, Element.State>
  public typealias ParentAction = (ID, Element.Action)

  @usableFromInline let element: Element

  @inlinable
  init(_ element: Element) {
    self.element = element
  }

  @inlinable
  public func _attach<Parent: Reducer>(
    to parent: Parent,
    state: WritableKeyPath<Parent.State, ParentState>,
    action: AnyCasePath<Parent.Action, ParentAction>,
    at position: SourcePosition
  ) -> PreparedReducer<Parent.State, Parent.Action> {
    preparedElements(
      element, in: parent, state: state,
      extract: { action.extract(from: $0) }, embed: { action.embed(($0, $1)) }, position: position)
  }
}

/// The reducer of a stack's elements.
public struct _StackElement<Element: Reducer>: _AttachedElements {
  public typealias ParentState = StackState<Element.State>
  public typealias ParentAction = StackAction<Element.State, Element.Action>

  @usableFromInline let element: Element

  @inlinable
  init(_ element: Element) {
    self.element = element
  }

  public func _attach<Parent: Reducer>(
    to parent: Parent,
    state: WritableKeyPath<Parent.State, ParentState>,
    action: AnyCasePath<Parent.Action, ParentAction>,
    at position: SourcePosition
  ) -> PreparedReducer<Parent.State, Parent.Action> {
    preparedStack(of: element, in: parent, state: state, action: action, position: position)
  }
}

// MARK: - The parent with its child

@usableFromInline
struct AttachedReducer<Parent: Reducer, Child: _AttachedChild>: Reducer {
  @usableFromInline let parent: Parent
  @usableFromInline let child: Child
  @usableFromInline let state: WritableKeyPath<Parent.State, Child.ParentState>
  @usableFromInline let action: AnyCasePath<Parent.Action, Child.ParentAction>
  @usableFromInline let position: SourcePosition

  @inlinable
  init(
    parent: Parent, child: Child,
    state: WritableKeyPath<Parent.State, Child.ParentState>,
    action: AnyCasePath<Parent.Action, Child.ParentAction>, position: SourcePosition
  ) {
    self.parent = parent
    self.child = child
    self.state = state
    self.action = action
    self.position = position
  }

  @inlinable
  func reduce(into state: inout Parent.State, action: Parent.Action) -> Effect<Parent.Action> {
    prepared()(&state, action)
  }

  @inlinable
  func _prepare() -> PreparedReducer<Parent.State, Parent.Action> {
    child._attach(to: parent, state: state, action: action, at: position)
  }
}

// MARK: - Case paths in place of names

/// A case path as an argument, in a form that a key path that is written out never takes.
///
/// The compiler explains a misspelt name by the method that takes the least to mend. A key path
/// of other types than `Case` lacks these conformances, so the explanation is about the method that takes a key path.
public typealias _CasePathArgument =
  _CasePathValue & _NoKeyPath1 & _NoKeyPath2 & _NoKeyPath3 & _NoKeyPath4 & _NoKeyPath5
  & _NoKeyPath6

/// See ``_CasePathArgument``.
public protocol _CasePathValue<_PathRoot, _PathValue> {
  associatedtype _PathRoot
  associatedtype _PathValue

  /// The case path itself.
  var _casePath: AnyCasePath<_PathRoot, _PathValue> { get }
}

/// See ``_CasePathArgument``.
public protocol _NoKeyPath1 {}
/// See ``_CasePathArgument``.
public protocol _NoKeyPath2 {}
/// See ``_CasePathArgument``.
public protocol _NoKeyPath3 {}
/// See ``_CasePathArgument``.
public protocol _NoKeyPath4 {}
/// See ``_CasePathArgument``.
public protocol _NoKeyPath5 {}
/// See ``_CasePathArgument``.
public protocol _NoKeyPath6 {}

extension AnyCasePath: _CasePathArgument {
  @available(swift, deprecated: 99)  // Behind the names of cases in the lists of an editor.
  @inlinable
  public var _casePath: Self { self }
}
