// The builder behind `body`.

/// Puts the reducers that are listed in a closure together into one, which runs them in order and
/// merges their effects. `if`, `switch`, `for` and optionals work as in any Swift code.
@resultBuilder
public enum ReducerBuilder<State, Action> {
  /// A reducer as a statement.
  @inlinable
  public static func buildExpression<R: Reducer<State, Action>>(_ expression: R) -> R {
    expression
  }

  /// The reducer of an empty body.
  @inlinable
  public static func buildBlock() -> EmptyReducer<State, Action> {
    EmptyReducer()
  }

  /// The reducer of the first statement.
  @inlinable
  public static func buildPartialBlock<R: Reducer<State, Action>>(first: R) -> R {
    first
  }

  /// The reducers so far and the next one, run in this order.
  @inlinable
  public static func buildPartialBlock<R0: Reducer<State, Action>, R1: Reducer<State, Action>>(
    accumulated: R0, next: R1
  ) -> _Sequence<R0, R1> {
    _Sequence(r0: accumulated, r1: next)
  }

  /// The reducer of an `if`, or none.
  @inlinable
  public static func buildOptional<R: Reducer<State, Action>>(_ wrapped: R?) -> R? {
    wrapped
  }

  /// The reducer of the first branch.
  @inlinable
  public static func buildEither<R0: Reducer<State, Action>, R1: Reducer<State, Action>>(
    first reducer: R0
  ) -> _Conditional<R0, R1> {
    .first(reducer)
  }

  /// The reducer of the second branch.
  @inlinable
  public static func buildEither<R0: Reducer<State, Action>, R1: Reducer<State, Action>>(
    second reducer: R1
  ) -> _Conditional<R0, R1> {
    .second(reducer)
  }

  /// The reducers of a loop, run in order.
  @inlinable
  public static func buildArray<R: Reducer<State, Action>>(_ reducers: [R]) -> _SequenceMany<R> {
    _SequenceMany(reducers: reducers)
  }

  /// The reducer of an `if #available`.
  @inlinable
  public static func buildLimitedAvailability<R: Reducer<State, Action>>(
    _ wrapped: R
  ) -> Reduce<State, Action> {
    wrapped.erased()
  }

  /// The reducer of a whole body.
  @inlinable
  public static func buildFinalResult<R: Reducer<State, Action>>(_ reducer: R) -> R {
    reducer
  }

  /// Two reducers, one after the other.
  public struct _Sequence<R0: Reducer, R1: Reducer<R0.State, R0.Action>>: Reducer {
    @usableFromInline let r0: R0
    @usableFromInline let r1: R1

    @usableFromInline
    init(r0: R0, r1: R1) {
      self.r0 = r0
      self.r1 = r1
    }

    @inlinable
    public func reduce(into state: inout R0.State, action: R0.Action) -> Effect<R0.Action> {
      let effect = r0.reduce(into: &state, action: action)
      return effect.merge(with: r1.reduce(into: &state, action: action))
    }

    @inlinable
    public func _prepare() -> PreparedReducer<R0.State, R0.Action> {
      let first = r0._prepare()
      let second = r1._prepare()
      return { state, action in
        let effect = first(&state, action)
        return second(&state, action).after(effect)
      }
    }
  }

  /// Any number of reducers of one type, one after the other.
  public struct _SequenceMany<Element: Reducer>: Reducer {
    @usableFromInline let reducers: [Element]

    @usableFromInline
    init(reducers: [Element]) {
      self.reducers = reducers
    }

    @inlinable
    public func reduce(
      into state: inout Element.State, action: Element.Action
    ) -> Effect<Element.Action> {
      .merge(reducers.map { $0.reduce(into: &state, action: action) })
    }

    @inlinable
    public func _prepare() -> PreparedReducer<Element.State, Element.Action> {
      let reducers = reducers.map { $0._prepare() }
      return { state, action in
        .merge(reducers.map { $0(&state, action) })
      }
    }
  }

  /// One of two reducers.
  public enum _Conditional<First: Reducer, Second: Reducer<First.State, First.Action>>: Reducer {
    case first(First)
    case second(Second)

    @inlinable
    public func reduce(
      into state: inout First.State, action: First.Action
    ) -> Effect<First.Action> {
      switch self {
      case .first(let reducer): reducer.reduce(into: &state, action: action)
      case .second(let reducer): reducer.reduce(into: &state, action: action)
      }
    }

    @inlinable
    public func _prepare() -> PreparedReducer<First.State, First.Action> {
      switch self {
      case .first(let reducer): reducer._prepare()
      case .second(let reducer): reducer._prepare()
      }
    }
  }
}

extension Optional: Reducer where Wrapped: Reducer {
  /// Runs the reducer if there is one.
  @inlinable
  public func reduce(
    into state: inout Wrapped.State, action: Wrapped.Action
  ) -> Effect<Wrapped.Action> {
    self?.reduce(into: &state, action: action) ?? .none
  }

  @inlinable
  public func _prepare() -> PreparedReducer<Wrapped.State, Wrapped.Action> {
    self?._prepare() ?? { _, _ in .none }
  }
}
