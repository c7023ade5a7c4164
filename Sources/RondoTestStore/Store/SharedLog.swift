// How the actions of a test have changed shared values.

import Rondo

/// What shared values were after the action that was asserted last, where that is not what they are.
final class SharedLog {
  let ledger = SharedLedger()

  /// A value with changes that have not been asserted yet.
  private struct Pending {
    /// The first of them, which keeps the value alive.
    let change: SharedChange
    /// What the value was after the last action that was asserted.
    var value: Any
    /// How many are left.
    var count: Int
  }

  private var pending: [ObjectIdentifier: Pending] = [:]

  /// A comparison that nobody uses, for the next one who does.
  private var spare: SharedComparison?

  /// What an action has changed, or what has changed since the one before.
  func takeChanges() -> [SharedChange] {
    let changes = ledger.takeChanges().filter(\.isChange)
    for change in changes {
      pending[change.id, default: Pending(change: change, value: change.before, count: 0)]
        .count += 1
    }
    return changes
  }

  /// Takes the changes of the next action as asserted, and tells how shared values look before and
  /// after it.
  func advance(by changes: [SharedChange]) -> SharedSpan {
    guard !pending.isEmpty else { return SharedSpan() }
    let before = pending.mapValues(\.value)
    for change in changes {
      pending[change.id]?.value = change.value
      pending[change.id]?.count -= 1
    }
    let span = SharedSpan(
      before: before, after: pending.mapValues(\.value), changes: changes)
    pending = pending.filter { $0.value.count > 0 }
    return span
  }

  /// What has changed without an action, to be asserted now. What the closure does not mention stays
  /// to be asserted.
  func assertLoose(_ assert: () -> Void) {
    let changes = ledger.takeChanges()
    let values = pending.mapValues(\.value)
      .merging(changes.map { ($0.id, $0.value) }) { $1 }
    compare(SharedSpan(before: values, after: values), fromBefore: false) { comparison in
      assert()
      ledger.putBack(changes.filter { !comparison.mentioned.contains($0.id) })
    }
  }

  /// Runs a body in which shared values look as they are expected to after some actions; to begin
  /// with, as they were before these, or as they are after.
  func compare(
    _ span: SharedSpan, fromBefore: Bool, _ body: (SharedComparison) -> Void
  ) {
    let comparison = spare.take() ?? SharedComparison()
    comparison.begin(expected: span.expected(fromBefore: fromBefore), actual: span.after)
    comparison.whileInForce { body(comparison) }
    comparison.begin(expected: [:], actual: [:])
    spare = comparison
  }

  /// What has changed without an action, and has not been asserted.
  func takeLooseChanges() -> [SharedChange] {
    ledger.takeChanges().filter(\.isChange)
  }
}

/// How shared values look before and after some actions.
struct SharedSpan {
  var before: [ObjectIdentifier: Any] = [:]
  var after: [ObjectIdentifier: Any] = [:]
  var changes: [SharedChange] = []

  /// This one and what comes after it.
  mutating func append(_ next: SharedSpan) {
    before.merge(next.before) { earlier, _ in earlier }
    after.merge(next.after) { $1 }
    changes += next.changes
  }

  /// What is expected before anything is asserted.
  func expected(fromBefore: Bool) -> [ObjectIdentifier: Any] {
    fromBefore && !after.isEmpty ? before.merging(after) { old, _ in old } : after
  }

  /// The changes of values that nobody has mentioned.
  func unmentioned(in comparison: SharedComparison) -> [SharedChange] {
    changes.filter { !comparison.mentioned.contains($0.id) }
  }

  /// The changes after which a value is not what it was asserted to be. Of those values that nobody
  /// has mentioned the state shows the ones that it holds; the others are not asserted.
  func unexpected(in comparison: SharedComparison) -> [SharedChange] {
    (changes + comparison.mentioned(besides: changes)).filter { change in
      guard comparison.mentioned.contains(change.id),
        let expected = comparison.expected[change.id]
      else { return false }
      return change.isComparable && !change.areEqual(expected, after[change.id] ?? change.value)
    }
  }
}
