// Operators that set the animation or the transaction of an effect's answers.

import RondoAnimation

extension Effect {
  /// Tags every action that the effect answers with, so that its change of state is shown with an
  /// animation.
  ///
  /// An animation that is given to `send(_:animation:)` inside a closure wins over it. It tags the
  /// answers of this effect only: not its siblings in a merge, and not what later actions lead to.
  public func animation(_ animation: Animation? = .default) -> Self {
    transaction(Transaction(animation: animation))
  }

  /// Tags every action that the effect answers with. Slots that the transaction does not set are
  /// left as they are.
  public func transaction(_ transaction: Transaction) -> Self {
    guard !transaction.isEmpty else { return self }
    return modified {
      OperatorNode($0, hasMemory: false, transaction, label: { "transaction[\($0)]" }) {
        transaction, emission, _ in
        // It wins over what operators below have set, but not over the call of `send`.
        emission.transaction.merge(HeldTransaction(transaction))
        return .pass
      }
    }
  }
}
