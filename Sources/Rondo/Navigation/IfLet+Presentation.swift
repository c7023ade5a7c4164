// A child that is presented: there or not, with a way to dismiss it.

import RondoScheduling

extension Reducer {
  /// Adds what this reducer presents, or holds as an optional, and whose reducer its type implies:
  /// an alert, a dialog, or an enum of destinations.
  ///
  /// ```swift
  /// Reduce { state, action in … }
  ///   .ifLet(\.$alert, action: \.alert)
  ///   .ifLet(\.$destination, action: \.destination)
  /// ```
  @inlinable
  public func ifLet<ChildState: _ImpliesChild>(
    _ toChildState: WritableKeyPath<State, ChildState>,
    action toChildAction: CaseName<Action, ChildState._ImpliedAction>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where Action: CasePathable {
    AttachedReducer(
      parent: self, child: ChildState._impliedChild, state: toChildState,
      action: Action.allCasePaths[keyPath: toChildAction],
      position: SourcePosition(fileID, filePath, line, column))
  }

  /// Adds what this reducer presents, or holds as an optional, and whose reducer its type implies.
  /// A case path leads to the actions.
  @_disfavoredOverload
  @inlinable
  public func ifLet<ChildState: _ImpliesChild, Path: _CasePathArgument>(
    _ toChildState: WritableKeyPath<State, ChildState>,
    action toChildAction: Path,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action>
  where Path._PathRoot == Action, Path._PathValue == ChildState._ImpliedAction {
    AttachedReducer(
      parent: self, child: ChildState._impliedChild, state: toChildState,
      action: toChildAction._casePath,
      position: SourcePosition(fileID, filePath, line, column))
  }
}

extension Reducer {
  /// Adds an alert or a dialog that this reducer holds as an optional, and whose actions are those of
  /// something presented.
  ///
  /// ```swift
  /// Reduce { state, action in … }
  ///   .ifLet(\.alert, action: \.alert)       // case alert(PresentationAction<Alert>)
  /// ```
  ///
  /// Both a button's action and `.dismiss` set the optional to `nil`.
  @inlinable
  public func ifLet<ChildState: _EphemeralState>(
    _ toChildState: WritableKeyPath<State, ChildState?>,
    action toChildAction: CaseName<Action, PresentationAction<ChildState.Action>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where Action: CasePathable {
    AttachedReducer(
      parent: self,
      child: _OptionalChild(EmptyReducer<ChildState, PresentationAction<ChildState.Action>>()),
      state: toChildState, action: Action.allCasePaths[keyPath: toChildAction],
      position: SourcePosition(fileID, filePath, line, column))
  }
}

/// A field that may hold a child whose type implies its reducer.
public protocol _ImpliesChild {
  associatedtype _ImpliedAction
  associatedtype _ImpliedChild: _AttachedOptional<Self, _ImpliedAction>

  /// The child's reducer, for its place in the parent.
  static var _impliedChild: _ImpliedChild { get }
}

extension PresentationState: _ImpliesChild where State: _ImpliesReducer {
  public typealias _ImpliedAction = PresentationAction<State._ImpliedReducer.Action>

  @inlinable
  public static var _impliedChild: _PresentedChild<State._ImpliedReducer> {
    _PresentedChild(State._impliedReducer)
  }
}

extension Optional: _ImpliesChild where Wrapped: _ImpliesReducer {
  public typealias _ImpliedAction = Wrapped._ImpliedReducer.Action

  @inlinable
  public static var _impliedChild: _OptionalChild<Wrapped._ImpliedReducer> {
    _OptionalChild(Wrapped._impliedReducer)
  }
}

/// A state whose type implies its reducer.
public protocol _ImpliesReducer {
  associatedtype _ImpliedReducer: Reducer where _ImpliedReducer.State == Self

  /// The reducer of such a state.
  static var _impliedReducer: _ImpliedReducer { get }
}

/// A state that goes away with the first action of its own: an alert.
public protocol _EphemeralState: _ImpliesReducer {
  associatedtype Action
}

extension _EphemeralState {
  public static var _impliedReducer: EmptyReducer<Self, Action> { EmptyReducer() }
}

/// A parent and the child that it presents, ready to run.
@inlinable
func preparedPresentation<Parent: Reducer, Child: Reducer>(
  of child: Child, in parent: Parent,
  state: WritableKeyPath<Parent.State, PresentationState<Child.State>>,
  action: AnyCasePath<Parent.Action, PresentationAction<Child.Action>>, position: SourcePosition
) -> PreparedReducer<Parent.State, Parent.Action> {
  let parent = parent._prepare()
  let child = LazyReducer(child)
  let access = StateAccess(state, at: position)
  let place = ChildPlace(state)
  let identity = ChildIdentityReader(Child.State.self)
  let locator = ChildLocator.presentation(access, identity)
  let isEphemeral = EphemeralCheck<Child.State>()
  let toChild = action
  let embed: @Sendable (Child.Action) -> Parent.Action = { toChild.embed(.presented($0)) }
  let dismissal: @Sendable () -> Parent.Action = { toChild.embed(.dismiss) }

  return { root, action in
    var effect = Effect<Parent.Action>.none
    var isDismissed = false
    // The identity of the child when its own reducer has run, and that of its parent has not.
    var before: ChildIdentity?
    switch toChild.extract(from: action) {
    case .presented(let childAction)?:
      effect =
        access.with(&root) { presentation -> Effect<Parent.Action>? in
          isDismissed =
            isEphemeral.isPossible && presentation.pointee.read { isEphemeral($0) } == true
          let earlier = presentation.pointee.identity(identity)
          let childEffect = PresentationScope.enter {
            presentation.pointee.modify { child.reduce(into: &$0.pointee, action: childAction) }
          }
          before = presentation.pointee.identity(identity)
          let embedded = childEffect?.ofChild(
            ChildID(place: place), locator, known: before, dismissal: dismissal, embed: embed)
          guard let earlier, let before, earlier != before else { return embedded }
          // A child with another id of its own is another child.
          return identity.isOtherID(earlier, before)
            ? embedded?.endingChildren(at: place)
            : embedded?.renamingChild(place, earlier, before)
        }
        ?? position.missingChild(
          of: "ifLet", Child.State.self, in: Parent.State.self, "it is not presented", action)
    case .dismiss?:
      isDismissed = true
      before = access.read(&root) { $0.pointee.identity(identity) }
      if before == nil {
        position.reportMissingChild(
          of: "ifLet", Child.State.self, in: Parent.State.self, "it is not presented", action)
      }
    case nil:
      before = access.read(&root) { $0.pointee.identity(identity) }
    }
    effect = parent(&root, action).after(effect)
    // Optionals are compared piece by piece: as a whole they are destroyed through their metadata.
    guard let before else { return effect }
    var after = access.read(&root) { $0.pointee.identity(identity) }
    if isDismissed, let same = after, same == before {
      root[keyPath: state].wrappedValue = nil
      after = nil
    }
    return effect.endingChild(at: place, from: before, to: after)
  }
}

extension PresentationState {
  /// The identity of the presented child, with the stamp of its presentation; `nil` when there is
  /// none.
  @inlinable
  @inline(__always)
  func identity(_ reader: ChildIdentityReader) -> ChildIdentity? {
    guard let box, let presentation else { return nil }
    guard !reader.isBlind else { return ChildIdentity(stamp: presentation) }
    return withUnsafePointer(to: &box.state) { reader($0, stamp: presentation) }
  }
}

/// Tells whether a state goes away with its first action: it does itself, or it is an enum in a
/// case whose value does.
@usableFromInline
struct EphemeralCheck<State> {
  private let isEphemeralType = State.self is any _EphemeralState.Type
  private let layout = EnumLayout(State.self)
  /// Whether it is worth asking.
  @usableFromInline let isPossible: Bool

  @usableFromInline
  init() {
    isPossible = isEphemeralType || layout != nil
  }

  @usableFromInline
  func callAsFunction(_ state: borrowing State) -> Bool {
    guard !isEphemeralType else { return true }
    guard let layout, let type = layout.inlinePayloadType(ofTag: layout.tag(of: copy state))
    else { return false }
    return type is any _EphemeralState.Type
  }
}
