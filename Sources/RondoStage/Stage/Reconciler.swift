// One commit: the new tree is compared with the one before, and what differs begins to move.

import RondoAnimation

/// Makes one commit: walks the new tree and the stage's own side by side, from the root,
/// and hands the transaction down as the modifiers change it.
struct Reconciler {
  let instant: Duration
  var activity: Activity
  /// Closures to run when the commit is made.
  var appeared: [() -> Void] = []
  /// Nodes that have come, and nodes that have begun to go.
  var entered: [StageNode] = []
  var left: [Departure] = []
  /// Nodes whose modifier has begun to move, and whose body is therefore not yet the final one.
  var live: [StageNode] = []
  /// The number for the next node.
  var nextSerial: Int
  /// Whether there is any matched geometry in the tree.
  var hasMatches = false
  /// The number of nodes around the one that is being made or brought up to date.
  private var depth = 0
  /// The depth up to which calls are inside of one another. They are fast, and overflow the stack in a deep
  /// tree.
  private static var depthOfCalls: Int { 128 }
  /// Written only if somebody wants to know.
  var explanation: Explanation?

  init(at instant: Duration, activity: Activity, nextSerial: Int, explains: Bool) {
    self.instant = instant
    self.nextSerial = nextSerial
    self.activity = activity
    explanation = explains ? Explanation() : nil
  }

  /// A node that has begun to go, and the container that it goes from.
  struct Departure {
    let node: StageNode
    let container: StageNode
  }

  // MARK: - Nodes

  /// A node that was not there before. Nothing of it animates.
  mutating func make(
    _ node: Node,
    _ key: StageNode.Key,
    _ transaction: Transaction
  ) -> (node: StageNode, entry: Transaction) {
    let (root, entry, inner) = makeAlone(node, key, transaction)
    let nodes = children(of: node)
    if depth < Self.depthOfCalls {
      depth += 1
      reconcile(nodes, in: root, inner, isShown: false)
      depth -= 1
      explanation?.leave()
    } else {
      makeDeep(NewLevel(parent: root, nodes: nodes[...], transaction: inner))
    }
    return (root, entry)
  }

  /// Makes the nodes of a deep tree without calls inside of one another.
  private mutating func makeDeep(_ level: NewLevel) {
    var levels = [level]
    while let last = levels.indices.last {
      guard let node = levels[last].nodes.popFirst() else {
        levels.removeLast().finish()
        explanation?.leave()
        continue
      }
      let key = levels[last].keys.key(of: node)
      let (child, _, inner) = makeAlone(node, key, levels[last].transaction)
      levels[last].made.append(child)
      levels.append(
        NewLevel(parent: child, nodes: children(of: node)[...], transaction: inner))
    }
  }

  /// The children of a new node, some of which are made.
  private struct NewLevel {
    let parent: StageNode
    var nodes: ArraySlice<Node>
    let transaction: Transaction
    var keys = KeyCounter()
    var made: [StageNode] = []

    func finish() { parent.children = made }
  }

  /// A node without its children.
  ///
  /// - Returns: The node, what the modifiers around the transition have made of the transaction, and what
  ///   arrives inside.
  private mutating func makeAlone(
    _ node: Node,
    _ key: StageNode.Key,
    _ transaction: Transaction
  ) -> (node: StageNode, entry: Transaction, inner: Transaction) {
    var inner = transaction
    explanation?.enter(node, transaction)
    let stageNode = StageNode(key: key, node: node, slots: [], serial: nextSerial)
    nextSerial += 1
    let entry = passModifiers(of: node, into: stageNode, isNew: true, &inner)
    if case .shape(let shape) = node.content { stageNode.shape = ShapeSlot.make(shape) }
    if case .layer(let layer) = node.content { make(layer, in: stageNode, inner) }
    entered.append(stageNode)
    return (stageNode, entry, inner)
  }

  private mutating func make(
    _ layer: Node.Layer, in stageNode: StageNode, _ transaction: Transaction
  ) {
    guard let slot = LayerSlot.make(layer) else { return }
    stageNode.layer = slot
    guard let span = slot.begin(transaction, at: instant) else { return }
    // No completion waits for what has begun by itself.
    activity.begin(span, in: slot, for: Transaction())
    stageNode.isLive = true
    live.append(stageNode)
  }

  /// A node that was there before.
  mutating func update(
    _ stageNode: StageNode,
    to node: Node,
    _ transaction: Transaction
  ) -> Transaction {
    var inner = transaction
    let entry = updateAlone(stageNode, to: node, &inner)
    let nodes = shownChildren(of: stageNode)
    if depth < Self.depthOfCalls {
      depth += 1
      reconcile(nodes, in: stageNode, inner, isShown: true)
      depth -= 1
      explanation?.leave()
    } else {
      updateDeep(stageNode, nodes, inner)
    }
    return entry
  }

