// D15: limits: a database that is away is reported once, and effects are tried again as their policy says.

import Foundation
import Rondo
import RondoScheduling
import RondoSeededRandomness
import Testing

@testable import RondoDurable

@Suite struct D15Tests {
  let pump = Pump(Randomness(seed: 15))
  let database = InMemoryJournal.Database()

  // MARK: A database that is away

  @Test func D15_anOutageIsOneLineWhenItBeginsAndOneWhenItEnds() throws {
    let isAway = LockIsolated(false)
    let reads = LockIsolated(0)
    let worker = Worker(
      pump, database,
      hook: .before { _ in
        reads.withValue { $0 += 1 }
        if isAway.value { throw GatedJournal.Away() }
      })
    let serving = worker.serve()
    func pass(_ seconds: Int) {
      for _ in 0..<seconds * 20 {
        worker.pass(.milliseconds(50))
      }
    }
    pass(1)
    _ = try worker.send(.add(1))?.get()
    isAway.withValue { $0 = true }
    reads.withValue { $0 = 0 }
    pass(61)
    // Two tasks look after each other, more and more seldom, at most each sixth of a lease of ten seconds.
    #expect(reads.value < 300)
    isAway.withValue { $0 = false }
    pass(3)
    let lines = worker.events.all.map(\.description).filter { $0.hasPrefix("the journal") }
    #expect(lines.count == 2)
    #expect(lines.first == "the journal has failed: it is away")
    #expect(lines.last?.hasPrefix("the journal is back after 6") == true)
    // All goes on.
    #expect(try worker.send(.add(2))?.get() == .handled)
    #expect(try worker.state().log == ["add 1", "add 2"])
    serving.cancel()
    pump.drain()
  }

  /// A worker whose turns are not written while the value is true; all else is.
  private func worker(failing fails: LockIsolated<Bool>) -> Worker {
    Worker(
      pump, database,
      hook: .before { if case .commit = $0, fails.value { throw GatedJournal.Away() } })
  }

  private func lines(of worker: Worker) -> [String] {
    worker.events.all.map(\.description).filter { $0.hasPrefix("the journal") }
  }

