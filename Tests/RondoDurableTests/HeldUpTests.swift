// E8: closures of durable stores that block.

import Dispatch
import Foundation
import Rondo
import RondoScheduling
import Synchronization
import Testing

@testable import RondoDurable

@Suite struct HeldUpTests {
  private struct Blocking: Reducer {
    let block: @Sendable () -> Void

    func reduce(into state: inout [Int], action: Int) -> Effect<Int> {
      state.append(action)
      return action == 0 ? .run { _ in block() } : .none
    }
  }

  private func makeStores(
    _ journal: any Journal, clock: any Clock<Duration> = ContinuousClock(),
    _ block: @escaping @Sendable () -> Void
  ) -> DurableStores<[Int], Int> {
    var options = DurableOptions()
    options.onEvent = { _ in }
    return DurableStores(
      journal: journal,
      feature: DurableFeature("blocking", initialState: { _ in [] }) { Blocking(block: block) },
      options: options, clock: clock)
  }

  /// Lets time pass for those who wait, without waiting for what they do then.
  private func pass(_ duration: Duration, on clock: TestClock<Duration>) {
    clock.timeline.advance(by: duration)
  }

  @Test func leasesAreRenewedWhileAClosureBlocks() async throws {
    let (begun, end) = (Gate(), DispatchSemaphore(value: 0))
    let calls = LockIsolated(0)
    let journal = GatedJournal(
      InMemoryJournal(InMemoryJournal.Database()),
      .before { _ in calls.withValue { $0 += 1 } })
    let clock = TestClock<Duration>()
    let stores = makeStores(journal, clock: clock) {
      begun.open()
      end.wait()
    }
    let serving = Task { await stores.run() }
    while await stores.shards.isEmpty { await Task.yield() }
    try await stores["a"].send(0)
    await begun.pass()
    let before = calls.value
    // The actor does nothing meanwhile, so these are claims by somebody else.
    // Before the patience of twelve leases is over, however slowly the others get their turns.
    for _ in 0..<12 where calls.value < before + 2 {
      pass(.seconds(6), on: clock)
      for _ in 0..<20_000 where calls.value < before + 2 { await Task.yield() }
    }
    #expect(calls.value >= before + 2)
    end.signal()
    serving.cancel()
    // The rest of the time passes until it has ended.
    let ended = LockIsolated(false)
    let ending = Task {
      await serving.value
      ended.withValue { $0 = true }
    }
    while !ended.value {
      pass(.seconds(1), on: clock)
      await Task.yield()
    }
    await ending.value
  }

  @Test func aRenewalThatFailsIsMadeAgain() async throws {
    // The second claim fails.
    let calls = LockIsolated(0)
    let journal = GatedJournal(
      InMemoryJournal(InMemoryJournal.Database()),
      .before { _ in
        calls.withValue { $0 += 1 }
        if calls.value == 2 { throw GatedJournal.Away() }
      })
    let keeper = LeaseKeeper()
    let request = ClaimRequest(kind: "blocking", worker: "a", shards: 2, duration: .seconds(30))
    #expect(try await keeper.claim(request, of: journal, asked: .zero).leases.count == 2)
    await keeper.renewIfLate(.seconds(15), of: journal)
    await keeper.renewIfLate(.seconds(20), of: journal)
    await keeper.renewIfLate(.seconds(25), of: journal)
    #expect(calls.value == 3)
  }

  @Test func requestsThatFailAtTheSameTimeAreNotTakenForRenewals() async throws {
    // After a claim that is answered, one of the keeper and one of the actor wait, and fail.
    let gates = [Gate(), Gate()]
    let calls = LockIsolated(0)
    let journal = GatedJournal(
      InMemoryJournal(InMemoryJournal.Database()),
      .before { _ in
        calls.withValue { $0 += 1 }
        let call = calls.value
        guard (2...3).contains(call) else { return }
        await gates[call - 2].pass()
        throw GatedJournal.Away()
      })
    let keeper = LeaseKeeper()
    let request = ClaimRequest(kind: "blocking", worker: "a", shards: 2, duration: .seconds(30))
    _ = try await keeper.claim(request, of: journal, asked: .zero)
    let renewal = Task { await keeper.renewIfLate(.seconds(15), of: journal) }
    while calls.value < 2 { await Task.yield() }
    let claim = Task { try await keeper.claim(request, of: journal, asked: .seconds(16)) }
    while calls.value < 3 { await Task.yield() }
    gates[0].open()
    await renewal.value
    gates[1].open()
    await #expect(throws: GatedJournal.Away.self) { try await claim.value }
    await keeper.renewIfLate(.seconds(20), of: journal)
    #expect(calls.value == 4)
  }

