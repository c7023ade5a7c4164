// Operators that change, drop or count values.

extension Effect {
  /// Answers with a transformed value for each. Dependencies are those in force here.
  @preconcurrency
  public func map<NewOutput>(
    _ transform: @escaping @Sendable (Output) -> NewOutput
  ) -> Effect<NewOutput> {
    let dependencies = DependencyValues.current
    return transformed("map") { output in
      dependencies.whileInForceIfAny { transform(output) }
    }
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

  /// Runs an effect for each value, and answers with what all of these answer with.
  ///
  /// They run side by side. The whole ends when this effect and all that it has started have.
  public func flatMap<NewOutput>(
    _ transform: @escaping @Sendable (Output) -> Effect<NewOutput>
  ) -> Effect<NewOutput> {
    modified { FlatMapNode($0) { transform($0 as! Output).node } }
  }

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
    return modified {
      ScanNode($0, initial.value) { next($0 as! Result, $1 as! Output) }
    }
  }

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
    modified {
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
    guard let value = node.transform(emission.value) else { return .absorb }
    emission.value = value
    return .pass
  }
}

final class FlatMapNode: ModifierNode {
  let transform: @Sendable (Any) -> EffectNode?
  /// The dependencies in force where the effect was made. They are in force for its closure, too.
  let dependencies = DependencyValues.current

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

  init(_ node: FlatMapNode, _ group: Frame, under parent: Frame) {
    self.node = node
    self.group = group
    super.init(under: parent, intercepts: true)
  }

  override func intercept(
    _ emission: inout Emission, _ interpreter: Interpreter
  ) -> Interception {
    let inner = node.dependencies.whileInForceIfAny { node.transform(emission.value) }
    // The closure may have cancelled the effect that it belongs to.
    guard isAttached else { return .absorb }
    if let inner {
      group.active += 1
      // The answers of the inner effect keep the transaction of the value that it was made for.
      let tag = emission.transaction.merging(emission.call)
      let parent = tag.isEmpty ? group : TransactionFrame(tag, wins: false, under: group)
      interpreter.start(inner, under: parent)
    }
    return .absorb
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
