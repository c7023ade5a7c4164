// The stores of children that a store has made.

/// The child stores that a store has made, by the two key paths that they were made with.
///
/// A key path that is written in the source is usually one object. So the key paths that were used
/// last are compared by their addresses first. A key path that is made anew for each use, because
/// it captures something, is compared by its value.
@usableFromInline
struct ScopedStores {
  @usableFromInline
  enum Kind {
    case part, optional, list
  }

  @usableFromInline
  struct Entry {
    let state: AnyKeyPath
    let action: AnyKeyPath
    let kind: Kind
    let child: AnyObject
  }

  private struct Name: Hashable {
    let state: AnyKeyPath
    let action: AnyKeyPath
    let kind: Kind
  }

  /// The entries that were used last; usually these are all. The entries retain their key paths, so
  /// that no other key path gets the same address.
  private var recent: [Entry] = []
  private var oldest = 0
  /// All child stores, once there are more than ``recentLimit``; empty before.
  private var all: [Name: AnyObject] = [:]
  /// The number of child stores above which those of children that have gone are looked for.
  private var limit = leastLimit

  private static var recentLimit: Int { 12 }
  private static var leastLimit: Int { 32 }

  @usableFromInline
  init() {}

  /// Finds the object that was kept under two key paths. The kind and the types of the key paths
  /// determine its type.
  @inlinable
  @inline(__always)
  mutating func find<Child: AnyObject>(
    _ state: AnyKeyPath, _ action: AnyKeyPath, _ kind: Kind, as type: Child.Type = Child.self
  ) -> Child? {
    guard let child = findObject(state, action, kind) else { return nil }
    return unsafeDowncast(child, to: type)
  }

  @usableFromInline
  mutating func findObject(_ state: AnyKeyPath, _ action: AnyKeyPath, _ kind: Kind) -> AnyObject? {
    for entry in recent
    where entry.state === state && entry.action === action && entry.kind == kind {
      return entry.child
    }
    let child = recent.first { $0.state == state && $0.action == action && $0.kind == kind }?.child
    guard let child = child ?? all[Name(state: state, action: action, kind: kind)] else {
      return nil
    }
    remember(Entry(state: state, action: action, kind: kind, child: child))
    return child
  }

  @usableFromInline
  mutating func keep(
    _ child: AnyObject, _ state: AnyKeyPath, _ action: AnyKeyPath, _ kind: Kind
  ) {
    if !all.isEmpty { all[Name(state: state, action: action, kind: kind)] = child }
    remember(Entry(state: state, action: action, kind: kind, child: child))
  }

  /// Removes a store. Returns what was removed, to be released when the access has ended: a state
  /// that is released with it may use the parent.
  mutating func forget(_ state: AnyKeyPath, _ action: AnyKeyPath, _ kind: Kind) -> [AnyObject] {
    let removed = recent.filter { $0.state == state && $0.action == action && $0.kind == kind }
    recent.removeAll { $0.state == state && $0.action == action && $0.kind == kind }
    oldest = 0
    let name = Name(state: state, action: action, kind: kind)
    return removed.map(\.child) + [all.removeValue(forKey: name)].compactMap(\.self)
  }

  /// Whether there are twice as many stores as after the last look, so that those of children that have
  /// gone may be many.
  var isOvergrown: Bool { all.count > limit }

  /// Begins to look for stores of children that have gone. ``remove(_:)`` ends it.
  ///
  /// - Returns: The stores of children that may go away.
  mutating func beginLook() -> [AnyObject] {
    // To find out whether a child is there may run code that asks for another one.
    limit = .max
    return all.compactMap { $0.key.kind == .optional ? $0.value : nil }
  }

  /// Removes some stores. Returns all that there were, to be released when the access has ended.
  mutating func remove(_ gone: Set<ObjectIdentifier>) -> Self {
    let old = self
    all = all.filter { !gone.contains(ObjectIdentifier($0.value)) }
    recent.removeAll { gone.contains(ObjectIdentifier($0.child)) }
    oldest = 0
    limit = max(Self.leastLimit, 2 * all.count)
    return old
  }

  private mutating func remember(_ entry: Entry) {
    guard recent.count == Self.recentLimit else { return recent.append(entry) }
    if all.isEmpty {
      for entry in recent + [entry] {
        all[Name(state: entry.state, action: entry.action, kind: entry.kind)] = entry.child
      }
    }
    recent[oldest] = entry
    oldest = (oldest + 1) % Self.recentLimit
  }
}
