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
      TransformNode($0, label) { value in
        transform(value as! Output).map { $0 as Any }
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

final class TransformNode: ModifierNode {
  let name: String
  /// The new value, or `nil` to drop it.
  let transform: @Sendable (Any) -> Any?

  init(_ child: EffectNode, _ name: String, _ transform: @escaping @Sendable (Any) -> Any?) {
    self.name = name
    self.transform = transform
    super.init(child)
  }

  override var label: String { name }

  override func makeFrame(under parent: Frame, _ interpreter: Interpreter) -> Frame? {
    TransformFrame(self, under: parent)
  }
}

private final class TransformFrame: Frame {
  let node: TransformNode

  init(_ node: TransformNode, under parent: Frame) {
    self.node = node
    super.init(under: parent, intercepts: true)
  }

  override func intercept(
    _ emission: inout Emission, _ interpreter: Interpreter
  ) -> Interception {
    guard let value = node.transform(emission.value) else {
      interpreter.journal?.willDrop(emission.value)
      return .absorb
    }
    emission.value = value
    return .pass
  }
}
