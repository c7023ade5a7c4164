// Entries about objects that they do not retain.

/// Something about an object that it does not retain.
protocol WeakEntry {
  /// The object; `nil` when it has gone.
  var object: AnyObject? { get }
}

/// Entries about objects, by keys. Entries of objects that have gone are removed when there may be many
/// of them.
struct WeakEntries<Key: Hashable, Entry: WeakEntry> {
  private var entries: [Key: Entry] = [:]
  /// The number of entries above which those of objects that have gone are removed.
  private var limit = 64

  var values: Dictionary<Key, Entry>.Values { entries.values }

  subscript(key: Key) -> Entry? { entries[key] }

  /// The entries and objects that an update has replaced, removed or looked at. They must be released
  /// outside of a lock: the end of an object, or of something that an entry holds, may use the same
  /// entries.
  struct Released {
    fileprivate var replaced: Entry?
    fileprivate var all: [Key: Entry] = [:]
    fileprivate var objects: [AnyObject] = []
  }

  /// Sets the entry of a key. O(1) on average.
  mutating func update(_ entry: Entry, for key: Key) -> Released {
    var released = Released(replaced: entries.updateValue(entry, forKey: key))
    guard entries.count > limit else { return released }
    released.all = entries
    entries = entries.filter { _, entry in
      guard let object = entry.object else { return false }
      released.objects.append(object)
      return true
    }
    limit = max(64, 2 * entries.count)
    return released
  }
}
