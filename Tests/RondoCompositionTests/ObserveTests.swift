// R7: closures that run after every change of what they have read.

import Dispatch
import Observation
import Rondo
import Testing

@MainActor @Suite struct ObserveTests {
  // R7
  @Test func whatAnEffectAnswersWhileAClosureRunsIsShown() {
    let scheduler = DispatchQueue.test
    let store = Store(initialState: 0) {
      Reduce<Int, String> { state, action in
        state += 1
        return action == "tap"
          ? .send("answer").delay(for: 1, scheduler: scheduler) : .none
      }
    }
    store.send("tap")
    var shown: [Int] = []
    let token = observe {
      shown.append(store.state)
      scheduler.advance(by: 1)
    }
    #expect(shown == [1, 2])
    token.cancel()
  }

  // MARK: When it runs

  // R7
  @Test func aClosureRunsAtOnceAndBeforeEverySendReturns() {
    let store = Store(initialState: Item.State()) { Item() }
    var counts: [Int] = []
    let token = observe { counts.append(store.count) }
    #expect(counts == [0])
    store.send(.count)
    #expect(counts == [0, 1])
    store.send(.count)
    #expect(counts == [0, 1, 2])
    token.cancel()
  }

  // R7
  @Test func aClosureIsNotWokenByWhatItDidNotRead() {
    let store = Store(initialState: Item.State()) { Item() }
    var runs = 0
    let token = observe {
      runs += 1
      _ = store.count
    }
    store.send(.name("Blob"))
    store.send(.sameCount)
    #expect(runs == 1)
    token.cancel()
  }

  // R7
  @Test func aStateThatIsNotObservedByFieldIsObservedAsAWhole() {
    let store = Store(initialState: Parent.State()) { Parent() }
    let part = store.scope(state: \.part, action: \.part)
    var counts: [[Int]] = []
    let token = observe { counts.append([store.part.count, part.count]) }
    part.send(.incrementTwice)
    store.send(.set(nil))
    #expect(counts == [[0, 0], [2, 2]])
    token.cancel()
  }

  // R7
  @Test func aClosureReadsWhatItDidNotReadBefore() {
    let store = Store(initialState: Item.State()) { Item() }
    var shown: [String] = []
    let token = observe { shown.append(store.count == 0 ? "none" : store.name) }
    store.send(.name("Blob"))
    store.send(.count)
    store.send(.name("Blob, Jr."))
    #expect(shown == ["none", "Blob", "Blob, Jr."])
    token.cancel()
  }

  // R2
  @Test func aClosureRunsOncePerCommit() {
    let store = tagging(["tap": .send("answer")])
    var counts: [Int] = []
    let token = observe { counts.append(store.count) }
    store.send("tap")
    #expect(counts == [0, 2])
    token.cancel()
  }

  // R2
  @Test func aClosureRunsOncePerTransaction() {
    let store = tagging([
      "tap": .merge(
        .send("answer", animation: .easeIn), .send("more", animation: .easeIn),
        .send("last", animation: .linear))
    ])
    var log: [String] = []
    let token = observe { log.append("\(store.count) \($0)") }
    store.send("tap", animation: .default)
    #expect(log == ["0 untagged", "1 .default", "3 .easeIn", "4 .linear"])
    token.cancel()
  }

  // R7
  @Test func halfOfAChangeIsNeverSeen() {
    let other = Store(initialState: Item.State()) { Item() }
    let store = Store(initialState: Item.State()) {
      Reduce<Item.State, Item.Action> { state, _ in
        state.count += 1
        // No reducer should, but a client that it calls may.
        MainActor.assumeIsolated { _ = other.send(.count) }
        state.name += "I"
        return .none
      }
    }
    var shown: [String] = []
    let both = observe { shown.append("\(store.count) \(store.name) \(other.count)") }
    let one = observe { shown.append("\(store.name) \(other.count)") }
    store.send(.count)
    #expect(shown == ["0  0", " 0", "1 I 1", "I 1"])
    both.cancel()
    one.cancel()
  }

  // R6
  @Test func aClosureIsWokenByAnEffect() async {
    let scheduler = DispatchQueue.test
    let store = tagging([
      "tap": .send("answer").delay(for: 1, scheduler: scheduler).animation(.easeOut)
    ])
    var log: [String] = []
    let token = observe { log.append("\(store.count) \($0)") }
    store.send("tap")
    await scheduler.advance(by: 1)
    #expect(log == ["0 untagged", "1 untagged", "2 .easeOut"])
    token.cancel()
  }

