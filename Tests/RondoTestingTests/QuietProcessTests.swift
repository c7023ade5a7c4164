// In a process with nothing else to do it is known at once that nobody will come.

import Dispatch
import Foundation
@testable import RondoTesting
import Testing

/// Each body runs in a process of its own.
@Suite struct QuietProcessTests {
  // T3
  @Test func aParkedEffectIsKnownAtOnce() async {
    await #expect(processExitsWith: .success) {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let store = makeStore()
      await store.send(.own(.init { _ in for await _ in stream {} }))
      let start = ContinuousClock.now
      let issues = await captureIssues { await store.receive(.increment) }
      let isAtOnce = ContinuousClock.now - start < .milliseconds(500)
      await store.skipInFlightEffects()
      withExtendedLifetime(continuation) {}
      exit(isAtOnce && issues[0].message.contains("is suspended") ? 0 : 1)
    }
  }

  // T3
  @Test func aParkedEffectIsKnownAtOnceOnTheMainActor() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let store = makeStore()
      await store.send(.own(.init { _ in for await _ in stream {} }))
      let start = ContinuousClock.now
      let issues = await captureIssues { await store.receive(.increment) }
      let isAtOnce = ContinuousClock.now - start < .milliseconds(500)
      await store.skipInFlightEffects()
      withExtendedLifetime(continuation) {}
      exit(isAtOnce && issues[0].message.contains("is suspended") ? 0 : 1)
    }
  }

  // T3
  @Test func whatHasLeftIsWaitedForAllTheSame() async {
    await #expect(processExitsWith: .success) {
      for wait in [0, 20] {
        let works: [@Sendable (@escaping @Sendable () -> Void) -> Void] = [
          { go in DispatchQueue.global().async { usleep(UInt32(wait) * 1000); go() } },
          { go in
            DispatchQueue.global().asyncAfter(
              deadline: .now() + .milliseconds(wait), execute: DispatchWorkItem(block: go))
          },
          { go in DispatchQueue.main.async { usleep(UInt32(wait) * 1000); go() } },
          { go in Thread.detachNewThread { usleep(UInt32(wait) * 1000); go() } },
          { go in Task { try? await Task.sleep(for: .milliseconds(wait)); go() } },
          { go in Task.detached { @MainActor in go() } },
        ]
        for work in works {
          let store = makeStore()
          await store.send(
            .own(
              .init { send in
                await withCheckedContinuation { continuation in work { continuation.resume() } }
                await send(.increment)
              }))
          let issues = await captureIssues {
            await store.receive(.increment) { $0.count = 1 }
          }
          if !issues.isEmpty { exit(1) }
        }
      }
      exit(0)
    }
  }
}
