// R8: how effects are made.

import Dispatch
import Rondo
import Testing
import RondoRuntimeTestSupport

@MainActor @Suite struct EffectConstructorTests {
  // R8
  @Test func runNamesItsTaskAndGivesItItsPriority() async {
    let store = script([
      "tap": .run(name: "refresh", priority: .background) { send in
        await send(Task.name ?? "nameless")
        await send(Task.basePriority == .background ? "background" : "other")
      }
    ])
    await store.send("tap").finish()
    #expect(store.state == ["tap", "refresh", "background"])
  }

  // R8
  @Test func sequenceCatchesItsError() async {
    let stream = AsyncThrowingStream<String, any Error> { continuation in
      continuation.yield("a")
      continuation.finish(throwing: Failure())
    }
    let store = script([
      "tap": .sequence(stream) { error, send in await send("caught \(error is Failure)") }
    ])
    await store.send("tap").finish()
    #expect(store.state == ["tap", "a", "caught true"])
  }

  // R8
  @Test func startingATimerCancelsTheOneUnderItsID() {
    let scheduler = DispatchQueue.test
    let store = script([
      "start": Effect.timer(id: "timer", every: 2, on: scheduler).map { _ in "tick" }
    ])
    let first = store.send("start")
    scheduler.advance(by: 1)
    store.send("start")
    #expect(first.isFinished)
    scheduler.advance(by: 2)
    #expect(store.state == ["start", "start", "tick"])
  }

  // R8
  @Test func anEffectMayBeStartedAnyNumberOfTimes() async {
    let effect = Effect<String>.concatenate(.send("a"), .run { send in await send("b") }.prefix(1))
    let store = script(["tap": effect])
    await store.send("tap").finish()
    await store.send("tap").finish()
    #expect(store.state == ["tap", "a", "b", "tap", "a", "b"])
  }

  // R8
  @Test func anEffectDescribesItself() {
    let effect = Effect<String>.concatenate(
      .send("saved").cancellable(id: 1),
      .merge(
        .run(name: "server") { _ in }.map { $0 }, .none, .cancel(id: "a"), .send("x").animation())
    )
    #expect(
      "\(effect)" == """
        concatenate(cancellable[1](send(saved)), merge(map(run "server"), cancel(a), \
        transaction[.default](send(x))))
        """)
    #expect("\(Effect<String>.none)" == "none")
  }
}

struct Failure: Error {}
