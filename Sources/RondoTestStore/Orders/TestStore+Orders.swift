// Running the effects of a test store in an order that somebody chooses.

import Rondo
import RondoAnimation
import RondoScheduling

extension TestStore {
  /// Runs what is ready until nothing is, each time what the chooser picks.
  func drain(_ chooser: OrderChooser) {
    if !runAll(dueBy: nil, chooser) { reportEndlessRun() }
  }

  /// Goes to an instant and runs what is due then, and what is ready meanwhile, in the order that the
  /// chooser picks.
  ///
  /// - Returns: Whether it comes to an end.
  func runAll(dueAt instant: TestInstant, _ chooser: OrderChooser) -> Bool {
    context.whileInForce {
      isolation.whileCurrent {
        guard !runAll(dueBy: instant, chooser) else { return true }
        reportEndlessRun()
        return timeline.nextDueInstant != instant
      }
    }
  }

  private func runAll(dueBy instant: TestInstant?, _ chooser: OrderChooser) -> Bool {
    for _ in 0..<jobLimit {
      let due = instant.map(timeline.nextItems(dueBy:)) ?? []
      let ready = isolation.executor.candidates
      let count = ready.count + due.count
      guard count > 0 else { return true }
      let taken = chooser.choose(among: count) { option in
        ready.count > option ? isolation.executor.taskNumber(at: ready.lowerBound + option) : 0
      }
      if taken < ready.count {
        runReady(ready.lowerBound + taken, mayOthersRun: !due.isEmpty)
      } else {
        runDue(due[taken - ready.count], mayOthersRun: due.count > 1)
      }
    }
    return false
  }

  /// Runs an item of the executor's queue.
  package func runReady(_ index: Int, mayOthersRun: Bool) {
    isolation.set(mayOthersRun: mayOthersRun)
    isolation.noteInsertions()
    let end = machine.endedCount
    let isOutOfQueue = withAmbientTransaction(Transaction()) {
      isolation.executor.run(at: index)
    }
    let isInSight = isolation.noteInsertions() || end != machine.endedCount
    if isOutOfQueue, !isInSight { departures.didGoOutOfSight() }
  }

  private func runDue(_ item: TestTimeline.DueItem, mayOthersRun: Bool) {
    isolation.set(mayOthersRun: mayOthersRun)
    isolation.executor.forgetPreemption()
    timeline.run(item)
    isolation.noteInsertions()
  }
}
