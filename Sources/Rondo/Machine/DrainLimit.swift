// The bounds of one drain, beyond which it is a loop without end.

import RondoScheduling

/// The amount of work that a machine handles in one go before it reports a loop without end.
///
/// No program reaches these bounds on purpose: a chain of a million `.send` is far below.
package struct DrainLimit: Sendable {
  /// The number of actions that are handled before the machine returns to its caller.
  package var actions = 10_000_000

  /// The number of commits that are shown one after another, each caused by an observer of the one
  /// before.
  package var rounds = 100_000

  /// The bounds of machines that are made in the current task. Tests make them smaller.
  @TaskLocal package static var current = DrainLimit()

  package init(actions: Int = 10_000_000, rounds: Int = 100_000) {
    self.actions = actions
    self.rounds = rounds
  }
}

/// Counts what one drain has handled.
struct DrainCount {
  private let limit = DrainLimit.current
  private var actions = 0
  private var rounds = 0
  private var lastActions: [String] = []
  private var hasReported = false

  /// The number of the last actions that a report names.
  private static let namedActions = 5

  /// Sets the counts to zero.
  mutating func begin() {
    actions = 0
    rounds = 0
  }

  /// Counts an action. Returns whether a bound is near, so that ``note(_:)`` is to be called.
  mutating func countAction() -> Bool {
    actions += 1
    return actions > limit.actions - Self.namedActions || rounds > limit.rounds - Self.namedActions
  }

  /// Keeps the name of an action for a report. Returns whether there are too many actions.
  mutating func note(_ action: Any) -> Bool {
    lastActions = lastActions.suffix(Self.namedActions - 1) + [summary(of: action)]
    return actions >= limit.actions
  }

  /// Counts a commit that was shown. Returns whether there are too many.
  mutating func countRound() -> Bool {
    rounds += 1
    return rounds >= limit.rounds
  }

  /// Reports a loop without end, once for a machine.
  ///
  /// - Parameter drops: Whether the actions that wait are dropped.
  mutating func report(drops: Bool, at position: SourcePosition?) {
    guard !hasReported else { return }
    hasReported = true
    let cause =
      rounds >= limit.rounds
      ? "Observers have reacted to each of \(rounds) changes with another one"
      : "\(actions) actions have been handled in one go, each sent because of another one"
    let outcome =
      drops
      ? "The actions that wait were dropped."
      : "The store handles the rest in later turns of its main loop."
    let names =
      lastActions.isEmpty ? "" : " The last actions were \(lastActions.joined(separator: ", "))."
    let message = """
      \(cause): this is a loop without end.\(names) Let an effect or an observer send only when there \
      is something new to say. \(outcome)
      """
    if let position { reportIssue(message, at: position) } else { reportIssue(message) }
  }
}
