// Virtual time.

import Dispatch
import Foundation
@testable import RondoTestStore
import Testing

@Suite struct TimeTests {
  // T4
  @Test func aSleeperWakesAtItsInstant() async {
    let store = makeStore()
    await store.send(.sleep)
    await store.advance(by: .milliseconds(999))
    await store.advance(by: .milliseconds(1))
    await store.receive(.increment) { $0.count = 1 }
  }

  // T4
  @Test func sleepingAgainIsPartOfTheSameAdvance() async {
    let store = makeStore()
    await store.send(.sleepTwice)
    await store.advance(by: .seconds(1))
    await store.receive(.increment) { $0.count = 1 }
    await store.receive(.increment) { $0.count = 2 }
  }

  // T4
  @Test func schedulersClockAndDateGoTogether() async {
    let store = makeStore()
    await store.send(.delayed)
    await store.send(.sleep)
    await store.advance(to: .init(offset: .seconds(3)))
    await store.receive(.increment) { $0.count = 1 }
    await store.receive(.increment) { $0.count = 2 }
    #expect(store.date == Date(timeIntervalSinceReferenceDate: 3))
    #expect(store.clock.now.offset == .seconds(3))
  }

  // T4
  @Test func aTimerTicks() async {
    let store = makeStore()
    await store.send(.ticking)
    await store.advance(by: .seconds(3))
    for count in 1...3 {
      await store.receive(.increment) { $0.count = count }
    }
    await store.send(.stopTicking)
  }

  // T4
  @Test func aDebouncedEffectWaits() async {
    let store = makeStore()
    await store.send(.debounced("a"))
    await store.advance(by: .milliseconds(299))
    await store.send(.debounced("b"))
    await store.advance(by: .milliseconds(300))
    await store.receive(.note("b")) { $0.log = ["b"] }
  }

  // T4
  @Test func aSeparateClockWorksAsWell() async {
    let store = makeStore()
    let clock = TestClock()
    await store.send(
      .own(
        .init { send in
          try await clock.sleep(for: .seconds(1))
          await send(.increment)
        }))
    await clock.advance(by: .seconds(1))
    await store.receive(.increment) { $0.count = 1 }
  }

  // T4
  @Test func effectsGoOnWhileASeparateClockIsMoved() async {
    let timeline = TestTimeline()
    let store = TestStore(initialState: Counter.State()) { Counter(timeline: timeline) }
    await store.send(.sleepTwice)
    await timeline.clock.advance(by: .seconds(1))
    await store.receive(.increment) { $0.count = 1 }
    await store.receive(.increment) { $0.count = 2 }
  }

  // T4
  @Test func effectsGoOnWhileASeparateSchedulerIsMoved() async {
    let store = makeStore()
    let scheduler = DispatchQueue.test
    let later = Effect<Counter.Action>.send(.increment).delay(
      for: .seconds(1), scheduler: scheduler)
    await store.send(.own(.init(.concatenate(later, later))))
    await scheduler.advance(by: 2)
    await store.receive(.increment) { $0.count = 1 }
    await store.receive(.increment) { $0.count = 2 }
  }

  // T4
  @Test func anotherTaskMayMoveASeparateClock() async {
    let store = makeStore()
    let clock = TestClock()
    await store.send(
      .own(
        .init { send in
          try await clock.sleep(for: .seconds(1))
          await send(.increment)
        }))
    await Task { await clock.advance(by: .seconds(1)) }.value
    await store.receive(.increment) { $0.count = 1 }
  }

  // T4
  @Test func effectsWaitForTheTaskThatUsesTheStore() async {
    let store = makeStore()
    let clock = TestClock()
    let isAwake = LockIsolated(false)
    await store.send(
      .own(
        .init { _ in
          try await clock.sleep(for: .seconds(1))
          isAwake.setValue(true)
        }))
    await Task { await clock.advance(by: .seconds(1)) }.value
    #expect(!isAwake.value)
    await store.finish()
    #expect(isAwake.value)
  }

  // T4
  @Test func whatAnInstantLetsGoOnGoesOnBeforeWhatIsDueNext() async {
    let store = makeStore()
    let (clock, scheduler) = (store.clock, store.scheduler)
    let sleeper = Counter.Work { send in
      try await clock.sleep(for: .seconds(1))
      for _ in 0..<5 { await Task.yield() }
      await send(.note("slept"))
    }
    let later = Effect.send(Counter.Action.note("delayed"))
      .delay(for: .seconds(1), scheduler: scheduler)
    await store.send(.own(.init(.merge(sleeper.effect, later))))
    await store.send(.own(.init(later)))
    await store.advance(by: .seconds(1))
    // The first of the delayed ones was put on the timeline before the sleeper came to run.
    await store.receive(.note("delayed")) { $0.log = ["delayed"] }
    await store.receive(.note("slept")) { $0.log = ["delayed", "slept"] }
    await store.receive(.note("delayed")) { $0.log = ["delayed", "slept", "delayed"] }
  }

  // T4
  @Test func anEffectThatTakesATurnOnTheMainActorIsNotOvertakenByTime() async {
    let store = makeStore()
    let clock = store.clock
    await store.send(
      .own(
        .init { send in
          await MainActor.run {}
          try await clock.sleep(for: .seconds(1))
          await MainActor.run {}
          try await clock.sleep(for: .seconds(1))
          await send(.increment)
        }))
    await store.advance(by: .seconds(2))
    await store.receive(.increment) { $0.count = 1 }
  }
}
