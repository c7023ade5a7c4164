// Noticing changes of a value that others make: a parent, a sibling, the holder of a shared value.

extension Reducer {
  /// Changes the state and adds an effect when a value is no longer what it was when this reducer last ran:
  /// also where a parent, a sibling or another store has changed it.
  ///
  /// ```swift
  /// struct State {
  ///   @Shared(.units) var units = Units.metric
  ///   var shownUnits: Units?
  /// }
  ///
  /// Reduce { state, action in … }
  ///   .onChange(of: \.units, since: \.shownUnits, initial: true) { oldValue, state in
  ///     .run { send in await send(.converted(try await client.convert())) }
  ///   }
  /// ```
  ///
  /// The state keeps the value that was seen last, so that each element of a list has its own, and a test
  /// sees it. A change is noticed with the next action of this feature. Where none comes, an effect sends
  /// one: `.publisher { state.$units.publisher.map { _ in .unitsChanged } }`.
  ///
  /// - Parameters:
  ///   - toValue: The value that is looked at after each action.
  ///   - lastValue: The field of the state that keeps the value that was seen last; `nil` before that.
  ///   - initial: Whether the first value is a change, too.
  ///   - effect: Makes the effect, from the value that was seen last and the state.
  public func onChange<Value: Equatable>(
    of toValue: @escaping (State) -> Value,
    since lastValue: WritableKeyPath<State, Value?>,
    initial: Bool = false,
    _ effect: @escaping (_ oldValue: Value?, _ state: inout State) -> Effect<Action>
  ) -> some Reducer<State, Action> {
    OnChangeByOthers(
      base: self, value: toValue, lastValue: lastValue, isInitialChange: initial, effect: effect)
  }
}

struct OnChangeByOthers<Base: Reducer, Value: Equatable>: Reducer {
  let base: Base
  let value: (Base.State) -> Value
  let lastValue: WritableKeyPath<Base.State, Value?>
  let isInitialChange: Bool
  let effect: (Value?, inout Base.State) -> Effect<Base.Action>

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    prepared()(&state, action)
  }

  func _prepare() -> PreparedReducer<Base.State, Base.Action> {
    let base = base._prepare()
    return { [value, lastValue, isInitialChange, effect] state, action in
      let baseEffect = base(&state, action)
      let (old, new) = (state[keyPath: lastValue], value(state))
      guard old != new else { return baseEffect }
      state[keyPath: lastValue] = new
      guard old != nil || isInitialChange else { return baseEffect }
      return baseEffect.merge(with: effect(old, &state))
    }
  }
}
