// The isolation of a machine that an actor owns.

/// The isolation of an actor that owns a machine.
final class ActorIsolation: HostIsolation, @unchecked Sendable {
  // @unchecked: constants, and a weak reference, whose reads are atomic.
  private weak let actor: (any Actor)?
  private let executor: UnownedSerialExecutor

  init(_ actor: any Actor) {
    self.actor = actor
    executor = actor.unownedExecutor
  }

  /// Asks the runtime whether the caller runs on the actor.
  ///
  /// The executor of an actor that is gone may be mistaken for that of a new one at the same address.
  /// That is harmless: the mailbox of the old one was closed in its `deinit`.
  func runIfCurrent(_ work: () -> Void) -> Bool {
    guard isRunning(on: executor) else { return false }
    work()
    return true
  }

  func hop(_ work: @escaping @Sendable () -> Void) {
    // Detached: the values of the task that has posted are not for what others have posted.
    Task.detached { [weak actor] in await actor?.run(work) }
  }

  /// Runs the work where the actor is released: no code can run on it any more.
  func runLast(_ work: @escaping @Sendable () -> Void) {
    work()
  }
}

extension Actor {
  fileprivate func run(_ work: @Sendable () -> Void) {
    work()
  }
}
