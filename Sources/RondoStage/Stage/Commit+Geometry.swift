// Matched geometry: one thing in several places.

import RondoAnimation

extension Commit {
  /// Lets matched nodes begin where their partners are.
  ///
  /// - Parameters:
  ///   - shown: Where the sources were shown before this commit, by their ids.
  ///   - placed: Where every matched node of the new tree belongs.
  mutating func match(_ shown: [AnyHashable: Rect], _ placed: [MatchedPlace]) {
    let sources = placed.sources
    let new = Set(entered.map(ObjectIdentifier.init))
    let gone = Set(left.map { ObjectIdentifier($0.node) })
    for place in placed {
      let (node, rect) = (place.node, place.rect)
      let isNew = new.contains(ObjectIdentifier(node))
      if let leaving = place.leaving {
        guard gone.contains(ObjectIdentifier(leaving)) else { continue }
        node.geometryTransaction = leaving.geometryTransaction
        move(node, from: nil, to: sources[place.id].map { $0 - rect } ?? .zero)
      } else if !place.isSource {
        let target = sources[place.id].map { $0 - rect } ?? .zero
        move(node, from: isNew ? target : nil, to: target)
      } else if isNew, let start = shown[place.id] {
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

/// Where a matched node is.
struct MatchedPlace {
  let node: StageNode
  let id: AnyHashable
  let isSource: Bool
  let rect: Rect
  /// The node itself or the one around it that is on its way out.
  let leaving: StageNode?
}

extension [MatchedPlace] {
  /// Where the sources are, by their ids.
  var sources: [AnyHashable: Rect] {
    var result: [AnyHashable: Rect] = [:]
    for place in self where place.isSource && place.leaving == nil {
      result[place.id] = place.rect
    }
    return result
  }
}

extension Rect {
  fileprivate static func - (lhs: Rect, rhs: Rect) -> GeometrySlot.Offset {
    lhs.animatableData - rhs.animatableData
  }
}
