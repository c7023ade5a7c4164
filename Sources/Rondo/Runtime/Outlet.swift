// Where the emissions of running effects arrive.

import RondoAnimation

/// The owner of an interpreter: a machine, or the runner of an effect without a store.
class Outlet {
  private(set) final var interpreter: Interpreter!

  /// Whether a change is being made right now, further up the stack.
  final var isBusy = false

  init(isolation: any HostIsolation) {
    interpreter = Interpreter(outlet: self, isolation: isolation)
  }

  deinit {
    interpreter.endAll()
  }

  /// Makes a change that is not part of one in progress. The code that runs inside sees an empty
  /// ambient transaction: what tags an action is said in its envelope.
  func perform(_ change: () -> Void) {
    isBusy = true
    withAmbientTransaction(Transaction(), change)
    isBusy = false
  }

  /// Deals with the emissions that have arrived so far.
  func settle() {}

  /// Takes what has come through operators.
  func receive(_ emission: Emission, _ root: RootFrame) {}

  /// Takes a ``SendNode`` of the outlet's own type.
  func receive(_ answer: EffectNode, _ transaction: Transaction, _ root: RootFrame) {}

  /// Told when all that a root has started has ended by itself.
  func didEnd(_ root: RootFrame) {}

  /// Forgets a subscriber.
  func unsubscribe(_ id: UInt64) {}
}
