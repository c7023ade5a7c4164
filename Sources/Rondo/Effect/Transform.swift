// `map`, `compactMap`, `filter`, `fireAndForget`: operators that change or drop values.

extension Effect {
  /// Answers with a transformed value for each. Dependencies are those in force here.
  @preconcurrency
  public func map<NewOutput>(
    _ transform: @escaping @Sendable (Output) -> NewOutput
  ) -> Effect<NewOutput> {
    transformed("map", transform)
  }

  /// Answers with the transformed values that are not `nil`.
  public func compactMap<NewOutput>(
    _ transform: @escaping @Sendable (Output) -> NewOutput?
  ) -> Effect<NewOutput> {
    transformed("compactMap", transform)
  }

  /// Answers with the values that satisfy a condition.
  public func filter(_ isIncluded: @escaping @Sendable (Output) -> Bool) -> Self {
    transformed("filter") { output in isIncluded(output) ? output : nil }
  }

  /// Runs the effect and answers with nothing.
  public func fireAndForget<NewOutput>() -> Effect<NewOutput> {
    transformed("fireAndForget") { _ in nil }
  }

  /// Runs the effect and answers with nothing.
  @_disfavoredOverload
  public func fireAndForget() -> Self {
    transformed("fireAndForget") { _ in nil }
  }

  /// Answers with the result of a closure for each value, and drops values whose result is `nil`.
  @usableFromInline
  func transformed<NewOutput>(
    _ label: String,
    _ transform: @escaping @Sendable (Output) -> NewOutput?
  ) -> Effect<NewOutput> {
    let transform = withDependenciesInForce(transform)
    return modified {
      OperatorNode($0, hasMemory: false, label, label: { $0 }) { _, emission, interpreter in
        guard let value = transform(emission.value as! Output) else {
          interpreter.journal?.willDrop(emission.value)
          return .absorb
        }
        emission.value = value
        return .pass
      }
    }
  }

  /// This effect with a node on top; ``none`` stays ``none``.
  func modified<NewOutput>(_ make: (EffectNode) -> EffectNode) -> Effect<NewOutput> {
    Effect<NewOutput>(node: node.map(make))
  }
}

/// A closure that is called later with the dependencies that are in force now.
func withDependenciesInForce<Input, Result>(
  _ body: @escaping @Sendable (Input) -> Result
) -> @Sendable (Input) -> Result {
  let dependencies = DependencyValues.current
  return { input in dependencies.whileInForceIfAny { body(input) } }
}