  @Test func whoIsHeldUpForLongMakesWayForOthers() async throws {
    let calls = LockIsolated(0)
    let journal = GatedJournal(
      InMemoryJournal(InMemoryJournal.Database()),
      .before { _ in calls.withValue { $0 += 1 } })
    let keeper = LeaseKeeper()
    let request = ClaimRequest(kind: "blocking", worker: "a", shards: 2, duration: .seconds(10))
    _ = try await keeper.claim(request, of: journal, asked: .zero)
    for seconds in stride(from: 5, to: 300, by: 5) {
      await keeper.renewIfLate(.seconds(seconds), of: journal)
    }
    // At 5, 10, …, 115 seconds.
    #expect(calls.value == 1 + 23)
  }

  @Test func aProcessThatIsHeldUpTakesNoMoreShards() async throws {
    let journal = InMemoryJournal(InMemoryJournal.Database())
    let keeper = LeaseKeeper()
    func request(_ worker: String) -> ClaimRequest {
      ClaimRequest(kind: "blocking", worker: worker, shards: 4, duration: .seconds(30))
    }
    let claim = try await keeper.claim(request("a"), of: journal, asked: .zero)
    try await journal.release(Array(claim.leases.dropFirst()), of: "blocking", worker: "a")
    await keeper.renewIfLate(.seconds(15), of: journal)
    #expect(try await journal.claim(request("b")).leases.count == 2)
  }

  // D5
  @Test func allClosuresThatFollowBeginBeforeAShardIsGivenAway() async throws {
    let database = InMemoryJournal.Database()
    let (gate, begun, clock) = (Gate(isOpen: true), LockIsolated<[Int]>([]), TestClock<Duration>())
    func stores(_ name: String) -> DurableStores<[Int], Int> {
      var options = DurableOptions()
      options.shards = 2
      options.onEvent = { _ in }
      return DurableStores(
        journal: GatedJournal(InMemoryJournal(database), .gate(gate)),
        feature: DurableFeature("countdown", initialState: { _ in [Int]() }) {
          Countdown(begun: begun)
        },
        options: options, clock: clock, worker: name, executor: nil)
    }
    let (first, second) = (stores("first"), stores("second"))
    for stores in [first, second] { await stores.tick() }
    // The second shard is to be given away.
    let name = try #require(
      (0..<16).map { "s\($0)" }.first { StoreKey(kind: "countdown", name: $0).shard(of: 2) == 1 })
    gate.close()
    async let sending = first[name].send(5)
    while await first.addedCount < 1 { await Task.yield() }
    pass(.seconds(4), on: clock)
    async let ticking: Void = first.tick()
    while await first.shards.count == 2 { await Task.yield() }
    gate.open()
    _ = try await sending
    await ticking
    #expect(begun.value == [5, 4, 3, 2, 1])
    #expect(try await second[name].state == [5, 4, 3, 2, 1, 0])
  }

  @Test func aTransactionIsFinishedBeforeItsClosuresBegin() async throws {
    let gate = Gate(isOpen: true)
    let heard = DispatchSemaphore(value: 0)
    let journal = GatedJournal(InMemoryJournal(InMemoryJournal.Database()), .gate(gate))
    // The closure of one store blocks until the sender of another has heard that both are written.
    let stores = makeStores(journal) { heard.wait() }
    await stores.tick()
    for name in ["first", "a", "b"] { try await stores[name].send(1) }
    gate.close()
    let count = await stores.addedCount
    async let first = stores["first"].send(1)
    while await stores.addedCount < count + 1 { await Task.yield() }
    async let a = stores["a"].send(0)
    while await stores.addedCount < count + 2 { await Task.yield() }
    let b = Task {
      try await stores["b"].send(1)
      heard.signal()
    }
    while await stores.addedCount < count + 3 { await Task.yield() }
    gate.open()
    _ = try await (first, a)
    try await b.value
    #expect(try await stores["a"].state == [1, 0])
  }
}

/// Counts down to zero. Each number is sent by the closure of the one before.
private struct Countdown: Reducer {
  let begun: LockIsolated<[Int]>

  func reduce(into state: inout [Int], action number: Int) -> Effect<Int> {
    state.append(number)
    guard number > 0 else { return .none }
    return .run { send in
      begun.withValue { $0.append(number) }
      await send(number - 1)
    }
  }
}
