// Advancing a clock while ordinary tasks sleep on it, wherever they run.

import Foundation
import RondoScheduling
import SeededRandomness
import Synchronization
import Testing

/// The promise of `await clock.advance(by:)`: every task that has been started before is reached.
struct AdvanceWithTasksTests {
  @Test(arguments: [500, 2_000])
  func everySleeperThatHasBeenStartedIsReached(count: Int) async {
    let clock = TestClock()
    let woken = Counter()
    await withDiscardingTaskGroup { group in
      for index in 0..<count {
        group.addTask {
          try? await clock.sleep(for: .milliseconds(1 + index))
          woken.increment()
        }
      }
      await clock.advance(by: .milliseconds(count))
      #expect(woken.count == count)
      group.cancelAll()
    }
  }

  @Test func aSleeperIsReachedHoweverManyActorsItPassesBefore() async {
    let clock = TestClock()
    let stations = (0..<100).map { _ in Station() }
    let woken = Counter()
    await withDiscardingTaskGroup { group in
      group.addTask {
        for station in stations { await station.pass() }
        try? await clock.sleep(for: .seconds(1))
        for station in stations { await station.pass() }
        woken.increment()
      }
      await clock.advance(by: .seconds(1))
      #expect(woken.count == 1)
      group.cancelAll()
    }
  }

  @Test func aSleeperOfTheMainActorIsReachedFromThePool() async {
    let clock = TestClock()
    let times = Log<TestInstant>()
    let task = Task { @MainActor in
      for _ in 0..<10 {
        try await clock.sleep(for: .seconds(1))
        times.append(clock.now)
      }
    }
    await clock.advance(by: .seconds(10))
    #expect(times.entries == (1...10).map { TestInstant(offset: .seconds($0)) })
    task.cancel()
  }

  @MainActor
  @Test func aSleeperOfThePoolIsReachedFromTheMainActor() async {
    let clock = TestClock()
    let times = Log<TestInstant>()
    let task = Task.detached {
      for _ in 0..<10 {
        try await clock.sleep(for: .seconds(1))
        times.append(clock.now)
      }
    }
    await clock.advance(by: .seconds(10))
    #expect(times.entries == (1...10).map { TestInstant(offset: .seconds($0)) })
    task.cancel()
  }

  @MainActor
  @Test func aTaskOfThePoolIsNotOnTheMainThreadWhenAMainActorTestWakesIt() async {
    let clock = TestClock()
    let task = Task.detached {
      try await clock.sleep(for: .seconds(1))
      return isOnMainQueue()
    }
    await clock.advance(by: .seconds(1))
    #expect((try? await task.value) == false)
  }

  @Test func aTaskThatYieldsForEverDoesNotKeepTimeFromMoving() async {
    let clock = TestClock()
    let end = Counter()
    let task = Task {
      try await clock.sleep(for: .seconds(1))
      while end.count == 0 { await Task.yield() }
    }
    await clock.advance(by: .seconds(2))
    #expect(clock.now == TestInstant(offset: .seconds(2)))
    end.increment()
    try? await task.value
  }

  @Test func aTaskThatBlocksItsThreadDoesNotKeepTimeFromMoving() async {
    let clock = TestClock()
    let mayGoOn = DispatchSemaphore(value: 0)
    let woken = Counter()
    let blocked = Task.detached { waitSynchronously(for: mayGoOn) }
    let sleeper = Task.detached {
      try await clock.sleep(for: .seconds(1))
      woken.increment()
    }
    await clock.advance(by: .seconds(1))
    #expect(woken.count == 1)
    mayGoOn.signal()
    await blocked.value
    try? await sleeper.value
  }

  @Test func sleepersOfOneInstantGoOnInTheOrderInWhichTheyFellAsleep() async {
    let clock = TestClock()
    let order = Log<Int>()
    await withDiscardingTaskGroup { group in
      for index in 0..<50 {
        group.addTask {
          try? await clock.sleep(for: .seconds(1))
          order.append(index)
          try? await clock.sleep(for: .seconds(1))
          order.append(index)
        }
        // One after another.
        await clock.advance(by: .zero)
      }
      await clock.advance(by: .seconds(1))
      #expect(order.entries == Array(0..<50))
      await clock.advance(by: .seconds(1))
      #expect(order.entries == Array(0..<50) + Array(0..<50))
    }
  }

  /// Programs of random tasks, each of which sleeps some times, and random advances, against a sum.
  @Test func randomTasksWakeAsOftenAsTimeSays() async {
    await forEachSeed(20) { random in
      let clock = TestClock()
      let plans = (0..<random.int(in: 1..<20)).map { _ in
        Plan(
          home: Plan.Home.allCases.randomElement(using: &random)!,
          naps: (0..<random.int(in: 1..<8)).map { _ in random.int(in: 0..<5) })
      }
      let wakings = plans.map { _ in Counter() }
      await withDiscardingTaskGroup { group in
        for (plan, counter) in zip(plans, wakings) {
          let station = Station()
          group.addTask {
            for nap in plan.naps {
              await plan.sleep(nap, clock, station)
              guard !Task.isCancelled else { return }
              counter.increment()
            }
          }
        }
        var now = 0
        for _ in 0..<50 {
          let step = random.int(in: 0..<4)
          await clock.advance(by: .seconds(step))
          now += step
          let expected = plans.map { $0.wakings(by: now) }
          let actual = wakings.map { $0.count }
          #expect(actual == expected, "\(plans.map(\.home)) at \(now)")
        }
        group.cancelAll()
      }
    }
  }
}

/// A task that sleeps for so many seconds, again and again.
private struct Plan {
  enum Home: CaseIterable { case pool, mainActor, actor, childTask }

  let home: Home
  let naps: [Int]

  func sleep(_ nap: Int, _ clock: TestClock<Duration>, _ station: Station) async {
    switch home {
    case .pool: try? await clock.sleep(for: .seconds(nap))
    case .mainActor: await sleepOnMainActor(nap, clock)
    case .actor: await station.sleep(nap, clock)
    case .childTask:
      async let sleep: Void? = try? await clock.sleep(for: .seconds(nap))
      _ = await sleep
    }
  }

  /// The number of naps that are over at an instant.
  func wakings(by now: Int) -> Int {
    var end = 0
    return naps.prefix { nap in
      end += nap
      return end <= now
    }.count
  }
}

@MainActor
private func sleepOnMainActor(_ nap: Int, _ clock: TestClock<Duration>) async {
  try? await clock.sleep(for: .seconds(nap))
}

private actor Station {
  func pass() {}

  func sleep(_ nap: Int, _ clock: TestClock<Duration>) async {
    try? await clock.sleep(for: .seconds(nap))
  }
}

private final class Counter: Sendable {
  private let value = Atomic(0)

  var count: Int { value.load(ordering: .acquiring) }

  func increment() { value.add(1, ordering: .releasing) }
}

/// Blocks the thread of a task, which tasks must not do.
private func waitSynchronously(for semaphore: DispatchSemaphore) { semaphore.wait() }
