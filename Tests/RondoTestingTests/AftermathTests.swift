// The course of a test after a failure, and the effects of a store that is gone.

@testable import RondoTestStore
import Synchronization
import Testing

@Suite struct AftermathTests {
  // T5
  @Test func afterAnActionThatIsNoneOfThoseTheStateIsTheOneThatItLeft() async {
    let store = makeStore()
    await store.send(.runTwo)
    let issues = await captureIssues { await store.receive(inAnyOrder: .equal(.increment)) }
    #expect(issues.count == 1)
    #expect(store.state.log == ["a"])
    await store.receive(.note("b")) { $0.log = ["a", "b"] }
    #expect(store.state.log == ["a", "b"])
  }

  // T5
  @Test func afterTooFewActionsTheStateIsThatOfTheLast() async {
    let store = makeStore()
    await store.send(.run)
    let issues = await captureIssues {
      await store.receive(inAnyOrder: .equal(.increment), .equal(.decrement)) { $0.count = 1 }
    }
    #expect(issues.count == 1)
    #expect(store.state.count == 1)
  }

  // T5
  @Test func severalActionsBeginWithTheStateBeforeTheFirst() async {
    let store = makeStore()
    store.exhaustivity = [.state]
    await store.send(.chain(1)) { $0.count = 1 }
    await store.send(.own(.init { await $0(.note("a")) }))
    await store.receive(inAnyOrder: .equal(.note("a"))) { $0.log = ["a"] }
    await store.send(
      .own(
        .init { send in for action in [Counter.Action.increment, .note("b")] { await send(action) }
        }))
    await store.receive(inAnyOrder: .equal(.note("b"))) { $0.log = ["a", "b"] }
  }

  // T8
  @Test func whatIsInFlightHasEndedWhenTheStoreIsGone() async {
    let hasEnded = Mutex(false)
    do {
      let store = makeStore()
      store.exhaustivity = .off
      let clock = store.clock
      await store.send(
        .own(
          .init { _ in
            try? await clock.sleep(for: .seconds(1))
            await Task.yield()
            hasEnded.withLock { $0 = true }
          }))
    }
    #expect(hasEnded.withLock { $0 })
  }

  // T8
  @Test func finishingFailsForActionsThatWereNotReceived() async {
    let store = makeStore()
    await store.send(.run)
    let issues = await captureIssues { await store.finish() }
    #expect(issues.map { $0.message.hasPrefix("The test ended with 1 action") } == [true])
  }

  // T2
  @Test func aJobThatIsInTheQueueAtTheEndCanStillEnd() async {
    let executor = PumpedExecutor()
    let task = Task(executorPreference: executor) { 1 }
    executor.retire()
    #expect(await task.value == 1)
  }
}
