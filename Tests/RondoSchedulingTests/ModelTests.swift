// The test scheduler and the naive one run the same random programs.

import RondoSeededRandomness
import Dispatch
import Foundation
import RondoScheduling
import Testing

@Suite struct ModelTests {
  // R22
  @Test(arguments: Randomness.seeds(100)) func theTestSchedulerIsANaiveOne(seed: UInt64) {
    compare(seed, startingAt: DispatchQueue.test.now, options: DispatchQueue.SchedulerOptions.self)
  }

  // R22, PF9
  @Test(arguments: Randomness.seeds(100))
  func theTestSchedulerIsANaiveOneInCalendarTime(seed: UInt64) {
    // Dates that are sums of tenths are not what they seem: 0.1 + 0.2 > 0.3. Both have to agree.
    compare(seed, startingAt: RunLoop.test.now, options: RunLoop.SchedulerOptions.self)
  }

  // R22, PF9
  @Test(arguments: Randomness.seeds(100)) func theTestSchedulerIsANaiveOneInToyTime(seed: UInt64) {
    compare(seed, startingAt: ToyTime(microseconds: 7), options: ToyOptions.self)
  }

  private func compare<Time: Strideable & Hashable & Sendable, Options: Sendable>(
    _ seed: UInt64,
    startingAt start: Time,
    options: Options.Type
  ) where Time.Stride: SchedulerTimeIntervalConvertible {
    var generator = Randomness(seed: seed)
    var lastID = 0
    let steps = Step.random(depth: 3, lastID: &lastID, using: &generator)
    let strides = (0..<12).map { _ in Int.random(in: 0...4, using: &generator) } + [100]

    let tested = Interpreter(TestScheduler<Time, Options>(now: start))
    let model = Interpreter(NaiveScheduler<Time, Options>(now: start))
    tested.schedule(steps)
    model.schedule(steps)
    for stride in strides {
      tested.scheduler.advance(by: .milliseconds(100 * stride))
      model.scheduler.advance(by: .milliseconds(100 * stride))
      #expect(tested.scheduler.now == model.scheduler.now, "seed \(seed)")
    }
    expectEqualLogs(tested.log.entries, model.log.entries, "seed \(seed): \(steps)")
  }
}
