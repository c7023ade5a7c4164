// R26 to R29, PF7: which tag an action arrives with.

import Dispatch
import Rondo
import RondoRuntimeTestSupport
import Testing

@MainActor @Suite struct TransactionTaggingTests {
  private let scheduler = DispatchQueue.test

  private func log(
    _ effects: [String: Effect<String>],
    label: @escaping (Transaction) -> String = { "\($0)" }
  ) -> [String] {
    let store = script(effects)
    let log = TagLog(store, label: label)
    store.send("tap")
    scheduler.run()
    return log.entries
  }

  // MARK: Capture and precedence

  // R26
  @Test func anActionIsTaggedByTheTransactionAroundItsSend() {
    let store = script([:])
    let log = TagLog(store)
    withAnimation { _ = store.send("a") }
    store.send("b")
    #expect(log.entries == ["a .default", "b untagged"])
  }

  // R26
  @Test func whatTheSendSaysWinsOverWhatIsAroundItSlotBySlot() {
    var around = Transaction(tag: "around")
    around.animation = .default
    let store = script([:])
    let log = TagLog(store) { "\($0.animation.map { "\($0)" } ?? "nil") \($0.tag)" }
    withTransaction(around) {
      _ = store.send("a", transaction: Transaction(tag: "call"))
      _ = store.send("b", animation: nil)
    }
    #expect(log.entries == ["a .default call", "b nil around"])
  }

