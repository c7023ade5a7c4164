// The messages of failures about effects.

import Dispatch
import Foundation
@testable import RondoTestStore
import Testing

@Suite struct EffectGalleryTests {
  // T3
  @Test func nothingIsInFlight() async {
    let text = await message {
      let store = makeStore()
      await store.receive(.increment)
    }
    #expect(
      text == """
        Expected to receive .increment, but no action came, and no effect is in flight that could send one.

        Check that the feature returns the effect, that its action was not received already, and that its child has not been dismissed: the effects of a child are cancelled with it.
        """)
  }

  // T3
  @Test func anEffectIsAsleep() async {
    let text = await message {
      let store = makeStore()
      await store.send(.sleep)
      await store.receive(.increment)
      await store.skipInFlightEffects()
    }
    #expect(
      text == """
        Expected to receive .increment, but no action came. In flight:

          • run "sleep" returned for .sleep (RondoTestingTests/Counter.swift:#), cancellable by .sleep: waits until 1 s, it is 0 s

        Move time forwards with 'await store.advance(by: .seconds(1))'.
        """)
  }

  // T3
  @Test func effectsWaitForTheScheduler() async {
    let text = await message {
      let store = makeStore()
      await store.send(.delayed)
      await store.send(.ticking)
      await store.advance(by: .milliseconds(700))
      await store.send(.debounced("a"))
      await store.finish()
    }
    #expect(
      text == """
        3 effects did not end:

          • delay returned for .delayed (RondoTestingTests/Counter.swift:#): waits until 2 s, it is 0.7 s
          • timer returned for .ticking (RondoTestingTests/Counter.swift:#), cancellable by .timer: waits until 1 s, it is 0.7 s
          • debounce returned for .debounced("a") (RondoTestingTests/Counter.swift:#), cancellable by .search: waits until 1 s, it is 0.7 s

        Move time forwards with 'await store.advance(by: .milliseconds(300))', or cancel what does not end by itself.
        """)
  }

  // T3
  @Test func linesAreThoseOfTheOperators() async {
    let line = #line + 4
    let issues = await captureIssues {
      let store = makeStore()
      store.timeout = .zero
      let (tap, queue) = (Effect.send(Counter.Action.increment), store.scheduler)
      let received = tap.receive(on: queue)
      let delayed = tap.delay(for: .seconds(1), scheduler: queue)
      let debounced = tap.debounce(id: 1, for: .seconds(1), scheduler: queue)
      let limited = tap.throttle(id: 2, for: .seconds(1), scheduler: queue, latest: true)
      await store.send(.own(.init(.merge(received, delayed, debounced, limited, limited))))
      await store.receive(.increment) { $0.count = 1 }
      await store.finish()
    }
    let lines = issues.first?.message.matches(of: /EffectGalleryTests.swift:([0-9]+)/)
      .map { Int($0.1)! - line }
    #expect(lines == [1, 2, 3, 4])
  }

  // T3
  @Test func anEffectIsDue() async {
    let text = await message {
      let store = makeStore()
      let scheduler = store.scheduler
      await store.send(.own(.init(Effect.send(.increment).receive(on: scheduler))))
      await store.receive(.increment)
      await store.skipInFlightEffects()
    }
    #expect(
      text == """
        Expected to receive .increment, but no action came. In flight:

          • receive returned for .own(…) (RondoTestingTests/EffectGalleryTests.swift:#): is due now

        Call 'await store.advance()' to run what is due.
        """)
  }

  // T3
  @Test func anEffectIsParkedAtTheEndOfTheTest() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let text = await message {
      let store = makeStore()
      await store.send(.own(.init { _ in for await _ in stream {} }))
    }
    withExtendedLifetime(continuation) {}
    #expect(
      text == """
        The test ended with 1 effect in flight, started because of .own(…):

          • run "work" returned for .own(…) (RondoTestingTests/Counter.swift:#): is suspended, by something that is neither the store's time nor its queue

        The store knows of nothing that will wake it. Let the test do what it waits for: finish a stream, resume a continuation, advance a clock of its own, or cancel what does not end by itself. Give the feature the store's clock in place of 'Task.sleep'.
        """)
  }

  // T3
  @Test func anEffectHasLeft() async {
    let text = await message {
      let store = makeStore()
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      await store.send(.own(.init { _ in for await _ in stream {} }))
      await store.receive(.increment, timeout: .milliseconds(50))
      await store.skipInFlightEffects()
      withExtendedLifetime(continuation) {}
    }
    #expect(
      text == """
        Expected to receive .increment, but no action came within 0.05 s of real time. In flight:

          • run "work" returned for .own(…) (RondoTestingTests/Counter.swift:#): has left the store's queue, and has not come back

        If it waits for the test (a stream, a continuation), let the test do its part first. If it waits for another thread, give it more time with 'timeout:'.
        """)
  }

  // T3
  @Test func aCallbackIsMissing() async {
    let text = await message {
      let store = makeStore()
      store.timeout = .zero
      await store.send(.own(.init(.future { _ in })))
      await store.finish()
    }
    #expect(
      text == """
        1 effect did not end within 0 s of real time:

          • future returned for .own(…) (RondoTestingTests/EffectGalleryTests.swift:#): has not called back

        If it waits for the test (a stream, a continuation), let the test do its part first. If it waits for another thread, give it more time with 'timeout:', or cancel what does not end by itself.
        """)
  }

  // T3
  @Test func anEffectWaitsForItsTurn() async {
    let text = await message {
      let store = makeStore()
      let clock = store.clock
      let one = Effect<Counter.Action>.run { _ in try await clock.sleep(for: .seconds(1)) }
        .cancellable(id: "queue", policy: .atMost(1))
      await store.send(.own(.init(.merge(one, one))))
      await store.finish()
    }
    #expect(
      text == """
        2 effects did not end:

          • run returned for .own(…) (RondoTestingTests/EffectGalleryTests.swift:#), cancellable by "queue": waits until 1 s, it is 0 s
          • an effect returned for .own(…) (RondoTestingTests/EffectGalleryTests.swift:#), cancellable by "queue": waits for its turn

        Move time forwards with 'await store.advance(by: .seconds(1))', or cancel what does not end by itself.
        """)
  }

  // T3
  @Test func anEffectNeverStopsToRunOrSleepsForNoTimeForEver() async {
    let text = await message {
      let store = makeStore()
      store.jobLimit = 1000
      await store.send(.own(.init { _ in while !Task.isCancelled { await Task.yield() } }))
    }
    let textOfSleep = await message {
      let store = makeStore()
      store.jobLimit = 1000
      let clock = store.clock
      await store.send(.own(.init { _ in while true { try await clock.sleep(for: .zero) } }))
      await store.advance()
    }
    #expect(textOfSleep == text)
    #expect(
      text == """
        Effects were still busy after 1000 jobs in a row without time moving, and have been cancelled:

          • run "work" returned for .own(…) (RondoTestingTests/Counter.swift:#)

        One of them never stops. Let it sleep for longer than no time, or end.
        """)
  }

  // T2
  @Test func anEffectGoesOnForEverAfterItWasCancelled() async {
    let text = await message {
      let store = makeStore()
      store.jobLimit = 1000
      let clock = store.clock
      let task = await store.send(
        .own(.init { _ in while true { try? await clock.sleep(for: .seconds(1)) } }))
      await task.cancel()
      await store.finish()
    }
    #expect(
      text == """
        Something was still busy after 1000 jobs in a row without time moving, although no effect is in flight. It is left where it is.

        Let effects end when they are cancelled: a loop around 'try? await clock.sleep(for: …)' goes on, one around 'try await' ends. Let scheduled work come again at a later instant.
        """)
  }

  // T2
  @Test func workSchedulesItselfForEverForTheSameInstant() async {
    let text = await message {
      let store = makeStore()
      store.jobLimit = 1000
      Self.again(on: store.scheduler)
      await store.advance(by: .seconds(1))
    }
    #expect(text.hasPrefix("Something was still busy after 1000 jobs in a row"))
  }

  private static func again(on scheduler: TestSchedulerOf<DispatchQueue>) {
    scheduler.schedule { again(on: scheduler) }
  }

  // T3
  @Test func anEmissionWaitsInAThrottleThatAnotherEffectHasOpened() async {
    let text = await message {
      let store = makeStore()
      let limited = Effect.send(Counter.Action.increment)
        .throttle(id: "taps", for: .seconds(1), scheduler: store.scheduler, latest: true)
      await store.send(.own(.init(limited)))
      await store.receive(.increment) { $0.count = 1 }
      await store.send(.own(.init(limited)))
      await store.finish()
    }
    #expect(
      text == """
        1 effect did not end:

          • throttle returned for .own(…) (RondoTestingTests/EffectGalleryTests.swift:#): waits until 1 s, it is 0 s

        Move time forwards with 'await store.advance(by: .seconds(1))', or cancel what does not end by itself.
        """)
  }

  // T3
  @Test func anEffectSleepsOnAnotherClock() async {
    let clock = TestClock()
    await clock.advance(by: .seconds(5))
    let text = await message {
      let store = makeStore()
      store.timeout = .zero
      await store.send(.own(.init { _ in try await clock.sleep(for: .seconds(1)) }))
      await store.finish()
    }
    #expect(
      text == """
        1 effect did not end within 0 s of real time:

          • run "work" returned for .own(…) (RondoTestingTests/Counter.swift:#): waits until 6 s of a clock that is not the store's, where it is 5 s

        Move the clock that the effect was given, which 'store.advance' does not, or give the feature the store's, or cancel what does not end by itself.
        """)
  }

  // T8
  @Test func aTaskThatDoesNotEndIsReportedOnce() async {
    let text = await message {
      let store = makeStore()
      let task = await store.send(.sleep)
      await task.finish()
      #expect(task.isFinished)
      await store.finish()
    }
    #expect(text.hasPrefix("1 effect did not end:"))
  }

  // T8
  @Test func anEffectIsInFlightAtTheEnd() async {
    let text = await message {
      let store = makeStore()
      await store.send(.sleep)
    }
    #expect(
      text == """
        The test ended with 1 effect in flight, started because of .sleep:

          • run "sleep" returned for .sleep (RondoTestingTests/Counter.swift:#), cancellable by .sleep: waits until 1 s, it is 0 s

        Move time forwards with 'await store.advance(by: .seconds(1))', or cancel what does not end by itself.
        """)
  }

  // T7
  @Test func noEffectToSkip() async {
    let text = await message {
      let store = makeStore()
      await store.skipInFlightEffects()
    }
    #expect(
      text == """
        There are no effects in flight to skip.

        Remove the call, or write 'skipInFlightEffects(strict: false)'.
        """)
  }

  // T12
  @Test func timeCannotGoBack() async {
    let text = await message {
      let store = makeStore()
      await store.advance(by: .seconds(-1))
    }
    #expect(
      text == """
        The store's time is at 0 s and cannot go back to -1 s.

        Nothing was run. Advance by zero or more, or to an instant that has not passed.
        """)
  }
}
