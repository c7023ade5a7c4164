// The effects in flight in a test store, each with the thing that it waits for.

import Rondo
import RondoScheduling

/// An effect in flight, and the thing that it waits for.
struct PendingEffect<Action> {
  /// The thing that an effect waits for.
  enum Wait {
    /// An instant of the store's time.
    case time(TestInstant)
    /// An instant of a timeline that is not the store's, and the current time of that timeline.
    case foreignTime(TestInstant, now: TestInstant)
    /// The end of other effects under the same id.
    case turn
    /// The test, which has not needed another action of it: it sleeps on an immediate clock.
    case noTime
    /// A scheduler on which the effect is due now.
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
  /// The call of `send` that led to the effect.
  let start: SendCall<Action>?
}

extension TestStore {
  typealias PendingEffects = [PendingEffect<Action>]

  func pendingEffects(reason: StallReason) -> PendingEffects {
    let waiting = timeline.waiting
    let immediate = isolation.immediateSleeps.waiting
    let foreign = isolation.foreignTimelines.flatMap { timeline in
      timeline.waiting.map { (item: $0, now: timeline.now) }
    }
    var dueNowCount = waiting.count { $0.origin == nil && $0.due == timeline.now }
    return machine.effectsInFlight.map { effect in
      let start = log.start(of: effect.root)
      let wait: PendingEffect<Action>.Wait
      if let item = waiting.first(where: { effect.isOrigin($0.origin) }) {
        wait = item.due == timeline.now ? .dueNow : .time(item.due)
      } else if immediate.contains(where: { effect.isOrigin($0.origin) }) {
        wait = .noTime
      } else if let (item, now) = foreign.first(where: { effect.isOrigin($0.item.origin) }) {
        wait = .foreignTime(item.due, now: now)
      } else {
        wait =
          switch effect.work {
          case .task: if case .isRunning = reason { .nothing } else { .unknown }
          case .callback: .callback
          case .operation:
            effect.isWaitingForItsTurn
              ? .turn : takeOne(of: &dueNowCount) ? .dueNow : .otherScheduler
          }
      }
      return PendingEffect(effect: effect, wait: wait, start: start)
    }
  }

  private func takeOne(of count: inout Int) -> Bool {
    count -= 1
    return count >= 0
  }
}

extension EffectInFlight {
  /// Whether a queue policy holds the effect back.
  var isWaitingForItsTurn: Bool { work == .operation && label == "cancellable" }
}
