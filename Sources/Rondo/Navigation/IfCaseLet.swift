// A child that is the value of one case of its parent's state.

import RondoScheduling

extension Reducer {
  /// Adds the reducer of a child whose state is the value of one case of this reducer's.
  ///
  /// ```swift
  /// enum State { case login(Login.State), home(Home.State) }
  ///
  /// var body: some ReducerOf<Self> {
  ///   Reduce { state, action in … }
  ///     .ifCaseLet(\.login, action: \.login) { Login() }
  ///     .ifCaseLet(\.home, action: \.home) { Home() }
  /// }
  /// ```
  ///
  /// Like `ifLet(_:action:then:)`, for a case in place of an optional.
  public func ifCaseLet<CaseState, CaseAction, Case: Reducer<CaseState, CaseAction>>(
    _ toCaseState: CaseName<State, CaseState>,
    action toCaseAction: CaseName<Action, CaseAction>,
    @ReducerBuilder<CaseState, CaseAction> then child: () -> Case,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where State: CasePathable, Action: CasePathable {
    IfCaseLetReducer(
      parent: self, child: child(),
      state: State.allCasePaths[keyPath: toCaseState], place: ChildPlace(toCaseState),
      action: Action.allCasePaths[keyPath: toCaseAction],
      position: SourcePosition(fileID, filePath, line, column))
  }

  /// Adds the reducer of a case that shares the parent's actions:
  /// `ifCaseLet(\.loaded, action: \.self) { Counter() }`.
  @_disfavoredOverload
  public func ifCaseLet<CaseState, Case: Reducer<CaseState, Action>>(
    _ toCaseState: CaseName<State, CaseState>,
    action _: KeyPath<Action, Action>,
    @ReducerBuilder<CaseState, Action> then child: () -> Case,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where State: CasePathable {
    IfCaseLetReducer(
      parent: self, child: child(),
      state: State.allCasePaths[keyPath: toCaseState], place: ChildPlace(toCaseState),
      action: AnyCasePath(),
      position: SourcePosition(fileID, filePath, line, column))
  }

  /// Adds the reducer of a child whose state and actions two case paths lead to.
  @_disfavoredOverload
  public func ifCaseLet<
    StatePath: _CasePathArgument, ActionPath: _CasePathArgument,
    Case: Reducer<StatePath._PathValue, ActionPath._PathValue>
  >(
    _ toCaseState: StatePath,
    action toCaseAction: ActionPath,
    @ReducerBuilder<StatePath._PathValue, ActionPath._PathValue> then child: () -> Case,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action>
  where StatePath._PathRoot == State, ActionPath._PathRoot == Action {
    let position = SourcePosition(fileID, filePath, line, column)
    return IfCaseLetReducer(
      parent: self, child: child(), state: toCaseState._casePath, place: ChildPlace(position),
      action: toCaseAction._casePath, position: position)
  }
}

struct IfCaseLetReducer<Parent: Reducer, Child: Reducer>: Reducer {
  let parent: Parent
  let child: Child
  let state: AnyCasePath<Parent.State, Child.State>
  let place: ChildPlace
  let action: AnyCasePath<Parent.Action, Child.Action>
  let position: SourcePosition

  func reduce(into state: inout Parent.State, action: Parent.Action) -> Effect<Parent.Action> {
    prepared()(&state, action)
  }

  func _prepare() -> PreparedReducer<Parent.State, Parent.Action> {
    let parent = parent._prepare()
    let child = LazyReducer(child)
    let identity = ChildIdentityReader(Child.State.self)
    let locator = ChildLocator.value(state, identity)
    return { [path = state, place, toChild = action, position] state, action in
      var childEffect = Effect<Parent.Action>.none
      if let childAction = toChild.extract(from: action) {
        childEffect =
          path.modify(&state) { value in
            let before = withUnsafePointer(to: value) { identity($0) }
            let effect = child.reduce(into: &value, action: childAction)
            let after = withUnsafePointer(to: value) { identity($0) }
            return
              effect
              .ofChild(ChildID(place: place), locator, known: after, embed: toChild.embedding)
              .renamingChild(at: place, from: before, to: after)
          }
          ?? position.missingChild(
            of: "ifCaseLet", Child.State.self, in: Parent.State.self,
            "the state is in another case", action)
      }
      func current() -> ChildIdentity? {
        path.extract(from: state).map { withUnsafePointer(to: $0) { identity($0) } }
      }
      let before = current()
      let effect = parent(&state, action).after(childEffect)
      return effect.endingChild(at: place, from: before, to: current())
    }
  }
}
