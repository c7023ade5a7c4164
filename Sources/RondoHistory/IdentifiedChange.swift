// Differences between states, with elements compared by their ids.

import RondoRecording

/// A difference between two states as people are shown it.
///
/// A recording compares the elements of a list by their positions. Elements that have an `id` are
/// compared by it here, so that a row that is inserted in front leaves the others as they are. So it is
/// with elements without an `id`, where the equal ones at both ends of a longer or shorter list are the
/// same.
package struct IdentifiedChange: Equatable {
  /// The place, such as `rows[id: 3].title`.
  package var place: String
  /// The value that was there; `nil` where a part was inserted.
  package var old: RecordedNode?
  package var new: RecordedNode?
}

extension RecordedNode {
  /// The differences that lead from this tree to another one.
  package func identifiedChanges(to new: RecordedNode) -> [IdentifiedChange] {
    var changes: [IdentifiedChange] = []
    addChanges(to: new, at: "", &changes)
    return changes
  }

  private func addChanges(
    to new: RecordedNode, at place: String, _ changes: inout [IdentifiedChange]
  ) {
    guard self != new else { return }
    // A list that was empty, or is, is shown as a whole.
    guard kind != nil, kind == new.kind, type == new.type, `case` == new.case,
      !children.isEmpty, !new.children.isEmpty
    else {
      changes.append(IdentifiedChange(place: place, old: self, new: new))
      return
    }
    if let elements = changedElements(in: new) {
      for (id, old, new) in elements {
        old.addChanges(to: new, at: "\(place)[id: \(id)]", &changes)
      }
    } else if kind == .collection, let oldIDs = ids, let newIDs = new.ids {
      addChanges(oldIDs, newIDs, to: new, { "\(place)[id: \($0)]" }, &changes)
      let kept = newIDs.filter(Set(oldIDs).contains)
      let before = oldIDs.filter(Set(newIDs).contains)
      if kept != before {
        changes.append(
          IdentifiedChange(
            place: "\(place) order", old: RecordedNode(before.joined(separator: ", ")),
            new: RecordedNode(kept.joined(separator: ", "))))
      }
    } else if kind == .collection, children.count != new.children.count {
      addElementChanges(to: new, at: place, &changes)
    } else {
      let names = (children.map(\.name), new.children.map(\.name))
      addChanges(
        names.0, names.1, to: new,
        // A member of a set has no other name than its value.
        {
          kind == .set ? place : place.isEmpty || $0.hasPrefix(".") ? place + $0 : "\(place).\($0)"
        }, &changes)
    }
  }

  /// - Parameters:
  ///   - keys: What the children are told apart by.
  ///   - place: The place of the child with a key.
  private func addChanges(
    _ keys: [String], _ newKeys: [String], to new: RecordedNode, _ place: (String) -> String,
    _ changes: inout [IdentifiedChange]
  ) {
    let old = Dictionary(zip(keys, children), uniquingKeysWith: { first, _ in first })
    let remaining = Set(newKeys)
    for (key, child) in zip(keys, children) where !remaining.contains(key) {
      changes.append(IdentifiedChange(place: place(key), old: child.node))
    }
    for (key, child) in zip(newKeys, new.children) {
      if let before = old[key] {
        before.node.addChanges(to: child.node, at: place(key), &changes)
      } else {
        changes.append(IdentifiedChange(place: place(key), new: child.node))
      }
    }
  }

  /// Compares the elements between those that are equal at both ends of two lists.
  private func addElementChanges(
    to new: RecordedNode, at place: String, _ changes: inout [IdentifiedChange]
  ) {
    let (old, new) = (children.map(\.node), new.children.map(\.node))
    let start = zip(old, new).prefix { $0 == $1 }.count
    let (oldRest, newRest) = (old[start...], new[start...])
    let end = zip(oldRest.reversed(), newRest.reversed()).prefix { $0 == $1 }.count
    let (oldMiddle, newMiddle) = (oldRest.dropLast(end), newRest.dropLast(end))
    for (index, (old, new)) in zip(oldMiddle, newMiddle).enumerated() {
      old.addChanges(to: new, at: "\(place).\(start + index)", &changes)
    }
    for index in oldMiddle.indices.dropFirst(newMiddle.count) {
      changes.append(IdentifiedChange(place: "\(place).\(index)", old: old[index]))
    }
    for index in newMiddle.indices.dropFirst(oldMiddle.count) {
      changes.append(IdentifiedChange(place: "\(place).\(index)", new: new[index]))
    }
  }

  /// The elements that have changed, where those are a few, with ids that have stayed; otherwise `nil`.
  ///
  /// Most changes of a long list are so. Then the other elements are only compared.
  private func changedElements(
    in new: RecordedNode
  ) -> [(id: String, old: RecordedNode, new: RecordedNode)]? {
    guard kind == .collection, children.count == new.children.count else { return nil }
    var elements: [(id: String, old: RecordedNode, new: RecordedNode)] = []
    for (old, new) in zip(children, new.children) where old.node != new.node {
      guard let id = old.node["id"], id == new.node["id"], elements.count < 4,
        children.count(where: { $0.node["id"] == id }) == 1
      else { return nil }
      elements.append((id.summary(limit: 40), old.node, new.node))
    }
    return elements
  }

  /// The ids of the children, where each of them has one of its own.
  private var ids: [String]? {
    let ids = children.compactMap { $0.node["id"]?.summary(limit: 40) }
    return ids.count == children.count && Set(ids).count == ids.count ? ids : nil
  }
}

extension IdentifiedChange {
  /// The change in a few words: `query: "a" → "b"`.
  package var summary: String {
    let name = place.isEmpty ? "state" : place.onOneLine
    return switch (old?.beginning().onOneLine, new?.beginning().onOneLine) {
    case (let old?, let new?): "\(name): \(old) → \(new)"
    case (nil, let new?): "\(name): + \(new)"
    case (let old?, nil): "\(name): − \(old)"
    case (nil, nil): name
    }
  }
}

extension RecordedNode {
  /// The value in one line, with its first parts where there is no room for all of them.
  fileprivate func beginning(limit: Int = 60) -> String {
    let text = summary(limit: limit)
    guard let kind, text.hasSuffix("(…)") || text.hasPrefix("[…") else { return text }
    let isList = [.collection, .dictionary, .set].contains(kind)
    var start = isList ? "[" : String(text.dropLast(2))
    let end = isList ? "… \(children.count) in all]" : "…)"
    var isShown = false
    for (index, child) in children.enumerated() {
      let name =
        child.name != "\(index)" && kind != .collection && kind != .set ? "\(child.name): " : ""
      let room = limit - start.count - name.count - end.count
      guard room > 0 else { break }
      var part = child.node.summary(limit: room)
      // The first part is shown by its own first parts.
      if part.contains("…"), isShown { break }
      if part.contains("…") { part = child.node.beginning(limit: room) }
      start += "\(name)\(part), "
      isShown = true
    }
    return isShown ? start + end : text
  }

  /// Whether a part was kept out.
  package var hasRedactions: Bool { isRedacted || children.contains { $0.node.hasRedactions } }
}

extension History {
  /// Whether a part of the state was kept out at some time.
  package var hasRedactions: Bool {
    begin.state.hasRedactions
      || moments.contains { moment in
        moment.commit?.changes.contains { $0.new?.hasRedactions == true } == true
      }
  }
}
