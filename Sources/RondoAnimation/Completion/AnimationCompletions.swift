// The slot in which a transaction carries its completions, and how they survive a queue.

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

extension Transaction {
  /// This transaction for a place in a queue: none of its completions runs before the last copy of
  /// the result is gone.
  package var holdingCompletions: Transaction {
    guard !isEmpty, !animationCompletions.isEmpty else { return self }
    var transaction = self
    transaction[AnimationCompletionsKey.self].hold = CompletionHold(animationCompletions)
    return transaction
  }

  /// This transaction for code that may keep it for ever.
  package var releasingCompletions: Transaction {
    guard !isEmpty, self[AnimationCompletionsKey.self].hold != nil else { return self }
    var transaction = self
    transaction[AnimationCompletionsKey.self].hold = nil
    return transaction
  }
}
