// The reducer: a function from a state and an action to a new state and an effect.

/// A feature's logic.
///
/// Implement ``reduce(into:action:)`` for a feature that stands alone, or ``body`` for one that is
/// composed of others. Never both.
///
/// ```swift
/// struct Counter: Reducer {
///   struct State: Equatable { var count = 0 }
///   enum Action { case increment, decrement }
///
///   var body: some ReducerOf<Self> {
///     Reduce { state, action in
///       switch action {
///       case .increment: state.count += 1
///       case .decrement: state.count -= 1
///       }
///       return .none
///     }
///   }
/// }
/// ```
public protocol Reducer<State, Action> {
  /// The type of the feature's state: the data that it works with and shows.
  associatedtype State

  /// The type of the feature's actions: the events that it handles.
  associatedtype Action

  // Inferred from `body`; `Never` for a reducer that implements `reduce(into:action:)`.
  associatedtype _Body

  /// The type of ``body``.
  typealias Body = _Body

  /// Changes the state as the action demands, and returns an effect with the work to do.
  ///
  /// A reducer is synchronous and changes nothing but the state; everything else is done by
  /// effects.
  func reduce(into state: inout State, action: Action) -> Effect<Action>

  /// The reducers that this one is composed of, run in order for every action.
  ///
  /// A store reads a body once, when it is made, and keeps the reducers in it. The body of a child
  /// that a feature contains by its own type is read when the first action for it comes.
  @ReducerBuilder<State, Action>
  var body: Body { get }

  /// This reducer, ready to run many times. See ``PreparedReducer``.
  func _prepare() -> PreparedReducer<State, Action>
}

/// `some ReducerOf<Feature>` is a reducer of the feature's state and action.
public typealias ReducerOf<R: Reducer> = Reducer<R.State, R.Action>

extension Reducer where Body == Never {
  /// Reducers that implement ``reduce(into:action:)`` have no body.
  public var body: Body {
    fatalError("\(Self.self) has no body: it implements 'reduce(into:action:)'.")
  }
}

extension Reducer where Body: Reducer, Body.State == State, Body.Action == Action {
  /// Runs ``body``.
  @inlinable
  public func reduce(into state: inout Body.State, action: Body.Action) -> Effect<Body.Action> {
    prepared()(&state, action)
  }
}
