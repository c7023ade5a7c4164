// Operators that only look at values on their way up.

/// A node that decides on each value, by a state that each run has of its own.
final class OperatorNode<State>: ModifierNode {
  typealias Intercept = (inout State, inout Emission, Interpreter) -> Interception

  private let hasMemory: Bool
  fileprivate let initial: State
  private let makeLabel: (State) -> String
  fileprivate let intercept: Intercept

  /// - Parameters:
  ///   - hasMemory: Whether what has come through decides on what comes; explorers ask for it.
  ///   - initial: The state that each run begins with.
  init(
    _ child: EffectNode, hasMemory: Bool, _ initial: State, label: @escaping (State) -> String,
    _ intercept: @escaping Intercept
  ) {
    self.hasMemory = hasMemory
    self.initial = initial
    makeLabel = label
    self.intercept = intercept
    super.init(child)
  }

  override var label: String { makeLabel(initial) }

  override func makeFrame(under parent: Frame, _ interpreter: Interpreter) -> Frame? {
    if hasMemory { interpreter.hasMemory = true }
    return OperatorFrame(self, under: parent)
  }
}

private final class OperatorFrame<State>: Frame {
  private let node: OperatorNode<State>
  private var state: State

  init(_ node: OperatorNode<State>, under parent: Frame) {
    self.node = node
    state = node.initial
    super.init(under: parent, intercepts: true)
  }

  override func intercept(
    _ emission: inout Emission, _ interpreter: Interpreter
  ) -> Interception {
    // No access to the property lasts while the closure runs.
    var state = state
    defer { self.state = state }
    return node.intercept(&state, &emission, interpreter)
  }
}
