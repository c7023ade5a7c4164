// R12, R13, R14: cancelling effects by their ids.

import Dispatch
import Rondo
import Testing
import RondoRuntimeTestSupport

@MainActor @Suite struct CancellationTests {
  private let scheduler = DispatchQueue.test

  private func wait(_ word: String) -> Effect<String> {
    .send(word).delay(for: 1, scheduler: scheduler)
  }

  // MARK: R12

  // R12
  @Test func aCancelEarlierInTheSameMergeDoesNotReachTheEffect() {
    let store = script(["tap": .merge(.cancel(id: 1), wait("a").cancellable(id: 1))])
    store.send("tap")
    scheduler.run()
    #expect(store.state == ["tap", "a"])
  }

  // R12
  @Test func aCancelReturnedByTheVeryNextActionFindsTheEffect() async {
    let hasBegun = Log<String>()
    let store = script([
      "tap": .merge(
        .run { send in
          hasBegun.append("began")
          await Task.yield()
          await send("a")
        }
        .cancellable(id: 1),
        .send("next")),
      "next": .cancel(id: 1),
    ])
    await store.send("tap").finish()
    #expect(store.state == ["tap", "next"])
  }

  // R12
  @Test func anEffectIsRegisteredBeforeAnythingOfItRuns() {
    let store = script([
      "tap": .concatenate(.cancel(id: 1), .send("a")).cancellable(id: 1)
    ])
    #expect(store.send("tap").isFinished)
    #expect(store.state == ["tap"])
  }

  // R12
  @Test func anEffectThatIsUnderOneIDTwiceDoesNotCancelItself() {
    let store = script { word in
      guard word != "answer", word != "cancel" else {
        return word == "cancel" ? .cancel(id: 1) : .none
      }
      return .send("answer").delay(for: 1, scheduler: scheduler)
        .cancellable(id: 1, cancelInFlight: true).cancellable(id: 1, cancelInFlight: true)
    }
    store.send("one")
    store.send("two")
    scheduler.run()
    #expect(store.state == ["one", "two", "answer"])
    store.send("three")
    store.send("cancel")
    scheduler.run()
    #expect(store.state == ["one", "two", "answer", "three", "cancel"])
  }

  // R12
  @Test func whatIsDebouncedDoesNotCancelItself() {
    let store = script([
      "tap": wait("answer").cancellable(id: 1, cancelInFlight: true)
        .debounce(id: 1, for: 1, scheduler: scheduler)
    ])
    store.send("tap")
    store.send("tap")
    scheduler.run()
    #expect(store.state == ["tap", "tap", "answer"])
  }

  // R12, R15
  @Test func aPieceOfAClosureDoesNotCancelTheEffectThatItIsAPartOf() async {
    let store = script([
      "tap": .run { send in
        await withTaskCancellation(id: 1, cancelInFlight: true) { await send("piece") }
        await send("rest")
      }
      .cancellable(id: 1, cancelInFlight: true)
    ])
    await store.send("tap").finish()
    #expect(store.state == ["tap", "piece", "rest"])
  }

  // R12
  @Test func anEffectCanBeCancelledByEachOfItsIDs() {
    let effect = wait("answer").cancellable(id: "inner").cancellable(id: "outer")
    let store = script([
      "tap": effect, "inner": .cancel(id: "inner"), "outer": .cancel(id: "outer"),
    ])
    store.send("tap")
    store.send("inner")
    store.send("tap")
    store.send("outer")
    scheduler.run()
    #expect(store.state == ["tap", "inner", "tap", "outer"])
  }

  // R12
  @Test func anEffectThatHasEndedIsNotFound() {
    let store = script([
      "tap": .concatenate(.send("a").cancellable(id: 1), wait("b")), "cancel": .cancel(id: 1),
    ])
    store.send("tap")
    store.send("cancel")
    scheduler.run()
    #expect(store.state == ["tap", "a", "cancel", "b"])
  }

  // MARK: R13

  // R13
  @Test func idsOfDifferentTypesAreDifferent() {
    enum Load { case id }
    enum Save { case id }
    let store = script([
      "tap": .merge(
        wait("load").cancellable(id: Load.id), wait("save").cancellable(id: Save.id),
        wait("8").cancellable(id: 8 as UInt8), wait("16").cancellable(id: 8 as UInt16),
        .cancel(id: Load.id), .cancel(id: 8 as UInt8))
    ])
    store.send("tap")
    scheduler.run()
    #expect(store.state == ["tap", "save", "16"])
  }

  // R13
  @Test func idsAreEqualByTypeAndValue() {
    enum Numbers: Int { case one = 1 }
    enum Others: Int { case one = 1 }
    let store = script([
      "tap": .merge(
        wait("number").cancellable(id: Numbers.one), wait("other").cancellable(id: Others.one)),
      "cancel": .cancel(id: Numbers.one),
    ])
    store.send("tap")
    store.send("cancel")
    scheduler.run()
    #expect(store.state == ["tap", "cancel", "other"])
  }

