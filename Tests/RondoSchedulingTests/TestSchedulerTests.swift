import Dispatch
import RondoAnimation
import RondoScheduling
import Synchronization
import Testing

@Suite struct TestSchedulerTests {
  // R22
  @Test func sameInstantRunsInTheOrderOfScheduling() {
    let scheduler = DispatchQueue.test
    let log = Log<Int>()
    for number in 1...3 {
      scheduler.schedule(after: scheduler.now.advanced(by: 1)) { log.append(number) }
    }
    scheduler.advance(by: .milliseconds(999))
    #expect(log.entries.isEmpty)
    scheduler.advance(by: .milliseconds(1))
    #expect(log.entries == [1, 2, 3])
  }

  // R24
  @Test func animationTagsAllThreeEndpoints() {
    let base = DispatchQueue.test
    let scheduler = base.animation()
    let log = Log<Transaction>()
    scheduler.schedule { log.append(.current) }
    scheduler.schedule(after: scheduler.now.advanced(by: 1)) { log.append(.current) }
    let timer = scheduler.schedule(after: scheduler.now.advanced(by: 2), interval: 1) {
      log.append(.current)
    }
    base.advance(by: 4)
    timer.cancel()
    base.run()
    #expect(log.entries == Array(repeating: Transaction(animation: .default), count: 5))
    #expect(Transaction.current.isEmpty)
  }
}
