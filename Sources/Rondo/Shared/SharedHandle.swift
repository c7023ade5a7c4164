// The reference that all copies of a shared variable show.

import Foundation
import Synchronization

/// The place that a shared variable and its copies show.
///
/// Assigning to the projection of one of them, `$count = other`, changes what all of them show.
final class SharedHandle<Value>: Sendable {
  private struct Observer {
    let didChange: @Sendable () -> Void
    /// Ends when it is released.
    var subscription: SharedSubscription?
  }

  private struct State {
    var reference: SharedReference<Value>
    /// The number of times that another place was shown; made when a closure that observes asks for
    /// the place.
    var changes: ChangeCount?
    var observers: [UInt64: Observer] = [:]
    var lastObserver: UInt64 = 0
  }

  private let state: Mutex<State>

  init(_ reference: SharedReference<Value>) {
    state = Mutex(State(reference: reference))
  }

  /// The place that is shown.
  var reference: SharedReference<Value> {
    state.withLock { state in
      if TrackedReads.current != nil {
        let changes = state.changes ?? ChangeCount()
        state.changes = changes
        changes.willRead()
      }
      return state.reference
    }
  }

  /// Shows another place from now on, and wakes everybody who observes.
  func show(_ reference: SharedReference<Value>) {
    let (before, observers, changes) = state.withLock { state in
      defer { state.reference = reference }
      return (state.reference, state.observers, state.changes)
    }
    guard before !== reference else { return }
    changes?.didChange()
    let ids = observers.keys.sorted()
    for id in ids { observeReference(id) }
    SharedMutations.note()
    before.root.wakeAll()
    for id in ids { observers[id]?.didChange() }
  }

  /// Calls a closure after every change of the value that is shown, until the result is cancelled.
  func observe(_ didChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    let id = state.withLock { state in
      state.lastObserver += 1
      state.observers[state.lastObserver] = Observer(didChange: didChange)
      return state.lastObserver
    }
    observeReference(id)
    return SharedSubscription { [weak self] in
      // Released outside of the lock.
      _ = self?.state.withLock { $0.observers.removeValue(forKey: id) }
    }
  }

  /// Subscribes an observer to the place that is shown. When another place is shown meanwhile, by
  /// another thread, it subscribes to that one.
  private func observeReference(_ id: UInt64) {
    while true {
      let (reference, didChange) = state.withLock { ($0.reference, $0.observers[id]?.didChange) }
      guard let didChange else { return }
      let subscription = reference.root.observe(didChange)
      // The subscription that is not needed any more is released outside of the lock.
      let unneeded = state.withLock { state in
        guard state.reference === reference else { return subscription as SharedSubscription? }
        defer { state.observers[id]?.subscription = subscription }
        return state.observers[id]?.subscription
      }
      if unneeded !== subscription { return }
    }
  }
}

extension SharedHandle where Value: Sendable {
  /// The value now, and after every change.
  ///
  /// - Parameter policy: The values to keep while nobody reads them.
  func values(
    _ policy: AsyncStream<Value>.Continuation.BufferingPolicy = .bufferingNewest(1)
  ) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: policy)
    // One thread at a time reads, and reads again after a change that came meanwhile. So no older
    // value comes after a newer one, and no lock is held while closures of others are called.
    let changes = Mutex(1)
    let read: @Sendable () -> Void = { [weak self] in
      var seen = 0
      repeat {
        seen = changes.withLock { $0 }
        if let self { continuation.yield(reference.read()) }
      } while changes.withLock { changes in
        guard changes == seen else { return true }
        changes = 0
        return false
      }
    }
    let subscription = observe {
      let isFirst = changes.withLock { changes in
        changes += 1
        return changes == 1
      }
      if isFirst { read() }
    }
    read()
    // The stream retains the handle that it reads.
    continuation.onTermination = { [self] _ in
      subscription.cancel()
      _ = self
    }
    return stream
  }
}
