// R18: throttle.

import Dispatch
import Rondo
import Testing
import RondoRuntimeTestSupport

@MainActor @Suite struct ThrottleTests {
  private let scheduler = DispatchQueue.test

  /// Sends a word every second, throttled to one in three seconds, and logs what passes.
  private func log(latest: Bool, _ words: [String]) -> [String] {
    let scheduler = scheduler
    let store = script { action in
      guard action.hasPrefix("in ") else { return .none }
      return .send(String(action.dropFirst(3)))
        .throttle(id: "throttle", for: 3, scheduler: scheduler, latest: latest)
    }
    var log: [String] = []
    let subscription = store.subscribe { commit in
      for action in commit.actions where !action.hasPrefix("in ") {
        log.append("\(Int(scheduler.timeline.elapsed / .seconds(1))) \(action)")
      }
    }
    for word in words {
      store.send("in \(word)")
      scheduler.advance(by: 1)
    }
    scheduler.run()
    subscription.cancel()
    #expect(scheduler.timeline.waiting.isEmpty)
    return log
  }

  // R18
  @Test func theFirstPassesAtOnceAndThenTheLatestOfEachInterval() {
    #expect(log(latest: true, ["a", "b", "c", "d", "e", "f"]) == ["0 a", "3 c", "6 f"])
  }

  // R18
  @Test func orTheFirstOfEachInterval() {
    #expect(log(latest: false, ["a", "b", "c", "d", "e", "f"]) == ["0 a", "3 b", "6 d"])
  }

  // R18
  @Test func afterAQuietIntervalTheNextPassesAtOnce() {
    let scheduler = scheduler
    let store = script { action in
      guard action == "tap" else { return .none }
      return .send("passed").throttle(id: 1, for: 3, scheduler: scheduler, latest: true)
    }
    store.send("tap")
    scheduler.advance(by: 3)
    store.send("tap")
    #expect(store.state == ["tap", "passed", "tap", "passed"])
  }

  // R18
  @Test func atMostOnePassesPerIntervalAlsoAfterAKeptOne() {
    let store = script { [scheduler] action in
      guard action == "tap" else { return .none }
      return .send("passed").throttle(id: 1, for: 3, scheduler: scheduler, latest: true)
    }
    store.send("tap")
    store.send("tap")
    scheduler.advance(by: 3)
    #expect(store.state.count { $0 == "passed" } == 2)
    scheduler.advance(by: 1)
    store.send("tap")
    #expect(store.state.count { $0 == "passed" } == 2)
    scheduler.advance(by: 2)
    #expect(store.state.count { $0 == "passed" } == 3)
  }

  // R18
  @Test func effectsUnderOneIDShareTheInterval() {
    let effect = Effect.send("passed")
    let store = script([
      "tap": .merge(
        effect.throttle(id: 1, for: 1, scheduler: scheduler, latest: false),
        effect.throttle(id: 1, for: 1, scheduler: scheduler, latest: false),
        effect.throttle(id: 2, for: 1, scheduler: scheduler, latest: false))
    ])
    store.send("tap")
    #expect(store.state == ["tap", "passed", "passed"])
    scheduler.run()
    #expect(store.state == ["tap", "passed", "passed", "passed"])
  }

  // R4, R18
  @Test func anEffectWhoseValueIsKeptIsInFlight() {
    let store = script { [scheduler] action in
      guard action == "tap" else { return .none }
      return .send("passed").throttle(id: 1, for: 1, scheduler: scheduler, latest: true)
    }
    #expect(store.send("tap").isFinished)
    let second = store.send("tap")
    #expect(!second.isFinished)
    let third = store.send("tap")
    #expect(second.isFinished)
    #expect(!third.isFinished)
    scheduler.run()
    #expect(third.isFinished)
  }

  // R14, R18
  @Test func aKeptValueIsForgottenWhenItsEffectIsCancelled() {
    let store = script { [scheduler] action in
      guard action == "tap" else { return .none }
      return .send("passed").throttle(id: 1, for: 1, scheduler: scheduler, latest: true)
    }
    store.send("tap")
    store.send("tap").cancel()
    scheduler.run()
    #expect(store.state == ["tap", "passed", "tap"])
    #expect(scheduler.timeline.waiting.isEmpty)
  }

  // R18
  @Test func twoStoresThrottleOnTheirOwn() {
    let effect = Effect.send("passed").throttle(id: 1, for: 1, scheduler: scheduler, latest: true)
    let (one, two) = (script(["tap": effect]), script(["tap": effect]))
    one.send("tap")
    two.send("tap")
    #expect(one.state == ["tap", "passed"])
    #expect(two.state == ["tap", "passed"])
  }

  // R13, R18
  @Test func siblingsThrottleOnTheirOwn() {
    let effect = Effect.send("passed").throttle(id: 1, for: 1, scheduler: scheduler, latest: true)
    let store = script(["tap": .merge(effect.scoped(to: "a"), effect.scoped(to: "b"))])
    store.send("tap")
    #expect(store.state == ["tap", "passed", "passed"])
  }
}
