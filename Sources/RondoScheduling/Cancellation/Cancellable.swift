// Something under way that can be told to stop.

/// Something under way that can be told to stop: a repeating schedule, a subscription.
///
/// Conforming types promise that ``cancel()`` may be called from any thread, and more than once.
public protocol Cancellable: Sendable {
  /// Stops what is under way and lets go of what it holds. Further calls do nothing.
  func cancel()
}

extension Cancellable {
  /// Keeps this in a set: it is cancelled when the set lets go of it.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(asAnyCancellable)
  }

  /// Keeps this at the end of a collection: it is cancelled when the collection lets go of it.
  public func store<Cancellables: RangeReplaceableCollection>(
    in collection: inout Cancellables
  ) where Cancellables.Element == AnyCancellable {
    collection.append(asAnyCancellable)
  }

  private var asAnyCancellable: AnyCancellable {
    (self as? AnyCancellable) ?? AnyCancellable(self)
  }
}
