// The alignment of two sequences: pairs of elements that belong together.

/// One step through two sequences.
enum AlignmentStep: Equatable {
  case both(Int, Int)
  case removed(Int)
  case inserted(Int)
}

/// Pairs the elements of two sequences: by id where all of them have one, else by index where the
/// counts are equal, else by equality.
///
/// Elements that are equal at the beginning and at the end are paired first, in linear time, unless
/// they are paired by index. The elements between them are compared in full if there are few of
/// them.
func align(_ old: [Any], _ new: [Any]) -> [AlignmentStep] {
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
func align<Element>(
  _ old: [Element], _ new: [Element], pairsLeftovers: Bool,
  by areEqual: (Element, Element) -> Bool
) -> [AlignmentStep] {
  let common = min(old.count, new.count)
  var prefix = 0
  while prefix < common, areEqual(old[prefix], new[prefix]) { prefix += 1 }
  var suffix = 0
  while suffix < common - prefix,
    areEqual(old[old.count - 1 - suffix], new[new.count - 1 - suffix])
  { suffix += 1 }
  let oldMiddle = prefix..<(old.count - suffix)
  let newMiddle = prefix..<(new.count - suffix)
  var steps = (0..<prefix).map { AlignmentStep.both($0, $0) }
  if oldMiddle.count * newMiddle.count <= 1_000_000 {
    steps += alignFully(old, oldMiddle, new, newMiddle, pairsLeftovers, areEqual)
  } else {
    steps += replace(oldMiddle, newMiddle, pairsLeftovers)
  }
  steps += (0..<suffix).reversed().map { .both(old.count - 1 - $0, new.count - 1 - $0) }
  return steps
}

private func alignFully<Element>(
  _ old: [Element], _ oldRange: Range<Int>, _ new: [Element], _ newRange: Range<Int>,
  _ pairsLeftovers: Bool, _ areEqual: (Element, Element) -> Bool
) -> [AlignmentStep] {
  let difference = new[newRange].difference(from: old[oldRange], by: areEqual)
  var removed: Set<Int> = []
  var inserted: Set<Int> = []
  for change in difference {
    switch change {
    case .remove(let offset, _, _): removed.insert(offset + oldRange.lowerBound)
    case .insert(let offset, _, _): inserted.insert(offset + newRange.lowerBound)
    }
  }
  var steps: [AlignmentStep] = []
  var (i, j) = (oldRange.lowerBound, newRange.lowerBound)
  while i < oldRange.upperBound || j < newRange.upperBound {
    let (firstOld, firstNew) = (i, j)
    while i < oldRange.upperBound, removed.contains(i) { i += 1 }
    while j < newRange.upperBound, inserted.contains(j) { j += 1 }
    steps += replace(firstOld..<i, firstNew..<j, pairsLeftovers)
    if i < oldRange.upperBound, j < newRange.upperBound {
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
