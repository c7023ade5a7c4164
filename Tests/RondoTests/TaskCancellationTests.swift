// R15: cancellation ids outside of effects.

import Dispatch
import Rondo
import Testing
import RondoRuntimeTestSupport

@MainActor @Suite struct TaskCancellationTests {
  // K38b, R31
  @Test func outsideOfAnEffectAnIDIsOneOfTheProcess() async {
    struct ID: Hashable { let number: Int }
    let value = await withTaskCancellation(id: ID(number: 1)) { 42 }
    #expect(value == 42)
    let issues = captureIssues { Task.cancel(id: ID(number: 1)) }
    #expect(
      issues.map(\.message) == [
        """
        Task.cancel(id:) was called outside of an effect's closure, where nothing runs under the id. \
        Call it inside '.run', or return '.cancel(id:)' from the reducer.
        """
      ])
    #expect(issues.allSatisfy { "\($0.position.fileID)".hasSuffix("TaskCancellationTests.swift") })
  }

  // K38b
  @Test func outsideOfEffectsOneOfTwoThatBeginSideBySideIsCancelled() async {
    struct ID: Hashable {}
    let second = LockIsolated<Task<Void, any Error>?>(nil)
    let (started, continuation) = AsyncStream.makeStream(of: Void.self)
    let hasBegun = DispatchSemaphore(value: 0)
    let earlier = Task.detached {
      try await withTaskCancellation(id: ID()) {
        continuation.finish()
        try await withTaskCancellationHandler {
          try await Task.never()
        } onCancel: {
          // The first one has cancelled this, and is about to begin.
          second.setValue(
            Task { @MainActor in
              try await withTaskCancellation(id: ID(), cancelInFlight: true) {
                hasBegun.signal()
                try await Task.never()
              }
            })
          hasBegun.wait()
        }
      }
    }
    for await _ in started {}
    let first = Task.detached {
      try await withTaskCancellation(id: ID(), cancelInFlight: true) { try await Task.never() }
    }
    await #expect(throws: CancellationError.self) { try await first.value }
    await #expect(throws: CancellationError.self) { try await earlier.value }
    #expect(second.value?.isCancelled == false)
    Task.cancel(id: ID())
    await #expect(throws: CancellationError.self) { try await second.value?.value }
  }

  // K38b
  @Test func outsideOfAnEffectAnIDCancels() async {
    struct ID: Hashable {}
    for isCancelledInFlight in [false, true] {
      let (started, continuation) = AsyncStream.makeStream(of: Void.self)
      let task = Task {
        try await withTaskCancellation(id: ID()) {
          continuation.finish()
          try await Task.never()
        }
      }
      for await _ in started {}
      if isCancelledInFlight {
        await withTaskCancellation(id: ID(), cancelInFlight: true) {}
      } else {
        Task.cancel(id: ID())
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }
}
