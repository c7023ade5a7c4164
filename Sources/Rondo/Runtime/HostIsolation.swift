// The isolation that a machine lives on, as its effects see it: the main actor or another one.

import Dispatch
import RondoConcurrencyShims
import RondoScheduling

/// The isolation of a machine, with the ways to run work on it from elsewhere.
package protocol HostIsolation: Sendable {
  /// Runs work now if the caller is on the isolation already. Returns whether it was.
  func runIfCurrent(_ work: () -> Void) -> Bool

  /// Runs work on the isolation soon.
  func hop(_ work: @escaping @Sendable () -> Void)

  /// Runs the last work of a machine whose host has been released. The caller may be anywhere.
  func runLast(_ work: @escaping @Sendable () -> Void)

  /// The executor of the closures of effects; `nil` is the concurrent pool.
  var taskExecutor: (any TaskExecutor)? { get }

  /// Whether ``letOthersGoFirst()`` is to be called.
  var isExploring: Bool { get }

  /// Called by the closure of an effect before it sends a message. If every effect had a thread of
  /// its own, another effect could be faster at this point. The closure may be suspended here until
  /// other effects have gone first.
  nonisolated(nonsending) func letOthersGoFirst() async
}

extension HostIsolation {
  package var taskExecutor: (any TaskExecutor)? { nil }

  package var isExploring: Bool { false }

  package nonisolated(nonsending) func letOthersGoFirst() async {}

  package func runLast(_ work: @escaping @Sendable () -> Void) {
    if !runIfCurrent(work) { hop(work) }
  }
}

/// The main actor, reached through a scheduler of the program's choice.
struct MainIsolation: HostIsolation {
  private let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void

  init(_ scheduler: some Scheduler) {
    schedule = { scheduler.schedule($0) }
  }

  func runIfCurrent(_ work: () -> Void) -> Bool {
    guard isOnMainQueue() else { return false }
    work()
    return true
  }

  func hop(_ work: @escaping @Sendable () -> Void) {
    schedule(work)
  }
}

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

/// Whether the caller runs on a serial executor: on the actor that it belongs to.
package func isRunning(on executor: UnownedSerialExecutor) -> Bool {
  // An executor is a reference to an object and one to what it implements.
  let (object, implementation) = unsafeBitCast(
    executor, to: (UnsafeRawPointer?, UnsafeRawPointer?).self)
  return rondo_isCurrentExecutor(object, implementation)
}