  /// Brings the nodes of a deep tree up to date without calls inside of one another.
  private mutating func updateDeep(
    _ stageNode: StageNode, _ nodes: [Node], _ transaction: Transaction
  ) {
    var (stageNode, nodes, transaction) = (stageNode, nodes, transaction)
    var levels: [ShownLevel] = []
    while true {
      if !nodes.isEmpty, stageNode.isUpToDate(for: nodes) {
        stageNode.forgetOrder()
        levels.append(
          ShownLevel(children: stageNode.children[...], nodes: nodes[...], transaction: transaction)
        )
      } else {
        reconcile(nodes, in: stageNode, transaction, isShown: true)
        explanation?.leave()
      }
      while levels.last?.nodes.isEmpty == true {
        levels.removeLast()
        explanation?.leave()
      }
      guard let last = levels.indices.last, let child = levels[last].children.popFirst(),
        let node = levels[last].nodes.popFirst()
      else { return }
      transaction = levels[last].transaction
      _ = updateAlone(child, to: node, &transaction)
      (stageNode, nodes) = (child, shownChildren(of: child))
    }
  }

  /// The children that a node is to have now.
  private mutating func shownChildren(of stageNode: StageNode) -> [Node] {
    guard let layer = stageNode.layer, layer.isActive else {
      return children(of: stageNode.node, stageNode)
    }
    // The body is the one that shows. What it makes of the modifier's motion follows frame by frame.
    if !stageNode.isLive { live.append(stageNode) }
    stageNode.isLive = true
    return [layer.body(at: instant)]
  }

  /// The children of a node that are the same as before, some of which are up to date.
  private struct ShownLevel {
    var children: ArraySlice<StageNode>
    var nodes: ArraySlice<Node>
    let transaction: Transaction
  }

  /// Brings a node up to date without its children.
  private mutating func updateAlone(
    _ stageNode: StageNode, to node: Node, _ transaction: inout Transaction
  ) -> Transaction {
    explanation?.enter(node, transaction)
    let entry = passModifiers(of: node, into: stageNode, isNew: false, &transaction)
    updateContent(of: stageNode, to: node, transaction)
    stageNode.take(node)
    return entry
  }

  /// Brings a node up to date whose modifier has come to rest.
  mutating func finish(_ stageNode: StageNode) {
    let children = children(of: stageNode.node, stageNode)
    reconcile(children, in: stageNode, Transaction(), isShown: true)
  }

  private func children(of node: Node, _ stageNode: StageNode? = nil) -> [Node] {
    switch node.content {
    case .empty, .text, .shape, .placed: []
    case .group(let children): children
    case .layer(let layer): [stageNode?.layer?.bodyAtRest ?? layer.body]
    }
  }

  private mutating func updateContent(
    of stageNode: StageNode,
    to node: Node,
    _ transaction: Transaction
  ) {
    switch (stageNode.node.content, node.content) {
    case (.text(let old), .text(let new)) where old != new:
      fade(stageNode, node, from: old, to: new, transaction)
    case (_, .shape(let shape)):
      guard let slot = stageNode.shape else { return }
      let before = explanation == nil ? "" : stageNode.node.content.label
      let outcome = slot.update(shape, animation: transaction.animation, at: instant)
      handle(outcome, in: slot, transaction, before, node.content.label, unusable(shape))
    case (.layer(let old), .layer(let layer)):
      guard let slot = stageNode.layer else { return }
      let outcome = slot.update(layer, transaction, at: instant)
      handle(outcome, in: slot, transaction, old.label, layer.label)
    default:
      break
    }
  }

  private mutating func fade(
    _ stageNode: StageNode,
    _ node: Node,
    from old: String,
    to new: String,
    _ transaction: Transaction
  ) {
    let transition = node.contentTransition
    guard transition.fades, let animation = transaction.animation else {
      stageNode.text?.isDisposed = true
      stageNode.text = nil
      let reason = transition.fades ? "no animation in the transaction" : "text cannot move"
      explanation?.note("text \"\(old)\" → \"\(new)\": jumps, \(reason)")
      return
    }
    explanation?.note("text \"\(old)\" → \"\(new)\": fades with \(animation)")
    let slot = stageNode.text ?? TextSlot(old)
    stageNode.text = slot
    let direction =
      transaction.reducesMotion
      ? 0 : transition.direction(from: stageNode.node.contentTransition)
    if let span = slot.change(
      from: old, to: new, direction: direction, with: animation, at: instant)
    {
      activity.begin(span, in: slot, for: transaction)
    }
  }

