// One value on its way from an effect to the host that started the effect.

import RondoAnimation

/// A value that has left an effect, with what is known of its transaction.
///
/// The transaction comes from three sources, one property each. A slot that a later property sets
/// wins over the same slot of an earlier one.
struct Emission {
  var value: Any

  /// The transaction of the action that is being answered synchronously. Empty once the emission
  /// has passed a scheduler.
  var inherited = Transaction()

  /// The ambient transaction at the emission. Operators and the ambient transactions of schedulers
  /// on the way up are merged into it.
  var transaction = Transaction()

  /// The transaction that was given to the call of `send`.
  var call = Transaction()

  var resolvedTransaction: Transaction {
    inherited.merging(transaction).merging(call)
  }
}
