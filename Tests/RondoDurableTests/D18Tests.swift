// D18: answers to those who ask, states for those who watch, and names that are checked when the stores are made.

import Foundation
import Rondo
import RondoScheduling
import RondoSeededRandomness
import Testing

@testable import RondoDurable

@Suite struct D18Tests {
  let pump = Pump(Randomness(seed: 18))
  let database = InMemoryJournal.Database()
  let clock = TestClock<Duration>()

  /// The results of a task that goes on while the test does something else.
  private final class Results<Value: Sendable>: Sendable {
    private let list = LockIsolated<[Result<Value, any Error>]>([])
    private let ended = LockIsolated(false)
    var all: [Result<Value, any Error>] { list.value }
    var hasEnded: Bool { ended.value }
    func add(_ result: Result<Value, any Error>) { list.withValue { $0.append(result) } }
    func end() { ended.withValue { $0 = true } }
    var values: [Value] { all.compactMap { try? $0.get() } }
    var errors: [String] {
      all.compactMap { result in
        if case .failure(let error) = result { "\(error)" } else { nil }
      }
    }
  }

  private func worker(
    _ name: String, performed: Performed = Performed(), faults: InMemoryJournal.Faults = .none,
    hook: GatedJournal.Hook? = nil, decision: SetAsideDecision = .stop
  ) -> Worker {
    Worker(
      pump, database, clock: clock,
      feature: .ledger(performed: performed).whenSetAside(decision), name: name, faults: faults,
      hook: hook)
  }

  private func ask(
    _ worker: Worker, _ action: @escaping @Sendable (DurableReply<Int>) -> Ledger.Action,
    id: String? = nil, timeout: Duration = .seconds(60)
  ) -> Results<Int> {
    let results = Results<Int>()
    pump.start { [stores = worker.stores] in
      do {
        results.add(.success(try await stores["a"].ask(id: id, timeout: timeout, action)))
      } catch {
        results.add(.failure(error))
      }
    }
    pump.drain()
    return results
  }

  private func watch(_ worker: Worker) -> (results: Results<[String]>, task: Task<Void, Never>) {
    let results = Results<[String]>()
    let task = Task(executorPreference: pump) { [states = worker.stores["a"].states] in
      do {
        for try await state in states { results.add(.success(state.log)) }
      } catch {
        results.add(.failure(error))
      }
      results.end()
    }
    pump.drain()
    return (results, task)
  }

  /// Lets time pass for all workers.
  private func pass(_ duration: Duration, _ workers: Worker...) {
    database.advance(by: duration)
    clock.timeline.advance(by: duration)
    pump.drain()
    for worker in workers { worker.tick() }
  }

  private func turns() -> Int { database.turns(of: StoreKey(kind: "ledger", name: "a")).count }

  // MARK: Asking

  @Test func D18_aStoreAnswersInTheTurnOfTheAction() throws {
    let owner = worker("owner")
    owner.tick()
    #expect(ask(owner) { .ask(3, $0) }.values == [3])
    #expect(ask(owner) { .ask(4, $0) }.values == [7])
    #expect(try owner.state().log == ["ask 3", "ask 4"])
  }

  @Test func D18_aStoreAnswersInALaterTurn() {
    let performed = Performed()
    performed.gate.close()
    let owner = worker("owner", performed: performed)
    owner.tick()
    let answer = ask(owner) { .askForDouble(3, $0) }
    #expect(answer.all.isEmpty)
    performed.gate.open()
    pump.drain()
    // The second reply changes nothing.
    #expect(answer.values == [6])
  }

  @Test func D18_aProcessThatOwnsNothingAsks() {
    let (owner, other) = (worker("owner"), worker("other"))
    owner.tick()
    let first = ask(other) { .ask(3, $0) }
    let second = ask(other) { .askForDouble(4, $0) }
    for _ in 0..<6 { pass(.milliseconds(100), owner) }
    #expect(first.values == [3])
    #expect(second.values == [8])
  }

