// Doing something when a part of the state has changed.

extension Reducer {
  /// Adds a reducer that runs when a value has changed, after this one.
  ///
  /// ```swift
  /// BindingReducer()
  ///   .onChange(of: \.settings) { oldValue, newValue in
  ///     Reduce { state, action in .run { _ in await client.save(newValue) } }
  ///   }
  /// ```
  ///
  /// - Parameters:
  ///   - toValue: The value that is looked at before and after each action.
  ///   - reducer: Makes the reducer, from the value before and the value after.
  public func onChange<Value: Equatable, R: Reducer<State, Action>>(
    of toValue: @escaping (State) -> Value,
    @ReducerBuilder<State, Action> _ reducer: @escaping (_ oldValue: Value, _ newValue: Value) -> R
  ) -> some Reducer<State, Action> {
    onChange(of: toValue, removeDuplicates: ==, reducer)
  }

  /// Changes the state and adds an effect when a value has changed, after this reducer.
  ///
  /// ```swift
  /// BindingReducer()
  ///   .onChange(of: \.settings) { oldValue, state in
  ///     .run { [settings = state.settings] _ in await client.save(settings) }
  ///   }
  /// ```
  ///
  /// - Parameters:
  ///   - toValue: The value that is looked at before and after each action.
  ///   - effect: Makes the effect, from the value before and the state.
  public func onChange<Value: Equatable>(
    of toValue: @escaping (State) -> Value,
    _ effect: @escaping (_ oldValue: Value, _ state: inout State) -> Effect<Action>
  ) -> some Reducer<State, Action> {
    OnChangeReducer(base: self, value: toValue, isDuplicate: ==) { oldValue, _ in
      Reduce { state, _ in effect(oldValue, &state) }
    }
  }

  /// Adds a reducer that runs when a value has changed, by the caller's own notion of equality.
  ///
  /// - Parameters:
  ///   - toValue: The value that is looked at before and after each action.
  ///   - isDuplicate: Whether two values count as the same.
  ///   - reducer: Makes the reducer, from the value before and the value after.
  public func onChange<Value, R: Reducer<State, Action>>(
    of toValue: @escaping (State) -> Value,
    removeDuplicates isDuplicate: @escaping (Value, Value) -> Bool,
    @ReducerBuilder<State, Action> _ reducer: @escaping (_ oldValue: Value, _ newValue: Value) -> R
  ) -> some Reducer<State, Action> {
    OnChangeReducer(base: self, value: toValue, isDuplicate: isDuplicate, reducer: reducer)
  }
}

struct OnChangeReducer<Base: Reducer, Value, Next: Reducer<Base.State, Base.Action>>: Reducer {
  let base: Base
  let value: (Base.State) -> Value
  let isDuplicate: (Value, Value) -> Bool
  let reducer: (Value, Value) -> Next

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    prepared()(&state, action)
  }

  func _prepare() -> PreparedReducer<Base.State, Base.Action> {
    let base = base._prepare()
    return { [value, isDuplicate, reducer] state, action in
      let old = value(state)
      let effect = base(&state, action)
      let new = value(state)
      guard !isDuplicate(old, new) else { return effect }
      return effect.merge(with: reducer(old, new).reduce(into: &state, action: action))
    }
  }
}
