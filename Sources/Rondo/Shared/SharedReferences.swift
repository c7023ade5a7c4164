// The keys that have a value now.

import Foundation
import RondoAnimation
import RondoScheduling

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

  private struct Holder: WeakEntry {
    weak var root: (any SharedRoot)?
    var object: AnyObject? { root }
  }

  private let holders = LockIsolated(WeakEntries<Place, Holder>())

  /// Whether somebody holds a value.
  var areHeld: Bool {
    let holders = self.holders.withLock { $0 }
    return holders.values.contains { $0.root != nil }
  }

  /// Returns the place of a key's value, and makes it if there is none yet.
  ///
  /// No lock is held while the value is loaded, so loading may ask for other values, and wait for
  /// other threads. When two threads load the value at the same time, the first one to finish is
  /// kept.
  ///
  /// - Parameters:
  ///   - isLoaded: Whether the key has just loaded `initialValue`.
  ///   - declaration: The place to blame for what goes wrong.
  func reference<Key: SharedReaderKey>(
    for key: Key, isLoaded: Bool = false, _ declaration: SourcePosition? = nil,
    default initialValue: () -> Key.Value
  ) -> SharedBox<Key.Value> {
    let place = Place(id: AnyHashable(key.id), value: ObjectIdentifier(Key.Value.self))
    func find() -> SharedBox<Key.Value>? {
      holders.withLock { $0[place]?.root as? SharedBox<Key.Value> }
    }
    // A value that asks for itself while it is loaded gets the one to begin with.
    if let box = find() ?? LoadingOnThread.box(of: place) as? SharedBox<Key.Value> { return box }
    let kept = (key as? any KeepingKey<Key.Value>)?.kept
    let box = SharedBox(
      kept ?? initialValue(), name: "Shared<\(Key.Value.self)>(\(key))", key: "\(key)")
    LoadingOnThread.whileLoading(place, box) {
      box.connect(to: key, isLoaded: isLoaded, declaration ?? SourcePosition())
    }
    let (present, released) = holders.withLock { holders in
      if let earlier = holders[place]?.root as? SharedBox<Key.Value> {
        return (earlier, WeakEntries<Place, Holder>.Released?.none)
      }
      return (box, holders.update(Holder(root: box), for: place))
    }
    // The end of a value may share another one.
    withExtendedLifetime(released) {}
    return present
  }

  /// A link in the list of the values that the running thread is loading. The list begins with the
  /// value whose loading began last.
  private final class LoadingOnThread {
    private let place: Place
    private let box: AnyObject
    private let outer: LoadingOnThread?

    private static var running: ThreadLocalObject<LoadingOnThread> {
      ThreadLocalObject(\.sharedLoading)
    }

    private init(_ place: Place, _ box: AnyObject, _ outer: LoadingOnThread?) {
      self.place = place
      self.box = box
      self.outer = outer
    }

    static func box(of place: Place) -> AnyObject? {
      var loading = running.current
      while let each = loading {
        if each.place == place { return each.box }
        loading = each.outer
      }
      return nil
    }

    static func whileLoading(_ place: Place, _ box: AnyObject, _ body: () -> Void) {
      running.with(LoadingOnThread(place, box, running.current), body)
    }
  }
}
