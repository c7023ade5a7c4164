// The texts of failures about shared values.

import Rondo

extension Messages {
  /// The text about shared values that the state does not hold, and that are not as asserted.
  static func wrongSharedValues<Action>(
    _ subject: Subject<Action>, _ changes: [SharedChange], expected: [ObjectIdentifier: Any]
  ) -> String {
    text(
      "\(subject.actor) changed shared state in another way than was asserted.",
      changes
        .map { difference(of: $0, expected: expected[$0.id] ?? $0.before) }
        .joined(separator: "\n\n"),
      "Assert the change in the closure behind '\(subject.call.rawValue)', by "
        + "'$value.withLock { $0 = … }' of a '@Shared var value' with the same key.")
  }

  static func unassertedSharedValues<Action>(
    _ changes: [SharedChange], before action: Action?
  ) -> String {
    text(
      "An effect changed shared state, which was not asserted"
        + (action.map { " when \(summary(of: $0)) was sent." } ?? "."),
      changes.map { difference(of: $0, expected: $0.before) }.joined(separator: "\n\n"),
      "Assert it by 'store.assert { $0.$value.withLock { $0 = … } }' after the effect has ended.")
  }

  private static func difference(of change: SharedChange, expected: Any) -> String {
    "\(change.name):\n\(difference(expected: expected, actual: change.value))"
  }
}
