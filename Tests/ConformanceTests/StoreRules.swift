// R1 to R7: sending, commits, handles, lifetime and isolation, on every host. `HostKind` says what a host
// cannot have.

import Dispatch
import Rondo
import RondoRuntimeTestSupport
import Testing

@MainActor @Suite struct StoreRules {
  // R1
  @Test(arguments: HostKind.stores)
  func R1_actionsAreHandledInTheOrderInWhichTheyAreQueued(kind: HostKind) async {
    let host = await kind.script([
      "tap": .merge(.send("a"), .send("b")), "a": .send("c"), "b": .send("d"),
    ])
    await host.send("tap")
    #expect(host.actions == ["tap", "a", "b", "c", "d"])
    #expect(await host.state == ["tap", "a", "b", "c", "d"])
  }

  // R1: on `Store` and `StoreActor`.
  @Test(arguments: HostKind.live)
  func R1_aSendInsideAnObserverIsHandledAfterTheActionInProgress(kind: HostKind) async {
    let effects: @Sendable (String) -> Effect<String> = {
      $0 == "tap" ? .merge(.send("a").animation(), .send("b")) : .none
    }
    switch kind {
    case .testStore, .durableStore, .effects: break
    case .store:
      let store = Store(initialState: [] as [String]) { Script(effects: effects) }
      let subscription = store.subscribe { [unowned store] commit in
        if commit.actions.contains("a") { store.send("again") }
      }
      store.send("tap")
      #expect(store.state == ["tap", "a", "b", "again"])
      subscription.cancel()
    case .storeActor:
      let store = StoreActor(initialState: [] as [String]) { Script(effects: effects) }
      let subscription = await store.subscribe { [unowned store] commit in
        guard commit.actions.contains("a") else { return }
        store.assumeIsolated { _ = $0.send("again") }
      }
      await store.send("tap")
      #expect(await store.state == ["tap", "a", "b", "again"])
      subscription.cancel()
    }
  }

  // R1: on `Store` only.
  @Test func R1_aSendInsideAReducerIsHandledAfterTheActionInProgress() {
    final class Later { weak var store: Store<[String], String>? }
    let later = Later()
    let store = Store(initialState: [] as [String]) {
      Reduce<[String], String> { state, action in
        state.append("<\(action)")
        if action == "tap" { later.store?.send("inner") }
        state.append(">")
        return action == "tap" ? .send("answer") : .none
      }
    }
    later.store = store
    store.send("tap")
    #expect(store.state == ["<tap", ">", "<inner", ">", "<answer", ">"])
  }

