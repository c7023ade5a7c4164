// The motions of a stage, and the completions that wait for them.

import RondoAnimation

/// The motions of a stage, and the completions that wait for them.
struct Activity {
  private var slots: [AnimatedSlot] = []
  private var order = 0

  var isEmpty: Bool { slots.isEmpty }

  /// The number of slots that are looked after.
  var count: Int { slots.count }

  /// Looks after a slot in which an animation has begun for a transaction.
  mutating func begin(_ span: AnimationSpan, in slot: AnimatedSlot, for transaction: Transaction) {
    if !slot.isActive {
      slot.isActive = true
      slots.append(slot)
    }
    for completion in transaction.animationCompletions {
      completion.hold()
      slot.waits.append(
        AnimatedSlot.Wait(
          completion: completion,
          span: completion.criteria == .removed ? nil : span,
          order: order
        )
      )
      order += 1
    }
  }

  /// Gives up everything that is under way.
  ///
  /// - Returns: The completions that have waited for it, in the order in which they began to. The
  ///   caller releases each of them.
  mutating func abandon() -> [AnimationCompletion] {
    let waits = slots.flatMap(\.waits).sorted { $0.order < $1.order }
    for slot in slots { slot.waits = [] }
    slots = []
    return waits.map(\.completion)
  }

  /// Forgets what is over by an instant.
  ///
  /// - Returns: The completions whose wait has ended, in the order of their deadlines. The caller
  ///   releases each of them.
  mutating func settle(at instant: Duration) -> [AnimationCompletion] {
    var ended: [(at: Duration, wait: AnimatedSlot.Wait)] = []
    slots.removeAll { slot in
      let isIdle = slot.settle(at: instant) || slot.isDisposed
      slot.waits.removeAll { wait in
        // A deadline stands, whatever happens to the slot; only one that never comes does not.
        let isOver =
          wait.span.map { $0.isLogicallyComplete(at: instant) || isIdle && $0.isEndless } ?? isIdle
        if isOver { ended.append((min(wait.span?.logicalEnd ?? instant, instant), wait)) }
        return isOver
      }
      slot.isActive = !isIdle || !slot.waits.isEmpty
      return !slot.isActive
    }
    ended.sort { ($0.at, $0.wait.order) < ($1.at, $1.wait.order) }
    return ended.map(\.wait.completion)
  }
}

extension AnimationSpan {
  /// Whether the change counts as made, to the nanosecond.
  fileprivate func isLogicallyComplete(at instant: Duration) -> Bool {
    (instant - begin).seconds >= logicalDuration
  }

  /// Whether the change counts as made later than anybody waits for.
  fileprivate var isEndless: Bool { !(logicalDuration < 0x1p40) }

  /// When the change counts as made, but for some attoseconds; `nil` if it never does.
  fileprivate var logicalEnd: Duration? {
    isEndless ? nil : begin + .seconds(logicalDuration)
  }
}
