// Effects whose closures run on the isolation of their store.

import Rondo
import RondoScheduling
import RondoRuntimeTestSupport
import Synchronization
import Testing

/// A feature whose actions are numbers; the effect of a number is looked up.
private struct Numbers: Reducer {
  let effects: [Int: Effect<Int>]

  func reduce(into state: inout [Int], action: Int) -> Effect<Int> {
    state.append(action)
    return effects[action] ?? .none
  }
}

private final class Flag: Sendable {
  private let value = Atomic(0)
  var count: Int { value.load(ordering: .acquiring) }
  func raise() { value.add(1, ordering: .releasing) }
}

@MainActor
struct CooperativeRules {
  private func store(_ effects: [Int: Effect<Int>]) -> Store<[Int], Int> {
    Store(initialState: [Int](), reducer: { Numbers(effects: effects) }, effects: .cooperative)
  }

  @Test func whatAClosureSendsBeforeItsFirstSuspensionIsHandledBeforeSendReturns() {
    let store = store([
      1: .run { send in
        await send(2)
        await send(3)
      }
    ])
    let task = store.send(1)
    #expect(store.state == [1, 2, 3])
    #expect(task.isFinished)
  }

  @Test func onAStoreActorAsWell() async {
    let store = StoreActor(
      initialState: [Int](), reducer: { Numbers(effects: [1: .run { send in await send(2) }]) },
      effects: .cooperative)
    let state = await store.perform { store in
      store.send(1)
      return store.state
    }
    #expect(state == [1, 2])
  }

  @Test func aConcatenationOfManyIsOneTurn() {
    let one = Effect<Int>.run { send in await send(0) }
    let store = store([1: .concatenate(repeatElement(one, count: 500))])
    store.send(1)
    #expect(store.state.count == 501)
  }

  @Test func aClosureThatWaitsGoesOnInALaterTurn() async {
    let clock = TestClock()
    let store = store([
      1: .run { send in
        await send(2)
        try await clock.sleep(for: .seconds(1))
        await send(3)
      }
    ])
    let task = store.send(1)
    #expect(store.state == [1, 2])
    await clock.advance(by: .seconds(1))
    await task.finish()
    #expect(store.state == [1, 2, 3])
  }

  @Test func itRunsOnTheMainActor() {
    let onMain = Flag()
    let store = store([1: .run { _ in if isOnMainQueue() { onMain.raise() } }])
    store.send(1)
    #expect(onMain.count == 1)
  }

  @Test func anEffectCanChooseForItself() async {
    let ownTurn = Flag()
    let store = Store(initialState: [Int]()) {
      Numbers(effects: [
        1: .merge(
          .run { send in await send(2) }.cooperative(),
          .run { send in if !isOnMainQueue() { ownTurn.raise() } })
      ])
    }
    let task = store.send(1)
    #expect(store.state == [1, 2])
    await task.finish()
    #expect(ownTurn.count == 1)
  }

  @Test func anActionOfACooperativeEffectStartsItsOwnEffectsWhereTheyBelong() async {
    let elsewhere = Flag()
    let store = Store(initialState: [Int]()) {
      Numbers(effects: [
        1: .run { send in await send(2) }.cooperative(),
        2: .run { _ in if !isOnMainQueue() { elsewhere.raise() } },
      ])
    }
    await store.send(1).finish()
    #expect(elsewhere.count == 1)
  }

  @Test func aCancelledClosureEnds() async {
    let ended = Flag()
    let store = store([
      1: .run { _ in
        try? await Task.never()
        ended.raise()
      }
      .cancellable(id: "id"),
      2: .cancel(id: "id"),
    ])
    let task = store.send(1)
    store.send(2)
    await task.finish()
    await eventually { ended.count == 1 }
  }

  @Test func aCancelledClosureGoesOnAtTheEndOfTheTurnThatCancelsIt() {
    let ended = Flag()
    let wait = Effect<Int>.run { send in
      try? await Task.never()
      ended.raise()
      await send(3)
    }
    let store = store([1: wait.cancellable(id: "id"), 2: .cancel(id: "id")])
    store.send(1)
    store.send(2)
    #expect(ended.count == 1)
    store.send(1).cancel()
    #expect(ended.count == 2)
    #expect(store.state == [1, 2, 1])
  }

  @Test(arguments: [false, true])
  func aClosureEndsWhenItsStoreIsReleased(onActor: Bool) async {
    let (begun, ended) = (Flag(), Flag())
    let effect = Effect<Int>.run { _ in
      begun.raise()
      try? await Task.never()
      ended.raise()
    }
    if onActor {
      let store = StoreActor(
        initialState: [Int](), reducer: { Numbers(effects: [1: effect]) }, effects: .cooperative)
      await store.send(1)
    } else {
      store([1: effect]).send(1)
    }
    #expect(begun.count == 1)
    await eventually { ended.count == 1 }
  }

  @Test func aClosureThatYieldsForEverLeavesTheStoreItsTurns() {
    let end = Flag()
    let store = store([1: .run { _ in while end.count == 0 { await Task.yield() } }])
    store.send(1)
    store.send(2)
    #expect(store.state == [1, 2])
    end.raise()
  }

  @Test func anObservingClosureThatSendsIsNotWokenByWhatTheEffectReads() async {
    let store = store([1: .run { send in await send(2) }])
    let runs = Flag()
    let token = observe {
      runs.raise()
      if runs.count == 1 { store.send(1) }
    }
    await eventually { store.state == [1, 2] }
    #expect(runs.count == 1)
    token.cancel()
  }

  @Test func aClosureThatIsStartedWhileAnotherStoreShowsACommitRunsLater() async {
    let log = LockIsolated<[String]>([])
    let first = store([1: .run { _ in log.withValue { $0.append("ran") } }])
    let second = store([:])
    var task: StoreTask?
    let subscription = second.subscribe { _ in
      task = first.send(1)
      log.withValue { $0.append("sent") }
    }
    second.send(1)
    await task?.finish()
    #expect(log.value == ["sent", "ran"])
    subscription.cancel()
  }

  @Test func anEffectSeesNeitherTheTransactionNorTheDependenciesOfItsSender() async {
    let animation = Flag()
    let store = store([
      1: .run { _ in if Transaction.current.isEmpty { animation.raise() } }
    ])
    withTransaction(Transaction(animation: .default)) { _ = store.send(1) }
    #expect(animation.count == 1)
  }
}

/// Lets other tasks run until a condition holds.
@MainActor
private func eventually(_ condition: () -> Bool) async {
  while !condition() { await Task.yield() }
}
