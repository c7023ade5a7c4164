// The reducers that come with the package.

/// A reducer made of a closure.
///
/// ```swift
/// Reduce { state, action in
///   state.count += 1
///   return .none
/// }
/// ```
public struct Reduce<State, Action>: Reducer {
  @usableFromInline let reduce: (inout State, Action) -> Effect<Action>

  /// A reducer that runs a closure or a method: `Reduce(self.core)`.
  // There is no initializer beside it, not even one with a label: for the compiler a closure with a
  // mistake in it would be an argument for that one, and the mistake would not be reported.
  @inlinable
  public init(_ reduce: @escaping (_ state: inout State, _ action: Action) -> Effect<Action>) {
    self.reduce = reduce
  }

  @inlinable
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    reduce(&state, action)
  }

  @inlinable
  public func _prepare() -> PreparedReducer<State, Action> {
    reduce
  }
}

extension Reducer {
  /// This reducer, as one whose type is known.
  @usableFromInline
  func erased() -> Reduce<State, Action> {
    let reducer = LazyReducer(self)
    return Reduce { reducer.reduce(into: &$0, action: $1) }
  }
}

/// A reducer that does nothing.
public struct EmptyReducer<State, Action>: Reducer {
  /// A reducer that does nothing.
  @inlinable
  public init() {}

  @inlinable
  public func reduce(into _: inout State, action _: Action) -> Effect<Action> {
    .none
  }

  @inlinable
  public func _prepare() -> PreparedReducer<State, Action> {
    return { _, _ in .none }
  }
}

/// Several reducers as one, so that an operator applies to all of them.
public struct CombineReducers<State, Action, Reducers: Reducer<State, Action>>: Reducer {
  @usableFromInline let reducers: Reducers

  /// The reducers that are listed in a closure, run in order.
  @inlinable
  public init(@ReducerBuilder<State, Action> _ build: () -> Reducers) {
    reducers = build()
  }

  @inlinable
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    reducers.reduce(into: &state, action: action)
  }

  @inlinable
  public func _prepare() -> PreparedReducer<State, Action> {
    reducers._prepare()
  }
}
