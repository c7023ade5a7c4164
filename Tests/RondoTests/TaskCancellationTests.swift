// R15: cancellation ids inside the closures of effects.

import Dispatch
import Rondo
import Testing
import RondoRuntimeTestSupport

@MainActor @Suite struct TaskCancellationTests {
  // R15
  @Test func aPieceReturnsWhatItsOperationReturns() async {
    let store = script([
      "tap": .run { send in
        await send(await withTaskCancellation(id: 1) { "value" })
        do {
          try await withTaskCancellation(id: 1) { throw Failure() }
        } catch {
          await send("\(type(of: error))")
        }
      }
    ])
    await store.send("tap").finish()
    #expect(store.state == ["tap", "value", "Failure"])
  }

  // R14
  @Test func aCancelledClosureCancelsNothing() async {
    let (hasBegun, mayGoOn, isOver) = (Promise<Void>(), Promise<Void>(), Promise<Void>())
    let store = script([
      "old": .run { _ in
        hasBegun.fulfil()
        await mayGoOn.value
        await withTaskCancellation(id: 1, cancelInFlight: true) {}
        Task.cancel(id: 1)
        isOver.fulfil()
      }
      .cancellable(id: 1),
      "new": .run { send in
        await isOver.value
        await send("answer")
      }
      .cancellable(id: 1, cancelInFlight: true),
    ])
    store.send("old")
    await hasBegun.value
    let task = store.send("new")
    mayGoOn.fulfil()
    await task.finish()
    #expect(store.state == ["old", "new", "answer"])
  }

  // R15
  @Test func aPieceThatIsStartedWithCancelInFlightCancelsTheOneUnderItsID() async {
    let hasBegun = Promise<Void>()
    let store = script([
      "one": .run { send in
        await withTaskCancellation(id: 1) {
          hasBegun.fulfil()
          await suspendUntilCancelled()
        }
        await send("one ended")
      },
      "two": .run { send in
        await withTaskCancellation(id: 1, cancelInFlight: true) {}
      },
    ])
    let one = store.send("one")
    await hasBegun.value
    await store.send("two").finish()
    await one.finish()
    #expect(store.state == ["one", "two", "one ended"])
  }

  // R15
  @Test func aPieceIsCancelledWithItsEffect() async {
    let hasBegun = Promise<Void>()
    let wasCancelled = Promise<Bool>()
    let store = script([
      "tap": .run { send in
        await withTaskCancellation(id: "piece") {
          hasBegun.fulfil()
          await suspendUntilCancelled()
          wasCancelled.fulfil(Task.isCancelled)
        }
        await send("never")
      }
      .cancellable(id: "effect"),
      "cancel": .cancel(id: "effect"),
    ])
    store.send("tap")
    await hasBegun.value
    store.send("cancel")
    #expect(await wasCancelled.value)
    #expect(store.state == ["tap", "cancel"])
  }

  // R15
  @Test func taskCancelIsHandledInOrderWithWhatTheClosureSends() async {
    let scheduler = DispatchQueue.test
    let store = script([
      "tap": .run { send in
        await send("start")
        Task.cancel(id: 1)
        await send("end")
      },
      "start": .send("late").delay(for: 1, scheduler: scheduler).cancellable(id: 1),
    ])
    await store.send("tap").finish()
    await scheduler.run()
    #expect(store.state == ["tap", "start", "end"])
  }

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
