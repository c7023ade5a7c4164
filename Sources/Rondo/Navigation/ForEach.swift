// The elements of a list.

import RondoScheduling

extension Reducer {
  /// Adds the reducer of the elements of a list.
  ///
  /// ```swift
  /// Reduce { state, action in … }
  ///   .forEach(\.rows, action: \.rows) { Row() }
  /// ```
  ///
  /// An element gets its action before this reducer does. The effects of an element end when it is
  /// removed. An action for an id that no element has is reported, and this reducer still gets it.
  ///
  /// Finding the element takes constant time, however many there are. After each action, effects are only looked for in
  /// the elements that may have changed; but a child that an element computes, and does not store, is looked at after
  /// each one.
  ///
  /// - Parameters:
  ///   - toChildState: The list.
  ///   - toChildAction: The case of the elements' actions.
  ///   - element: The reducer of an element.
  @inlinable
  public func forEach<ChildState, ChildAction, Child: _AttachedElements<ChildState, ChildAction>>(
    _ toChildState: WritableKeyPath<State, ChildState>,
    action toChildAction: CaseName<Action, ChildAction>,
    @_ElementBuilder<ChildState, ChildAction> element: () -> Child,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where Action: CasePathable {
    AttachedReducer(
      parent: self, child: element(), state: toChildState,
      action: Action.allCasePaths[keyPath: toChildAction],
      position: SourcePosition(fileID, filePath, line, column))
  }

  /// Elements that cannot be changed have no reducer.
  @available(
    *, unavailable, message: "a child is changed by its reducer: name a property that is a 'var'"
  )
  public func forEach<ChildState, ChildAction, Child: _AttachedElements<ChildState, ChildAction>>(
    _ toChildState: KeyPath<State, ChildState>,
    action toChildAction: CaseName<Action, ChildAction>,
    @_ElementBuilder<ChildState, ChildAction> element: () -> Child
  ) -> Reduce<State, Action> where Action: CasePathable {
    preconditionFailure("This function cannot be called.")
  }

  /// Adds the reducer of the elements of a list or of a stack, whose actions a case path leads to.
  @_disfavoredOverload
  @inlinable
  public func forEach<
    ChildState, ChildAction, Path: _CasePathArgument,
    Child: _AttachedElements<ChildState, ChildAction>
  >(
    _ toChildState: WritableKeyPath<State, ChildState>,
    action toChildAction: Path,
    @_ElementBuilder<ChildState, ChildAction> element: () -> Child,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where Path._PathRoot == Action, Path._PathValue == ChildAction {
    AttachedReducer(
      parent: self, child: element(), state: toChildState, action: toChildAction._casePath,
      position: SourcePosition(fileID, filePath, line, column))
  }
}

/// A parent and the elements of its list, ready to run.
@inlinable
func preparedElements<Parent: Reducer, ID: Hashable & Sendable, Element: Reducer>(
  _ element: Element, in parent: Parent,
  state: WritableKeyPath<Parent.State, IdentifiedArray<ID, Element.State>>,
  extract: @escaping @Sendable (Parent.Action) -> (ID, Element.Action)?,
  embed: @escaping @Sendable (ID, Element.Action) -> Parent.Action,
  position: SourcePosition
) -> PreparedReducer<Parent.State, Parent.Action> {
  let parent = parent._prepare()
  let element = LazyReducer(element)
  let access = StateAccess(state)
  let place = ChildPlace(state)
  let locator = ChildLocator.elements(access)
  let elementIdentity = FieldIdentity(Element.State.self)
  // Whether a list at the place has kept a log.
  let keepsLog = SharedFlag()
  return { state, action in
    var elementEffect = Effect<Parent.Action>.none
    if let (id, elementAction) = extract(action) {
      let effect: Effect<Parent.Action>? = access.with(&state) { elements in
        guard let index = elements.pointee.index(id: id) else { return nil }
        if let elementIdentity { elements.pointee.elementIdentity = elementIdentity }
        let effect = element.reduce(into: &elements.pointee[index], action: elementAction)
        // To say how it is embedded costs an allocation.
        guard !effect.isNone else { return Effect<Parent.Action>.none }
        elements.pointee.keepLog()
        keepsLog.set()
        return effect.ofChild(
          ChildID(place: place, identity: ChildIdentity(id: id)), locator,
          embed: { embed(id, $0) })
      }
      elementEffect =
        effect
        ?? position.missingChild(
          of: "forEach", Element.State.self, in: Parent.State.self,
          missingID(id, among: access.read(&state) { Array($0.pointee.ids.prefix(4)) }), action)
    }
    let (before, version) = access.read(&state) {
      ($0.pointee.stamp, $0.pointee.log?.version)
    }
    let effect = parent(&state, action).after(elementEffect)
    // Another list may be in the place of one that kept a log: from this action on, or from an earlier one, if a reducer
    // that comes later has put it there.
    let (after, hasLog) = access.read(&state) { ($0.pointee.stamp, $0.pointee.log != nil) }
    if !hasLog, keepsLog.isSet, access.isStored { access.with(&state) { $0.pointee.keepLog() } }
    guard after != before else { return effect }
    return effect.merge(
      with: access.read(&state) { .endElements(of: $0.pointee, since: version, at: place) })
  }
}

extension Effect {
  /// An effect that ends what the elements at a place have in flight, except for those of a list.
  ///
  /// - Parameter version: The version of the list before it has changed; `nil` where it had none.
  @usableFromInline
  static func endElements<ID, Element>(
    of list: IdentifiedArray<ID, Element>, since version: Stamp?, at place: ChildPlace
  ) -> Self {
    let isAlive = Unchecked { [positions = list.positions] (identity: ChildIdentity) in
      (identity.id as? ID).map { positions[$0] != nil } ?? true
    }
    return endChildren(at: place, among: ElementChanges(of: list, since: version).ids) {
      isAlive.value($0)
    }
  }
}
