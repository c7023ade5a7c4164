// R4: the handle that `send` returns.

import Dispatch
import Testing
import RondoRuntimeTestSupport

@testable import Rondo

@MainActor @Suite struct StoreTaskTests {
  // R4
  @Test func finishMayBeAwaitedByManyAndMoreThanOnce() async {
    let store = script(["tap": .run { send in await send("answer") }])
    let task = store.send("tap")
    async let other: Void = task.finish()
    await task.finish()
    await other
    await task.finish()
    #expect(store.state == ["tap", "answer"])
  }

  // R4
  @Test func finishOfWhatHasEndedGoesOnAtOnce() async {
    let store = script(["tap": .run { _ in }])
    let task = store.send("tap")
    await task.finish()
    let other = Flag()
    Task { other.isSet = true }
    await task.finish()
    #expect(!other.isSet)
  }

  // R4
  @Test func finishMayBeAwaitedFromAnywhereAtTheMomentOfTheEnd() async {
    let store = script(["tap": .run { _ in }])
    for _ in 0..<500 {
      let task = store.send("tap")
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { await task.finish() } }
      }
      #expect(task.isFinished)
    }
  }

  // R4
  @Test func oneWhoComesToWaitAfterTheEndIsLetIn() async throws {
    let store = script(["tap": .run { _ in }])
    let task = store.send("tap")
    await task.finish()
    await WaitingRoom(before: try #require(task.root)).passThrough()
    MainActor.assertIsolated()
  }

  // R4
  @Test func cancelLeavesWhatOtherActionsHaveStartedAlone() {
    let scheduler = DispatchQueue.test
    let store = script([
      "one": .send("of one").delay(for: 1, scheduler: scheduler),
      "two": .send("of two").delay(for: 1, scheduler: scheduler),
    ])
    let one = store.send("one")
    let two = store.send("two")
    one.cancel()
    scheduler.run()
    #expect(store.state == ["one", "two", "of two"])
    #expect(two.isFinished)
    #expect(!two.isCancelled)
  }

  // R4
  @Test func whatACancelledChainOfSendsHasLeftIsNotStarted() {
    let later = Later<Store<[String], String>>()
    let store = script { [unowned later] action in
      switch action {
      case "tap":
        later.value!.send("chain").cancel()
        return .none
      case "chain": return .send("link")
      default: return .none
      }
    }
    later.value = store
    store.send("tap")
    // The action that was already in the queue is handled, its effect is not started.
    #expect(store.state == ["tap", "chain"])
    later.value = nil
  }

  // R4
  @Test func anActionSentWhileAnotherIsInProgressHasAHandleOfItsOwn() {
    let scheduler = DispatchQueue.test
    let later = Later<Store<[String], String>>()
    let inner = Later<StoreTask>()
    let store = script { [unowned later, unowned inner] action in
      switch action {
      case "outer":
        inner.value = later.value!.send("inner")
        return .send("of outer").delay(for: 1, scheduler: scheduler)
      case "inner":
        return .send("of inner").delay(for: 1, scheduler: scheduler)
      default: return .none
      }
    }
    later.value = store
    let outer = store.send("outer")
    #expect(inner.value?.isFinished == false)
    inner.value?.cancel()
    #expect(!outer.isCancelled)
    scheduler.run()
    #expect(store.state == ["outer", "inner", "of outer"])
    #expect(outer.isFinished)
    later.value = nil
  }

  // R4
  @Test func cancellingTheTaskThatWaitsCancelsWhatItWaitsFor() async {
    let scheduler = DispatchQueue.test
    let store = script(["tap": .send("answer").delay(for: 1, scheduler: scheduler)])
    let task = store.send("tap")
    let waiting = Task { await task.finish() }
    waiting.cancel()
    await waiting.value
    #expect(task.isCancelled)
    await scheduler.run()
    #expect(store.state == ["tap"])
  }

  // R4
  @Test func cancelWorksFromAnyThread() {
    let host = DispatchQueue.test
    let scheduler = DispatchQueue.test
    let store = Store(
      initialState: [String](),
      reducer: {
        Script { $0 == "tap" ? .send("answer").delay(for: 1, scheduler: scheduler) : .none }
      }, scheduler: host)
    let task = store.send("tap")
    onOtherThread { task.cancel() }
    #expect(task.isCancelled)
    host.advance()
    #expect(task.isFinished)
    scheduler.run()
    #expect(store.state == ["tap"])
  }

  // R4
  @Test func cancelAfterTheEndChangesNothing() async {
    let store = script(["tap": .run { _ in }])
    let task = store.send("tap")
    await task.finish()
    task.cancel()
    #expect(!task.isCancelled)
  }
}

@MainActor private final class Flag {
  var isSet = false
}
