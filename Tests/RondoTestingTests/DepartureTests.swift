// A task that has left is noticed, whatever the feature has done in the same breath.

import Dispatch
@testable import RondoTestStore
import Testing

@Suite struct DepartureTests {
  /// An effect that sends an action, and then leaves until a test lets it come back.
  private func send(
    _ action: @escaping @Sendable () -> Counter.Action, _ store: TestStoreOf<Counter>
  ) async {
    let gate = DispatchSemaphore(value: 0)
    store.willWait = { gate.signal() }
    await store.send(
      .own(
        .init { send in
          await send(action())
          await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
              gate.wait()
              continuation.resume()
            }
          }
          await send(.increment)
        }))
  }

  // T3
  @Test func afterAnActionThatPutsSomethingOnTheTimeline() async {
    let store = makeStore()
    await send({ .delayed }, store)
    await store.receive(.delayed)
    await store.receive(.increment) { $0.count = 1 }
    await store.skipInFlightEffects()
  }

  // T3
  @Test func afterAnActionThatIsAnsweredByACallbackAtOnce() async {
    let store = makeStore()
    await send({ .own(.init(.future { $0(.note("at once")) })) }, store)
    await store.receive(case: Counter.Action.own)
    await store.receive(.note("at once")) { $0.log = ["at once"] }
    await store.receive(.increment) { $0.count = 1 }
  }

  // T3
  @Test func aLiveSchedulerIsWaitedForWhileSomethingElseIsDue() async {
    let store = makeStore()
    let (queue, gate) = (DispatchQueue(label: "live"), DispatchSemaphore(value: 0))
    queue.async { gate.wait() }
    store.willWait = { gate.signal() }
    let due = Effect.send(Counter.Action.decrement).receive(on: store.scheduler)
    let live = Effect.send(Counter.Action.increment).receive(on: queue)
    await store.send(.own(.init(.merge(due, live))))
    await store.receive(.increment) { $0.count = 1 }
    await store.advance()
    await store.receive(.decrement) { $0.count = 0 }
  }

  // T4
  @Test func timeDoesNotOvertakeOneThatHasSentSomethingBefore() async {
    let store = makeStore()
    let clock = store.clock
    await store.send(
      .own(
        .init { send in
          await send(.delayed)
          await MainActor.run {}
          try await clock.sleep(for: .seconds(1))
          await send(.decrement)
        }))
    await store.receive(.delayed)
    await store.advance(by: .seconds(1))
    await store.receive(.decrement) { $0.count = -1 }
    await store.skipInFlightEffects()
  }

  // T3
  @Test func whatGoesOnForEverWithoutTimePassingIsCancelled() async {
    let text = await message {
      let store = makeStore()
      store.exhaustivity = .off
      store.jobLimit = 100
      await store.send(.own(.init(Self.again(on: store.scheduler))))
      await store.advance()
    }
    #expect(text.hasPrefix("Effects were still busy after 100 jobs in a row"))
  }

  private static func again(on scheduler: TestSchedulerOf<DispatchQueue>) -> Effect<Counter.Action>
  {
    Effect<Int>.send(0).receive(on: scheduler)
      .map { _ in .own(.init(Self.again(on: scheduler))) }
  }

  // T3
  @Test func oneThatHasEndedHasNotLeft() async {
    let store = makeStore()
    store.willWait = { Issue.record("There is nobody to wait for.") }
    await store.send(.sleep)
    await store.send(.run)
    await store.receive(.increment) { $0.count = 1 }
    let text = await message { await store.receive(.increment, timeout: .zero) }
    #expect(text.contains("waits until 1 s, it is 0 s"))
    await store.skipInFlightEffects()
  }

  // T3
  @Test func whoIsInLineForTheMainActorIsNotGivenUp() async {
    let store = makeStore()
    store.timeout = .zero
    await store.send(
      .own(
        .init { send in
          await MainActor.run {}
          await send(.increment)
        }))
    await store.receive(.increment) { $0.count = 1 }
  }

  // T3
  @Test func theStoreSaysHowLongWorkThatHasLeftIsWaitedFor() async {
    let store = makeStore()
    store.timeout = .milliseconds(20)
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    await store.send(.own(.init { _ in for await _ in stream {} }))
    let text = await message { await store.receive(.increment) }
    #expect(text.contains("no action came within 0.02 s of real time"))
    await store.skipInFlightEffects()
    withExtendedLifetime(continuation) {}
  }

  // T3
  @Test func aTaskWaitsForItsOwnEffects() async {
    let store = makeStore()
    await store.send(.ticking)
    let task = await store.send(.sleep)
    let text = await message { await task.finish() }
    #expect(text.contains("run \"sleep\"") && !text.contains("timer"))
    await store.send(.stopTicking)
  }

  // T3
  @Test func workThatHasLeftHasTenSeconds() {
    #expect(makeStore().timeout == .seconds(10))
  }
}