  // R13
  @Test func aParentsCancelReachesItsChildrenAndTheirChildren() {
    let store = script([
      "tap": .merge(
        wait("parent").cancellable(id: 1),
        wait("child").cancellable(id: 1).scoped(to: "child"),
        wait("grandchild").cancellable(id: 1).scoped(to: "grandchild").scoped(to: "child"),
        wait("other").cancellable(id: 2).scoped(to: "child")),
      "cancel": .cancel(id: 1),
    ])
    store.send("tap")
    store.send("cancel")
    scheduler.run()
    #expect(store.state == ["tap", "cancel", "other"])
  }

  // R13
  @Test func childrenOfTheSameNameUnderDifferentParentsAreDifferent() {
    let store = script([
      "tap": .merge(
        wait("a").cancellable(id: 1).scoped(to: "row").scoped(to: 1),
        wait("b").cancellable(id: 1).scoped(to: "row").scoped(to: 2)),
      "cancel": .cancel(id: 1).scoped(to: "row").scoped(to: 1),
    ])
    store.send("tap")
    store.send("cancel")
    scheduler.run()
    #expect(store.state == ["tap", "cancel", "b"])
  }

  // R13
  @Test func cancelInFlightOfAChildLeavesItsParentAndItsSiblingsAlone() {
    let store = script([
      "tap": .merge(
        wait("parent").cancellable(id: 1), wait("sibling").cancellable(id: 1).scoped(to: "b")),
      "again": wait("child").cancellable(id: 1, cancelInFlight: true).scoped(to: "a"),
    ])
    store.send("tap")
    store.send("again")
    scheduler.run()
    #expect(store.state == ["tap", "again", "parent", "sibling", "child"])
  }

  // R13, R15
  @Test func theClosureOfAChildCancelsInTheChildsScope() async {
    let store = script([
      "tap": .merge(
        .run { _ in await suspendUntilCancelled() }.cancellable(id: 1).scoped(to: "child"),
        wait("parent").cancellable(id: 1)),
      "cancel": .run { _ in Task.cancel(id: 1) }.scoped(to: "child"),
    ])
    store.send("tap")
    await store.send("cancel").finish()
    await scheduler.run()
    #expect(store.state == ["tap", "cancel", "parent"])
  }

  // MARK: R14

  // R6, R14
  @Test func anEmissionThatWaitsIsDroppedWhenOneBeforeItCancelsItsEffect() async {
    let host = DispatchQueue.test
    let hasSent = Promise<Void>()
    let store = Store(
      initialState: [String](),
      reducer: {
        Script { action in
          switch action {
          case "tap":
            .run { @concurrent send in
              await send("in time")
              await send("cancel")
              await send("late")
              hasSent.fulfil()
              await suspendUntilCancelled()
            }
            .cancellable(id: 1)
          case "cancel": .cancel(id: 1)
          default: .none
          }
        }
      }, scheduler: host)
    store.send("tap")
    await hasSent.value
    store.send("sent")
    await host.run()
    #expect(store.state == ["tap", "in time", "cancel", "sent"])
  }

  // R14
  @Test func aCancelledEffectEmitsNothingMoreFromAnyThread() async {
    let opened = Promise<Send<String>>()
    let store = script([
      "tap": .run { send in
        opened.fulfil(send)
        await suspendUntilCancelled()
      }
      .cancellable(id: 1),
      "cancel": .cancel(id: 1),
    ])
    let task = store.send("tap")
    let send = await opened.value
    send.post("a")
    store.send("cancel")
    let issues = captureIssues {
      send.post("b")
      onOtherThread { send.post("c") }
    }
    await task.finish()
    #expect(store.state == ["tap", "a", "cancel"])
    #expect(issues.isEmpty)
  }

  // R14
  @Test func anEffectThatIsCancelledByItsOwnActionEmitsNothingMore() {
    let store = script([
      "tap": Effect.timer(id: "timer", every: 1, on: scheduler).map { _ in "tick" },
      "tick": .cancel(id: "timer"),
    ])
    store.send("tap")
    scheduler.advance(by: 10)
    #expect(store.state == ["tap", "tick"])
    #expect(scheduler.timeline.waiting.isEmpty)
  }

  // R14
  @Test func cancellingTakesWorkOffTheScheduler() {
    let store = script([
      "tap": .merge(
        wait("a"), Effect.timer(id: 2, every: 1, on: scheduler).map { _ in "tick" },
        wait("b").debounce(id: 3, for: 1, scheduler: scheduler),
        .run { _ in await suspendUntilCancelled() }.timeout(1, scheduler: scheduler)
      ).cancellable(id: 1),
      "cancel": .cancel(id: 1),
    ])
    store.send("tap")
    #expect(scheduler.timeline.waiting.count == 4)
    store.send("cancel")
    #expect(scheduler.timeline.waiting.isEmpty)
  }

  // R14
  @Test func anActionThatWasQueuedBeforeTheCancelIsHandled() {
    let store = script([
      "tap": .merge(.send("a").cancellable(id: 1), .cancel(id: 1), .send("b"))
    ])
    store.send("tap")
    #expect(store.state == ["tap", "a", "b"])
  }
}
