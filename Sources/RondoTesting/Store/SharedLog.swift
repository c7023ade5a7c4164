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
  func assertLoose(_ assert: (SharedComparison) -> Void) {
    let changes = ledger.takeChanges()
    let values = Dictionary(uniqueKeysWithValues: changes.map { ($0.id, $0.value) })
    let comparison = SharedComparison(
      expected: pending.mapValues(\.value).merging(values) { $1 },
      actual: pending.mapValues(\.value).merging(values) { $1 })
    assert(comparison)
    ledger.putBack(changes.filter { !comparison.mentioned.contains($0.id) })
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

  /// A comparison of what is expected, to begin with what was before, with what is.
  func comparison(fromBefore: Bool) -> SharedComparison {
    SharedComparison(
      expected: fromBefore ? before.merging(after) { old, _ in old } : after, actual: after)
  }

  /// The changes after which a value is not what is expected.
  func unexpected(in comparison: SharedComparison) -> [SharedChange] {
    changes.filter { change in
      guard let expected = comparison.expected[change.id], let actual = after[change.id] else {
        return false
      }
      return change.isComparable && !change.areEqual(expected, actual)
    }
  }
}
