// A store waits for work that has left, wherever it has gone.

import Dispatch
import Foundation
@testable import RondoTestStore
import Synchronization
import Testing

/// The body runs in a process of its own.
@Suite struct LeavingTests {
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

extension LeavingTests {
  // T3
  @Test func aFutureHasEndedWhenItsAnswerIsReceived() async {
    for _ in 0..<200 {
      let store = makeStore()
      await store.send(
        .own(.init(.future { answer in Thread.detachNewThread { answer(.increment) } })))
      await store.receive(.increment) { $0.count = 1 }
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
  store.willWait = {
    comeBack.withLock { $0.take() }?()
  }
  let issues = await captureIssues {
    await store.receive(.increment) { $0.count = 1 }
  }
  return issues.isEmpty
}
