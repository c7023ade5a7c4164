// `flatMap`: an effect for each value.

extension Effect {
  /// Runs an effect for each value, and answers with what all of these answer with.
  ///
  /// They run side by side. The whole ends when this effect and all that it has started have.
  public func flatMap<NewOutput>(
    _ transform: @escaping @Sendable (Output) -> Effect<NewOutput>
  ) -> Effect<NewOutput> {
    let transform = withDependenciesInForce(transform)
    return modified { FlatMapNode($0) { transform($0 as! Output).node } }
  }
}

final class FlatMapNode: ModifierNode {
  let transform: @Sendable (Any) -> EffectNode?

  init(_ child: EffectNode, _ transform: @escaping @Sendable (Any) -> EffectNode?) {
    self.transform = transform
    super.init(child)
  }

  override var label: String { "flatMap" }

  override func makeFrame(under parent: Frame, _ interpreter: Interpreter) -> Frame? {
    // The effects that the closure makes run beside the frame that calls it, not below it. So their
    // emissions are not given to the closure again.
    let group = Frame(under: parent)
    return FlatMapFrame(self, group, under: group)
  }
}

private final class FlatMapFrame: Frame {
  let node: FlatMapNode
  // unowned(unsafe): the frame above, alive while this one is attached.
  unowned(unsafe) let group: Frame

  override var groupOfAnswers: Frame? { group }

  init(_ node: FlatMapNode, _ group: Frame, under parent: Frame) {
    self.node = node
    self.group = group
    super.init(under: parent, intercepts: true)
  }

  override func intercept(
    _ emission: inout Emission, _ interpreter: Interpreter
  ) -> Interception {
    let inner = node.transform(emission.value)
    // The closure may have cancelled the effect that it belongs to.
    guard isAttached else { return .absorb }
    if let inner {
      group.expectChild()
      let tag = emission.transaction.merging(emission.call)
      let parent = tag.isEmpty ? group : InnerFrame(tag, under: group)
      interpreter.push(inner, under: parent)
    }
    return .absorb
  }
}

/// The frame of an effect that was made for a value. Its answers keep the transaction of the value,
/// unless they set another one.
private final class InnerFrame: Frame {
  private let transaction: HeldTransaction

  init(_ transaction: HeldTransaction, under parent: Frame) {
    self.transaction = transaction
    super.init(under: parent, intercepts: true)
  }

  override func intercept(
    _ emission: inout Emission, _ interpreter: Interpreter
  ) -> Interception {
    emission.transaction = transaction.merging(emission.transaction)
    return .pass
  }
}
