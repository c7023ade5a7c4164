// The isolation of a machine that an actor owns.

/// The executor of a store that is an actor, as an actor of its own.
///
/// The closures of the store's effects run on it. They hold it, and not the store, which would never be released
/// while an effect is in flight.
package actor HostActor {
  package init() {}
}

/// The isolation of an actor that owns a machine.
final class ActorIsolation: HostIsolation, @unchecked Sendable {
  // @unchecked: constants, and a weak reference, whose reads are atomic.
  private weak let owner: (any Actor)?
  private let home: HostActor

  var actor: (any Actor)? { home }

  init(_ owner: any Actor, _ home: HostActor) {
    self.owner = owner
    self.home = home
  }

  /// Asks the runtime whether the caller runs on the actor. Then the actor is held: it may be released meanwhile,
  /// but not while the machine is at work.
  func runIfCurrent(_ work: () -> Void) -> Bool {
    guard isRunning(on: home.unownedExecutor), let owner else { return false }
    withExtendedLifetime(owner, work)
    return true
  }

  func hop(_ work: @escaping @Sendable () -> Void) {
    // Detached: the values of the task that has posted are not for what others have posted.
    Task.detached(priority: .ofHop) { [weak owner] in await owner?.run(work) }
  }

  /// Runs the work where the actor is released: no code uses the machine any more.
  func runLast(_ work: @escaping @Sendable () -> Void) {
    work()
  }
}

extension TaskPriority {
  /// The priority of a hop to a host: the caller's, or the usual one if that is higher. One hop serves all who post
  /// before it has come there, whatever their priorities are.
  package static var ofHop: Self { max(Task.basePriority ?? .medium, .medium) }
}

extension Actor {
  fileprivate func run(_ work: @Sendable () -> Void) {
    work()
  }
}
