// R11: effects one after another.

import Dispatch
import Rondo
import Testing
import RondoRuntimeTestSupport

@MainActor @Suite struct ConcatenateTests {
  // R11
  @Test func aChildIsStartedWhenTheOneBeforeHasEnded() {
    let scheduler = DispatchQueue.test
    let log = Log<String>()
    let second = Effect<String>.future { callback in
      log.append("started")
      callback("second")
    }
    let effect = Effect.concatenate(.send("first").delay(for: 1, scheduler: scheduler), second)
    let store = script(["tap": effect])
    store.send("tap")
    #expect(log.entries.isEmpty)
    scheduler.advance(by: 1)
    #expect(log.entries == ["started"])
    #expect(store.state == ["tap", "first", "second"])
  }

  // R11
  @Test func aChildIsStartedAfterTheLastOfAMergeBeforeIt() async {
    let store = script([
      "tap": .concatenate(
        .merge(.run { send in await send("a") }, .run { send in await send("a") }),
        .send("b"),
        .run { send in await send("c") },
        .send("d"))
    ])
    await store.send("tap").finish()
    #expect(store.state == ["tap", "a", "a", "b", "c", "d"])
  }

  // R11
  @Test func aChildIsStartedWhenTheOneBeforeWasCancelledByItsID() {
    let scheduler = DispatchQueue.test
    let store = script([
      "tap": .concatenate(
        .send("first").delay(for: 1, scheduler: scheduler).cancellable(id: "first"),
        .send("second").delay(for: 1, scheduler: scheduler)),
      "cancel": .cancel(id: "first"),
    ])
    let task = store.send("tap")
    store.send("cancel")
    #expect(!task.isFinished)
    scheduler.run()
    #expect(store.state == ["tap", "cancel", "second"])
    #expect(task.isFinished)
  }

  // R11
  @Test func concatenationsThatOneCancelSetsGoingGoOnInTheOrderInWhichTheyWereStarted() {
    let scheduler = DispatchQueue.test
    func pair(_ word: String) -> Effect<String> {
      .concatenate(
        .send("never").delay(for: 1, scheduler: scheduler).cancellable(id: 1), .send(word))
    }
    let store = script([
      "tap": .merge(pair("a"), pair("b"), pair("c")),
      "cancel": .concatenate(.cancel(id: 1), .send("d")),
    ])
    store.send("tap")
    store.send("cancel")
    #expect(store.state == ["tap", "cancel", "a", "b", "c", "d"])
  }

  // R11
  @Test func noLaterChildIsStartedWhenTheWholeIsCancelledByItsID() {
    let scheduler = DispatchQueue.test
    let store = script([
      "tap": .concatenate(.send("first").delay(for: 1, scheduler: scheduler), untouchable)
        .cancellable(id: "whole"),
      "cancel": .cancel(id: "whole"),
    ])
    let task = store.send("tap")
    store.send("cancel")
    scheduler.run()
    #expect(store.state == ["tap", "cancel"])
    #expect(task.isFinished)
  }

  // R11
  @Test func noLaterChildIsStartedWhenTheTaskIsCancelled() {
    let scheduler = DispatchQueue.test
    let store = script([
      "tap": .concatenate(.send("first").delay(for: 1, scheduler: scheduler), untouchable)
    ])
    store.send("tap").cancel()
    scheduler.run()
    #expect(store.state == ["tap"])
  }

  // R11
  @Test func noLaterChildIsStartedWhenTheStoreIsReleased() {
    let scheduler = DispatchQueue.test
    var store: Store? = script([
      "tap": .concatenate(.send("first").delay(for: 1, scheduler: scheduler), untouchable)
    ])
    store!.send("tap")
    store = nil
    scheduler.run()
  }

  // R11
  @Test func aChildThatCancelsTheWholeIsTheLastToBeStarted() {
    let store = script([
      "tap": .concatenate(.send("first"), .cancel(id: "whole"), untouchable)
        .cancellable(id: "whole")
    ])
    #expect(store.send("tap").isFinished)
    #expect(store.state == ["tap", "first"])
  }

  // R11
  @Test func noneIsItsIdentity() {
    #expect("\(Effect.concatenate(.none, .send(1), .none))" == "send(1)")
    #expect("\(Effect.send(1).concatenate(with: .none))" == "send(1)")
    #expect("\(Effect.none.concatenate(with: .send(1)))" == "send(1)")
    #expect(Effect<Int>.concatenate().isNone)
    #expect(Effect<Int>.concatenate([]).isNone)
  }

  // R11
  @Test func itIsAssociative() {
    func log(_ make: (Effect<Int>, Effect<Int>, Effect<Int>) -> Effect<Int>) -> [String] {
      let scheduler = DispatchQueue.test
      func wait(_ seconds: Int) -> Effect<Int> {
        .merge(.send(0), .send(seconds).delay(for: .seconds(seconds), scheduler: scheduler))
      }
      return times(make(wait(1), wait(2), wait(3)), scheduler)
    }
    let flat = log { .concatenate($0, $1, $2) }
    #expect(flat == ["0 0", "1 1", "1 0", "3 2", "3 0", "6 3"])
    #expect(log { $0.concatenate(with: $1).concatenate(with: $2) } == flat)
    #expect(log { $0.concatenate(with: $1.concatenate(with: $2)) } == flat)
  }

  /// An effect whose closure must not be called.
  private var untouchable: Effect<String> {
    .future { callback in
      Issue.record("A later child was started.")
      callback("later")
    }
  }
}
