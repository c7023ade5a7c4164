// How far a test runs: effects on immediate clocks, and those that never stop.

import Rondo
import RondoScheduling
@testable import RondoTestStore
import RondoTesting
import Testing

@Suite struct ImmediateClockTests {
  struct Timer: Reducer {
    struct State: Equatable {
      var ticks = 0
      var isOn = false
    }
    enum Action: Equatable { case toggled, tick, tickUntil(Int), last }
    enum CancelID { case timer }
    @Dependency(\.continuousClock) var clock

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .toggled:
        state.isOn.toggle()
        guard state.isOn else { return .cancel(id: CancelID.timer) }
        return .run { send in
          for await _ in clock.timer(interval: .seconds(1)) { await send(.tick) }
        }
        .cancellable(id: CancelID.timer)
      case .tick:
        state.ticks += 1
        return .none
      case .tickUntil(let end):
        return .run { send in
          for _ in 0..<end {
            try await clock.sleep(for: .seconds(1))
            await send(.tick)
          }
          await send(.last)
        }
        .cancellable(id: CancelID.timer)
      case .last:
        return .none
      }
    }
  }

  private func makeStore() -> TestStoreOf<Timer> {
    TestStore(initialState: Timer.State()) {
      Timer()
    } withDependencies: {
      $0.continuousClock = ImmediateClock()
    }
  }

  // K40a
  @Test func anEndlessTimerTicksAsOftenAsTheTestReceives() async {
    let store = makeStore()
    await store.send(.toggled) { $0.isOn = true }
    for tick in 1...3 {
      await store.receive(.tick) { $0.ticks = tick }
    }
    await store.send(.toggled) { $0.isOn = false }
    await store.finish()
  }

  // K40a
  @Test func aFiniteTimerHasNotEndedBeforeTheNextSend() async {
    let store = makeStore()
    await store.send(.tickUntil(5))
    await store.receive(.tick) { $0.ticks = 1 }
    await store.send(.tick) { $0.ticks = 2 }
    for tick in 3...6 { await store.receive(.tick) { $0.ticks = tick } }
    await store.receive(.last)
  }

  // K40a
  @Test func twoEffectsSleepInLine() async {
    let store = makeStore()
    await store.send(.tickUntil(1))
    await store.send(.tickUntil(1))
    // The one that has slept for longest goes on, with all that it can do then.
    await store.receive(.tick) { $0.ticks = 1 }
    await store.receive(.last)
    await store.receive(.tick) { $0.ticks = 2 }
    await store.receive(.last)
  }

  // K40a
  @Test func finishRunsAFiniteTimerToItsEnd() async {
    let store = makeStore()
    store.exhaustivity = .off
    await store.send(.tickUntil(500))
    await store.finish()
    store.assert { $0.ticks = 500 }
  }

  // K40a, T8
  @Test func anEndlessTimerIsInFlightAtTheEnd() async {
    let text = await message {
      let store = makeStore()
      store.exhaustivity = [.state, .effects]
      await store.send(.toggled) { $0.isOn = true }
    }
    #expect(text.hasPrefix("The test ended with 1 effect in flight, started because of .toggled:"))
    #expect(text.contains("sleeps on an immediate clock, again and again"))
  }

  // K40a, T3
  @Test func finishSaysThatAnEndlessTimerDoesNotEnd() async {
    let text = await message {
      let store = makeStore()
      store.exhaustivity = [.state, .effects]
      await store.send(.toggled) { $0.isOn = true }
      await store.finish()
    }
    #expect(text.hasPrefix("1 effect did not end:"))
    #expect(text.contains("Let the test send what ends it, or give the feature the store's clock"))
  }

  // K40a
  @Test func whereNothingIsAskedForAnEndlessTimerIsNoFailure() async {
    let store = makeStore()
    store.exhaustivity = .off
    await store.send(.toggled)
    await store.skipReceivedActions()
    await store.receive(.tick)
  }

  // K40a
  @Test func anAwaitedActionThatComesLaterIsWaitedFor() async {
    let store = makeStore()
    store.exhaustivity = .off
    await store.send(.tickUntil(300))
    await store.receive(.last) { $0.ticks = 300 }
  }

  // K40a
  @Test func eachActionBeforeTheAwaitedOneIsComparedThreeTimesAtMost() async {
    let store = makeStore()
    store.exhaustivity = .off
    await store.send(.tickUntil(100))
    var comparisons = 0
    await store.receive { action in
      comparisons += 1
      return action == .last
    }
    #expect(store.state.ticks == 100)
    #expect(comparisons <= 3 * 101)
  }

  // K40a
  @Test func aSleepThatIsCancelledEnds() async {
    let store = makeStore()
    let task = await store.send(.tickUntil(3))
    await store.receive(.tick) { $0.ticks = 1 }
    await task.cancel()
    #expect(task.isFinished)
  }

  // K40a
  @Test func whatIsReadyForEverGoesOnAtTheNextCall() async {
    let store = TestStore(initialState: 0) {
      Reduce<Int, Bool> { state, isTick in
        if isTick {
          state += 1
          return .none
        }
        return .run { send in
          while !Task.isCancelled {
            await send(true)
            await Task.yield()
          }
        }
        .cancellable(id: "loop", cancelInFlight: true)
      }
    }
    store.turnLimit = 10
    await store.send(false)
    for tick in 1...20 { await store.receive(true) { $0 = tick } }
    await store.skipReceivedActions(strict: false)
    await store.skipInFlightEffects()
    await store.skipReceivedActions(strict: false)
  }

  // K40a, T2
  @Test func aRunIsTheSameEachTime() async {
    for _ in 0..<20 {
      let store = makeStore()
      await store.send(.toggled) { $0.isOn = true }
      await store.receive(.tick) { $0.ticks = 1 }
      await store.send(.tickUntil(1))
      await store.receive(.tick) { $0.ticks = 2 }
      await store.receive(.tick) { $0.ticks = 3 }
      await store.receive(.last)
      await store.send(.toggled) { $0.isOn = false }
    }
  }
}