  @Test(arguments: [1, 2, 3])
  func D18_anAnswerOutlivesTheWorkerThatHasMadeIt(_ write: Int) throws {
    let other = worker("other")
    let answer = ask(other, { .ask(3, $0) }, id: "q")
    // The claim, the turn, and what comes after that.
    let owner = worker("owner", faults: .crash(atWrite: write, after: true))
    owner.tick()
    pass(.milliseconds(100), owner)
    if write == 2 { #expect(turns() == 1) }
    database.expireLeases()
    let next = worker("next")
    for _ in 0..<3 { pass(.milliseconds(100), next) }
    #expect(answer.values == [3])
    #expect(try next.state().log == ["ask 3"])
  }

  @Test func D18_anAskerThatHasEndedAsksAgainWithTheSameIDAndGetsItsAnswerOnce() {
    // The turn is written, and the process ends before it has the answer.
    let first = worker("first", faults: .crash(atWrite: 2, after: true))
    first.tick()
    let lost = ask(first, { .ask(3, $0) }, id: "q")
    #expect(lost.values.isEmpty)
    #expect(turns() == 1)
    database.expireLeases()
    let (owner, other) = (worker("owner"), worker("other"))
    owner.tick()
    #expect(ask(owner, { .ask(3, $0) }, id: "q").values == [3])
    let late = ask(other, { .ask(3, $0) }, id: "q")
    for _ in 0..<3 { pass(.milliseconds(100), owner) }
    #expect(
      late.errors == [
        "ledger/a: the message 'q' gets no answer: another asker has it, or the store was deleted since. Read "
          + "the state."
      ])
    #expect(turns() == 1)
  }

  @Test func D18_ofManyAskersWithOneIDOneGetsTheAnswer() {
    let (owner, other) = (worker("owner"), worker("other"))
    owner.tick()
    let asked = (0..<6).map { ask($0 % 2 == 0 ? owner : other, { .ask(3, $0) }, id: "q") }
    for _ in 0..<6 { pass(.milliseconds(100), owner) }
    #expect(asked.flatMap(\.values) == [3])
    #expect(asked.flatMap(\.errors).count == 5)
    #expect(asked.flatMap(\.errors).allSatisfy { $0.contains("another asker has it") })
    #expect(turns() == 1)
  }

  @Test func D18_anAnswerWhoseTakingFailsIsTakenAgain() {
    let fails = LockIsolated(true)
    let owner = worker(
      "owner",
      hook: .after {
        if case .takeAnswers(let asks) = $0, fails.value, !asks.isEmpty {
          throw GatedJournal.Away()
        }
      })
    owner.tick()
    let answer = ask(owner) { .ask(3, $0) }
    #expect(answer.all.isEmpty)
    fails.withValue { $0 = false }
    pass(.milliseconds(100), owner)
    #expect(answer.values == [3])
  }

