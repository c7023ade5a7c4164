// The owner of an interpreter.

import RondoAnimation
import RondoScheduling

/// The receiver of what effects answer with: a machine, or the runner of an effect without a store.
///
/// Every requirement is called on the isolation that the owner lives on.
protocol EffectHost: AnyObject {
  /// The place in the source where the owner was made, if it is known.
  var position: SourcePosition? { get }

  /// Whether a change is in progress further up the stack. A message is part of that change then.
  var isBusy: Bool { get }

  /// Queues what arrives while a closure observes on the main actor, until the closure has
  /// returned.
  func holdBackWhileObserving()

  /// Makes a change that is not part of one in progress, and deals with everything that follows.
  func perform(_ change: () -> Void)

  /// Deals with the actions that have arrived so far.
  func settle()

  /// Takes a value that has come through operators.
  func receive(_ emission: Emission, _ root: RootFrame)

  /// Takes a ``SendNode`` of the owner's own type.
  func receive(_ answer: EffectNode, _ transaction: Transaction, _ root: RootFrame)

  /// Called when everything that a root has started has ended without being cancelled.
  func didEnd(_ root: RootFrame)

  /// Removes a subscriber.
  func unsubscribe(_ id: UInt64)

  /// Stops with a message where a data structure of the runtime contradicts itself.
  func checkInvariants()
}
