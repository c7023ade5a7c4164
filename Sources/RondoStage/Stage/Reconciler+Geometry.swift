// Matched geometry: one thing in several places.

import RondoAnimation

extension Reconciler {
  /// Lets matched nodes begin where their partners are.
  ///
  /// - Parameters:
  ///   - shown: The sources as they were shown before this commit, by their ids.
  ///   - placed: Where every matched node of the new tree belongs.
  mutating func match(_ shown: [AnyHashable: MatchedPlace], _ placed: [MatchedPlace]) {
    let sources = placed.sources
    let new = Set(entered.map(ObjectIdentifier.init))
    let gone = Set(left.map { ObjectIdentifier($0.node) })
    for place in placed {
      let node = place.node
      let isNew = new.contains(ObjectIdentifier(node))
      if let leaving = place.leaving {
        guard gone.contains(ObjectIdentifier(leaving)) else { continue }
        node.geometryTransaction = leaving.geometryTransaction
        move(node, to: sources[place.id].map { place.way(to: $0.rect) } ?? .zero)
      } else if !place.match.isSource {
        let target = sources[place.id].map { place.way(to: $0.rect) } ?? .zero
        if isNew { node.geometry = GeometrySlot(target) } else { move(node, to: target) }
      } else if isNew, let start = shown[place.id] {
        begin(place, where: start)
      } else if !isNew, node.geometry != nil {
        // It was on its way to another source, and is one again.
        move(node, to: .zero)
      }
    }
  }

  /// Lets a node begin where its partner is, with the motion that the partner is in.
  private mutating func begin(_ place: MatchedPlace, where start: MatchedPlace) {
    let node = place.node
    let way = place.way(to: start.rect)
    guard way != .zero, node.geometryTransaction.movement != nil else { return }
    if let geometry = start.node.geometry, place.match.shares(all: start.match) {
      let offset = geometry.offset(at: instant)
      node.geometry = GeometrySlot(continuing: geometry, shiftedBy: way - offset)
    } else {
      node.geometry = GeometrySlot(way)
    }
    move(node, to: .zero)
  }

  private mutating func move(_ node: StageNode, to target: GeometrySlot.Offset) {
    let transaction = node.geometryTransaction
    guard node.geometry != nil || target != .zero else { return }
    let slot = node.geometry ?? GeometrySlot(.zero)
    node.geometry = slot
    if let span = slot.update(target, animation: transaction.movement, at: instant) {
      activity.begin(span, in: slot, for: transaction)
    }
  }
}

/// The place of a matched node.
struct MatchedPlace {
  let node: StageNode
  let match: GeometryMatch
  let rect: Rect
  /// The node itself or the one around it that is on its way out.
  let leaving: StageNode?

  var id: AnyHashable { match.id }

  /// The way from here to another frame, as far as it is shared.
  func way(to target: Rect) -> GeometrySlot.Offset { match.offset(from: rect, to: target) }
}

extension [MatchedPlace] {
  /// The sources, by their ids.
  var sources: [AnyHashable: MatchedPlace] {
    var result: [AnyHashable: MatchedPlace] = [:]
    for place in self where place.match.isSource && place.leaving == nil {
      result[place.id] = place
    }
    return result
  }
}