  // R26
  @Test func operatorsAndSchedulersWinOutsideIn() {
    let tagged = scheduler.transaction(\.tag, "scheduler")
    #expect(
      log(
        [
          "tap": .merge(
            .send("a").transaction(Transaction(tag: "inner")).receive(on: tagged),
            .send("b").receive(on: tagged).transaction(Transaction(tag: "outer")))
        ], label: \.tag) == ["tap -", "a scheduler", "b outer"])
  }

  // R26
  @Test func whatTheCallInARunSaysWinsOverEverythingElse() async {
    let store = script([
      "tap": .run { send in await send("a", transaction: Transaction(tag: "call")) }
        .transaction(Transaction(tag: "operator"))
        .receive(on: DispatchQueue.immediate.transaction(\.tag, "scheduler"))
    ])
    let log = TagLog(store, label: \.tag)
    await store.send("tap").finish()
    #expect(log.entries == ["tap -", "a call"])
  }

  // R26
  @Test func animationNilSilencesAnAnimationFurtherIn() {
    #expect(
      log(["tap": .send("a").animation().animation(nil)]) == ["tap untagged", "a nil"])
  }

  // MARK: Inheritance

  // R28
  @Test func aSchedulerEndsTheInheritance() {
    let store = script([
      "tap": .merge(
        .send("delayed").delay(for: 1, scheduler: scheduler),
        .send("received").receive(on: scheduler),
        .send("debounced").debounce(id: 1, for: 1, scheduler: scheduler),
        .send("immediate").receive(on: DispatchQueue.immediate))
    ])
    let log = TagLog(store)
    store.send("tap", animation: .default)
    scheduler.run()
    #expect(
      log.entries == [
        "tap .default", "immediate untagged", "received untagged", "delayed untagged",
        "debounced untagged",
      ])
  }

  // R28
  @Test func theBodyOfARunBeginsUntagged() async {
    let ambient = Log<Transaction>()
    let store = script([
      "tap": .merge(
        .run { _ in ambient.append(.current) },
        .future { callback in
          ambient.append(.current)
          callback("a")
        })
    ])
    await withAnimation { store.send("tap") }.finish()
    #expect(ambient.entries == [Transaction(), Transaction()])
  }

  // MARK: No leaks

  // R28
  @Test func workScheduledFromInsideTaggedWorkOnAnUntaggedSchedulerIsUntagged() {
    #expect(
      log([
        "tap": .send("a").receive(on: scheduler.animation()).receive(on: scheduler).flatMap {
          .send($0).delay(for: 1, scheduler: DispatchQueue.test)
        }
      ]) == ["tap untagged"])
    #expect(
      log([
        "tap": .send("a").receive(on: scheduler.animation()),
        "a": .send("b").receive(on: scheduler),
        "b": .send("c").receive(on: DispatchQueue.immediate),
      ]) == ["tap untagged", "a .default", "b untagged", "c untagged"])
  }

  // R28
  @Test func anActionSentByAnObserverOfATaggedCommitIsUntagged() {
    let store = script([:])
    let log = TagLog(store)
    let subscription = store.subscribe { [unowned store] in
      if $0.actions == ["tap"] { store.send("observed") }
    }
    store.send("tap", animation: .default)
    #expect(log.entries == ["tap .default", "observed untagged"])
    subscription.cancel()
  }

  // R28
  @Test func whatATaggedSchedulerDeliversIsHandledOutsideOfItsTransaction() {
    let ambient = Log<Transaction>()
    let tagged = scheduler.animation()
    let store = script { action in
      ambient.append(.current)
      return action == "tap" ? .send("a").receive(on: tagged) : .none
    }
    let log = TagLog(store)
    let subscription = store.subscribe { [unowned store] in
      ambient.append(.current)
      if $0.actions == ["a"] { store.send("observed") }
    }
    store.send("tap")
    scheduler.run()
    #expect(log.entries == ["tap untagged", "a .default", "observed untagged"])
    #expect(ambient.entries.allSatisfy { $0.isEmpty })
    subscription.cancel()
  }

  // MARK: Survival

  // R27
  @Test func aTagSurvivesReentrancy() {
    let store = script([:])
    let log = TagLog(store)
    let subscription = store.subscribe { [unowned store] in
      if $0.actions == ["tap"] { withAnimation { _ = store.send("observed") } }
    }
    store.send("tap")
    #expect(log.entries == ["tap untagged", "observed .default"])
    subscription.cancel()
  }

  // R27
  @Test(arguments: Carrier.allCases)
  fileprivate func aTagSurvives(_ carrier: Carrier) {
    let tagged = Effect<String>.send("a").animation()
    let effect: Effect<String> =
      switch carrier {
      case .scan: tagged.scan("") { $0 + $1 }
      case .prefix: tagged.prefix(1)
      case .delayedFlatMap:
        tagged.flatMap { [scheduler] in .send($0).delay(for: 1, scheduler: scheduler) }
      case .timeout: tagged.timeout(1, scheduler: scheduler)
      case .cancellable: tagged.cancellable(id: 1)
      case .waiting:
        .merge(
          .send("b").delay(for: 1, scheduler: scheduler).cancellable(id: 1, policy: .atMost(1)),
          tagged.cancellable(id: 1, policy: .atMost(1)))
      case .scope: tagged.scoped(to: "child")
      }
    #expect(log(["tap": effect]).contains("a .default"))
    #expect(!log(["tap": effect]).contains("b .default"))
  }

  // R27
  @Test func aThrottledEmissionKeepsItsOwnTag() {
    #expect(
      log([
        "tap": .merge(.send("a"), .send("b"), .send("c").animation())
          .throttle(id: 1, for: 1, scheduler: scheduler, latest: true)
      ]) == ["tap untagged", "a untagged", "c .default"])
  }

  // MARK: Rows of the animation page

  // PF7
  @Test func tagsComeFromADirectSendFromABindingAndFromAnEffect() {
    let store = script(["a": .send("effect").receive(on: scheduler.animation())])
    // A binding is a closure that writes inside a transaction of its own.
    func binding(_ transaction: Transaction) -> (String) -> Void {
      { value in withTransaction(transaction) { _ = store.send("binding \(value)") } }
    }
    let log = TagLog(store)
    store.send("a", animation: .default)
    binding(Transaction(animation: .default))("b")
    binding(Transaction())("c")
    scheduler.run()
    #expect(
      log.entries == [
        "a .default", "binding b .default", "binding c untagged", "effect .default",
      ])
  }
}

private enum Carrier: CaseIterable {
  case scan, prefix, delayedFlatMap, timeout, cancellable, waiting, scope
}
