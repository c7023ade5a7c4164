// The owner of an interpreter.

import RondoAnimation
import RondoScheduling

/// A machine, or the runner of an effect without a store: it takes what the effects answer with.
///
/// Every requirement is called on the isolation that the owner lives on.
protocol EffectHost: AnyObject {
  /// Where the owner was made, if that is known.
  var position: SourcePosition? { get }

  /// Whether a change is in progress further up the stack. A message is part of that change then.
  var isBusy: Bool { get }

  /// While a closure observes on the main actor: queues what arrives until it has returned.
  func holdBackWhileObserving()

  /// Makes a change that is not part of one in progress, and deals with everything that follows.
  func perform(_ change: () -> Void)

  /// Deals with the actions that have arrived so far.
  func settle()

  /// Takes a value that has come through operators.
  func receive(_ emission: Emission, _ root: RootFrame)

  /// Takes a ``SendNode`` of the owner's own type.
  func receive(_ answer: EffectNode, _ transaction: Transaction, _ root: RootFrame)

  /// Told when all that a root has started has ended by itself.
  func didEnd(_ root: RootFrame)

  /// Removes a subscriber.
  func unsubscribe(_ id: UInt64)

  /// Stops with a message where a structure is not what the runtime relies on.
  func checkInvariants()
}
