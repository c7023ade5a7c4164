// What is in flight in a test store, with what each effect waits for.

import Rondo
import RondoScheduling

/// One line of the ledger.
struct LedgerEntry<Action> {
  /// What an effect is waiting for.
  enum Wait {
    /// The store's time to come to an instant.
    case time(TestInstant)
    /// The time of a timeline that is not the store's to come to an instant, and what it is now.
    case foreignTime(TestInstant, now: TestInstant)
    /// Other effects under the same id to end.
    case turn
    /// A scheduler on which it is due now.
    case dueNow
    /// A scheduler that is not the store's.
    case otherScheduler
    /// A callback.
    case callback
    /// Something that the store does not see.
    case unknown
    /// Nothing: it is running.
    case nothing
  }

  let effect: EffectInFlight
  let wait: Wait
  /// The `send` that led here.
  let start: SendCall<Action>?
}

extension TestStore {
  typealias Ledger = [LedgerEntry<Action>]

  func ledger(verdict: Verdict) -> Ledger {
    let waiting = timeline.waiting
    let foreign = isolation.foreignTimelines.flatMap { timeline in
      timeline.waiting.map { (item: $0, now: timeline.now) }
    }
    var dueNowCount = waiting.count { $0.origin == nil && $0.due == timeline.now }
    return machine.effectsInFlight.map { effect in
      let start = log.start(of: effect.root)
      let wait: LedgerEntry<Action>.Wait
      if let item = waiting.first(where: { effect.isOrigin($0.origin) }) {
        wait = item.due == timeline.now ? .dueNow : .time(item.due)
      } else if let (item, now) = foreign.first(where: { effect.isOrigin($0.item.origin) }) {
        wait = .foreignTime(item.due, now: now)
      } else {
        wait =
          switch effect.work {
          case .task: if case .isRunning = verdict { .nothing } else { .unknown }
          case .callback: .callback
          case .operation:
            effect.isWaitingForItsTurn
              ? .turn : takeOne(of: &dueNowCount) ? .dueNow : .otherScheduler
          }
      }
      return LedgerEntry(effect: effect, wait: wait, start: start)
    }
  }

  private func takeOne(of count: inout Int) -> Bool {
    count -= 1
    return count >= 0
  }
}

extension EffectInFlight {
  /// Whether it is one that a queue policy holds back.
  var isWaitingForItsTurn: Bool { work == .operation && label == "cancellable" }
}
