// R18: debounce.

import Dispatch
import Rondo
import Testing
import RondoRuntimeTestSupport

@MainActor @Suite struct DebounceTests {
  private let scheduler = DispatchQueue.test

  private func search() -> Store<[String], String> {
    let scheduler = scheduler
    return script { action in
      guard action != "cancel" else { return .cancel(id: "search") }
      guard !action.hasPrefix("found") else { return .none }
      return .send("found \(action)").debounce(id: "search", for: 2, scheduler: scheduler)
    }
  }

  // R18
  @Test func anEffectIsStartedOnceItsIDHasBeenQuietForTheInterval() {
    let store = search()
    store.send("a")
    scheduler.advance(by: 1)
    store.send("ab")
    scheduler.advance(by: 1)
    #expect(store.state == ["a", "ab"])
    scheduler.advance(by: 1)
    #expect(store.state == ["a", "ab", "found ab"])
    #expect(scheduler.timeline.waiting.isEmpty)
  }

  // R18
  @Test func theStartIsDelayedAndNotTheAnswer() {
    let log = Log<String>()
    let store = script([
      "tap": .future { callback in
        log.append("started")
        callback("answer")
      }
      .debounce(id: 1, for: 1, scheduler: scheduler)
    ])
    store.send("tap")
    #expect(log.entries.isEmpty)
    scheduler.advance(by: 1)
    #expect(log.entries == ["started"])
    #expect(store.state == ["tap", "answer"])
  }

  // R18
  @Test func aStartCancelsTheOneBeforeWhileItRuns() {
    let store = script([
      "tap": .send("answer").delay(for: 5, scheduler: scheduler)
        .debounce(id: 1, for: 1, scheduler: scheduler)
    ])
    let first = store.send("tap")
    scheduler.advance(by: 3)
    #expect(!first.isFinished)
    store.send("tap")
    #expect(first.isFinished)
    scheduler.run()
    #expect(store.state == ["tap", "tap", "answer"])
  }

  // R18
  @Test func itIsCancelledByItsID() {
    let store = search()
    let task = store.send("a")
    store.send("cancel")
    #expect(task.isFinished)
    scheduler.run()
    #expect(store.state == ["a", "cancel"])
  }

  // R18
  @Test func twoStoresDebounceOnTheirOwn() {
    let one = search()
    let two = search()
    one.send("a")
    two.send("b")
    scheduler.run()
    #expect(one.state == ["a", "found a"])
    #expect(two.state == ["b", "found b"])
  }

  // R13, R18
  @Test func siblingsDebounceOnTheirOwn() {
    let effect = Effect.send("answer").debounce(id: 1, for: 1, scheduler: scheduler)
    let store = script(["tap": .merge(effect.scoped(to: "a"), effect.scoped(to: "b"))])
    store.send("tap")
    scheduler.run()
    #expect(store.state == ["tap", "answer", "answer"])
  }

  // R18
  @Test func anImmediateSchedulerStartsTheEffectAtOnce() {
    let store = script([
      "tap": .send("answer").debounce(id: 1, for: 1, scheduler: DispatchQueue.immediate)
    ])
    #expect(store.send("tap").isFinished)
    #expect(store.state == ["tap", "answer"])
  }

  // R18
  @Test func aConcatenationGoesOnBehindADebouncedEffect() {
    let store = script([
      "tap": .concatenate(
        .send("a").debounce(id: 1, for: 1, scheduler: scheduler), .send("b"))
    ])
    store.send("tap")
    scheduler.run()
    #expect(store.state == ["tap", "a", "b"])
  }
}
