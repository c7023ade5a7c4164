// R7: the ways of watching a store.

import Dispatch
import Observation
import Rondo
import Testing
import RondoRuntimeTestSupport

@MainActor @Suite struct ObservationTests {
  // R7
  @Test func trackingLearnsOfTheNextChangeOnce() {
    let store = counter()
    var changes = 0
    withObservationTracking {
      _ = store.state
    } onChange: {
      MainActor.assumeIsolated { changes += 1 }
    }
    store.send(0)
    #expect(changes == 0)
    store.send(1)
    store.send(1)
    #expect(changes == 1)
  }

  // R7
  @Test func trackingOfAMemberLearnsOfAChange() {
    let store = counter()
    var changes = 0
    withObservationTracking {
      _ = store.count
    } onChange: {
      MainActor.assumeIsolated { changes += 1 }
    }
    store.send(1)
    #expect(changes == 1)
  }

  // R7
  @Test func trackingLearnsOfAChangeThatComesFromAnEffect() async {
    let scheduler = DispatchQueue.test
    let store = Store(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state = action
        return action == 1 ? .send(2).delay(for: 1, scheduler: scheduler) : .none
      }
    }
    store.send(1)
    var changes = 0
    withObservationTracking {
      _ = store.state
    } onChange: {
      MainActor.assumeIsolated { changes += 1 }
    }
    await scheduler.advance(by: 1)
    #expect(changes == 1)
  }

  // R7
  @Test func observationsDeliverTheLatestState() async {
    let store = counter()
    let observations = Observations { store.count }
    var counts: [Int] = []
    for await count in observations {
      counts.append(count)
      if count == 3 { break }
      store.send(1)
    }
    #expect(counts == [0, 1, 2, 3])
  }

  // R7
  @Test func statesAreTheOneNowAndEveryChangedOne() async {
    var store: Store? = counter()
    let states = store!.states
    for action in [1, 0, 2] { store!.send(action) }
    store = nil
    var counts: [Int] = []
    for await state in states { counts.append(state.count) }
    #expect(counts == [0, 1, 3])
  }

  // R7
  @Test func commitsAreAllFromNowOnWithTheirTransactions() async {
    var store: Store? = counter()
    store!.send(1)
    let commits = store!.commits
    store!.send(1, animation: .default)
    store!.send(0)
    store = nil
    var log: [String] = []
    for await commit in commits {
      log.append("\(commit.oldState.count) \(commit.newState.count) \(commit.transaction)")
    }
    #expect(log == ["1 2 .default", "2 2 untagged"])
  }

  // R7
  @Test func aSubscriberGetsTheCommitBeforeSendReturns() {
    let store = counter()
    var log: [String] = []
    let subscription = store.subscribe { commit in
      log.append("\(commit.oldState.count) \(commit.newState.count) \(commit.actions)")
    }
    store.send(2)
    #expect(log == ["0 2 [2]"])
    subscription.cancel()
    store.send(2)
    #expect(log == ["0 2 [2]"])
  }

  // R7
  @Test func aSubscriptionEndsWhenItIsReleased() {
    let store = counter()
    var calls = 0
    var subscription: AnyCancellable? = store.subscribe { _ in calls += 1 }
    store.send(1)
    #expect(subscription != nil)
    subscription = nil
    store.send(1)
    #expect(calls == 1)
  }

  // R7
  @Test func observersSeeNoTransactionAroundThem() {
    let store = counter()
    var ambient: [Transaction] = []
    let subscription = store.subscribe { _ in ambient.append(.current) }
    withAnimation { _ = store.send(1) }
    #expect(ambient == [Transaction()])
    subscription.cancel()
  }

  // R7
  @Test func aReaderThatStopsIsForgotten() async {
    let store = counter()
    for await state in store.states {
      #expect(state.count == 0)
      break
    }
    store.send(1)
    #expect(store.count == 1)
  }
}

private struct Count: Equatable, Sendable {
  var count = 0
}

@MainActor
private func counter() -> Store<Count, Int> {
  Store(initialState: Count()) {
    Reduce { state, action in
      state.count += action
      return .none
    }
  }
}