  // R7
  @Test func subscribersComeFirst() {
    let store = tagging([:])
    var log: [String] = []
    let token = observe { log.append("observe \(store.count)") }
    let subscription = store.subscribe { log.append("subscribe \($0.newState.count)") }
    store.send("tap")
    #expect(log == ["observe 0", "subscribe 1", "observe 1"])
    token.cancel()
    subscription.cancel()
  }

  // R7
  @Test func closuresRunInTheOrderInWhichTheyBegan() {
    let store = Store(initialState: Item.State()) { Item() }
    var order: [Int] = []
    let tokens = (0..<100).map { number in
      observe {
        _ = store.count
        order.append(number)
      }
    }
    order = []
    store.send(.count)
    #expect(order == Array(0..<100))
    #expect(tokens.count == 100)
  }

  // R7
  @Test func aStoreThatIsChangedByAnObserverOfAnotherKeepsItsOwnTransaction() {
    let first = tagging([:])
    let second = tagging([:])
    var log: [String] = []
    let subscription = first.subscribe { _ in second.send("tap", animation: .linear) }
    let token = observe { log.append("\(first.count) \($0)") }
    first.send("tap", animation: .easeIn)
    #expect(log == ["0 untagged", "1 .easeIn"])
    token.cancel()
    subscription.cancel()
  }

  // R28
  @Test func theTransactionIsNotAmbient() {
    let store = tagging([:])
    var ambient: [Transaction] = []
    let token = withAnimation {
      observe {
        _ = store.count
        ambient.append(.current)
      }
    }
    withAnimation { _ = store.send("tap") }
    #expect(ambient == [Transaction(), Transaction()])
    token.cancel()
  }

  // R25
  @Test func aCompletionWaitsForTheClosure() {
    let store = tagging([:])
    var log: [String] = []
    let token = observe { log.append("\(store.count)") }
    withAnimation {
      _ = store.send("tap")
    } completion: {
      log.append("complete")
    }
    #expect(log == ["0", "1", "complete"])
    token.cancel()
  }

  // MARK: Its end

  // R7
  @Test func aCancelledClosureDoesNotRun() {
    let store = tagging([:])
    var runs = 0
    let token = observe {
      _ = store.count
      runs += 1
    }
    token.cancel()
    store.send("tap")
    #expect(runs == 1)
  }

  // R7
  @Test func aClosureThatCancelsItselfDoesNotRunAgain() {
    let store = tagging([:])
    var runs = 0
    var token: ObserveToken?
    token = observe {
      runs += 1
      if store.count == 1 { token?.cancel() }
    }
    store.send("tap")
    store.send("tap")
    #expect(runs == 2)
  }

  // R7
  @Test func aReleasedTokenReleasesItsClosure() {
    let store = tagging([:])
    var runs = 0
    weak var held: Model?
    do {
      let model = Model()
      held = model
      let token = observe {
        runs += store.count + model.count + 1
      }
      _ = token
    }
    #expect(held == nil)
    store.send("tap")
    #expect(runs == 1)
  }

  // R7
  @Test func aCancelledTokenReleasesItsClosure() {
    weak var held: Model?
    let token: ObserveToken
    do {
      let model = Model()
      held = model
      token = observe { _ = model.count }
    }
    #expect(held != nil)
    token.cancel()
    #expect(held == nil)
  }

  // R7
  @Test func aSetKeepsItsTokens() {
    let store = tagging([:])
    var runs = 0
    var tokens: Set<ObserveToken> = []
    for _ in 1...2 {
      observe {
        _ = store.count
        runs += 1
      }
      .store(in: &tokens)
    }
    #expect(tokens.count == 2)
    store.send("tap")
    #expect(runs == 4)
    tokens = []
    store.send("tap")
    #expect(runs == 4)
  }

  // R5
  @Test func aClosureMayLetGoOfTheStore() async {
    let scheduler = DispatchQueue.test
    var store: Store<Tagged, String>? = tagging([
      "tap": .send("answer").delay(for: 1, scheduler: scheduler),
      "answer": .send("more", animation: .default),
    ])
    var counts: [Int?] = []
    let token = observe {
      counts.append(store?.count)
      if store?.count == 2 { store = nil }
    }
    store?.send("tap")
    await scheduler.advance(by: 1)
    #expect(counts == [0, 1, 2])
    token.cancel()
  }

  // MARK: Sending

