// The children of a container from one commit to the next: who stays, who comes, who goes.

import RondoAnimation

extension Reconciler {
  /// Brings the children of a container up to date.
  ///
  /// - Parameters:
  ///   - isShown: Whether the container was there before: only then children come and go by their
  ///     transitions.
  ///
  /// Complexity: O(*n*) in the number of children before and after.
  mutating func reconcile(
    _ nodes: [Node],
    in parent: StageNode,
    _ transaction: Transaction,
    isShown: Bool
  ) {
    guard !nodes.isEmpty || !parent.children.isEmpty else { return }
    guard !parent.isUpToDate(for: nodes) else {
      for (child, node) in zip(parent.children, nodes) { _ = update(child, to: node, transaction) }
      parent.forgetOrder()
      return
    }
    var remaining = Remaining(parent.children)
    var keys = KeyCounter()
    let current = nodes.map { node in
      let key = keys.key(of: node)
      guard let stageNode = remaining.take(key, accepting: node) else {
        let (stageNode, entry) = make(node, key, transaction)
        if isShown { enter(stageNode, entry) }
        return stageNode
      }
      let entry = update(stageNode, to: node, transaction)
      if stageNode.isLeaving { comeBack(stageNode, entry) }
      return stageNode
    }
    parent.children =
      remaining.isEmpty
      ? current
      : keepLeaving(remaining, of: parent, among: current, transaction)
  }

  // MARK: - Coming

  private mutating func enter(_ stageNode: StageNode, _ entry: Transaction) {
    let transition = stageNode.transition.reduced(by: entry)
    // Without parts or an animation there is nothing to see: the node is there at once.
    guard !transition.insertion.parts.isEmpty,
      let animation = transition.insertion.animation ?? entry.animation
    else { return }
    let presence = Presence.absent(transition)
    guard let span = presence.enter(with: animation, at: instant) else { return }
    stageNode.presence = presence
    activity.begin(span, in: presence, for: entry)
  }

  /// A node that was going turns around where it is.
  private mutating func comeBack(_ stageNode: StageNode, _ entry: Transaction) {
    guard let presence = stageNode.presence else { return }
    guard
      let animation = presence.transition.insertion.animation ?? entry.animation,
      let span = presence.enter(with: animation, at: instant)
    else {
      presence.isDisposed = true
      stageNode.presence = nil
      return
    }
    activity.begin(span, in: presence, for: entry)
  }

  // MARK: - Going

  /// The children in order, with those that are going behind the sibling that they stood behind.
  private mutating func keepLeaving(
    _ remaining: Remaining,
    of container: StageNode,
    among current: [StageNode],
    _ transaction: Transaction
  ) -> [StageNode] {
    var followers: [ObjectIdentifier?: [StageNode]] = [:]
    var previous: ObjectIdentifier?
    for child in container.children {
      if !remaining.contains(child) {
        previous = ObjectIdentifier(child)
      } else if child.isLeaving || leave(child, from: container, transaction) {
        followers[previous, default: []].append(child)
      } else {
        dispose(child)
      }
    }
    return (followers[nil] ?? [])
      + current.flatMap { [$0] + (followers[ObjectIdentifier($0)] ?? []) }
  }

  /// Lets a node go by its transition.
  ///
  /// - Returns: Whether it is there for a while yet.
  private mutating func leave(
    _ stageNode: StageNode,
    from container: StageNode,
    _ transaction: Transaction
  ) -> Bool {
    let entry = entryTransaction(of: stageNode, transaction)
    // A node that has long arrived by an older transition leaves by the one of now.
    let presence =
      stageNode.presence.flatMap { $0.isActive ? $0 : nil }
      ?? .present(stageNode.transition.reduced(by: entry))
    let removal = presence.transition.removal
    guard !removal.parts.isEmpty, let animation = removal.animation ?? entry.animation
    else { return false }
    // A node that would be going for ever goes at once.
    guard let span = presence.leave(with: animation, at: instant), span.duration < 0x1p40
    else { return false }
    stageNode.presence = presence
    stageNode.geometryTransaction = entry
    left.append(Departure(node: stageNode, container: container))
    activity.begin(span, in: presence, for: entry)
    return true
  }

  /// The transaction as the modifiers around the transition of a leaving node change it.
  private func entryTransaction(of stageNode: StageNode, _ transaction: Transaction) -> Transaction
  {
    let modifiers = stageNode.node.modifiers
    guard modifiers.contains(where: \.isTransition) else { return transaction }
    var entry = transaction
    for modifier in modifiers.reversed() {
      if case .transaction(_, let transform) = modifier { transform(&entry) }
      if modifier.isTransition { break }
    }
    return entry
  }

  /// Lets go of a node at once.
  func dispose(_ stageNode: StageNode) {
    stageNode.forEach { node in
      for slot in node.animatedSlots { slot.isDisposed = true }
    }
  }
}

/// The keys of a container's children, which tell apart those that claim to be the same.
struct KeyCounter {
  private var occurrences: [[IdentityStep]: Int] = [:]

  mutating func key(of node: Node) -> StageNode.Key {
    let occurrence = occurrences[node.identity, default: 0]
    occurrences[node.identity] = occurrence + 1
    return StageNode.Key(identity: node.identity, occurrence: occurrence)
  }
}

/// The children of the commit before that have not been met in this one.
private struct Remaining {
  private var byKey: [StageNode.Key: StageNode] = [:]
  private var members: Set<ObjectIdentifier>

  init(_ children: [StageNode]) {
    members = Set(children.map(ObjectIdentifier.init))
    for child in children {
      // A node that goes does not stand in the way of one with the same key that stays.
      if let other = byKey[child.key], !other.isLeaving { continue }
      byKey[child.key] = child
    }
  }

  var isEmpty: Bool { members.isEmpty }

  func contains(_ child: StageNode) -> Bool {
    members.contains(ObjectIdentifier(child))
  }

  mutating func take(_ key: StageNode.Key, accepting node: Node) -> StageNode? {
    guard let child = byKey[key], child.accepts(node) else { return nil }
    byKey[key] = nil
    members.remove(ObjectIdentifier(child))
    return child
  }
}

extension StageNode {
  /// Whether the same children are there, in the same order, and none of them is going.
  func isUpToDate(for nodes: [Node]) -> Bool {
    children.count == nodes.count
      && zip(children, nodes).allSatisfy { child, node in
        child.key.occurrence == 0 && child.key.identity == node.identity && !child.isLeaving
          && child.accepts(node)
      }
  }
}

extension Node.Modifier {
  fileprivate var isTransition: Bool {
    if case .transition = self { true } else { false }
  }
}
