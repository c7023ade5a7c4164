// One value on its way from an effect to whoever started it.

import RondoAnimation

/// A value that has left an effect, with what is known of its transaction.
///
/// Three things are said about the transaction, by three speakers; each wins over the one before it,
/// slot by slot.
struct Emission {
  var value: Any

  /// The transaction of the action that is being answered synchronously. A scheduler ends it.
  var inherited = Transaction()

  /// The ambient transaction where the value was emitted, then what operators and the ambient
  /// transaction of schedulers on the way up have put over it.
  var transaction = Transaction()

  /// What the call of `send` said.
  var call = Transaction()

  var resolvedTransaction: Transaction {
    inherited.merging(transaction).merging(call)
  }
}
