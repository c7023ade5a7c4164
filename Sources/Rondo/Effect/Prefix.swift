// `prefix`: the first values only.

extension Effect {
  /// Answers with the first values only, and ends with the last of them. The rest of the effect is
  /// cancelled then; parts that have not been started are never started.
  ///
  /// ```swift
  /// .concatenate(savedGame, newGameFromServer).prefix(1)
  /// ```
  ///
  /// - Parameter count: The number of values; zero or less makes an effect that does nothing.
  public func prefix(_ count: Int) -> Self {
    guard count > 0 else { return .none }
    return modified { PrefixNode($0, count) }
  }

  /// Answers with the values up to the first one that satisfies a condition, and ends with it, as ``prefix(_:)`` does.
  package func prefix(through isLast: @escaping @Sendable (Output) -> Bool) -> Self {
    let isLast = withDependenciesInForce(isLast)
    return modified { PrefixThroughNode($0) { isLast($0 as! Output) } }
  }
}

private final class PrefixThroughNode: ModifierNode {
  let isLast: @Sendable (Any) -> Bool

  init(_ child: EffectNode, _ isLast: @escaping @Sendable (Any) -> Bool) {
    self.isLast = isLast
    super.init(child)
  }

  override var label: String { "prefix(through:)" }

  override func makeFrame(under parent: Frame, _ interpreter: Interpreter) -> Frame? {
    PrefixThroughFrame(isLast, under: parent)
  }
}

private final class PrefixThroughFrame: Frame {
  private let isLast: @Sendable (Any) -> Bool
  private var hasPassedLast = false

  init(_ isLast: @escaping @Sendable (Any) -> Bool, under parent: Frame) {
    self.isLast = isLast
    super.init(under: parent, intercepts: true)
  }

  override func intercept(
    _ emission: inout Emission, _ interpreter: Interpreter
  ) -> Interception {
    guard !hasPassedLast else { return .absorb }
    hasPassedLast = isLast(emission.value)
    return hasPassedLast ? .passLast : .pass
  }
}

final class PrefixNode: ModifierNode {
  let count: Int

  init(_ child: EffectNode, _ count: Int) {
    self.count = count
    super.init(child)
  }

  override var label: String { "prefix(\(count))" }

  override func makeFrame(under parent: Frame, _ interpreter: Interpreter) -> Frame? {
    interpreter.hasMemory = true
    return PrefixFrame(count, under: parent)
  }
}

private final class PrefixFrame: Frame {
  private var remaining: Int

  init(_ count: Int, under parent: Frame) {
    remaining = count
    super.init(under: parent, intercepts: true)
  }

  override func intercept(
    _ emission: inout Emission, _ interpreter: Interpreter
  ) -> Interception {
    guard remaining > 0 else { return .absorb }
    remaining -= 1
    return remaining == 0 ? .passLast : .pass
  }
}
