// The kinds of work that effects may do, and the executor that runs it.

import Dispatch
import Foundation
@testable import RondoTestStore
import Synchronization
import Testing

@Suite struct ExecutorTests {
  private func run(
    finishing: Bool = true, _ work: @escaping @Sendable (Send<Counter.Action>) async throws -> Void
  ) async {
    let store = makeStore()
    await store.send(.own(.init(work)))
    await store.receive(.increment) { $0.count = 1 }
    if finishing { await store.finish() }
  }

  // T2
  @Test func asyncLet() async {
    await run { send in
      async let one = {
        await Task.yield(); return 1
      }()
      async let two = 2
      if await one + two == 3 { await send(.increment) }
    }
  }

  // T2
  @Test func taskGroups() async {
    await run { send in
      let sum = await withTaskGroup(of: Int.self) { group in
        for number in 1...100 {
          group.addTask(priority: number % 2 == 0 ? .high : .background) {
            await Task.yield()
            return number
          }
        }
        return await group.reduce(0, +)
      }
      if sum == 5050 { await send(.increment) }
    }
  }

  // T2
  @Test func streams() async {
    await run { send in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      async let sum = stream.reduce(0, +)
      for number in 1...10 {
        continuation.yield(number)
        await Task.yield()
      }
      continuation.finish()
      if await sum == 55 { await send(.increment) }
    }
  }

  private actor Adder {
    var sum = 0
    func add(_ number: Int) { sum += number }
  }

  // T2
  @Test func actors() async {
    await run { send in
      let adder = Adder()
      for number in 1...10 { await adder.add(number) }
      if await adder.sum == 55 { await send(.increment) }
    }
  }

  // T2
  @Test func cancellationHandlers() async {
    let store = makeStore()
    let isCancelled = Mutex(false)
    await withCheckedContinuation { continuation in continuation.resume() }
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let work = Counter.Work { _ in
      await withTaskCancellationHandler {
        for await _ in stream {}
      } onCancel: {
        continuation.finish()
      }
    }
    let task = await store.send(.own(work))
    await task.cancel()
    continuation.onTermination = nil
    isCancelled.withLock { $0 = task.isFinished }
    #expect(isCancelled.withLock { $0 })
  }

  // T3
  @Test func theMainActor() async {
    await run { send in
      await MainActor.run {}
      await send(.increment)
    }
  }

  // T3
  @MainActor @Test func theMainActorFromATestOnIt() async {
    let store = makeStore()
    await store.send(
      .own(
        .init { send in
          await MainActor.run {}
          await MainActor.run {}
          await send(.increment)
        }))
    await store.receive(.increment) { $0.count = 1 }
  }

  // T3
  @Test func aTask() async {
    await run { send in
      await Task { await Task.yield() }.value
      await send(.increment)
    }
  }

  // T3
  @Test func aDetachedTask() async {
    await run { send in
      await Task.detached { () async in await Task.yield() }.value
      await send(.increment)
    }
  }

  // T3
  @Test func aQueue() async {
    let store = makeStore()
    let gate = DispatchSemaphore(value: 0)
    await store.send(
      .own(
        .init { send in
          await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
              gate.wait()
              continuation.resume()
            }
          }
          await send(.increment)
        }))
    store.willWait = { gate.signal() }
    await store.receive(.increment) { $0.count = 1 }
  }

  // T3
  @Test func aQueueThatCallsBack() async {
    let store = makeStore()
    let gate = DispatchSemaphore(value: 0)
    await store.send(
      .own(
        .init(
          .future { callback in
            DispatchQueue.global().async {
              gate.wait()
              callback(.increment)
            }
          })))
    store.willWait = { gate.signal() }
    await store.receive(.increment) { $0.count = 1 }
  }

  // T3
  @Test func receivingOnALiveQueue() async {
    let store = makeStore()
    await store.send(
      .own(.init(Effect.send(.increment).receive(on: DispatchQueue.global()))))
    await store.receive(.increment) { $0.count = 1 }
  }

  // T3
  @Test func aLiveClock() async {
    await run { send in
      try await Task.sleep(for: .nanoseconds(1))
      await send(.increment)
    }
  }

  // T2
  @Test func whatIsInFlightWhenTheStoreGoesCanStillEnd() async {
    let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
    let gate = DispatchSemaphore(value: 0)
    do {
      let store = makeStore()
      store.exhaustivity = .off
      await store.send(
        .own(
          .init { _ in
            await withCheckedContinuation { waiter in
              DispatchQueue.global().async {
                gate.wait()
                waiter.resume()
              }
            }
            await Task.yield()
            continuation.finish()
          }))
    }
    gate.signal()
    for await _ in ended {}
  }
}
