// R18: debounce, on every host.

import Dispatch
import Rondo
import RondoRuntimeTestSupport
import Testing

@MainActor @Suite struct DebounceRules {
  private let scheduler = DispatchQueue.test

  private func search(_ kind: HostKind) async -> any Host<[String], String> {
    let scheduler = scheduler
    return await kind.script { action in
      guard action != "cancel" else { return .cancel(id: "search") }
      guard !action.hasPrefix("found") else { return .none }
      return .send("found \(action)").debounce(id: "search", for: 2, scheduler: scheduler)
    }
  }

  // R18
  @Test(arguments: HostKind.allCases)
  func anEffectIsStartedOnceItsIDHasBeenQuietForTheInterval(kind: HostKind) async {
    let scheduler = scheduler
    let host = await search(kind)
    await host.send("a")
    await host.perform { scheduler.advance(by: 1) }
    await host.send("ab")
    await host.perform { scheduler.advance(by: 1) }
    #expect(await host.state == ["a", "ab"])
    await host.perform { scheduler.advance(by: 1) }
    #expect(await host.state == ["a", "ab", "found ab"])
    #expect(scheduler.timeline.waiting.isEmpty)
  }

  // R18
  @Test(arguments: HostKind.allCases)
  func theStartIsDelayedAndNotTheAnswer(kind: HostKind) async {
    let scheduler = scheduler
    let log = Log<String>()
    let host = await kind.script([
      "tap": .future { callback in
        log.append("started")
        callback("answer")
      }
      .debounce(id: 1, for: 1, scheduler: scheduler)
    ])
    await host.send("tap")
    #expect(log.entries.isEmpty)
    await host.perform { scheduler.advance(by: 1) }
    #expect(log.entries == ["started"])
    #expect(await host.state == ["tap", "answer"])
  }

  // R18
  @Test(arguments: HostKind.allCases)
  func aStartCancelsTheOneBeforeWhileItRuns(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script([
      "tap": .send("answer").delay(for: 5, scheduler: scheduler)
        .debounce(id: 1, for: 1, scheduler: scheduler)
    ])
    let first = await host.send("tap")
    await host.perform { scheduler.advance(by: 3) }
    #expect(!first.isFinished)
    await host.send("tap")
    #expect(first.isFinished)
    await host.perform { scheduler.run() }
    #expect(await host.state == ["tap", "tap", "answer"])
  }

  // R18
  @Test(arguments: HostKind.allCases)
  func itIsCancelledByItsID(kind: HostKind) async {
    let scheduler = scheduler
    let host = await search(kind)
    let task = await host.send("a")
    await host.send("cancel")
    #expect(task.isFinished)
    await host.perform { scheduler.run() }
    #expect(await host.state == ["a", "cancel"])
  }

  // R13, R18
  @Test(arguments: HostKind.allCases)
  func siblingsDebounceOnTheirOwn(kind: HostKind) async {
    let scheduler = scheduler
    let effect = Effect.send("answer").debounce(id: 1, for: 1, scheduler: scheduler)
    let host = await kind.script(["tap": .merge(effect.scoped(to: "a"), effect.scoped(to: "b"))])
    await host.send("tap")
    await host.perform { scheduler.run() }
    #expect(await host.state == ["tap", "answer", "answer"])
  }

  // R18
  @Test(arguments: HostKind.allCases)
  func anImmediateSchedulerStartsTheEffectAtOnce(kind: HostKind) async {
    let host = await kind.script([
      "tap": .send("answer").debounce(id: 1, for: 1, scheduler: DispatchQueue.immediate)
    ])
    #expect(await host.send("tap").isFinished)
    #expect(await host.state == ["tap", "answer"])
  }

  // R18
  @Test(arguments: HostKind.allCases)
  func aConcatenationGoesOnBehindADebouncedEffect(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script([
      "tap": .concatenate(
        .send("a").debounce(id: 1, for: 1, scheduler: scheduler), .send("b"))
    ])
    await host.send("tap")
    await host.perform { scheduler.run() }
    #expect(await host.state == ["tap", "a", "b"])
  }
}
