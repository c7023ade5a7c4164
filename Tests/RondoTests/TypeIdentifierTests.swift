// K26: types as cancellation ids.

import Dispatch
import Rondo
import RondoCompatibility
import RondoRuntimeTestSupport
import Testing

@MainActor @Suite struct TypeIdentifierTests {
  private enum FirstID {}
  private enum SecondID {}

  private let scheduler = DispatchQueue.test

  private func wait(_ word: String) -> Effect<String> {
    .send(word).delay(for: 1, scheduler: scheduler)
  }

  // K26
  @Test func aTypeCancelsTheEffectsUnderItAlone() {
    let store = script([
      "tap": .merge(
        wait("first").cancellable(id: FirstID.self), wait("second").cancellable(id: SecondID.self)),
      "cancel": .cancel(id: FirstID.self),
    ])
    store.send("tap")
    store.send("cancel")
    scheduler.run()
    #expect(store.state == ["tap", "cancel", "second"])
  }

  // K26
  @Test func severalTypesAreCancelledAtOnce() {
    let store = script([
      "tap": .merge(
        wait("first").cancellable(id: FirstID.self), wait("second").cancellable(id: SecondID.self)),
      "cancel": .cancel(ids: [FirstID.self, SecondID.self]),
    ])
    store.send("tap")
    store.send("cancel")
    scheduler.run()
    #expect(store.state == ["tap", "cancel"])
  }

  // K26
  @Test func theNewestEffectUnderATypeReplacesTheOthers() {
    let store = script([
      "a": wait("first").cancellable(id: FirstID.self, cancelInFlight: true),
      "b": wait("second").cancellable(id: FirstID.self, cancelInFlight: true),
      "c": wait("third").debounce(id: SecondID.self, for: 1, scheduler: scheduler),
      "d": wait("fourth").debounce(id: SecondID.self, for: 1, scheduler: scheduler),
    ])
    for action in ["a", "b", "c", "d"] { store.send(action) }
    scheduler.run()
    #expect(store.state == ["a", "b", "c", "d", "second", "fourth"])
  }

  // K26
  @Test func valuesUnderATypeAreThrottled() {
    let store = script([
      "tap": .send("value").throttle(
        id: FirstID.self, for: 1, scheduler: scheduler, latest: true)
    ])
    for _ in 0..<3 { store.send("tap") }
    scheduler.run()
    #expect(store.state == ["tap", "value", "tap", "tap", "value"])
  }

  // K26
  @Test func aTimerStopsByItsType() {
    let store = script([
      "start": Effect.timer(id: FirstID.self, every: 1, on: scheduler)
        .map { _ in "tick" },
      "stop": .cancel(id: FirstID.self),
    ])
    store.send("start")
    scheduler.advance(by: 2)
    store.send("stop")
    scheduler.run()
    #expect(store.state == ["start", "tick", "tick", "stop"])
  }

  // K26
  @Test func aPieceOfAClosureIsCancelledByItsType() async {
    let hasBegun = Promise<Void>()
    let store = script([
      "tap": .run { send in
        await withTaskCancellation(id: FirstID.self) {
          hasBegun.fulfil()
          await suspendUntilCancelled()
        }
        await send("went on")
      },
      "cancel": .run { _ in Task.cancel(id: FirstID.self) },
    ])
    let task = store.send("tap")
    await hasBegun.value
    await store.send("cancel").finish()
    await task.finish()
    #expect(store.state == ["tap", "cancel", "went on"])
  }
}
