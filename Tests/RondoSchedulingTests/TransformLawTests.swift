// A transform changes the tag of work and nothing else, over any scheduler.

import RondoCompatibility
import RondoSeededRandomness
import Dispatch
import Foundation
import RondoAnimation
import RondoScheduling
import Testing

/// A scheduler whose time a test moves.
protocol VirtualScheduler: Scheduler {
  init(now: SchedulerTimeType, minimumTolerance: SchedulerTimeType.Stride)
  func move(by stride: SchedulerTimeType.Stride)
}

extension TestScheduler: VirtualScheduler {
  func move(by stride: SchedulerTimeType.Stride) { advance(by: stride) }
}

extension NaiveScheduler: VirtualScheduler {
  func move(by stride: SchedulerTimeType.Stride) { advance(by: stride) }
}

@Suite struct TransformLawTests {
  // PF2, PF9
  @Test(arguments: Randomness.seeds(100)) func overATestScheduler(seed: UInt64) {
    check(seed, TestSchedulerOf<DispatchQueue>.self, startingAt: DispatchQueue.test.now)
    check(seed, TestSchedulerOf<RunLoop>.self, startingAt: RunLoop.test.now)
    check(seed, TestScheduler<ToyTime, ToyOptions>.self, startingAt: ToyTime(microseconds: 0))
  }

  // PF2, PF9
  @Test(arguments: Randomness.seeds(100)) func overASchedulerThatAUserWrites(seed: UInt64) {
    check(seed, ToyScheduler.self, startingAt: ToyTime(microseconds: 0))
  }

  // PF2, PF9
  @Test(arguments: Randomness.seeds(100)) func overAnImmediateScheduler(seed: UInt64) {
    var generator = Randomness(seed: seed)
    var lastID = 0
    let steps = Step.random(depth: 3, lastID: &lastID, using: &generator)
    let base = Interpreter(DispatchQueue.immediate)
    let transform = Interpreter(DispatchQueue.immediate.animation(.linear))
    base.schedule(steps)
    transform.schedule(steps)
    expectEqualLogs(
      transform.log.entries,
      base.log.entries.map { $0.tagged(.linear) },
      "seed \(seed): \(steps)"
    )
  }

  private func check<Base: VirtualScheduler>(
    _ seed: UInt64,
    _ type: Base.Type,
    startingAt start: Base.SchedulerTimeType
  ) where Base.SchedulerTimeType: Hashable {
    var generator = Randomness(seed: seed)
    var lastID = 0
    let steps = Step.random(depth: 3, lastID: &lastID, using: &generator)
    let tolerance = Base.SchedulerTimeType.Stride.milliseconds(Int(seed % 1_000))

    let plain = Base(now: start, minimumTolerance: tolerance)
    let beneath = Base(now: start, minimumTolerance: tolerance)
    let base = Interpreter(plain)
    let transform = Interpreter(beneath.animation(.linear))
    #expect(transform.scheduler.minimumTolerance == tolerance)
    base.schedule(steps)
    transform.schedule(steps)
    for stride in [0, 1, 2, 0, 3, 100] {
      plain.move(by: .milliseconds(100 * stride))
      beneath.move(by: .milliseconds(100 * stride))
      #expect(transform.scheduler.now == base.scheduler.now, "seed \(seed)")
    }
    expectEqualLogs(
      transform.log.entries,
      base.log.entries.map { $0.tagged(.linear) },
      "seed \(seed): \(steps)"
    )
  }

  // MARK: - In real time

  // PF2, PF9
  @Test(arguments: Randomness.seeds(10)) func overADispatchQueue(seed: UInt64) async {
    await checkChain(seed, DispatchQueue(label: "serial"), DispatchQueue(label: "tagged"))
  }

  // PF2, PF9
  @Test(arguments: Randomness.seeds(10)) func overAnOperationQueue(seed: UInt64) async {
    await checkChain(seed, OperationQueue.serial(), OperationQueue.serial())
  }

  // PF2, PF9
  @Test(arguments: Randomness.seeds(10)) func overARunLoop(seed: UInt64) async {
    await withRunLoop { plain in
      await withRunLoop { beneath in
        await checkChain(seed, plain, beneath)
      }
    }
  }

  /// In real time only the order of what waits for one another is certain. So here each piece of
  /// work schedules the next one.
  private func checkChain<Base: Scheduler>(_ seed: UInt64, _ plain: Base, _ beneath: Base) async {
    var generator = Randomness(seed: seed)
    let links = (0..<6).map { _ in Chain.Link.random(using: &generator) }
    let base = await Chain.run(links, on: plain)
    let transform = await Chain.run(links, on: beneath.animation(.linear))
    #expect(base.allSatisfy { $0.transaction.isEmpty }, "seed \(seed)")
    expectEqualLogs(
      transform,
      base.map { $0.tagged(.linear) },
      "seed \(seed): \(links)"
    )
  }
}

extension Event {
  func tagged(_ animation: Animation) -> Event {
    var event = self
    event.transaction.merge(Transaction(animation: animation))
    return event
  }
}
