// In a process with nothing else to do it is known at once that nobody will come.

import Dispatch
import Foundation
@testable import RondoTestStore
import Synchronization
import Testing

/// Each body runs in a process of its own.
@Suite struct QuietProcessTests {
  // T3
  @Test func aParkedEffectIsKnownAtOnce() async {
    // A process is quiet only if the machine lets it be, and what watches over it, a sanitizer for
    // example. So several have a try, and a store need not know what nobody can.
    var quietCount = 0
    for _ in 0..<5 {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) {
        var quietCount = 0
        for _ in 0..<20 {
          if await isParkedEffectKnownAtOnce() {
            print("known at once")
            exit(0)
          }
          if await isProcessQuiet() { quietCount += 1 }
        }
        print("quiet: \(quietCount)")
        exit(0)
      }
      let output = result.map { String(decoding: $0.standardOutputContent, as: UTF8.self) } ?? ""
      if output.contains("known at once") { return }
      quietCount += output.firstMatch(of: /quiet: ([0-9]+)/).flatMap { Int($0.1) } ?? 0
    }
    #expect(quietCount < 10, "The process was quiet, and the store has not known it.")
  }

  // T3
  @Test func whatHasLeftIsWaitedFor() async {
    await #expect(processExitsWith: .success) {
      for _ in 0..<20 {
        for (number, departure) in Departure.allCases.enumerated() {
          if await !isWaitedFor(departure) { exit(Int32(number + 1)) }
        }
      }
      exit(0)
    }
  }
}

/// A way to have something done elsewhere.
private enum Departure: CaseIterable {
  case queue, queueAfterAnHour, mainQueue, thread, task, sleepingTask, mainActor, timer

  /// Has a closure called elsewhere.
  ///
  /// - Returns: What makes the elsewhere come to its end.
  func leave(_ goOn: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let gate = DispatchSemaphore(value: 0)
    let hour = 3600.0
    switch self {
    case .queue:
      DispatchQueue.global().async {
        gate.wait()
        goOn()
      }
    case .queueAfterAnHour:
      let work = DispatchWorkItem(block: goOn)
      DispatchQueue.global().asyncAfter(deadline: .now() + hour, execute: work)
      return { goOn() }
    case .mainQueue:
      DispatchQueue.main.async {
        gate.wait()
        goOn()
      }
    case .thread:
      Thread.detachNewThread {
        gate.wait()
        goOn()
      }
    case .task:
      Task {
        goOn()
      }
    case .sleepingTask:
      let task = Task {
        try? await Task.sleep(for: .seconds(hour))
        goOn()
      }
      return { task.cancel() }
    case .mainActor:
      Task { @MainActor in goOn() }
    case .timer:
      nonisolated(unsafe) let timer = DispatchSource.makeTimerSource()
      timer.setEventHandler {}
      timer.schedule(deadline: .now() + hour)
      timer.setCancelHandler { goOn() }
      timer.resume()
      return { timer.cancel() }
    }
    return { gate.signal() }
  }
}

/// Whether a store waits for an effect that has left; it comes back only when the store waits.
private func isWaitedFor(_ departure: Departure) async -> Bool {
  let store = makeStore()
  let comeBack = Mutex<(@Sendable () -> Void)?>(nil)
  await store.send(
    .own(
      .init { send in
        await withCheckedContinuation { continuation in
          let end = departure.leave { continuation.resume() }
          comeBack.withLock { $0 = end }
        }
        await send(.increment)
      }))
  store.rehearsal.willWait = {
    comeBack.withLock { $0.take() }?()
  }
  let issues = await captureIssues {
    await store.receive(.increment) { $0.count = 1 }
  }
  return issues.isEmpty
}

private func isParkedEffectKnownAtOnce() async -> Bool {
  let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
  let store = makeStore()
  store.timeout = .milliseconds(100)
  await store.send(.own(.init { _ in for await _ in stream {} }))
  let issues = await captureIssues { await store.receive(.increment) }
  await store.skipInFlightEffects()
  withExtendedLifetime(continuation) {}
  return issues[0].message.contains("is suspended")
}

/// Whether nobody else is at work while this task waits for nobody.
private func isProcessQuiet() async -> Bool {
  let activity = ProcessActivity.current
  guard activity.isQuietSince() else { return false }
  return await PumpedExecutor().waitForArrival(whileQuietSince: activity)
}
