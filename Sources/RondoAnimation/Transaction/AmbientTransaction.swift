// The transaction around a synchronous piece of code.
//
// It is kept per thread, not in a task local: a task local would be inherited by every `Task { }`
// that is started inside the scope and would tag its answers, long after the scope has ended. A
// synchronous body never leaves its thread, so what the thread knows is exactly its extent.

extension Transaction {
  /// The transaction that the ``withTransaction(_:_:)`` around this code has set, merged with those
  /// around that one; empty outside of any.
  ///
  /// It is visible to the synchronous body alone. A task started in there, work handed to a queue
  /// and the body of an effect all begin with an empty one.
  public static var current: Transaction {
    Transaction(storage: ambient.current)
  }
}

/// Runs a synchronous body inside a transaction.
///
/// The slots that `transaction` sets win over those of the ambient transaction; the others stay as
/// they are. The ambient transaction is restored on every exit, an error included.
///
/// ```swift
/// withTransaction(Transaction(animation: .easeOut)) {
///   store.send(.tapped)
/// }
/// ```
@discardableResult
public func withTransaction<Result>(
  _ transaction: Transaction,
  _ body: () throws -> Result
) rethrows -> Result {
  try transaction.whileHoldingCompletions {
    try withAmbientTransaction(Transaction.current.merging(transaction), body)
  }
}

/// Runs a synchronous body inside a transaction that sets one slot.
///
/// ```swift
/// withTransaction(\.isContinuous, true) { store.send(.dragged) }
/// ```
@discardableResult
public func withTransaction<Value, Result>(
  _ keyPath: WritableKeyPath<Transaction, Value>,
  _ value: Value,
  _ body: () throws -> Result
) rethrows -> Result {
  var transaction = Transaction()
  transaction[keyPath: keyPath] = value
  return try withTransaction(transaction, body)
}

/// Runs a synchronous body in which the ambient transaction is the given one, whatever it was
/// before. An empty one shields the body from the code around it.
package func withAmbientTransaction<Result>(
  _ transaction: Transaction,
  _ body: () throws -> Result
) rethrows -> Result {
  guard ambient.current != nil || transaction.storage != nil else { return try body() }
  return try ambient.with(transaction.storage, body)
}

private var ambient: ThreadLocalObject<TransactionStorage> { ThreadLocalObject(\.transaction) }
