// Differences between states, with elements compared by their ids.

import RondoRecording

/// A difference between two states as people are shown it.
///
/// A recording compares the elements of a list by their positions. Elements that have an `id` are
/// compared by it here, so that a row that is inserted in front leaves the others as they are.
struct IdentifiedChange: Equatable {
  /// The place, such as `rows[id: 3].title`.
  var place: String
  /// The value that was there; `nil` where a part was inserted.
  var old: String?
  var new: String?
}

extension RecordedNode {
  /// The differences that lead from this tree to another one.
  func identifiedChanges(to new: RecordedNode) -> [IdentifiedChange] {
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
      changes.append(IdentifiedChange(place: place, old: text, new: new.text))
      return
    }
    if kind == .collection, let oldIDs = ids, let newIDs = new.ids {
      addChanges(oldIDs, newIDs, to: new, { "\(place)[id: \($0)]" }, &changes)
      let kept = newIDs.filter(Set(oldIDs).contains)
      let before = oldIDs.filter(Set(newIDs).contains)
      if kept != before {
        changes.append(
          IdentifiedChange(
            place: "\(place) order", old: Self.list(before), new: Self.list(kept)))
      }
    } else {
      let names = (children.map(\.name), new.children.map(\.name))
      addChanges(
        names.0, names.1, to: new,
        { place.isEmpty || $0.hasPrefix(".") ? place + $0 : "\(place).\($0)" }, &changes)
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
      changes.append(IdentifiedChange(place: place(key), old: child.node.text))
    }
    for (key, child) in zip(newKeys, new.children) {
      if let before = old[key] {
        before.node.addChanges(to: child.node, at: place(key), &changes)
      } else {
        changes.append(IdentifiedChange(place: place(key), new: child.node.text))
      }
    }
  }

  private var text: String { summary(limit: 60) }

  /// The ids of the children, where each of them has one of its own.
  private var ids: [String]? {
    let ids = children.compactMap { $0.node["id"]?.summary(limit: 40) }
    return ids.count == children.count && Set(ids).count == ids.count ? ids : nil
  }

  private static func list(_ ids: [String]) -> String {
    ids.count > 6 ? "\(ids.count) ids" : ids.joined(separator: ", ")
  }
}

extension IdentifiedChange {
  /// The change in a few words: `query: "a" → "b"`.
  var summary: String {
    let name = place.isEmpty ? "state" : place.onOneLine
    return switch (old?.onOneLine, new?.onOneLine) {
    case (let old?, let new?): "\(name): \(old) → \(new)"
    case (nil, let new?): "\(name): + \(new)"
    case (let old?, nil): "\(name): − \(old)"
    case (nil, nil): name
    }
  }
}
