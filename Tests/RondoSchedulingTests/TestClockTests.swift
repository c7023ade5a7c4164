import Dispatch
import RondoScheduling
import Synchronization
import Testing

@Suite struct TestClockTests {
  // R23
  @Test(arguments: 0..<2000) func aTaskThatSleepsAgainAndAgainKeepsUpWithTime(_ n: Int) async {
    let clock = TestClock()
    let log = Log<Duration>()
    let task = Task {
      for _ in 1...10 {
        try await clock.sleep(for: .seconds(1))
        log.append(clock.now.offset)
      }
    }
    await clock.advance(by: .seconds(10))
    #expect(log.entries == (1...10).map { .seconds($0) })
    task.cancel()
  }
}
