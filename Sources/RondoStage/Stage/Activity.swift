// What is under way on a stage, and who waits for it.

import RondoAnimation

/// What is under way on a stage, and who waits for it.
struct Activity {
  private var slots: [AnimatedSlot] = []
  private var order = 0

  var isEmpty: Bool { slots.isEmpty }

  /// How many slots are looked after.
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
          until: completion.criteria == .removed ? nil : span.logicalEnd,
          order: order
        )
      )
      order += 1
    }
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
        let isOver = wait.until.map { $0 <= instant || isIdle && $0 == .forever } ?? isIdle
        if isOver { ended.append((min(wait.until ?? instant, instant), wait)) }
        return isOver
      }
      slot.isActive = !isIdle || !slot.waits.isEmpty
      return !slot.isActive
    }
    ended.sort { ($0.at, $0.wait.order) < ($1.at, $1.wait.order) }
    return ended.map(\.wait.completion)
  }
}

extension Duration {
  /// Later than anything.
  fileprivate static let forever = Duration.seconds(Int64.max)
}

extension AnimationSpan {
  /// When the change counts as made.
  fileprivate var logicalEnd: Duration {
    logicalDuration < 0x1p40 ? begin + .seconds(logicalDuration) : .forever
  }
}
