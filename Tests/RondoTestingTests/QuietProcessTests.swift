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
      exit(await isParkedEffectKnownAtOnce() ? 0 : 1)
    }
  }

  // T3
  @Test func whatHasLeftIsWaitedForAllTheSame() async {
    await #expect(processExitsWith: .success) {
      for wait in [0, 20] {
        let works: [@Sendable (@escaping @Sendable () -> Void) -> Void] = [
          { go in
            DispatchQueue.global().async {
              usleep(UInt32(wait) * 1000); go()
            }
          },
          { go in
            DispatchQueue.global().asyncAfter(
              deadline: .now() + .milliseconds(wait), execute: DispatchWorkItem(block: go))
          },
          { go in
            DispatchQueue.main.async {
              usleep(UInt32(wait) * 1000); go()
            }
          },
          { go in
            Thread.detachNewThread {
              usleep(UInt32(wait) * 1000); go()
            }
          },
          { go in
            Task {
              try? await Task.sleep(for: .milliseconds(wait)); go()
            }
          },
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

/// Tries several times, since a process is not quiet while it starts.
private func isParkedEffectKnownAtOnce() async -> Bool {
  for _ in 0..<20 {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let store = makeStore()
    store.timeout = .milliseconds(100)
    await store.send(.own(.init { _ in for await _ in stream {} }))
    let issues = await captureIssues { await store.receive(.increment) }
    await store.skipInFlightEffects()
    withExtendedLifetime(continuation) {}
    if issues[0].message.contains("is suspended") { return true }
  }
  return false
}