  @Test func D18_whatIsLateIsSaidAndIsThereForOneWhoAsksAgain() {
    let performed = Performed()
    performed.gate.close()
    let (owner, other) = (worker("owner", performed: performed), worker("other"))
    let early = ask(other, { .askForDouble(3, $0) }, id: "q", timeout: .seconds(2))
    pass(.seconds(2))
    pump.drain()
    #expect(
      early.errors == [
        "ledger/a: the message 'q' has no answer after 2.0 seconds; it may be handled later. Ask again with "
          + "the same id."
      ])
    owner.tick()
    let again = ask(owner, { .askForDouble(3, $0) }, id: "q", timeout: .seconds(2))
    pass(.seconds(2), owner)
    #expect(
      again.errors == [
        "ledger/a: the message 'q' has no answer after 2.0 seconds; it was handled, and may be answered later. "
          + "Ask again with the same id."
      ])
    performed.gate.open()
    pass(.milliseconds(100), owner)
    #expect(ask(owner, { .askForDouble(3, $0) }, id: "q").values == [6])
    #expect(turns() == 2)
  }

  @Test(arguments: [false, true])
  func D18_theTimeOfAnAskIsKeptWhileTheJournalHangs(_ isCancelled: Bool) {
    let gate = Gate()
    let owner = worker(
      "owner",
      hook: .before { if case .takeAnswers = $0 { await gate.pass() } })
    owner.tick()
    let ended = Results<Int>()
    let asking = Task(executorPreference: pump) { [stores = owner.stores] in
      do {
        ended.add(.success(try await stores["a"].ask(timeout: .seconds(1)) { .ask(3, $0) }))
      } catch {
        ended.add(.failure(error))
      }
    }
    pump.drain()
    if isCancelled { asking.cancel() } else { clock.timeline.advance(by: .seconds(1)) }
    pump.drain()
    #expect(ended.errors.count == 1)
    gate.open()
    pump.drain()
  }

  @Test(arguments: [false, true])
  func D18_anAnswerThatComesAfterTheTimeIsThereForOneWhoAsksAgain(_ fails: Bool) {
    let (gate, isBad) = (Gate(isOpen: true), LockIsolated(true))
    let owner = worker(
      "owner",
      hook: .after {
        guard case .takeAnswers(let asks) = $0, !asks.isEmpty, isBad.value else { return }
        // It was taken, and nobody hears of that, or not in time.
        if fails { throw GatedJournal.Away() }
        await gate.pass()
      })
    owner.tick()
    gate.close()
    let first = ask(owner, { .ask(3, $0) }, id: "q", timeout: .seconds(1))
    clock.timeline.advance(by: .seconds(1))
    pump.drain()
    #expect(first.errors.first?.contains("has no answer after 1.0 seconds") == true)
    isBad.withValue { $0 = false }
    gate.open()
    pump.drain()
    #expect(ask(owner, { .ask(3, $0) }, id: "q").values == [3])
    let late = ask(owner, { .ask(3, $0) }, id: "q")
    #expect(late.errors.first?.contains("another asker has it") == true)
  }

  @Test func D18_whoAsksAStoreThatCannotGoOnHearsIt() throws {
    let performed = Performed()
    performed.gate.close()
    let (owner, other) = (worker("owner", performed: performed), worker("other"))
    owner.tick()
    let handled = ask(other, { .askForDouble(3, $0) }, id: "q")
    for _ in 0..<3 { pass(.milliseconds(100), owner) }
    // A row that somebody has damaged.
    let key = StoreKey(kind: "ledger", name: "a")
    try database.damageFirstTurn(of: key)
    database.expireLeases()
    let next = worker("next")
    next.tick()
    let waiting = ask(other) { .ask(3, $0) }
    for _ in 0..<6 { pass(.milliseconds(100), next) }
    #expect(handled.errors.count == 1)
    #expect(
      handled.errors.first?.hasPrefix(
        "ledger/a: the message 'q' gets no answer: the owner of the store cannot go on with it: ledger/a: turn 1 of "
          + "the journal cannot be read") == true)
    #expect(waiting.errors.first?.contains("its owner cannot go on with it") == true)
  }

  @Test func D18_whoAsksByAMessageThatIsDiscardedHearsIt() {
    let other = worker("other")
    let answer = ask(other, { .ask(3, $0) }, id: "q")
    let discarded = pump.run { try await other.stores["a"].retry(discarding: "q") }
    #expect((try? discarded?.get()) == true)
    let owner = worker("owner")
    owner.tick()
    for _ in 0..<3 { pass(.milliseconds(100), owner) }
    #expect(
      answer.errors == [
        "ledger/a: the message 'q' gets no answer: somebody has discarded the message"
      ])
  }

  @Test func D18_whoAsksByAMessageThatIsSetAsideHearsIt() {
    let other = worker("other")
    let answer = ask(other, { .ask(3, $0) }, id: "q")
    // Three owners have ended in it, and two before they counted.
    let attempt = Attempt(store: StoreKey(kind: "ledger", name: "a"), key: "message q")
    pump.run {
      let request = ClaimRequest(kind: "ledger", worker: "gone", shards: 2, duration: .seconds(10))
      let lease = try await other.journal.claim(request).leases[attempt.store.shard(of: 2)]
      for _ in 0..<3 { _ = try await other.journal.begin(attempt, under: lease, limit: 3) }
    }
    database.expireLeases()
    let owner = worker("owner", decision: .goOn)
    owner.tick()
    for _ in 0..<4 { pass(.milliseconds(100), owner) }
    #expect(answer.errors.count == 1)
    #expect(
      answer.errors.first?.hasPrefix(
        "ledger/a: the message 'q' gets no answer: ledger/a: the message 'q' has ended 5 processes")
        == true)
  }

  @Test func D18_answersGoWithTheTurnsThatHaveMadeThem() {
    let owner = Worker(pump, database, clock: clock) {
      $0.retention = .seconds(10)
      $0.snapshotInterval = 1
    }
    owner.tick()
    let key = MessageKey(store: StoreKey(kind: "ledger", name: "a"), id: "q")
    func isThere() -> Bool {
      let take = pump.run { [journal = owner.journal] in
        try await journal.takeAnswers([AskKey(message: key, asker: "nobody")])
      }
      return (try? take?.get().isEmpty) == false
    }
    _ = ask(owner, { .ask(1, $0) }, id: "q")
    #expect(isThere())
    for _ in 0..<4 {
      owner.advance(by: .seconds(11))
      owner.send(.add(1))
    }
    #expect(!isThere())
  }

  // MARK: Watching

  @Test func D18_theOwnerSeesEachStateAndOthersTheNewest() {
    let (owner, other) = (worker("owner"), worker("other"))
    owner.tick()
    let (here, there) = (watch(owner), watch(other))
    #expect(here.results.values == [[]])
    #expect(there.results.values == [[]])
    for number in 1...3 { owner.send(.add(number)) }
    let all = ["add 1", "add 2", "add 3"]
    #expect(here.results.values == [[], ["add 1"], ["add 1", "add 2"], all])
    pass(.milliseconds(100), owner)
    pass(.milliseconds(100), owner)
    #expect(there.results.values == [[], all])
    // It ends with its task, and nobody looks any more.
    there.task.cancel()
    pump.drain()
    #expect(there.results.hasEnded)
    #expect(there.results.errors.isEmpty)
    here.task.cancel()
    pass(.seconds(1), owner)
    #expect(here.results.hasEnded)
  }

  @Test func D18_oneWhoTakesStatesSlowlyGetsTheNewest() throws {
    let owner = worker("owner")
    owner.tick()
    let gate = Gate()
    let seen = Results<[String]>()
    pump.start { [states = owner.stores["a"].states] in
      do {
        for try await state in states {
          seen.add(.success(state.log))
          await gate.pass()
        }
      } catch {
        seen.add(.failure(error))
      }
    }
    pump.drain()
    for number in 1...100 { owner.send(.add(number)) }
    #expect(seen.values.count == 1)
    gate.open()
    pump.drain()
    #expect(seen.values.count == 2)
    #expect(seen.values.last?.count == 100)
  }

  @Test func D18_theStatesOfAStoreEndWhenItIsDeletedAlsoWhereItLivesAgain() {
    let (owner, other) = (worker("owner"), worker("other"))
    owner.tick()
    owner.send(.add(1))
    let (here, there) = (watch(owner), watch(other))
    _ = pump.run { try await owner.stores["a"].delete() }
    owner.send(.add(2))
    pass(.milliseconds(100), owner)
    pass(.milliseconds(100), owner)
    for watching in [here, there] {
      #expect(watching.results.hasEnded)
      #expect(watching.results.errors.isEmpty)
      #expect(watching.results.values.first == ["add 1"])
    }
    // A watcher that begins after the deletion sees the new state.
    let later = watch(other)
    owner.send(.add(3))
    pass(.milliseconds(100), owner)
    #expect(later.results.values == [["add 2"], ["add 2", "add 3"]])
    #expect(!later.results.hasEnded)
  }

  @Test func D18_theStatesGoOnWithAnotherOwner() {
    let (first, second, other) = (worker("first"), worker("second"), worker("other"))
    first.tick()
    let (before, there) = (watch(first), watch(other))
    first.send(.add(1))
    database.expireLeases()
    second.tick()
    second.send(.add(2))
    first.tick()
    second.send(.add(3))
    for _ in 0..<3 { pass(.milliseconds(100), first, second) }
    // The first owner hears that it is none any more when it renews its leases.
    for _ in 0..<3 { pass(.seconds(2), first, second) }
    for watching in [before, there] {
      #expect(watching.results.values.last == ["add 1", "add 2", "add 3"])
      #expect(watching.results.errors.isEmpty)
    }
  }

  @Test(arguments: [false, true])
  func D18_theStatesGoOnAfterAWriteOfUnknownOutcome(_ isDeletion: Bool) throws {
    let fails = LockIsolated(false)
    let owner = worker(
      "owner",
      hook: .after { if case .commit = $0, fails.value { throw GatedJournal.Away() } })
    owner.tick()
    owner.send(.add(1))
    let watching = watch(owner)
    func send() -> Result<DurableDelivery, any Error>? {
      pump.run { [store = owner.stores["a"]] in
        if isDeletion {
          try await store.delete(id: "m")
        } else {
          try await store.send(.add(2), id: "m")
        }
      }
    }
    fails.withValue { $0 = true }
    #expect(throws: DurableError.self) { try send()?.get() }
    fails.withValue { $0 = false }
    // It gives the shard back, and gets it again.
    owner.tick()
    #expect(try send()?.get() == .duplicate)
    pass(.seconds(1), owner)
    #expect(watching.results.values.last == (isDeletion ? ["add 1"] : ["add 1", "add 2"]))
    #expect(watching.results.hasEnded == isDeletion)
  }

  @Test func D18_theLastTurnOfTheOwnerBeforeIsSeen() {
    let (first, second) = (worker("first"), worker("second"))
    first.tick()
    first.send(.add(1))
    let watching = watch(second)
    first.send(.add(2))
    database.expireLeases()
    second.tick()
    pass(.seconds(1), second)
    #expect(watching.results.values == [["add 1"], ["add 1", "add 2"]])
  }

  @Test func D18_aTurnThatIsWrittenWhileAWatcherReadsIsSeen() {
    let (gate, loads) = (Gate(), LockIsolated(0))
    let first = worker("first")
    let second = worker(
      "second",
      hook: .after {
        guard case .load = $0 else { return }
        loads.withValue { $0 += 1 }
        if loads.value == 2 { await gate.pass() }
      })
    first.tick()
    first.send(.add(1))
    let watching = watch(second)
    #expect(loads.value == 2)
    first.send(.add(2))
    database.expireLeases()
    second.tick()
    gate.open()
    pass(.seconds(1), second)
    #expect(watching.results.values == [["add 1"], ["add 1", "add 2"]])
  }

  @Test func D18_whoWatchesAStoreThatCannotGoOnHearsWhy() throws {
    let (owner, other) = (worker("owner"), worker("other"))
    owner.tick()
    owner.send(.add(1))
    let there = watch(other)
    let key = StoreKey(kind: "ledger", name: "a")
    try database.damageFirstTurn(of: key)
    database.expireLeases()
    let next = worker("next")
    next.tick()
    next.send(.add(2))
    for _ in 0..<3 { pass(.milliseconds(100), next) }
    #expect(there.results.errors.count == 1)
    #expect(there.results.errors.first?.contains("turn 1 of the journal cannot be read") == true)
    let here = watch(next)
    #expect(here.results.errors.first?.contains("turn 1 of the journal cannot be read") == true)
  }

  // MARK: Names

  private struct Empty: Reducer {
    struct State: Codable, Sendable { var count = 0 }
    enum Action: Codable, Sendable { case start, done, badTimer, badEffect }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      state.count += 1
      switch action {
      case .start: return .durable(.work, 1)
      case .done: return .none
      case .badTimer: return .durableTimer("remind", "text", after: .seconds(5))
      case .badEffect: return .durable("work", "text")
      }
    }
  }

  private func feature(
    @DurableWorkBuilder<Empty.Action> _ work: () -> DurableWorkBuilder<Empty.Action>.List
  ) -> DurableFeature<Empty.State, Empty.Action> {
    DurableFeature("empty", initialState: { _ in Empty.State() }, reducer: { Empty() }, work: work)
  }

  private var whole: DurableFeature<Empty.State, Empty.Action> {
    feature {
      DurableEffect(.work) { (number: Int, _) in
        number
      } then: { _, _ in
        .done
      }
      DurableTimer("remind", onResume: .deadline) { (_: Int) in .done }
    }
  }

  @Test func D18_namesThatAreNotRegisteredAreReportedWhenTheStoresAreMade() {
    #expect(whole.uses(.work, .remind).mistakes.isEmpty)
    #expect(
      feature {}.uses(.work).mistakes == [
        "'empty' uses the name \"work\", and neither an effect nor a timer is registered under it. Add a DurableEffect "
          + "or a DurableTimer of this name."
      ])
    #expect(
      whole.uses(DurableName<String>("remind")).mistakes == [
        "'empty' uses the name \"remind\" with an input of type String, and it is registered for another type. Use one "
          + "constant for both."
      ])
    withKnownIssue {
      _ = DurableStores(journal: InMemoryJournal(database), feature: feature {}.uses(.work))
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("'empty' uses the name \"work\"") }
        || "\(issue)".contains("'empty' uses the name")
    }
  }

  @Test func D18_namesThatAreRegisteredTwiceOrEmptyAreReported() {
    let twice = feature {
      DurableTimer("remind", onResume: .deadline) { (_: Int) in .done }
      DurableTimer("remind", onResume: .restart) { (_: Int) in .start }
      DurableTimer("", onResume: .restart) { (_: Int) in .start }
    }
    #expect(
      twice.mistakes == [
        "A timer of 'empty' has an empty name. Give it one that stays the same.",
        "2 timers of 'empty' have the name \"remind\", and only the last one is used. Give each a name of its own.",
      ])
  }

  @Test(arguments: [Empty.Action.badTimer, .badEffect])
  private func D18_anInputThatItsRegistrationCannotReadIsRefusedWithTheTurn(
    _ action: Empty.Action
  ) throws {
    let stores = DurableStores(
      journal: InMemoryJournal(database), feature: whole, options: DurableOptions(), clock: clock,
      worker: "worker", executor: pump)
    pump.run { await stores.tick() }
    #expect {
      _ = try pump.value { try await stores["a"].send(action) }
    } throws: { error in
      "\(error)".contains("with an input that its registration cannot read")
    }
    #expect(try pump.value { try await stores["a"].state.count } == 0)
    #expect(try pump.value { try await stores["a"].send(.start) } == .handled)
  }
}

extension DurableName<Int> {
  fileprivate static let work = Self("work")
  fileprivate static let remind = Self("remind")
}
