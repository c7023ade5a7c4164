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
    return modified { TransactionNode($0, transaction) }
  }
}

final class TransactionNode: ModifierNode {
  let transaction: Transaction

  init(_ child: EffectNode, _ transaction: Transaction) {
    self.transaction = transaction
    super.init(child)
  }

  override var label: String { "transaction[\(transaction)]" }

  override func makeFrame(under parent: Frame, _ interpreter: Interpreter) -> Frame? {
    TransactionFrame(transaction, under: parent)
  }
}

/// Merges a transaction into that of every emission. It wins over what operators below have set, but
/// not over the call of `send`.
private final class TransactionFrame: Frame {
  private let transaction: Transaction

  init(_ transaction: Transaction, under parent: Frame) {
    self.transaction = transaction
    super.init(under: parent, intercepts: true)
  }

  override func intercept(
    _ emission: inout Emission, _ interpreter: Interpreter
  ) -> Interception {
    emission.transaction.merge(HeldTransaction(transaction))
    return .pass
  }
}
