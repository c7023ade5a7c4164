// One node of an effect's tree: the abstract base of all of them, and the simplest two.

/// A building block of an effect. A node describes work and does none; the interpreter starts it.
///
/// Most kinds of nodes live in a file with the frame that runs them.
@usableFromInline
class EffectNode {
  @usableFromInline
  init() {}

  /// Starts the work below `parent`, which counts this node as one of its children. The code that
  /// ends the work calls ``Interpreter/finishChild(of:)`` once.
  func start(under parent: Frame, _ interpreter: Interpreter) {
    preconditionFailure("\(type(of: self)) describes no work.")
  }

  /// Whether this is a ``SendNode``, which a machine handles without any frame.
  @usableFromInline var isSend: Bool { false }

  /// The value that a ``SendNode`` answers with.
  ///
  /// - Parameter type: The type of its values, which the caller knows.
  @inlinable
  @inline(__always)
  final func output<Output>(as type: Output.Type) -> Output {
    unsafeDowncast(self, to: SendNode<Output>.self).output
  }

  /// The value that a ``SendNode`` answers with, as `Any`.
  var erasedOutput: Any { preconditionFailure("\(type(of: self)) is not a SendNode.") }

  /// This node, if it is a ``CancelNode``, which a machine handles without any frame.
  var asCancel: CancelNode? { nil }

  /// This node, if it is a ``ChangeNode``, which waits in the queue of a machine as actions do.
  var asChange: ChangeNode? { nil }

  /// Whether there are no nodes below.
  var isLeaf: Bool { true }

  /// The name of the node in a description of the tree, without its children.
  var label: String { "\(type(of: self))" }

  /// The place in the source where the node was made, if the node stores it.
  var position: SourcePosition? { nil }

  /// The nodes directly below, in order.
  var children: [EffectNode] { [] }

  /// Gives the children away, so that a deep tree can be released without recursion.
  func releaseChildren(into nodes: inout [EffectNode]) {}

  /// Releases the nodes below, one at a time, in constant stack. To be called by the `deinit` of
  /// every node that has children.
  final func dismantle() {
    var orphans: [EffectNode] = []
    releaseChildren(into: &orphans)
    while var node = orphans.popLast() {
      if isKnownUniquelyReferenced(&node) {
        node.releaseChildren(into: &orphans)
      }
    }
  }
}

/// A node with one child, which it modifies.
class ModifierNode: EffectNode {
  private(set) final var child: EffectNode?

  init(_ child: EffectNode) {
    self.child = child
  }

  deinit {
    // Most children have none of their own. The child is not bound to a name here: another
    // reference to it would keep `dismantle` from releasing what is below it.
    if child?.isLeaf == false { dismantle() }
  }

  override final var isLeaf: Bool { false }

  override final var children: [EffectNode] { child.map { [$0] } ?? [] }

  override final func releaseChildren(into nodes: inout [EffectNode]) {
    if let child = child.take() { nodes.append(child) }
  }

  override final func start(under parent: Frame, _ interpreter: Interpreter) {
    guard let child else { return }
    if let frame = makeFrame(under: parent, interpreter) {
      interpreter.push(child, under: frame)
    }
  }

  /// The frame that the child runs under, attached to `parent`; `nil` when the node starts its
  /// child itself, later or never.
  func makeFrame(under parent: Frame, _ interpreter: Interpreter) -> Frame? {
    preconditionFailure("\(type(of: self)) makes no frame.")
  }
}

// MARK: - Nodes that a machine handles without a frame

/// An effect that answers with one value at once; also the box that a value waits in.
@usableFromInline
final class SendNode<Output>: EffectNode {
  @usableFromInline
  let output: Output

  @inlinable
  init(_ output: Output) {
    self.output = output
  }

  @usableFromInline override var isSend: Bool { true }
  override var erasedOutput: Any { output }
  override var label: String { "send(\(output))" }

  override func start(under parent: Frame, _ interpreter: Interpreter) {
    if let journal = interpreter.journal {
      journal.whileSending(under: parent) { answer(under: parent, interpreter) }
    } else {
      answer(under: parent, interpreter)
    }
    interpreter.finishChild(of: parent)
  }

  @inline(__always)
  private func answer(under parent: Frame, _ interpreter: Interpreter) {
    if parent.interceptor == nil {
      // No node between here and the root changes the type, so the host takes this one as is.
      interpreter.machine.receive(
        self, interpreter.transactionOfAnswers(under: parent), parent.actionFrame.root)
    } else {
      interpreter.deliver(
        Emission(value: output, inherited: interpreter.transactionOfAnswers(under: parent)),
        from: parent)
    }
  }
}

/// An effect that cancels what runs or waits under some ids.
@usableFromInline
final class CancelNode: EffectNode {
  let first: CancellationID
  let others: [CancellationID]

  @usableFromInline
  init(_ first: CancellationID, _ others: [CancellationID] = []) {
    self.first = first
    self.others = others
  }

  override var asCancel: CancelNode? { self }

  override var label: String {
    "cancel(\(([first] + others).map { "\($0.base)" }.joined(separator: ", ")))"
  }

  override func start(under parent: Frame, _ interpreter: Interpreter) {
    interpreter.cancel(self, parent.path)
    interpreter.finishChild(of: parent)
  }
}
