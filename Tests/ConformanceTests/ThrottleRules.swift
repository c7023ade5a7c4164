// R18: throttle, on every host.

import Dispatch
import Rondo
import RondoRuntimeTestSupport
import Testing

@MainActor @Suite struct ThrottleRules {
  private let scheduler = DispatchQueue.test

  /// Sends a word every second, throttled to one in three seconds, and returns what passes, with the second.
  private func log(_ kind: HostKind, latest: Bool, _ words: [String]) async -> [String] {
    let scheduler = scheduler
    let host = await kind.script(stamp: { scheduler.milliseconds / 1_000 }) { action in
      guard action.hasPrefix("in ") else { return .none }
      return .send(String(action.dropFirst(3)))
        .throttle(id: "throttle", for: 3, scheduler: scheduler, latest: latest)
    }
    for word in words {
      await host.send("in \(word)")
      await host.perform { scheduler.advance(by: 1) }
    }
    await host.perform { scheduler.run() }
    #expect(scheduler.timeline.waiting.isEmpty)
    return host.log.entries.filter { !$0.action.hasPrefix("in ") }
      .map { "\($0.stamp) \($0.action)" }
  }

  // R18
  @Test(arguments: HostKind.allCases)
  func theFirstPassesAtOnceAndThenTheLatestOfEachInterval(kind: HostKind) async {
    #expect(
      await log(kind, latest: true, ["a", "b", "c", "d", "e", "f"]) == ["0 a", "3 c", "6 f"])
  }

  // R18
  @Test(arguments: HostKind.allCases)
  func orTheFirstOfEachInterval(kind: HostKind) async {
    #expect(
      await log(kind, latest: false, ["a", "b", "c", "d", "e", "f"]) == ["0 a", "3 b", "6 d"])
  }

  // R18
  @Test(arguments: HostKind.allCases)
  func afterAQuietIntervalTheNextPassesAtOnce(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script { action in
      guard action == "tap" else { return .none }
      return .send("passed").throttle(id: 1, for: 3, scheduler: scheduler, latest: true)
    }
    await host.send("tap")
    await host.perform { scheduler.advance(by: 3) }
    await host.send("tap")
    #expect(await host.state == ["tap", "passed", "tap", "passed"])
  }

  // R18
  @Test(arguments: HostKind.allCases)
  func atMostOnePassesPerIntervalAlsoAfterAKeptOne(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script { [scheduler] action in
      guard action == "tap" else { return .none }
      return .send("passed").throttle(id: 1, for: 3, scheduler: scheduler, latest: true)
    }
    await host.send("tap")
    await host.send("tap")
    await host.perform { scheduler.advance(by: 3) }
    #expect(await host.state.count { $0 == "passed" } == 2)
    await host.perform { scheduler.advance(by: 1) }
    await host.send("tap")
    #expect(await host.state.count { $0 == "passed" } == 2)
    await host.perform { scheduler.advance(by: 2) }
    #expect(await host.state.count { $0 == "passed" } == 3)
  }

  // R18
  @Test(arguments: HostKind.allCases)
  func effectsUnderOneIDShareTheInterval(kind: HostKind) async {
    let scheduler = scheduler
    let effect = Effect.send("passed")
    let host = await kind.script([
      "tap": .merge(
        effect.throttle(id: 1, for: 1, scheduler: scheduler, latest: false),
        effect.throttle(id: 1, for: 1, scheduler: scheduler, latest: false),
        effect.throttle(id: 2, for: 1, scheduler: scheduler, latest: false))
    ])
    await host.send("tap")
    #expect(await host.state == ["tap", "passed", "passed"])
    await host.perform { scheduler.run() }
    #expect(await host.state == ["tap", "passed", "passed", "passed"])
  }

  // R4, R18
  @Test(arguments: HostKind.allCases)
  func anEffectWhoseValueIsKeptIsInFlight(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script { [scheduler] action in
      guard action == "tap" else { return .none }
      return .send("passed").throttle(id: 1, for: 1, scheduler: scheduler, latest: true)
    }
    #expect(await host.send("tap").isFinished)
    let second = await host.send("tap")
    #expect(!second.isFinished)
    let third = await host.send("tap")
    #expect(second.isFinished)
    #expect(!third.isFinished)
    await host.perform { scheduler.run() }
    #expect(third.isFinished)
  }

  // R14, R18
  @Test(arguments: HostKind.allCases)
  func aKeptValueIsForgottenWhenItsEffectIsCancelled(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script { [scheduler] action in
      guard action == "tap" else { return .none }
      return .send("passed").throttle(id: 1, for: 1, scheduler: scheduler, latest: true)
    }
    await host.send("tap")
    await host.send("tap").cancel()
    await host.perform { scheduler.run() }
    #expect(await host.state == ["tap", "passed", "tap"])
    #expect(scheduler.timeline.waiting.isEmpty)
  }

  // R18
  @Test(arguments: HostKind.allCases)
  func twoHostsThrottleOnTheirOwn(kind: HostKind) async {
    let effect = Effect.send("passed").throttle(id: 1, for: 1, scheduler: scheduler, latest: true)
    let (one, two) = (await kind.script(["tap": effect]), await kind.script(["tap": effect]))
    await one.send("tap")
    await two.send("tap")
    #expect(await one.state == ["tap", "passed"])
    #expect(await two.state == ["tap", "passed"])
  }

  // R13, R18
  @Test(arguments: HostKind.allCases)
  func siblingsThrottleOnTheirOwn(kind: HostKind) async {
    let effect = Effect.send("passed").throttle(id: 1, for: 1, scheduler: scheduler, latest: true)
    let host = await kind.script(["tap": .merge(effect.scoped(to: "a"), effect.scoped(to: "b"))])
    await host.send("tap")
    #expect(await host.state == ["tap", "passed", "passed"])
  }
}
