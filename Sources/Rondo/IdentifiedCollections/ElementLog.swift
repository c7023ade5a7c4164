// The record of the elements of a list that may have changed lately.

/// Names the elements of a list that were lent to be changed, replaced, added or removed since an
/// earlier version of the list.
///
/// A list begins to keep one when an element has effects in flight. So the store that looks for
/// elements that have gone, or for children of elements, need not look at all of them.
///
/// A log is a part of the list's value: a copy takes it along, and both go on by themselves. Stamps
/// are unique, so a log never takes the version of another list for one of its own. A list that is
/// set back to an earlier value does not know the versions behind that value.
@usableFromInline
struct ElementLog<ID: Hashable> {
  /// The version before the first entry.
  private var base = Stamp()
  private var entries: [(version: Stamp, id: ID)] = []

  /// The number of entries at which the older half is forgotten.
  private static var longest: Int { 64 }

  @usableFromInline
  init() {}

  /// The version of the list.
  @usableFromInline
  var version: Stamp { entries.last?.version ?? base }

  /// Notes that an element is lent to be changed, is added, or is removed.
  @usableFromInline
  mutating func note(_ id: ID) {
    if entries.count == Self.longest {
      let half = Self.longest / 2
      base = entries[half - 1].version
      entries.removeSubrange(..<half)
    }
    entries.append((Stamp(), id))
  }

  /// The ids of the elements that may have changed since a version; `nil` where the log does not
  /// reach back to it.
  @usableFromInline
  func ids(since version: Stamp) -> Set<ID>? {
    if version == self.version { return [] }
    if version == base { return Set(entries.map(\.id)) }
    guard let index = entries.lastIndex(where: { $0.version == version }) else { return nil }
    return Set(entries[(index + 1)...].map(\.id))
  }
}

extension IdentifiedArray {
  /// Begins to note which elements change, unless that is done already.
  @usableFromInline
  mutating func keepLog() {
    if log == nil { log = ElementLog() }
  }

  /// Lets nobody rely on the log so far, after a change of many elements.
  @usableFromInline
  mutating func renewLog() {
    if log != nil { log = ElementLog() }
  }
}
