// A child that is presented: there or not, with a way to dismiss it.

extension Reducer {
  /// Adds the reducer of a child that this one presents.
  ///
  /// ```swift
  /// Reduce { state, action in … }
  ///   .ifLet(\.$editor, action: \.editor) { Editor() }
  /// ```
  ///
  /// The child gets its action before this reducer does; on ``PresentationAction/dismiss`` its state
  /// becomes `nil` after this reducer. Its effects end when it is dismissed, or when another child is
  /// presented in its place. Inside the child `@Dependency(\.dismiss)` dismisses it.
  ///
  /// Alerts and confirmation dialogs need no reducer: any of their actions dismisses them.
  ///
  /// - Parameters:
  ///   - toPresentationState: The projection of the child's state.
  ///   - toPresentationAction: The case of the child's actions.
  ///   - destination: The child's reducer.
  @inlinable
  public func ifLet<
    DestinationState, DestinationAction, Destination: Reducer<DestinationState, DestinationAction>
  >(
    _ toPresentationState: WritableKeyPath<State, PresentationState<DestinationState>>,
    action toPresentationAction: CaseKeyPath<Action, PresentationAction<DestinationAction>>,
    @ReducerBuilder<DestinationState, DestinationAction> destination: () -> Destination,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where Action: CasePathable {
    ifLet(
      toPresentationState, action: Action.allCasePaths[keyPath: toPresentationAction],
      destination: destination, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Adds what this reducer presents and needs no reducer of its own, such as an alert.
  @inlinable
  public func ifLet<DestinationState: _EphemeralState, DestinationAction>(
    _ toPresentationState: WritableKeyPath<State, PresentationState<DestinationState>>,
    action toPresentationAction: CaseKeyPath<Action, PresentationAction<DestinationAction>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where Action: CasePathable {
    ifLet(
      toPresentationState, action: Action.allCasePaths[keyPath: toPresentationAction],
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Adds the reducer of a child that this one presents, whose actions a case path leads to.
  @_disfavoredOverload
  @inlinable
  public func ifLet<
    DestinationState, DestinationAction, Destination: Reducer<DestinationState, DestinationAction>
  >(
    _ toPresentationState: WritableKeyPath<State, PresentationState<DestinationState>>,
    action toPresentationAction: AnyCasePath<Action, PresentationAction<DestinationAction>>,
    @ReducerBuilder<DestinationState, DestinationAction> destination: () -> Destination,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> {
    PresentationReducer(
      parent: self, child: destination(), state: toPresentationState, action: toPresentationAction,
      site: ReducerSite(
        label: "ifLet", fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Adds what this reducer presents and needs no reducer of its own, whose actions a case path leads
  /// to.
  @_disfavoredOverload
  @inlinable
  public func ifLet<DestinationState: _EphemeralState, DestinationAction>(
    _ toPresentationState: WritableKeyPath<State, PresentationState<DestinationState>>,
    action toPresentationAction: AnyCasePath<Action, PresentationAction<DestinationAction>>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> {
    ifLet(
      toPresentationState, action: toPresentationAction,
      destination: { EmptyReducer<DestinationState, DestinationAction>() },
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

/// A state that goes away with the first action of its own: an alert.
public protocol _EphemeralState {
  associatedtype Action

  /// Whether actions dismiss it.
  static var actionType: Any.Type { get }
}

extension _EphemeralState {
  public static var actionType: Any.Type { Action.self }
}

@usableFromInline
struct PresentationReducer<Parent: Reducer, Child: Reducer>: Reducer {
  @usableFromInline let parent: Parent
  @usableFromInline let child: Child
  @usableFromInline let state: WritableKeyPath<Parent.State, PresentationState<Child.State>>
  @usableFromInline let action: AnyCasePath<Parent.Action, PresentationAction<Child.Action>>
  @usableFromInline let site: ReducerSite

  @inlinable
  init(
    parent: Parent, child: Child,
    state: WritableKeyPath<Parent.State, PresentationState<Child.State>>,
    action: AnyCasePath<Parent.Action, PresentationAction<Child.Action>>, site: ReducerSite
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
    let access = StateAccess(state)
    let place = ChildPlace(state)
    let identity = ChildIdentityReader(Child.State.self)
    let isEphemeral = EphemeralCheck<Child.State>()
    let toChild = action
    let embed: @Sendable (Child.Action) -> Parent.Action = { toChild.embed(.presented($0)) }
    let dismissal: @Sendable () -> Parent.Action = { toChild.embed(.dismiss) }

    return PreparedReducer { [site] state, action in
      var effect = Effect<Parent.Action>.none
      var isDismissed = false
      switch toChild.extract(from: action) {
      case .presented(let childAction)?:
        effect =
          access.with(&state) { presentation -> Effect<Parent.Action>? in
            isDismissed =
              isEphemeral.isPossible && presentation.pointee.read { isEphemeral($0) } == true
            return PresentationScope.enter {
              presentation.pointee.modify { child.reduce(into: &$0.pointee, action: childAction) }
            }?.ofChild(ChildID(place: place), dismissal: dismissal, embed: embed)
          }
          ?? site.missingChild(
            Child.State.self, of: Parent.State.self, "it is not presented", action)
      case .dismiss?:
        isDismissed = true
        if access.read(&state, { !$0.pointee.isPresented }) {
          site.reportMissingChild(
            Child.State.self, of: Parent.State.self, "it is not presented", action)
        }
      case nil:
        break
      }
      let before = access.read(&state) { $0.pointee.identity(identity) }
      effect = parent(&state, action).after(effect)
      guard before != nil else { return effect }
      var after = access.read(&state) { $0.pointee.identity(identity) }
      if isDismissed, after == before {
        state[keyPath: access.keyPath].wrappedValue = nil
        after = nil
      }
      return effect.endingChild(at: place, from: before, to: after)
    }
  }
}

extension PresentationState {
  /// Which child is presented: the presentation, and the identity of the child in it.
  @inlinable
  @inline(__always)
  func identity(_ reader: ChildIdentityReader) -> ChildIdentity? {
    guard let box, let presentation else { return nil }
    guard !reader.isBlind else { return ChildIdentity(stamp: presentation) }
    return withUnsafePointer(to: &box.state) { reader($0, stamp: presentation) }
  }
}

/// Tells whether a state goes away with its first action: it does itself, or it is an enum in a case
/// whose value does.
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
