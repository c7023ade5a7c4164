// The times of events, by the clocks of those who record.

import RondoScheduling
import Synchronization
import Testing

@Suite struct EventTimeTests {
  // V2
  @Test func V2_aThreadThatLosesItsCoreBetweenTwoReadingsDoesNotMoveAnEvent() {
    let time = Mutex(Duration.milliseconds(10))
    let clock = ObserverClock { time.withLock { $0 } }
    let event = Duration.milliseconds(7)
    var readings = 0
    let recorded = EventTime([clock]) {
      readings += 1
      return time.withLock { time in
        if readings == 1 { time += .milliseconds(4) }
        return time - event
      }
    }
    #expect(recorded(by: clock) == event)
  }
}