  @Test func D15_whatCanBeReadIsNotBackUntilItCanBeWritten() throws {
    let fails = LockIsolated(true)
    let worker = worker(failing: fails)
    worker.tick()
    #expect(throws: DurableError.self) { try worker.send(.add(1))?.get() }
    let pause = try pump.value { [stores = worker.stores] in await stores.pause }
    #expect(pause <= .milliseconds(100))
    fails.withValue { $0 = false }
    worker.tick()
    #expect(lines(of: worker) == ["the journal has failed: it is away"])
    #expect(try worker.send(.add(1))?.get() == .handled)
    #expect(
      lines(of: worker) == [
        "the journal has failed: it is away", "the journal is back after 0.0 seconds",
      ])
  }

  @Test func D15_aDiskWithRoomForLeasesAndNoneForTurnsIsOneOutage() throws {
    let fails = LockIsolated(true)
    let worker = worker(failing: fails)
    for number in 0..<20 {
      worker.tick()
      #expect(throws: DurableError.self) { try worker.send(.add(number))?.get() }
      // Its leases are given back, and claimed again.
      worker.advance(by: .seconds(1))
    }
    #expect(lines(of: worker) == ["the journal has failed: it is away"])
    // It is asked as often as at other times: timers and messages are not late for it.
    let pause = try pump.value { [stores = worker.stores] in await stores.pause }
    #expect(pause == .milliseconds(100))
    fails.withValue { $0 = false }
    #expect(try worker.send(.add(20))?.get() == .handled)
    #expect(lines(of: worker).last == "the journal is back after 20.0 seconds")
  }

  @Test func D15_anOutageOfTurnsEndsWhenNoneHasFailedForALease() throws {
    let fails = LockIsolated(true)
    let worker = worker(failing: fails)
    worker.tick()
    #expect(throws: DurableError.self) { try worker.send(.add(1))?.get() }
    fails.withValue { $0 = false }
    for _ in 0..<13 { worker.advance(by: .seconds(1)) }
    #expect(lines(of: worker).count == 2)
  }

  // MARK: Policies of effects

  private struct Order: Reducer {
    struct State: Codable, Equatable, Sendable { var log: [String] = [] }
    enum Action: Codable, Sendable {
      case pay
      case paid(String)
      case failed(String)
    }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .pay: return .durable("pay", 7)
      case .paid(let receipt): state.log.append("paid \(receipt)")
      case .failed(let reason): state.log.append("failed \(reason)")
      }
      return .none
    }
  }

  private struct Refused: Error, CustomStringConvertible {
    var isFinal = false
    var description: String { isFinal ? "refused for ever" : "refused" }
  }

  private func run(
    _ retry: DurableRetry, for time: Duration, on journal: (any Journal)? = nil,
    _ pay: @escaping @Sendable (_ attempt: Int) async throws -> String
  ) throws -> (log: [String], attempts: Int, pauses: [Duration]) {
    let attempts = LockIsolated(0)
    let pauses = LockIsolated<[Duration]>([])
    let feature = DurableFeature("order", initialState: { _ in Order.State() }) {
      Order()
    } work: {
      DurableEffect("pay", retry: retry) { (_: Int, _) in
        attempts.withValue { $0 += 1 }
        return try await pay(attempts.value)
      } then: { _, receipt in
        Order.Action.paid(receipt)
      } failed: { _, error in
        Order.Action.failed("\(error)")
      }
    }
    var options = DurableOptions()
    options.onEvent = { event in
      if case .workFailed(_, _, _, let pause) = event { pauses.withValue { $0.append(pause) } }
    }
    let clock = TestClock<Duration>()
    let stores = DurableStores(
      journal: journal ?? InMemoryJournal(database), feature: feature, options: options,
      clock: clock, worker: "worker", executor: pump)
    pump.run { await stores.tick() }
    _ = try pump.value { try await stores["a"].send(.pay) }
    for _ in 0..<Int(time.timeInterval * 10) {
      clock.timeline.advance(by: .milliseconds(100))
      pump.drain()
    }
    let state = try pump.value { try await stores["a"].state }
    return (state.log, attempts.value, pauses.value)
  }

  @Test func D15_anEffectIsGivenUpAfterItsAttempts() throws {
    let result = try run(DurableRetry(attempts: 3), for: .seconds(10)) { _ in throw Refused() }
    #expect(result.log == ["failed refused"])
    #expect(result.attempts == 3)
    #expect(result.pauses.count == 2)
  }

  @Test func D15_pausesDoubleUpToTheLongestAndAreShortenedByChance() throws {
    let retry = DurableRetry(firstPause: .seconds(1), longestPause: .seconds(3))
    let result = try run(retry, for: .seconds(20)) { attempt in
      if attempt < 6 { throw Refused() }
      return "receipt"
    }
    #expect(result.log == ["paid receipt"])
    for (pause, longest) in zip(result.pauses, [1.0, 2, 3, 3, 3]) {
      #expect(pause >= .seconds(longest / 2) && pause <= .seconds(longest))
    }
    #expect(result.pauses.count == 5)
  }

  @Test func D15_aFinalErrorIsTheAnswerAtOnce() throws {
    let retry = DurableRetry(isFinal: { ($0 as? Refused)?.isFinal == true })
    let result = try run(retry, for: .seconds(3)) { attempt in throw Refused(isFinal: attempt == 2)
    }
    #expect(result.log == ["failed refused for ever"])
    #expect(result.attempts == 2)
  }

  @Test func D15_workThatHasAnsweredIsNotDoneAgainWhereTheJournalCannotCountThat() throws {
    // Two owners have ended, so the next one counts what it handles.
    for name in ["one", "two"] {
      let request = ClaimRequest(kind: "order", worker: name, shards: 16, duration: .seconds(10))
      _ = try pump.value { [database] in try await InMemoryJournal(database).claim(request) }
      database.expireLeases()
    }
    let failures = LockIsolated(0)
    let journal = GatedJournal(
      InMemoryJournal(database),
      .before {
        guard case .begin(let attempt) = $0, attempt.key.hasPrefix("work"), failures.value < 2
        else { return }
        failures.withValue { $0 += 1 }
        throw GatedJournal.Away()
      })
    let result = try run(DurableRetry(attempts: 1), for: .seconds(10), on: journal) { _ in
      "receipt"
    }
    #expect(failures.value == 2)
    #expect(result.log == ["paid receipt"])
    #expect(result.attempts == 1)
    // It is no failure of the work.
    #expect(result.pauses.isEmpty)
  }

  @Test func D15_anAttemptThatTakesTooLongHasFailed() throws {
    let retry = DurableRetry(attempts: 2, timeout: .seconds(2))
    let result = try run(retry, for: .seconds(8)) { _ in
      try await Task.never()
      return ""
    }
    #expect(result.log == ["failed it has taken longer than 2.0 seconds"])
    #expect(result.attempts == 2)
  }
}
