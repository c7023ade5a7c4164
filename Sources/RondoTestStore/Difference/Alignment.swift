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
/// Unless they are paired by index, as few as possible stay alone, as `changes(from:to:by:)` says.
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

/// The indices of elements that only one of two sequences has.
///
/// The shortest difference takes time in the square of its length. Where it is too long, everything
/// between the elements that are equal at both ends counts as replaced.
func changes<Element>(
  from old: [Element], to new: [Element], by areEqual: (Element, Element) -> Bool
) -> (removed: Set<Int>, inserted: Set<Int>) {
  let common = min(old.count, new.count)
  var prefix = 0
  while prefix < common, areEqual(old[prefix], new[prefix]) { prefix += 1 }
  var suffix = 0
  while suffix < common - prefix,
    areEqual(old[old.count - 1 - suffix], new[new.count - 1 - suffix])
  { suffix += 1 }
  let oldMiddle = old[prefix..<(old.count - suffix)]
  let newMiddle = new[prefix..<(new.count - suffix)]
  guard differ(oldMiddle, newMiddle, atMost: 500, areEqual) else {
    return (Set(oldMiddle.indices), Set(newMiddle.indices))
  }
  var removed: Set<Int> = []
  var inserted: Set<Int> = []
  for change in newMiddle.difference(from: oldMiddle, by: areEqual) {
    switch change {
    case .remove(let offset, _, _): removed.insert(prefix + offset)
    case .insert(let offset, _, _): inserted.insert(prefix + offset)
    }
  }
  return (removed, inserted)
}

/// Whether a number of removals and insertions makes the second sequence of the first: the search of
/// Myers, without the way back. Both have the same first index.
private func differ<Element>(
  _ old: ArraySlice<Element>, _ new: ArraySlice<Element>, atMost limit: Int,
  _ areEqual: (Element, Element) -> Bool
) -> Bool {
  guard abs(old.count - new.count) <= limit else { return false }
  // The old elements that can be passed with one change less, by the number of removals.
  var last: [Int] = []
  for count in 0...limit {
    let row = (0...count).map { removals in
      let afterInsertion = removals < count ? last[removals] : old.startIndex
      let afterRemoval = removals > 0 ? last[removals - 1] + 1 : old.startIndex
      var x = max(afterInsertion, afterRemoval)
      while x < old.endIndex {
        let y = x + count - 2 * removals
        guard y < new.endIndex, areEqual(old[x], new[y]) else { break }
        x += 1
      }
      return x
    }
    // As many more removals than insertions as the first is longer.
    let removals = count + old.count - new.count
    if removals.isMultiple(of: 2), removals >= 0, removals / 2 <= count,
      row[removals / 2] >= old.endIndex
    {
      return true
    }
    last = row
  }
  return false
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
