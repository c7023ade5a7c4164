// Running what is due in another order, for tests that explore orders.

import RondoAnimation

extension TestTimeline {
  /// Something that is due at the next instant, and may be what runs next.
  package struct DueItem {
    fileprivate let ticket: Ticket

    /// A number that no other item of the timeline has.
    package var number: UInt64 { ticket.sequence }
  }

  /// An item that waits, as a test that compares moments sees it.
  package struct WaitingItem {
    /// A number that no other item of the timeline has. Later items have larger ones.
    package let number: UInt64
    package let due: Instant
    /// Whether it is work for at once, which stays in order.
    package let isForAtOnce: Bool
    /// Whether it is a task that sleeps.
    package let isSleeper: Bool
  }

  /// Everything that waits, in the order in which it was put on the timeline.
  package var waitingItems: [WaitingItem] {
    state.withLock { state in
      guard state.queue.count > 0 else { return [] }
      var items: [WaitingItem] = []
      state.queue.forEachWaiting { payload, number, due in
        var (isForAtOnce, isSleeper) = (false, false)
        switch payload {
        case .soon: isForAtOnce = true
        case .sleeper: isSleeper = true
        case .once, .repeating: break
        }
        items.append(
          WaitingItem(
            number: number, due: Instant(offset: due), isForAtOnce: isForAtOnce,
            isSleeper: isSleeper))
      }
      return items.sorted { $0.number < $1.number }
    }
  }

  /// The items that may run next, at the next instant. The first one is next in the usual order.
  ///
  /// Everything that is due at one instant may come first: no clock and no scheduler promises an
  /// order between two dates that are equal. Only work for at once stays in order, because a serial
  /// queue keeps the order in which it is given work.
  ///
  /// - Parameter limit: Items that are due later do not count.
  package func nextItems(dueBy limit: Instant) -> [DueItem] {
    state.withLock { state in
      guard let due = state.queue.firstDue, due <= limit.offset else { return [] }
      var hasWorkForAtOnce = false
      return state.queue.dueTogether.compactMap { payload, ticket in
        if case .soon = payload {
          guard !hasWorkForAtOnce else { return nil }
          hasWorkForAtOnce = true
        }
        return DueItem(ticket: ticket)
      }
    }
  }

  /// Moves time to the instant of an item, and runs it.
  package func run(_ item: DueItem) {
    guard let item = take(item) else { return }
    withAmbientTransaction(Transaction(), item.run)
  }

  private func take(_ item: DueItem) -> TimelineItem? {
    let taken = state.withLock { state in
      let taken = state.queue.pop(item.ticket, keeping: \.isRepetition)
      if let taken { state.noteTaken(taken.payload, due: taken.due) }
      return taken
    }
    guard let (payload, due) = taken else { return nil }
    if case .repeating(let repetition) = payload { putBack(repetition, item.ticket, after: due) }
    return payload
  }
}