  // R2: on `Store` and `StoreActor`.
  @Test(arguments: HostKind.live)
  func R2_consecutiveActionsWithEqualTransactionsMakeOneCommit(kind: HostKind) async {
    let host = await kind.script([
      "tap": .merge(
        .send("a").transaction(Transaction(tag: "x")),
        .send("b").transaction(Transaction(tag: "x")),
        .send("c"))
    ])
    await host.send("tap")
    #expect(
      host.log.entries.map(\.state) == [
        ["tap"], ["tap", "a", "b"], ["tap", "a", "b"], ["tap", "a", "b", "c"],
      ])
    #expect(host.lines == ["tap", "a/x", "b/x", "c"])
  }

  // R2: the test store has every action with its own transaction, too.
  @Test func R2_aTestStoreHasEveryActionByItself() async {
    let host = await HostKind.testStore.script([
      "tap": .merge(.send("a").transaction(Transaction(tag: "x")), .send("b"))
    ])
    await host.send("tap")
    #expect(host.log.entries.map(\.state) == [["tap"], ["tap", "a"], ["tap", "a", "b"]])
    #expect(host.lines == ["tap", "a/x", "b"])
  }

  // R2: on `Store` and `StoreActor`.
  @Test(arguments: HostKind.live)
  func R2_whatChangesNothingIsNoChange(kind: HostKind) async {
    let reducer: @Sendable () -> Reduce<Int, Int> = {
      Reduce { state, action in
        state = action
        return .none
      }
    }
    let changes = Log<Int>()
    switch kind {
    case .testStore, .durableStore, .effects: break
    case .store:
      let store = Store(initialState: 1, reducer: reducer)
      let subscription = store.subscribe(changesOnly: true) { changes.append($0.newState) }
      for action in [1, 2, 2, 3] { store.send(action) }
      subscription.cancel()
    case .storeActor:
      let store = StoreActor(initialState: 1, reducer: reducer)
      let subscription = await store.subscribe(changesOnly: true) { changes.append($0.newState) }
      for action in [1, 2, 2, 3] { await store.send(action) }
      subscription.cancel()
    }
    #expect(changes.entries == [2, 3])
  }

  // R3
  @Test(arguments: HostKind.stores)
  func R3_aLongChainOfSendsIsHandledInConstantStack(kind: HostKind) async {
    let host = await withLoopLimit(actions: .max) {
      await kind.make(0) {
        Reduce<Int, Int> { state, action in
          state += 1
          return action > 0 ? .send(action - 1) : .none
        }
      }
    }
    let task = await host.send(Scale.million)
    #expect(task.isFinished)
    #expect(await host.state == Scale.million + 1)
  }

  // R4
  @Test(arguments: HostKind.allCases)
  func R4_finishWaitsForTheWholeTree(kind: HostKind) async {
    let host = await kind.script([
      "tap": .run { send in await send("first") },
      "first": .run { send in await send("second") },
      "second": .run { send in
        await send("third")
        await send("fourth")
      },
    ])
    let task = await host.send("tap")
    await host.finish(task)
    #expect(task.isFinished && !task.isCancelled)
    #expect(await host.state == ["tap", "first", "second", "third", "fourth"])
  }

  // R4
  @Test(arguments: HostKind.allCases)
  func R4_cancelEndsAllOfIt(kind: HostKind) async {
    let scheduler = DispatchQueue.test
    let host = await kind.script([
      "tap": .merge(.send("next"), .send("late").delay(for: 1, scheduler: scheduler)),
      "next": .send("later").delay(for: 2, scheduler: scheduler),
    ])
    let task = await host.send("tap")
    let other = await host.send("other")
    #expect(!task.isFinished && !task.isCancelled)
    #expect(other.isFinished && !other.isCancelled)
    await task.cancel()
    await host.perform { scheduler.run() }
    #expect(task.isFinished && task.isCancelled)
    #expect(await host.state == ["tap", "next", "other"])
  }

  // R4
  @Test(arguments: HostKind.allCases)
  func R4_whatStartsNothingIsFinished(kind: HostKind) async {
    let host = await kind.script(["answer": .send("answered")])
    #expect(await host.send("nothing").isFinished)
    #expect(await host.send("answer").isFinished)
  }

  // R5
  @Test(arguments: HostKind.allCases)
  func R5_releasingAHostCancelsWhatIsInFlight(kind: HostKind) async {
    let scheduler = DispatchQueue.test
    let hasBegun = Promise<Void>()
    let wasCancelled = Promise<Bool>()
    let host = await kind.script([
      "tap": .merge(
        .send("late").delay(for: 1, scheduler: scheduler),
        .run { send in
          hasBegun.fulfil()
          await suspendUntilCancelled()
          await send("dropped")
          wasCancelled.fulfil(Task.isCancelled)
        })
    ])
    let handle = await host.send("tap")
    // The handle of a test store pumps the store, and keeps it.
    let task = [.testStore, .effects].contains(kind) ? nil : handle
    _ = consume handle
    await hasBegun.value
    weak let object = host.object
    host.release()
    #expect(await wasCancelled.value)
    #expect(object == nil)
    #expect(task.map { $0.isFinished && $0.isCancelled } ?? true)
    #expect(scheduler.timeline.waiting.isEmpty)
    #expect(host.actions == ["tap"])
  }

  // R5
  @Test(arguments: HostKind.allCases)
  func R5_aFinishedEffectKeepsNothing(kind: HostKind) async {
    let scheduler = DispatchQueue.test
    weak var weakWitness: Witness?
    let host: any Host<[String], String>
    do {
      let witness = Witness()
      weakWitness = witness
      host = await kind.make([]) { [weak witness] in
        Reduce<[String], String> { state, action in
          state.append(action)
          guard action == "tap", let witness else { return .none }
          return .merge(
            .run { [witness] send in
              _ = witness
              await send("run")
            },
            Effect.send("timed").delay(for: 1, scheduler: scheduler).map { [witness] in
              _ = witness
              return $0
            }
            .cancellable(id: 1),
            .send("kept").throttle(id: 2, for: 1, scheduler: scheduler, latest: true))
        }
      }
      let task = await host.send("tap")
      await host.perform { scheduler.run() }
      await host.finish(task)
    }
    #expect(await host.state.count == 4)
    #expect(weakWitness == nil)
  }

  // R6
  @Test(arguments: HostKind.allCases)
  func R6_emissionsFromAThreadArriveInTheirOrder(kind: HostKind) async {
    let host = await kind.make(0) {
      Reduce<Int, Int> { state, action in
        if kind == .store { MainActor.assertIsolated() }
        state += 1
        guard action == 0 else { return .none }
        return .run { send in
          let isDone = Promise<Void>()
          DispatchQueue.global().async {
            for number in 1...1_000 { send.post(number) }
            isDone.fulfil()
          }
          await isDone.value
        }
      }
    }
    let task = await host.send(0)
    await host.finish(task)
    #expect(host.actions == Array(0...1_000))
    #expect(await host.state == 1_001)
  }

  // R6
  @Test(arguments: HostKind.allCases)
  func R6_anEmissionOnTheHostsOwnIsolationIsHandledAtOnce(kind: HostKind) async {
    let scheduler = DispatchQueue.test
    let host = await kind.script([
      "tap": .send("late").delay(for: 1, scheduler: scheduler),
      "late": .send("at once"),
    ])
    await host.send("tap")
    let counts = Log<Int>()
    let log = host.log
    await host.perform {
      counts.append(log.entries.count)
      scheduler.advance(by: 1)
      counts.append(log.entries.count)
    }
    #expect(counts.entries == [1, 3])
  }

  // R7: on `Store` and `StoreActor`.
  @Test(arguments: HostKind.live)
  func R7_observersSeeEveryCommit(kind: HostKind) async {
    let effects: @Sendable (String) -> Effect<String> = {
      $0 == "tap" ? .send("a").animation() : .none
    }
    var states: AsyncStream<[String]>!
    var commits: AsyncStream<Commit<[String], String>>!
    switch kind {
    case .testStore, .durableStore, .effects: break
    case .store:
      let store = Store(initialState: [] as [String]) { Script(effects: effects) }
      (states, commits) = (store.states, store.commits)
      store.send("tap")
    case .storeActor:
      let store = StoreActor(initialState: [] as [String]) { Script(effects: effects) }
      (states, commits) = (await store.states, await store.commits)
      await store.send("tap")
    }
    // Both end with the store.
    var seen: [[String]] = []
    for await state in states { seen.append(state) }
    #expect(seen == [[], ["tap"], ["tap", "a"]])
    var changes: [String] = []
    for await commit in commits {
      changes.append("\(commit.oldState) \(commit.newState) \(commit.transaction)")
    }
    #expect(changes == [#"[] ["tap"] untagged"#, #"["tap"] ["tap", "a"] .default"#])
  }
}
