// Matched geometry: one thing in several places.

import RondoAnimation

extension Commit {
  /// Lets matched nodes begin where their partners are.
  ///
  /// - Parameters:
  ///   - shown: Where the sources were shown before this commit, by their ids.
  ///   - placed: Where every matched node of the new tree belongs.
  mutating func match(
    _ shown: [AnyHashable: Rect],
    _ placed: [(node: StageNode, rect: Rect)]
  ) {
    var sources: [AnyHashable: Rect] = [:]
    for (node, rect) in placed where !node.isLeaving {
      if let match = node.match, match.isSource { sources[match.id] = rect }
    }
    let new = Set(entered.map(ObjectIdentifier.init))
    let gone = Set(left.map(ObjectIdentifier.init))
    for (node, rect) in placed {
      guard let match = node.match else { continue }
      if gone.contains(ObjectIdentifier(node)) {
        move(node, from: nil, to: sources[match.id].map { $0 - rect } ?? .zero)
      } else if !match.isSource {
        let target = sources[match.id].map { $0 - rect } ?? .zero
        move(node, from: new.contains(ObjectIdentifier(node)) ? target : nil, to: target)
      } else if new.contains(ObjectIdentifier(node)), let start = shown[match.id] {
        move(node, from: start - rect, to: .zero)
      }
    }
  }

  private mutating func move(
    _ node: StageNode,
    from start: GeometrySlot.Offset?,
    to target: GeometrySlot.Offset
  ) {
    let transaction = node.geometryTransaction
    if let start, start != target, transaction.animation == nil { return }
    let slot = start.map(GeometrySlot.init) ?? node.geometry ?? GeometrySlot(.zero)
    guard slot.model != target || node.geometry != nil || target != .zero else { return }
    node.geometry = slot
    if let span = slot.update(target, animation: transaction.animation, at: instant) {
      activity.begin(span, in: slot, for: transaction)
    }
  }
}

extension Rect {
  fileprivate static func - (lhs: Rect, rhs: Rect) -> GeometrySlot.Offset {
    lhs.animatableData - rhs.animatableData
  }
}
