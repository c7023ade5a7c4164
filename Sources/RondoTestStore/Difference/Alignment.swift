// The alignment of two sequences: pairs of elements that belong together.

import RondoRecording

/// One step through two sequences.
package enum AlignmentStep: Equatable {
  case both(Int, Int)
  case removed(Int)
  case inserted(Int)
}

/// Pairs the elements of two sequences: by id where all of them have one, else by index where the
/// counts are equal, else by equality.
///
/// Unless they are paired by index, as few as possible stay alone, as `changes(from:to:by:)` says.
package func align(_ old: [Any], _ new: [Any]) -> [AlignmentStep] {
  if let oldIDs = uniqueIDs(of: old), let newIDs = uniqueIDs(of: new) {
    return align(oldIDs, newIDs, pairsLeftovers: false, by: ==)
  }
  if old.count == new.count {
    return old.indices.map { .both($0, $0) }
  }
  return align(old, new, pairsLeftovers: true, by: areEqual)
}

/// - Parameter pairsLeftovers: Whether removed elements and inserted elements at the same place are
///   paired, as elements that have changed.
package func align<Element>(
  _ old: [Element], _ new: [Element], pairsLeftovers: Bool,
  by areEqual: (Element, Element) -> Bool
) -> [AlignmentStep] {
  let (removed, inserted) = changes(from: old, to: new, by: areEqual)
  var steps: [AlignmentStep] = []
  var (i, j) = (0, 0)
  while i < old.count || j < new.count {
    let (firstOld, firstNew) = (i, j)
    while i < old.count, removed.contains(i) { i += 1 }
    while j < new.count, inserted.contains(j) { j += 1 }
    steps += replace(firstOld..<i, firstNew..<j, pairsLeftovers)
    if i < old.count, j < new.count {
      steps.append(.both(i, j))
      i += 1
      j += 1
    }
  }
  return steps
}

private func replace(
  _ old: Range<Int>, _ new: Range<Int>, _ pairs: Bool
) -> [AlignmentStep] {
  let paired = pairs ? min(old.count, new.count) : 0
  return zip(old, new).prefix(paired).map { .both($0, $1) }
    + old.dropFirst(paired).map { .removed($0) }
    + new.dropFirst(paired).map { .inserted($0) }
}

/// The ids of the elements, if all have one and no two are the same; otherwise `nil`. The ids of
/// buttons and alerts do not count: each gets a new id when it is made.
private func uniqueIDs(of elements: [Any]) -> [AnyHashable]? {
  func id<Element: Identifiable>(_ element: Element) -> AnyHashable { AnyHashable(element.id) }
  var ids: [AnyHashable] = []
  ids.reserveCapacity(elements.count)
  for element in elements {
    guard let element = element as? any Identifiable else { return nil }
    let id = id(element)
    guard !(id.base is ButtonStateID) else { return nil }
    ids.append(id)
  }
  return Set(ids).count == ids.count ? ids : nil
}
