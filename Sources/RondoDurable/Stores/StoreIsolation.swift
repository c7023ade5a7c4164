// The isolation of the machine of a durable store: the actor of all stores, one turn at a time.

import Rondo

/// Runs work of a machine on the actor of its stores, as a turn of its store.
struct StoreIsolation<State: Codable & Sendable, Action: Codable & Sendable>: HostIsolation {
  private let owner: Owner
  private let name: String
  private let activation: Int
  let actor: (any Actor)?
  let taskExecutor: (any TaskExecutor)?

  /// A weak reference in a place of its own.
  private final class Owner: Sendable {
    weak let stores: DurableStores<State, Action>?

    init(_ stores: DurableStores<State, Action>) {
      self.stores = stores
    }
  }

  init(_ stores: DurableStores<State, Action>, _ name: String, activation: Int) {
    owner = Owner(stores)
    self.name = name
    self.activation = activation
    actor = stores.home
    taskExecutor = stores.executor
  }

  func runIfCurrent(_ work: () -> Void) -> Bool {
    guard let stores = owner.stores, isRunning(on: stores.unownedExecutor) else { return false }
    let isTurn = stores.assumeIsolated { $0.beginRun(name, activation) }
    work()
    if isTurn { stores.assumeIsolated { $0.endRun(name, activation) } }
    return true
  }

  func hop(_ work: @escaping @Sendable () -> Void) {
    guard let stores = owner.stores else { return }
    let (name, activation) = (name, activation)
    // Detached: the values of the task that has posted are not for what others have posted.
    Task.detached(executorPreference: stores.executor, priority: .ofHop) {
      [weak stores] in
      await stores?.run(name, activation, work)
    }
  }

  func runLast(_ work: @escaping @Sendable () -> Void) {
    // The stores close machines on their actor; a machine that is released with the actor is no
    // longer used by anybody.
    work()
  }
}
