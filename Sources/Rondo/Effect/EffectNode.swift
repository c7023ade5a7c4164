// One node of an effect's tree: the abstract base of all of them.

/// What an effect is made of. A node describes work and does none; the interpreter starts it.
///
/// Each kind of node lives in a file with the frame that runs it.
@usableFromInline
class EffectNode {
  @usableFromInline
  init() {}

  /// Starts the work below `parent`. One of `parent`'s children is this node; whoever ends it calls
  /// ``Interpreter/finishChild(of:)`` once.
  func start(under parent: Frame, _ interpreter: Interpreter) {
    preconditionFailure("\(type(of: self)) describes no work.")
  }

  /// Whether this is a ``SendNode``, which a machine handles without any frame.
  @usableFromInline var isSend: Bool { false }

  /// What a ``SendNode`` answers with, whatever its type.
  var erasedOutput: Any { preconditionFailure("\(type(of: self)) is not a SendNode.") }

  /// This node, if it is one that cancels, which a machine does without any frame.
  var asCancel: CancelNode? { nil }

  /// Whether there are no nodes below.
  var isLeaf: Bool { true }

  /// How the node is called in a description of the tree, without its children.
  var label: String { "\(type(of: self))" }

  /// Where the node was made, if it remembers.
  var sourcePlace: SourcePlace? { nil }

  /// The nodes directly below, in order.
  var children: [EffectNode] { [] }

  /// Gives the children away, so that a deep tree can be released without recursion.
  func releaseChildren(into nodes: inout [EffectNode]) {}

  /// To be called by the `deinit` of every node that has children: releases what is below one node
  /// at a time, in constant stack.
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
    // The usual child has none of its own. One that has may not be held here meanwhile.
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
      interpreter.start(child, under: frame)
    }
  }

  /// The frame that the child runs under, attached to `parent`; `nil` when the node has taken the
  /// start of its child into its own hands.
  func makeFrame(under parent: Frame, _ interpreter: Interpreter) -> Frame? {
    preconditionFailure("\(type(of: self)) makes no frame.")
  }
}
