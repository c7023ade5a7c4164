// A reducer made ready to run many times.

/// A reducer whose bodies have been read, as one function: it changes the state, and returns the effect.
///
/// A body describes which reducers a feature is made of. Reading one makes all of them, with their
/// key paths and closures, which costs more than most actions do; so a store reads each body once,
/// when it is first needed, and keeps what it says. Whatever a body decides by `if` it decides then.
///
/// Reducers that hold others implement `Reducer._prepare()` by preparing these. A reducer that does
/// not is run as it is, and all that is below it with it. The method is public because only the module
/// of a reducer knows the type of its body.
public typealias PreparedReducer<State, Action> =
  (_ state: inout State, _ action: Action) -> Effect<Action>

extension Reducer {
  /// This reducer, ready to run many times.
  @inlinable
  public func _prepare() -> PreparedReducer<State, Action> {
    // It may hold another one, and call that by `reduce(into:action:)`.
    guard Preparations.areNeeded(by: self) else {
      return { state, action in reduce(into: &state, action: action) }
    }
    let preparations = Preparations()
    return { state, action in
      preparations.inForce { reduce(into: &state, action: action) }
    }
  }
}

extension Reducer where Body: Reducer, Body.State == State, Body.Action == Action {
  /// The body, ready to run many times.
  @inlinable
  public func _prepare() -> PreparedReducer<State, Action> {
    body._prepare()
  }
}

/// A reducer of a child, which is prepared when its first action comes: a feature may contain itself.
@usableFromInline
final class LazyReducer<Child: Reducer> {
  @usableFromInline let child: Child
  // Unchecked: no access to it lasts while other code runs.
  @exclusivity(unchecked)
  @usableFromInline var prepared: PreparedReducer<Child.State, Child.Action>?

  @inlinable
  init(_ child: Child) {
    self.child = child
  }

  @inlinable
  func reduce(into state: inout Child.State, action: Child.Action) -> Effect<Child.Action> {
    if let prepared { return prepared(&state, action) }
    let reduce = child._prepare()
    prepared = reduce
    return reduce(&state, action)
  }
}
