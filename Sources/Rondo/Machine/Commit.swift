// The changes that observers of a store see.

import RondoAnimation

/// One change of a store's state: the old state, the new one, and the transaction to show it with.
///
/// Consecutive actions that are handled in one go and carry equal transactions make one commit.
public struct Commit<State, Action> {
  /// The state before the first of the actions.
  public let oldState: State

  /// The state after the last of the actions.
  public let newState: State

  /// The actions that led here, in order; never empty.
  public let actions: [Action]

  /// The transaction to show the change with; empty for an untagged change.
  public let transaction: Transaction

  /// Whether the two states differ. True where `State` is not `Equatable`.
  public let hasChanges: Bool
}

extension Commit {
  /// A commit as a store would make it, for tests of code that takes commits.
  ///
  /// ```swift
  /// screen.show(Commit(oldState: .init(), newState: .init(count: 1), actions: [.increment]))
  /// ```
  ///
  /// ``hasChanges`` says whether the states differ, where they can be compared.
  ///
  /// - Parameters:
  ///   - oldState: The state before the actions.
  ///   - newState: The state after them.
  ///   - actions: The actions that led from the one to the other, in order.
  ///   - transaction: The transaction to show the change with.
  public init(
    oldState: State,
    newState: State,
    actions: [Action],
    transaction: Transaction = Transaction()
  ) {
    let hasChanges = withUnsafePointer(to: oldState) { old in
      withUnsafePointer(to: newState) { new in !StateComparison<State>()(old, new) }
    }
    self.init(
      oldState: oldState, newState: newState, actions: actions, transaction: transaction,
      hasChanges: hasChanges)
  }
}

extension Commit: Sendable where State: Sendable, Action: Sendable {}
