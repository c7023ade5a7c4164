// `scan`: a running result.

extension Effect {
  /// Answers with a running result: the initial one combined with the first value, that with the
  /// second, and so on.
  ///
  /// ```swift
  /// pages.scan([], +)  // [1], [1, 2], [1, 2, 3]
  /// ```
  public func scan<Result>(
    _ initial: Result,
    _ next: @escaping @Sendable (Result, Output) -> Result
  ) -> Effect<Result> {
    let initial = Unchecked(initial)
    let next = withDependenciesInForce { (pair: (Result, Output)) in next(pair.0, pair.1) }
    return modified {
      ScanNode($0, initial.value) { next(($0 as! Result, $1 as! Output)) }
    }
  }
}

final class ScanNode: ModifierNode {
  let initial: Any
  let next: @Sendable (Any, Any) -> Any

  init(_ child: EffectNode, _ initial: Any, _ next: @escaping @Sendable (Any, Any) -> Any) {
    self.initial = initial
    self.next = next
    super.init(child)
  }

  override var label: String { "scan" }

  override func makeFrame(under parent: Frame, _ interpreter: Interpreter) -> Frame? {
    interpreter.hasMemory = true
    return ScanFrame(self, under: parent)
  }
}

private final class ScanFrame: Frame {
  let node: ScanNode
  var result: Any

  init(_ node: ScanNode, under parent: Frame) {
    self.node = node
    result = node.initial
    super.init(under: parent, intercepts: true)
  }

  override func intercept(
    _ emission: inout Emission, _ interpreter: Interpreter
  ) -> Interception {
    result = node.next(result, emission.value)
    emission.value = result
    return .pass
  }
}
