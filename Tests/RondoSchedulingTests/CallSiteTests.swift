// Uses of the schedulers as callers write them. Most of the test is that they compile.

import Foundation
import RondoAnimation
import RondoCompatibility
import RondoScheduling
import Testing

@Suite struct CallSiteTests {
  private func consume(_ scheduler: some Scheduler) {}

  // R21
  @Test func erasedSchedulersHaveShortNames() {
    let queues: [AnySchedulerOf<DispatchQueue>] = [
      .main, .global(), .global(qos: .utility), .immediate, .unimplemented("mainQueue"),
      DispatchQueue.test.eraseToAnyScheduler(), DispatchQueue.main.animation(),
    ]
    let loops: [AnySchedulerOf<RunLoop>] = [
      .main, .immediate, .unimplemented("mainRunLoop"), RunLoop.test.eraseToAnyScheduler(),
      RunLoop.main.scheduler.animation(),
    ]
    let operations: [AnySchedulerOf<OperationQueue>] = [
      .main, .immediate, .unimplemented("queue"), OperationQueue.test.eraseToAnyScheduler(),
    ]
    let interfaces: [AnySchedulerOf<UIScheduler>] = [
      .shared, .immediate, .unimplemented("ui"), UIScheduler.test.eraseToAnyScheduler(),
    ]
    #expect(queues.count + loops.count + operations.count + interfaces.count == 20)
    consume(.main)
    consume(.immediate)
    consume(DispatchQueue.test)
    consume(UIScheduler.shared)
  }

  // R21
  @Test func testSchedulersAreNamedByWhatTheyStandInFor() {
    let queue: TestSchedulerOf<DispatchQueue> = DispatchQueue.test
    let loop: TestSchedulerOf<RunLoop> = RunLoop.test
    #expect(queue.now.dispatchTime.uptimeNanoseconds == 1)
    #expect(loop.now.date == Date(timeIntervalSince1970: 0))
  }

  // R22
  @Test func aTestSchedulerAdvancesInSynchronousTests() {
    let scheduler = DispatchQueue.test
    scheduler.advance()
    scheduler.advance(by: 1)
    scheduler.advance(by: .milliseconds(300))
    scheduler.advance(to: scheduler.now.advanced(by: 0.5))
    scheduler.run()
    #expect(scheduler.now.dispatchTime.uptimeNanoseconds == 1_800_000_001)
  }

  // R22
  @Test func aTestSchedulerAdvancesInAsynchronousTests() async {
    let scheduler = DispatchQueue.test
    await scheduler.advance()
    await scheduler.advance(by: 1)
    await scheduler.advance(to: scheduler.now.advanced(by: 0.5))
    await scheduler.run()
    #expect(scheduler.now.dispatchTime.uptimeNanoseconds == 1_500_000_001)
  }

  // R22
  @Test @MainActor func aTestSchedulerAdvancesOnTheMainActor() async {
    let scheduler = DispatchQueue.test
    await scheduler.advance(by: 1)
    #expect(scheduler.now.dispatchTime.uptimeNanoseconds == 1_000_000_001)
  }

  // R20
  @Test func anErasedSchedulerIsFiveClosures() {
    let base = DispatchQueue.test
    let scheduler = AnySchedulerOf<DispatchQueue>(
      minimumTolerance: { base.minimumTolerance },
      now: { base.now },
      scheduleImmediately: { base.schedule(options: $0, $1) },
      delayed: { base.schedule(after: $0, tolerance: $1, options: $2, $3) },
      interval: { base.schedule(after: $0, interval: $1, tolerance: $2, options: $3, $4) }
    )
    #expect(scheduler.now == base.now)
  }

  // R23
  @Test func clocksGoWhereTheStandardLibraryWantsAClock() async throws {
    let clocks: [any Clock<Duration>] = [
      TestClock(), ImmediateClock(), AnyClock(ContinuousClock()),
    ]
    for clock in clocks.dropFirst() { try await clock.sleep(for: .zero) }
  }
}
