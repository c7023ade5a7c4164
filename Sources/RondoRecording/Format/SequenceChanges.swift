// The shortest difference between two sequences.

/// The indices of elements that only one of two sequences has.
///
/// The shortest difference takes time in the square of its length. Where it is longer than a limit, everything
/// between the elements that are equal at both ends counts as replaced.
package func changes<Element>(
  from old: [Element], to new: [Element], atMost limit: Int = 500,
  by areEqual: (Element, Element) -> Bool
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
  guard differ(oldMiddle, newMiddle, atMost: limit, areEqual) else {
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
  let (start, end, newEnd) = (old.startIndex, old.endIndex, new.endIndex)
  // The old elements that can be passed with some changes, by the number of removals. It is written from its end, over
  // the numbers for one change less.
  var passed = [Int](repeating: start, count: limit + 1)
  for count in 0...limit {
    var removals = count
    while removals >= 0 {
      // The last change is an insertion or a removal.
      var x = removals < count ? passed[removals] : start
      if removals > 0 { x = max(x, passed[removals - 1] + 1) }
      var y = x + count - 2 * removals
      while x < end, y < newEnd, areEqual(old[x], new[y]) {
        x += 1
        y += 1
      }
      passed[removals] = x
      removals -= 1
    }
    // As many more removals than insertions as the first is longer.
    let doubled = count + old.count - new.count
    if doubled.isMultiple(of: 2), doubled >= 0, doubled / 2 <= count, passed[doubled / 2] >= end {
      return true
    }
  }
  return false
}
