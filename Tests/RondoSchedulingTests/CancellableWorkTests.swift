// Work that is run again and again.

import Synchronization
import Testing

@testable import RondoScheduling

@Suite struct CancellableWorkTests {
  // R21, R5
  @Test func runningItDoesNotMakeItLonger() {
    let runs = Mutex(0)
    let work = CancellableWork { runs.withLock { $0 += 1 } }
    for _ in 0..<200_000 {
      work.run()
    }
    #expect(runs.withLock { $0 } == 200_000)
  }
}
