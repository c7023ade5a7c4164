// The stores of children that a store has made.

/// Keeps what a store was scoped to, by the two key paths that say to what.
///
/// A key path that is written in the source is one object, as a rule: the few that were used last
/// are looked for by their addresses. One that is made anew for each use, because it captures
/// something, is compared by its value.
@usableFromInline
struct ScopedStores {
  @usableFromInline
  enum Kind {
    case part, optional, list
  }

  private struct Name: Hashable {
    let state: AnyKeyPath
    let action: AnyKeyPath
    let kind: Kind
  }

  private struct Entry {
    let name: Name
    let child: AnyObject
  }

  private var all: [Name: AnyObject] = [:]
  /// The entries retain their key paths, so that these addresses are not used again.
  private var recent: [Entry] = []
  private var oldest = 0

  private static let recentLimit = 12

  /// What was kept under two names. The kind and the types of the names determine its type.
  @usableFromInline
  mutating func find(_ state: AnyKeyPath, _ action: AnyKeyPath, _ kind: Kind) -> AnyObject? {
    for entry in recent
    where entry.name.state === state && entry.name.action === action && entry.name.kind == kind {
      return entry.child
    }
    guard !all.isEmpty else { return nil }
    let name = Name(state: state, action: action, kind: kind)
    guard let child = all[name] else { return nil }
    remember(Entry(name: name, child: child))
    return child
  }

  mutating func keep(
    _ child: AnyObject, _ state: AnyKeyPath, _ action: AnyKeyPath, _ kind: Kind
  ) {
    let name = Name(state: state, action: action, kind: kind)
    all[name] = child
    remember(Entry(name: name, child: child))
  }

  mutating func forget(_ state: AnyKeyPath, _ action: AnyKeyPath, _ kind: Kind) {
    let name = Name(state: state, action: action, kind: kind)
    all[name] = nil
    recent.removeAll { $0.name == name }
    oldest = 0
  }

  private mutating func remember(_ entry: Entry) {
    guard recent.count == Self.recentLimit else { return recent.append(entry) }
    recent[oldest] = entry
    oldest = (oldest + 1) % Self.recentLimit
  }
}
