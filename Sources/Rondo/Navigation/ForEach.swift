// The elements of a list.

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
  /// Finding the element takes constant time, however many there are.
  ///
  /// - Parameters:
  ///   - toElementsState: The list.
  ///   - toElementAction: The case of the elements' actions.
  ///   - element: The reducer of an element.
  @inlinable
  public func forEach<
    ElementState, ElementAction, ID: Hashable & Sendable,
    Element: Reducer<ElementState, ElementAction>
  >(
    _ toElementsState: WritableKeyPath<State, IdentifiedArray<ID, ElementState>>,
    action toElementAction: CaseKeyPath<Action, IdentifiedAction<ID, ElementAction>>,
    @ReducerBuilder<ElementState, ElementAction> element: () -> Element,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> where Action: CasePathable {
    forEach(
      toElementsState, action: Action.allCasePaths[keyPath: toElementAction], element: element,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Adds the reducer of the elements of a list, whose actions a case path leads to.
  @_disfavoredOverload
  @inlinable
  public func forEach<
    ElementState, ElementAction, ID: Hashable & Sendable,
    Element: Reducer<ElementState, ElementAction>
  >(
    _ toElementsState: WritableKeyPath<State, IdentifiedArray<ID, ElementState>>,
    action toElementAction: AnyCasePath<Action, IdentifiedAction<ID, ElementAction>>,
    @ReducerBuilder<ElementState, ElementAction> element: () -> Element,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> {
    ForEachReducer(
      parent: self, element: element(), state: toElementsState,
      extract: { action in
        guard case .element(let id, let action)? = toElementAction.extract(from: action) else {
          return nil
        }
        return (id, action)
      },
      embed: { toElementAction.embed(.element(id: $0, action: $1)) },
      site: ReducerSite(
        label: "forEach", fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Adds the reducer of the elements of a list, whose actions are pairs of an id and an action.
  @_disfavoredOverload
  @inlinable
  public func forEach<
    ElementState, ElementAction, ID: Hashable & Sendable,
    Element: Reducer<ElementState, ElementAction>
  >(
    _ toElementsState: WritableKeyPath<State, IdentifiedArray<ID, ElementState>>,
    action toElementAction: AnyCasePath<Action, (ID, ElementAction)>,
    @ReducerBuilder<ElementState, ElementAction> element: () -> Element,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> some Reducer<State, Action> {
    ForEachReducer(
      parent: self, element: element(), state: toElementsState,
      extract: toElementAction.extraction,
      embed: { toElementAction.embed(($0, $1)) },
      site: ReducerSite(
        label: "forEach", fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

@usableFromInline
struct ForEachReducer<Parent: Reducer, ID: Hashable & Sendable, Element: Reducer>: Reducer {
  @usableFromInline let parent: Parent
  @usableFromInline let element: Element
  @usableFromInline let state: WritableKeyPath<Parent.State, IdentifiedArray<ID, Element.State>>
  @usableFromInline let extract: @Sendable (Parent.Action) -> (ID, Element.Action)?
  @usableFromInline let embed: @Sendable (ID, Element.Action) -> Parent.Action
  @usableFromInline let site: ReducerSite

  @inlinable
  init(
    parent: Parent, element: Element,
    state: WritableKeyPath<Parent.State, IdentifiedArray<ID, Element.State>>,
    extract: @escaping @Sendable (Parent.Action) -> (ID, Element.Action)?,
    embed: @escaping @Sendable (ID, Element.Action) -> Parent.Action,
    site: ReducerSite
  ) {
    self.parent = parent
    self.element = element
    self.state = state
    self.extract = extract
    self.embed = embed
    self.site = site
  }

  @inlinable
  func reduce(into state: inout Parent.State, action: Parent.Action) -> Effect<Parent.Action> {
    _prepare().reduce(&state, action)
  }

  @inlinable
  func _prepare() -> PreparedReducer<Parent.State, Parent.Action> {
    let parent = parent._prepare().reduce
    let element = LazyReducer(element)
    let access = StateAccess(state)
    let place = ChildPlace(state)
    let elementIdentity = FieldIdentity(Element.State.self)
    return PreparedReducer { [extract, embed, site] state, action in
      var elementEffect = Effect<Parent.Action>.none
      if let (id, elementAction) = extract(action) {
        let effect: Effect<Parent.Action>? = access.with(&state) { elements in
          guard let index = elements.pointee.index(id: id) else { return nil }
          if let elementIdentity { elements.pointee.elementIdentity = elementIdentity }
          let effect = element.reduce(into: &elements.pointee[index], action: elementAction)
          // To say how it is embedded costs an allocation.
          guard !effect.isNone else { return Effect<Parent.Action>.none }
          return effect.ofChild(
            ChildID(place: place, identity: ChildIdentity(id: id)), embed: { embed(id, $0) })
        }
        elementEffect =
          effect
          ?? site.missingChild(
            Element.State.self, of: Parent.State.self, "none has the id \(id)", action)
      }
      let before = access.read(&state) { $0.pointee.stamp }
      let effect = parent(&state, action).after(elementEffect)
      return access.read(&state) { elements in
        guard elements.pointee.stamp != before else { return effect }
        return effect.merge(with: .endElements(at: place, butFor: elements.pointee.positions))
      }
    }
  }
}

extension Effect {
  /// An effect that ends whatever elements at a place have in flight, but for those that are listed.
  @usableFromInline
  static func endElements<ID: Hashable>(
    at place: ChildPlace, butFor positions: [ID: Int]
  ) -> Self {
    let isAlive = Unchecked { (identity: ChildIdentity) in
      (identity.id as? ID).map { positions[$0] != nil } ?? true
    }
    return endChildren(at: place) { isAlive.value($0) }
  }
}
