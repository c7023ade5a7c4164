// R11: effects one after another, on every host.

import Dispatch
import Rondo
import RondoRuntimeTestSupport
import Testing

@MainActor @Suite struct ConcatenateRules {
  // R11
  @Test(arguments: HostKind.allCases)
  func aChildIsStartedWhenTheOneBeforeHasEnded(kind: HostKind) async {
    let scheduler = DispatchQueue.test
    let log = Log<String>()
    let second = Effect<String>.future { callback in
      log.append("started")
      callback("second")
    }
    let effect = Effect.concatenate(.send("first").delay(for: 1, scheduler: scheduler), second)
    let host = await kind.script(["tap": effect])
    let task = await host.send("tap")
    #expect(log.entries.isEmpty)
    await host.perform { scheduler.advance(by: 1) }
    await host.finish(task)
    #expect(log.entries == ["started"])
    #expect(await host.state == ["tap", "first", "second"])
  }

  // R11
  @Test(arguments: HostKind.allCases)
  func aChildIsStartedAfterTheLastOfAMergeBeforeIt(kind: HostKind) async {
    let host = await kind.script([
      "tap": .concatenate(
        .merge(.run { send in await send("a") }, .run { send in await send("a") }),
        .send("b"),
        .run { send in await send("c") },
        .send("d"))
    ])
    await host.finish(await host.send("tap"))
    #expect(await host.state == ["tap", "a", "a", "b", "c", "d"])
  }

  // R11
  @Test(arguments: HostKind.allCases)
  func aChildIsStartedWhenTheOneBeforeWasCancelledByItsID(kind: HostKind) async {
    let scheduler = DispatchQueue.test
    let host = await kind.script([
      "tap": .concatenate(
        .send("first").delay(for: 1, scheduler: scheduler).cancellable(id: "first"),
        .send("second").delay(for: 1, scheduler: scheduler)),
      "cancel": .cancel(id: "first"),
    ])
    let task = await host.send("tap")
    await host.send("cancel")
    #expect(!task.isFinished)
    await host.perform { scheduler.run() }
    #expect(await host.state == ["tap", "cancel", "second"])
    #expect(task.isFinished)
  }

  // R11
  @Test(arguments: HostKind.allCases)
  func concatenationsThatOneCancelSetsGoingGoOnInTheOrderInWhichTheyWereStarted(kind: HostKind)
    async
  {
    let scheduler = DispatchQueue.test
    func pair(_ word: String) -> Effect<String> {
      .concatenate(
        .send("never").delay(for: 1, scheduler: scheduler).cancellable(id: 1), .send(word))
    }
    let host = await kind.script([
      "tap": .merge(pair("a"), pair("b"), pair("c")),
      "cancel": .concatenate(.cancel(id: 1), .send("d")),
    ])
    await host.send("tap")
    await host.send("cancel")
    #expect(await host.state == ["tap", "cancel", "a", "b", "c", "d"])
  }

  // R11
  @Test(arguments: HostKind.allCases)
  func noLaterChildIsStartedWhenTheWholeIsCancelledByItsID(kind: HostKind) async {
    let scheduler = DispatchQueue.test
    let host = await kind.script([
      "tap": .concatenate(.send("first").delay(for: 1, scheduler: scheduler), untouchable)
        .cancellable(id: "whole"),
      "cancel": .cancel(id: "whole"),
    ])
    let task = await host.send("tap")
    await host.send("cancel")
    await host.perform { scheduler.run() }
    #expect(await host.state == ["tap", "cancel"])
    #expect(task.isFinished)
  }

  // R11
  @Test(arguments: HostKind.allCases)
  func noLaterChildIsStartedWhenTheTaskIsCancelled(kind: HostKind) async {
    let scheduler = DispatchQueue.test
    let host = await kind.script([
      "tap": .concatenate(.send("first").delay(for: 1, scheduler: scheduler), untouchable)
    ])
    await host.send("tap").cancel()
    await host.perform { scheduler.run() }
    #expect(await host.state == ["tap"])
  }

  // R11
  @Test(arguments: HostKind.allCases)
  func noLaterChildIsStartedWhenTheHostIsReleased(kind: HostKind) async {
    let scheduler = DispatchQueue.test
    let host = await kind.script([
      "tap": .concatenate(.send("first").delay(for: 1, scheduler: scheduler), untouchable)
    ])
    await host.send("tap")
    host.release()
    await scheduler.run()
  }

  // R11
  @Test(arguments: HostKind.allCases)
  func aChildThatCancelsTheWholeIsTheLastToBeStarted(kind: HostKind) async {
    let host = await kind.script([
      "tap": .concatenate(.send("first"), .cancel(id: "whole"), untouchable)
        .cancellable(id: "whole")
    ])
    #expect(await host.send("tap").isFinished)
    #expect(await host.state == ["tap", "first"])
  }

  /// An effect whose closure must not be called.
  private var untouchable: Effect<String> {
    .future { callback in
      Issue.record("A later child was started.")
      callback("later")
    }
  }
}
