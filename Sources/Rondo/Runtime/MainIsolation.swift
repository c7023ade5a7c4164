// The main actor, as the effects of a store see it.

import Dispatch
import RondoScheduling

/// The main actor, reached through a scheduler of the program's choice.
struct MainIsolation: HostIsolation {
  private let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void

  init(_ scheduler: some Scheduler) {
    schedule = { scheduler.schedule($0) }
  }

  func runIfCurrent(_ work: () -> Void) -> Bool {
    guard isOnMainQueue() else { return false }
    work()
    return true
  }

  func hop(_ work: @escaping @Sendable () -> Void) {
    schedule(work)
  }
}
