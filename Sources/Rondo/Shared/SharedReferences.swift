// The keys that have a value now.

import Foundation

/// A key that knows its value without loading it, so that no default has to be made.
protocol KeepingKey<Value> {
  associatedtype Value
  /// The value; `nil` where there is none yet.
  var kept: Value? { get }
}

/// The shared values that are in use, by their keys.
final class SharedReferences: Sendable {
  private struct Place: Hashable {
    let id: AnyHashable
    let value: ObjectIdentifier
  }

  private struct Holder {
    weak var root: (any SharedRoot)?
  }

  private struct State {
    var holders: [Place: Holder] = [:]
    var purgeCount = 64

    /// Removes the keys whose values are gone, when they may be many. Returns what was looked at, to be
    /// released when the access has ended: others may have let go of it meanwhile, and the end of a value
    /// may share another one.
    mutating func purge() -> (holders: [Place: Holder], roots: [any SharedRoot]) {
      guard holders.count > purgeCount else { return ([:], []) }
      let all = holders
      var roots: [any SharedRoot] = []
      holders = all.filter { _, holder in
        guard let root = holder.root else { return false }
        roots.append(root)
        return true
      }
      purgeCount = max(64, holders.count * 2)
      return (all, roots)
    }
  }

  private let state = LockIsolated(State())

  /// Whether there were values, and all of them have been released.
  var areAllGone: Bool {
    // Looked at outside of the lock: if others let go of a value meanwhile, it ends here.
    let holders = state.withLock { $0.holders }
    return !holders.isEmpty && holders.values.allSatisfy { $0.root == nil }
  }

  /// Returns the place of a key's value, and makes it if there is none yet.
  ///
  /// No lock is held while the value is loaded, so loading may ask for other values, and wait for
  /// other threads. When two threads load the value at the same time, the first one to finish is
  /// kept.
  ///
  /// - Parameter isLoaded: Whether the key has just loaded `initialValue`.
  func reference<Key: SharedReaderKey>(
    for key: Key, isLoaded: Bool = false, default initialValue: () -> Key.Value
  ) -> SharedBox<Key.Value> {
    let place = Place(id: AnyHashable(key.id), value: ObjectIdentifier(Key.Value.self))
    func find() -> SharedBox<Key.Value>? {
      state.withLock { $0.holders[place]?.root as? SharedBox<Key.Value> }
    }
    // A value that asks for itself while it is loaded gets the one to begin with.
    if let box = find() ?? LoadingOnThread.box(of: place) as? SharedBox<Key.Value> { return box }
    let kept = (key as? any KeepingKey<Key.Value>)?.kept
    let box = SharedBox(
      kept ?? initialValue(), name: "Shared<\(Key.Value.self)>(\(key))", key: "\(key)")
    LoadingOnThread.whileLoading(place, box) { box.connect(to: key, isLoaded: isLoaded) }
    let (present, released) = state.withLock { state in
      if let earlier = state.holders[place]?.root as? SharedBox<Key.Value> {
        return (earlier, ([:], []))
      }
      state.holders[place] = Holder(root: box)
      return (box, state.purge())
    }
    withExtendedLifetime(released) {}
    return present
  }

  /// A link in the list of the values that the running thread is loading. The list begins with the
  /// value whose loading began last.
  private final class LoadingOnThread {
    private let place: Place
    private let box: AnyObject
    private let outer: LoadingOnThread?

    private static let slot = ThreadSlot()

    private static var current: LoadingOnThread? {
      slot.pointer.map { Unmanaged<LoadingOnThread>.fromOpaque($0).takeUnretainedValue() }
    }

    private init(_ place: Place, _ box: AnyObject, _ outer: LoadingOnThread?) {
      self.place = place
      self.box = box
      self.outer = outer
    }

    static func box(of place: Place) -> AnyObject? {
      var loading = current
      while let each = loading {
        if each.place == place { return each.box }
        loading = each.outer
      }
      return nil
    }

    static func whileLoading(_ place: Place, _ box: AnyObject, _ body: () -> Void) {
      let outer = slot.pointer
      // Lives until the end of the body, which is how long the slot points at it.
      let loading = LoadingOnThread(place, box, current)
      slot.pointer = Unmanaged.passUnretained(loading).toOpaque()
      withExtendedLifetime(loading, body)
      slot.pointer = outer
    }
  }
}