  // R1
  @Test func whatAClosureSendsIsHandledWhenItHasReturned() {
    let store = tagging([:])
    var log: [String] = []
    let token = observe {
      log.append("begin \(store.count)")
      if store.count < 3 { store.send("tap") }
      log.append("end \(store.count)")
    }
    #expect(
      log == [
        "begin 0", "end 0", "begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3",
      ])
    token.cancel()
  }

  // R1
  @Test func whatAClosureSendsToAnotherStoreIsShown() {
    let first = tagging([:])
    let second = tagging([:])
    var counts: [[Int]] = []
    let token = observe {
      counts.append([first.count, second.count])
      if first.count > second.count { second.send("tap") }
    }
    first.send("tap")
    #expect(counts == [[0, 0], [1, 0], [1, 1]])
    token.cancel()
  }

  // R4
  @Test func whatAClosureSendsCanBeWaitedFor() async {
    let store = tagging(["tap": .run { send in await send("answer") }])
    var task: StoreTask?
    let token = observe {
      if task == nil { task = store.send("tap") }
    }
    await task?.finish()
    #expect(store.count == 2)
    token.cancel()
  }

  // R28
  @Test func whatAClosureSendsIsUntagged() {
    let store = tagging([:])
    var log: [String] = []
    let token = observe {
      log.append("\(store.count) \($0)")
      if store.count == 1 { store.send("more") }
    }
    store.send("tap", animation: .default)
    #expect(log == ["0 untagged", "1 .default", "2 untagged"])
    token.cancel()
  }

  // MARK: Inside of each other

  // R7
  @Test func anInnerClosureDoesNotWakeTheOuterOne() {
    let store = Store(initialState: Item.State()) { Item() }
    var log: [String] = []
    var inner: ObserveToken?
    let outer = observe {
      log.append("outer \(store.count)")
      inner = observe { log.append("inner \(store.name)") }
      log.append("end")
    }
    #expect(log == ["outer 0", "end", "inner "])
    log = []
    store.send(.name("Blob"))
    #expect(log == ["inner Blob"])
    log = []
    store.send(.count)
    #expect(log == ["outer 1", "end", "inner Blob"])
    inner?.cancel()
    outer.cancel()
  }

  // R7
  @Test func anInnerClosureThatIsLetGoOfNeverRuns() {
    var runs = 0
    let outer = observe {
      _ = observe { runs += 1 }
    }
    #expect(runs == 0)
    outer.cancel()
  }

  // MARK: Children

  // C3
  @Test func theViewOfAChildEndsBeforeItShowsAChildThatIsGone() {
    let store = Store(initialState: ItemBox.State()) { ItemBox() }
    var log: [String] = []
    var child: ObserveToken?
    let parent = observe {
      guard let item = store.scope(state: \.item, action: \.item) else {
        child = nil
        return log.append("closed")
      }
      log.append("open")
      child = observe { log.append("count \(item.count)") }
    }
    store.send(.open)
    store.send(.item(.count))
    store.send(.close)
    #expect(log == ["closed", "open", "count 0", "count 1", "closed"])
    store.send(.open)
    store.send(.item(.count))
    #expect(log.suffix(3) == ["open", "count 0", "count 1"])
    #expect(child != nil)
    parent.cancel()
  }

  // C3
  @Test func theViewOfAChildThatIsGoneShowsWhatItKnew() {
    let store = Store(initialState: Parent.State(child: Child.State(count: 3))) { Parent() }
    let child = store.scope(state: \.child, action: \.child)!
    var counts: [Int] = []
    let token = observe { counts.append(child.count) }
    child.send(.increment)
    store.send(.set(nil))
    store.send(.set(Child.State(id: 1, count: 10)))
    #expect(counts == [3, 4, 4, 4])
    token.cancel()
  }

  // C3
  @Test func theViewsOfRowsAreWokenOneByOne() {
    let store = Store(initialState: ItemBox.State()) { ItemBox() }
    var log: [String] = []
    var rows: [Int: ObserveToken] = [:]
    let list = observe {
      let items = store.scope(state: \.items, action: \.items)
      log.append("rows \(items.ids)")
      rows = rows.filter { items.ids.contains($0.key) }
      for item in items where rows[item.id] == nil {
        rows[item.id] = observe { log.append("\(item.id): \(item.count)") }
      }
    }
    #expect(log == ["rows [1, 2]", "1: 0", "2: 0"])
    log = []
    store.send(.items(.element(id: 2, action: .count)))
    #expect(log == ["2: 1"])
    log = []
    store.send(.add)
    store.send(.items(.element(id: 3, action: .count)))
    #expect(log.contains("rows [1, 2, 3]"))
    #expect(log.last == "3: 1")
    list.cancel()
  }

  // C3
  @Test func theViewOfARemovedRowShowsWhatItKnew() {
    let store = Store(
      initialState: Parent.State(rows: [Child.State(id: 1), Child.State(id: 2)])
    ) { Parent() }
    let row = store.scope(state: \.rows, action: \.rows)[1]
    var counts: [Int] = []
    let token = observe { counts.append(row.count) }
    row.send(.increment)
    store.send(.setRows([Child.State(id: 1, count: 7)]))
    #expect(counts == [0, 1, 1])
    token.cancel()
  }

  // MARK: Other models

  // R7
  @Test func aModelIsShownInTheNextTurn() async {
    let model = Model()
    var counts: [Int] = []
    let token = observe { counts.append(model.count) }
    model.count = 1
    model.count = 2
    #expect(counts == [0])
    await nextTurn()
    #expect(counts == [0, 2])
    model.count = 3
    await nextTurn()
    #expect(counts == [0, 2, 3])
    token.cancel()
  }

  // R26
  @Test func theTransactionOfAModelIsTheAmbientOne() async {
    let model = Model()
    var log: [String] = []
    let token = observe { log.append("\(model.count) \($0.animation.map { "\($0)" } ?? "none")") }
    withAnimation(.easeIn) {
      model.count = 1
    } completion: {
      log.append("complete")
    }
    await nextTurn()
    #expect(log == ["0 none", "1 .easeIn", "complete"])
    token.cancel()
  }

  // R7
  @Test func viewsOfAModelRunInTheOrderInWhichTheyBegan() async {
    let model = Model()
    var order: [Int] = []
    let tokens = (0..<100).map { number in
      observe {
        _ = model.count
        order.append(number)
      }
    }
    order = []
    model.count = 1
    await nextTurn()
    #expect(order == Array(0..<100))
    #expect(tokens.count == 100)
  }

  // R7
  @Test func aViewThatEndsBeforeTheNextTurnDoesNotRun() async {
    let model = Model()
    var runs = 0
    var tokens = (1...2).map { _ in
      observe {
        _ = model.count
        runs += 1
      }
    }
    model.count = 1
    tokens[0].cancel()
    tokens.removeLast()
    await nextTurn()
    #expect(runs == 2)
  }

  // R7
  @Test func aModelThatAReducerChangesIsShownWithTheCommit() {
    let model = Model()
    let store = Store(initialState: 0) {
      Reduce<Int, Void> { state, _ in
        MainActor.assumeIsolated { model.count += 1 }
        state += 1
        return .none
      }
    }
    var log: [String] = []
    let token = observe { log.append("\(model.count) \($0)") }
    store.send((), animation: .default)
    #expect(log == ["0 untagged", "1 .default"])
    token.cancel()
  }

  // C12
  @Test func aSharedValueIsShownWithTheCommitThatChangesIt() {
    let shared = Shared(value: 0)
    let store = Store(initialState: shared) {
      Reduce<Shared<Int>, Int> { state, action in
        state.withLock { $0 += action }
        return .none
      }
    }
    var log: [String] = []
    let token = observe { log.append("\(shared.wrappedValue) \($0)") }
    store.send(2, animation: .default)
    #expect(log == ["0 untagged", "2 .default"])
    token.cancel()
  }

  // C12
  @Test func aSharedValueThatAnotherThreadChangesIsShown() async {
    let shared = Shared(value: 0)
    var values: [Int] = []
    let token = observe { values.append(shared.wrappedValue) }
    await Task.detached { shared.withLock { $0 = 1 } }.value
    await nextTurn()
    #expect(values == [0, 1])
    token.cancel()
  }

  // R7
  @Test func aModelThatAClosureChangesWakesTheOthers() {
    let model = Model()
    let store = tagging([:])
    var log: [String] = []
    let reader = observe { log.append("model \(model.count) \($0)") }
    let writer = observe { model.count = store.count }
    log = []
    store.send("tap", animation: .default)
    #expect(log == ["model 1 untagged"])
    reader.cancel()
    writer.cancel()
  }
}

@MainActor @Observable private final class Model {
  var count = 0
}

/// Counts its actions.
private struct Tagged: Equatable {
  var count = 0
}

@MainActor
private func tagging(_ effects: [String: Effect<String>]) -> Store<Tagged, String> {
  Store(initialState: Tagged()) {
    Reduce { state, action in
      state.count += 1
      return effects[action] ?? .none
    }
  }
}
