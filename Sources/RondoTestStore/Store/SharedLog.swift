// The changes that the actions of a test make to shared values.

import Rondo

/// The shared values as they were after the last asserted action, where they have changed since.
final class SharedLog {
  let ledger = SharedLedger()

  /// A value with changes that have not been asserted yet.
  private struct Pending {
    /// The first of these changes, which keeps the value alive.
    let change: SharedChange
    /// The value after the last action that was asserted.
    var value: Any
    /// The number of changes that are not asserted yet.
    var count: Int
  }

  private var pending: [ObjectIdentifier: Pending] = [:]

  /// A comparison that is not in use, kept for the next use.
  private var spare: SharedComparison?

  /// Takes the changes that an action has made, with those made since the action before it.
  func takeChanges() -> [SharedChange] {
    let changes = ledger.takeChanges().filter(\.isChange)
    for change in changes {
      pending[change.id, default: Pending(change: change, value: change.before, count: 0)]
        .count += 1
    }
    return changes
  }

  /// Marks the changes of the next action as asserted. Returns the shared values before and after
  /// it.
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

  /// Asserts changes that were made without an action. Changes that the closure does not mention
  /// remain to be asserted.
  func assertLoose(_ assert: (SharedSpan, SharedComparison) -> Void) {
    let changes = ledger.takeChanges()
    let values = pending.mapValues(\.value)
      .merging(changes.map { ($0.id, $0.value) }) { $1 }
    let span = SharedSpan(before: values, after: values)
    compare(span, fromBefore: false) { comparison in
      assert(span, comparison)
      ledger.putBack(changes.filter { !comparison.mentioned.contains($0.id) })
    }
  }

  /// Runs a closure in which shared values have the values that are expected after some actions. At
  /// first, these are the values before the actions, or those after them.
  func compare(
    _ span: SharedSpan, fromBefore: Bool, _ body: (SharedComparison) -> Void
  ) {
    let comparison = spare.take() ?? SharedComparison()
    comparison.begin(expected: span.expected(fromBefore: fromBefore), actual: span.after)
    comparison.whileInForce { body(comparison) }
    comparison.begin(expected: [:], actual: [:])
    spare = comparison
  }

  /// Takes the changes that were made without an action and have not been asserted.
  func takeLooseChanges() -> [SharedChange] {
    ledger.takeChanges().filter(\.isChange)
  }
}

/// The shared values before and after some actions.
struct SharedSpan {
  var before: [ObjectIdentifier: Any] = [:]
  var after: [ObjectIdentifier: Any] = [:]
  var changes: [SharedChange] = []

  /// Extends this span by the next one.
  mutating func append(_ next: SharedSpan) {
    before.merge(next.before) { earlier, _ in earlier }
    after.merge(next.after) { $1 }
    changes += next.changes
  }

  /// The expected values before anything is asserted.
  func expected(fromBefore: Bool) -> [ObjectIdentifier: Any] {
    fromBefore && !after.isEmpty ? before.merging(after) { old, _ in old } : after
  }

  /// The changes of values that the assertion did not mention.
  func unmentioned(in comparison: SharedComparison) -> [SharedChange] {
    changes.filter { !comparison.mentioned.contains($0.id) }
  }

  /// The changes of values in collections of a state that nobody has looked at: collections that share their memory are
  /// equal before their elements are compared.
  func uncompared(in comparison: SharedComparison, _ state: Any) -> [SharedChange] {
    var seen: Set<ObjectIdentifier> = []
    return changes.reversed().filter { change in
      guard !comparison.isAsserted(change), change.isComparable, seen.insert(change.id).inserted,
        let old = before[change.id], let new = after[change.id], !change.areEqual(old, new)
      else { return false }
      return change.path(in: state)?.contains("[") == true
    }
  }

  /// The changes after which a value is not what it was asserted to be. Values that the assertion
  /// did not mention do not count: the state shows those that it holds, and the others are not
  /// asserted.
  func unexpected(in comparison: SharedComparison) -> [SharedChange] {
    (changes + comparison.mentioned(besides: changes)).filter { change in
      guard comparison.mentioned.contains(change.id),
        let expected = comparison.expected[change.id]
      else { return false }
      return change.isComparable && !change.areEqual(expected, after[change.id] ?? change.value)
    }
  }
}
