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
      toPresentationState, action: toPresentationAction,
      destination: { EmptyReducer<DestinationState, DestinationAction>() },
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Adds the reducer of a child that this one presents, whose actions a case path leads to.
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
    let identity = PresentedIdentity<Child.State>()
    let isEphemeral = EphemeralCheck<Child.State>()
    let toChild = action
    let embed: @Sendable (Child.Action) -> Parent.Action = { toChild.embed(.presented($0)) }
    let dismissal: @Sendable () -> Parent.Action = { toChild.embed(.dismiss) }

    return PreparedReducer { [site] state, action in
      let before = access.read(&state) { identity($0) }
      let received = toChild.extract(from: action)
      var effect = Effect<Parent.Action>.none
      var isDismissed = false
      switch received {
      case .presented(let childAction)? where before != nil:
        isDismissed =
          isEphemeral.isPossible && access.read(&state) { $0.read { isEphemeral($0) } ?? false }
        effect = access.with(&state) { presented in
          PresentationScope.enter {
            presented.modify { child.reduce(into: &$0, action: childAction) }
          }
        }!.ofChild(
          ChildID(place: place, identity: AnyHashable(before!)),
          dismissal: dismissal, embed: embed)
      case .dismiss? where before != nil:
        isDismissed = true
      case .some:
        site.reportMissingChild("a child that is not presented", action)
      case nil:
        break
      }
      effect = parent(&state, action).after(effect)
      guard let before else { return effect }
      let after = access.read(&state) { identity($0) }
      if isDismissed, after == before {
        access.with(&state) { $0.wrappedValue = nil }
      } else if after == before {
        return effect
      }
      let alive = isDismissed && after == before ? nil : after
      return effect.merge(
        with: .endChildren(at: place, butFor: alive.map { AnyHashable($0) }))
    }
  }
}

/// Reads which child is presented: the presentation, and the identity of the child in it.
@usableFromInline
struct PresentedIdentity<State>: Sendable {
  @usableFromInline
  struct Value: Hashable, @unchecked Sendable {
    // @unchecked: identities are made of ids, which are values.
    @usableFromInline let presentation: Stamp
    @usableFromInline let child: AnyHashable?

    @inlinable
    init(presentation: Stamp, child: AnyHashable?) {
      self.presentation = presentation
      self.child = child
    }

    @inlinable
    static func == (lhs: Self, rhs: Self) -> Bool {
      guard lhs.presentation == rhs.presentation else { return false }
      return lhs.child == nil && rhs.child == nil || lhs.child == rhs.child
    }
  }

  // Reads a state and nothing else.
  @usableFromInline nonisolated(unsafe) let identity = ChildIdentity<State>()

  @usableFromInline
  init() {}

  @inlinable
  func callAsFunction(_ state: PresentationState<State>) -> Value? {
    guard let presentation = state.presentation else { return nil }
    guard !identity.isAbsent else { return Value(presentation: presentation, child: nil) }
    return Value(presentation: presentation, child: state.read { identity($0) })
  }
}

/// Tells whether a state goes away with its first action: it does itself, or it is an enum in a case
/// whose value does.
@usableFromInline
struct EphemeralCheck<State> {
  private let isEphemeralType = State.self is any _EphemeralState.Type
  private let layout = State.self is any CasePathable.Type ? EnumLayout(State.self) : nil
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