  // MARK: - Modifiers

  /// Hands a transaction through the modifiers of a node, from the outermost to the innermost.
  ///
  /// - Returns: What the modifiers around the transition have made of it.
  private mutating func passModifiers(
    of node: Node,
    into stageNode: StageNode,
    isNew: Bool,
    _ transaction: inout Transaction
  ) -> Transaction {
    var entry: Transaction?
    let arrived = transaction
    if isNew { stageNode.slots = Array(repeating: .none, count: node.modifiers.count) }
    for index in node.modifiers.indices.reversed() {
      switch node.modifiers[index] {
      case .effect(let effect):
        guard case .effect(let slot) = stageNode.slots[index] else {
          stageNode.slots[index] = .effect(EffectSlot.make(effect))
          explanation?.note("\(effect.label): new, shown at once")
          continue
        }
        let before = explanation == nil ? "" : slot.label
        let outcome = slot.update(effect, transaction, at: instant)
        handle(outcome, in: slot, transaction, before, effect.label, unusable(effect))
      case .transaction(let label, let transform):
        transform(&transaction)
        explanation?.note("\(label): makes it \(transaction)")
      case .onChange(let label, let value, let transform):
        let hasChanged = stageNode.slots[index].watches(somethingElseThan: value)
        if hasChanged { transform(&transaction) }
        explanation?.note(
          label
            + (hasChanged
              ? ": changed, makes it \(transaction)"
              : isNew ? ": new, changes nothing" : ": unchanged, leaves \(transaction)")
        )
        stageNode.slots[index] = .watched(value)
      case .transition:
        entry = entry ?? transaction
      case .matchedGeometry:
        hasMatches = true
        stageNode.geometryTransaction = transaction
      case .onAppear(let action):
        if isNew { appeared.append(action) }
      case .scope(let label, let transform):
        transaction[ScopesKey.self].outer.append(transaction)
        transform(&transaction)
        explanation?.note("\(label): makes it \(transaction)")
      case .endOfScope:
        if let outer = transaction[ScopesKey.self].outer.last { transaction = outer }
      case .contentTransition, .clip, .zIndex, .tap:
        continue
      }
    }
    return entry ?? arrived
  }

  private mutating func handle(
    _ outcome: ChangeOutcome,
    in slot: AnimatedSlot,
    _ transaction: Transaction,
    _ before: @autoclosure () -> String,
    _ after: @autoclosure () -> String,
    _ unusable: @autoclosure () -> String? = nil
  ) {
    switch outcome {
    case .animated(let span), .faded(let span): activity.begin(span, in: slot, for: transaction)
    case .unchanged, .jumped, .moved: break
    }
    guard explanation != nil else { return }
    let reason =
      switch outcome {
      case .unchanged:
        "\(after()): unchanged"
      case .jumped:
        "\(before()) → \(after()): jumps, \(unusable() ?? "what has changed of it cannot move")"
      case .moved(let isAnimating) where isAnimating:
        "\(before()) → \(after()): moves along, no animation in the transaction"
      case .moved:
        "\(before()) → \(after()): jumps, no animation in the transaction"
      case .animated:
        "\(before()) → \(after()): animates with \(transaction.animation.label)"
      case .faded:
        "\(before()) → \(after()): fades with \(transaction.animation.label), the transaction reduces motion"
      }
    explanation?.note(reason)
  }
}

/// The reason why nothing of a value can move, if its type has none that can.
private func unusable(_ value: some Animatable) -> String? {
  guard !value.canMove else { return nil }
  let stored = Mirror(reflecting: value).children.first { $0.label == "animatableData" }
  let type = "\(Swift.type(of: value))"
  guard let stored else {
    return "\(type) has no animatableData of a type that is a VectorArithmetic"
  }
  return "the animatableData of \(type) is of the type \(Swift.type(of: stored.value)), "
    + "which is no VectorArithmetic"
}

/// The transactions around the closures of body-scoped modifiers, the innermost last.
private struct ScopesKey: TransactionKey {
  static let defaultValue = Scopes()
}

private struct Scopes: Equatable, Sendable, CustomStringConvertible {
  var outer: [Transaction] = []
  var description: String { "in a scope" }
}

extension StageNode.Slot {
  fileprivate func watches(somethingElseThan value: any Equatable) -> Bool {
    guard case .watched(let before) = self else { return false }
    return !before.equals(value)
  }
}

extension Equatable {
  fileprivate func equals(_ other: any Equatable) -> Bool {
    (other as? Self) == self
  }
}
