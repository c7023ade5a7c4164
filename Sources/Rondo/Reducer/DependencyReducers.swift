// Overriding dependencies for a part of a feature.

extension Reducer {
  /// Gives a dependency another value in this reducer, its children and their effects.
  ///
  /// ```swift
  /// Onboarding()
  ///   .dependency(\.gameCenter, .demo)
  /// ```
  public func dependency<Value: Sendable>(
    _ keyPath: WritableKeyPath<DependencyValues, Value>,
    _ value: Value
  ) -> _DependencyKeyWritingReducer<Self> {
    transformingDependencies { $0[keyPath: keyPath] = value }
  }

  /// Gives a dependency that is its own key another value.
  public func dependency<Value: TestDependencyKey>(
    _ value: Value
  ) -> _DependencyKeyWritingReducer<Self> where Value.Value == Value {
    transformingDependencies { $0[Value.self] = value }
  }

  /// Changes a dependency for this reducer, its children and their effects.
  ///
  /// ```swift
  /// .transformDependency(\.database) { $0.write = { _ in } }
  /// ```
  public func transformDependency<Value>(
    _ keyPath: WritableKeyPath<DependencyValues, Value>,
    transform: @escaping (inout Value) -> Void
  ) -> _DependencyKeyWritingReducer<Self> {
    transformingDependencies { transform(&$0[keyPath: keyPath]) }
  }

  /// Changes a dependency that is its own key.
  public func transformDependency<Value: TestDependencyKey>(
    _ type: Value.Type,
    transform: @escaping (inout Value) -> Void
  ) -> _DependencyKeyWritingReducer<Self> where Value.Value == Value {
    transformingDependencies { transform(&$0[Value.self]) }
  }

  private func transformingDependencies(
    _ transform: @escaping (inout DependencyValues) -> Void
  ) -> _DependencyKeyWritingReducer<Self> {
    _DependencyKeyWritingReducer(base: self, transform: transform)
  }
}

/// A reducer that runs another one with other dependencies.
public struct _DependencyKeyWritingReducer<Base: Reducer>: Reducer {
  let base: Base
  let transform: (inout DependencyValues) -> Void

  public func reduce(
    into state: inout Base.State, action: Base.Action
  ) -> Effect<Base.Action> {
    prepared()(&state, action)
  }

  public func _prepare() -> PreparedReducer<Base.State, Base.Action> {
    // A body may read dependencies, and has to see those that it is given here.
    let base = LazyReducer(base)
    return { [transform] state, action in
      withDependencies(transform) { base.reduce(into: &state, action: action) }
    }
  }
}

// Several in a row are one. What is written first is nearest to the reducer, and so has the last word.
extension _DependencyKeyWritingReducer {
  /// Gives a dependency another value in this reducer, its children and their effects.
  public func dependency<Value: Sendable>(
    _ keyPath: WritableKeyPath<DependencyValues, Value>, _ value: Value
  ) -> Self {
    before { $0[keyPath: keyPath] = value }
  }

  /// Gives a dependency that is its own key another value.
  public func dependency<Value: TestDependencyKey>(_ value: Value) -> Self
  where Value.Value == Value {
    before { $0[Value.self] = value }
  }

  /// Changes a dependency for this reducer, its children and their effects.
  public func transformDependency<Value>(
    _ keyPath: WritableKeyPath<DependencyValues, Value>,
    transform: @escaping (inout Value) -> Void
  ) -> Self {
    before { transform(&$0[keyPath: keyPath]) }
  }

  /// Changes a dependency that is its own key.
  public func transformDependency<Value: TestDependencyKey>(
    _ type: Value.Type, transform: @escaping (inout Value) -> Void
  ) -> Self where Value.Value == Value {
    before { transform(&$0[Value.self]) }
  }

  private func before(_ first: @escaping (inout DependencyValues) -> Void) -> Self {
    Self(base: base) { [transform] values in
      first(&values)
      transform(&values)
    }
  }
}
