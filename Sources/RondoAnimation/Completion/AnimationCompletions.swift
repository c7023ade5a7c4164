// The slot in which a transaction carries its completions, and how they are held back in a queue.

/// The completions that wait for what a transaction animates.
struct AnimationCompletions: Sendable {
  var list: [AnimationCompletion] = []

  /// Holds the list back for as long as the transaction waits somewhere. It says nothing about the
  /// change itself, so it is not compared.
  var hold: CompletionHold?
}

extension AnimationCompletions: Equatable {
  static func == (lhs: AnimationCompletions, rhs: AnimationCompletions) -> Bool {
    lhs.list == rhs.list
  }
}

extension AnimationCompletions: CustomStringConvertible {
  var description: String { "\(list)" }
}

struct AnimationCompletionsKey: TransactionKey {
  static var defaultValue: AnimationCompletions { AnimationCompletions() }
}

/// Holds completions back for as long as it lives.
///
/// A count would have to be given back on every way that an emission can take out of a queue,
/// delivered, dropped or cancelled. A reference is given back by itself.
final class CompletionHold: Sendable {
  private let completions: [AnimationCompletion]

  init(_ completions: [AnimationCompletion]) {
    self.completions = completions
    completions.forEach { $0.hold() }
  }

  deinit {
    completions.forEach { $0.release() }
  }
}

/// A transaction that waits: in a queue, in a message, or in a change that is not shown yet. None of
/// its completions runs before the last copy is gone.
package struct HeldTransaction: Equatable, Sendable {
  // Its slot of completions stores the hold.
  private var held: Transaction

  /// An empty transaction.
  package init() {
    held = Transaction()
  }

  /// Holds the completions of a transaction, if it has any.
  package init(_ transaction: Transaction) {
    held = transaction
    guard !transaction.isEmpty, !transaction.animationCompletions.isEmpty else { return }
    held[AnimationCompletionsKey.self].hold = CompletionHold(transaction.animationCompletions)
  }

  package var isEmpty: Bool { held.isEmpty }

  /// The transaction without the hold, for code that may keep it for ever.
  package var value: Transaction {
    guard !held.isEmpty, held[AnimationCompletionsKey.self].hold != nil else { return held }
    var transaction = held
    transaction[AnimationCompletionsKey.self].hold = nil
    return transaction
  }

  /// This transaction with every slot that `other` sets taken from there.
  package func merging(_ other: Self) -> Self {
    var merged = self
    merged.merge(other)
    return merged
  }

  /// Takes over every slot that `other` sets.
  package mutating func merge(_ other: Self) {
    held.merge(other.held)
  }
}
