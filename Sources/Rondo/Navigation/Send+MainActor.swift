// Sending from code of the main actor that cannot wait.

import RondoAnimation

extension Send {
  /// Sends an action from the main actor, without waiting.
  ///
  /// ```swift
  /// await MainActor.run { send(.finished) }
  /// ```
  @MainActor
  public func callAsFunction(_ action: sending Action) {
    post(action)
  }

  /// Sends an action from the main actor whose change of state is to be shown with an animation.
  @MainActor
  public func callAsFunction(_ action: sending Action, animation: Animation?) {
    callAsFunction(action, transaction: Transaction(animation: animation))
  }

  /// Sends an action from the main actor inside a transaction.
  @MainActor
  public func callAsFunction(_ action: sending Action, transaction: Transaction) {
    // nonisolated(unsafe): the closure runs at once, and nobody else has the action.
    nonisolated(unsafe) let action = action
    withTransaction(transaction) { post(action) }
  }
}
