// R12 to R15: cancelling effects by their ids, on every host.

import Dispatch
import Rondo
import RondoRuntimeTestSupport
import Testing

@MainActor @Suite struct CancellationRules {
  private let scheduler = DispatchQueue.test

  private func wait(_ word: String) -> Effect<String> {
    .send(word).delay(for: 1, scheduler: scheduler)
  }

  // R12
  @Test(arguments: HostKind.allCases)
  func aCancelEarlierInTheSameMergeDoesNotReachTheEffect(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script(["tap": .merge(.cancel(id: 1), wait("a").cancellable(id: 1))])
    await host.send("tap")
    await host.perform { scheduler.run() }
    #expect(await host.state == ["tap", "a"])
  }

  // R12
  @Test(arguments: HostKind.allCases)
  func aCancelReturnedByTheVeryNextActionFindsTheEffect(kind: HostKind) async {
    let host = await kind.script([
      "tap": .merge(
        .run { send in
          await suspendUntilCancelled()
          await send("a")
        }
        .cancellable(id: 1),
        .send("next")),
      "next": .cancel(id: 1),
    ])
    await host.finish(await host.send("tap"))
    #expect(await host.state == ["tap", "next"])
  }

  // R12
  @Test(arguments: HostKind.allCases)
  func anEffectIsRegisteredBeforeAnythingOfItRuns(kind: HostKind) async {
    let host = await kind.script([
      "tap": .concatenate(.cancel(id: 1), .send("a")).cancellable(id: 1)
    ])
    #expect(await host.send("tap").isFinished)
    #expect(await host.state == ["tap"])
  }

  // R12
  @Test(arguments: HostKind.allCases)
  func anEffectThatIsUnderOneIDTwiceDoesNotCancelItself(kind: HostKind) async {
    let scheduler = scheduler
    let effect = wait("answer")
      .cancellable(id: 1, cancelInFlight: true).cancellable(id: 1, cancelInFlight: true)
    let host = await kind.script(["one": effect, "two": effect, "cancel": .cancel(id: 1)])
    await host.send("one")
    await host.send("two")
    await host.perform { scheduler.run() }
    #expect(await host.state == ["one", "two", "answer"])
    await host.send("one")
    await host.send("cancel")
    await host.perform { scheduler.run() }
    #expect(await host.state == ["one", "two", "answer", "one", "cancel"])
  }

  // R12
  @Test(arguments: HostKind.allCases)
  func whatIsDebouncedDoesNotCancelItself(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script([
      "tap": wait("answer").cancellable(id: 1, cancelInFlight: true)
        .debounce(id: 1, for: 1, scheduler: scheduler)
    ])
    await host.send("tap")
    await host.send("tap")
    await host.perform { scheduler.run() }
    #expect(await host.state == ["tap", "tap", "answer"])
  }

  // R12, R15
  @Test(arguments: HostKind.allCases)
  func aPieceOfAClosureDoesNotCancelTheEffectThatItIsAPartOf(kind: HostKind) async {
    let host = await kind.script([
      "tap": .run { send in
        await withTaskCancellation(id: 1, cancelInFlight: true) { await send("piece") }
        await send("rest")
      }
      .cancellable(id: 1, cancelInFlight: true)
    ])
    await host.finish(await host.send("tap"))
    #expect(await host.state == ["tap", "piece", "rest"])
  }

  // R12
  @Test(arguments: HostKind.allCases)
  func anEffectCanBeCancelledByEachOfItsIDs(kind: HostKind) async {
    let scheduler = scheduler
    let effect = wait("answer").cancellable(id: "inner").cancellable(id: "outer")
    let host = await kind.script([
      "tap": effect, "inner": .cancel(id: "inner"), "outer": .cancel(id: "outer"),
    ])
    await host.send("tap")
    await host.send("inner")
    await host.send("tap")
    await host.send("outer")
    await host.perform { scheduler.run() }
    #expect(await host.state == ["tap", "inner", "tap", "outer"])
  }

  // R12
  @Test(arguments: HostKind.allCases)
  func anEffectThatHasEndedIsNotFound(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script([
      "tap": .concatenate(.send("a").cancellable(id: 1), wait("b")), "cancel": .cancel(id: 1),
    ])
    await host.send("tap")
    await host.send("cancel")
    await host.perform { scheduler.run() }
    #expect(await host.state == ["tap", "a", "cancel", "b"])
  }

  // R13
  @Test(arguments: HostKind.allCases)
  func idsOfDifferentTypesAreDifferent(kind: HostKind) async {
    let scheduler = scheduler
    enum Load { case id }
    enum Save { case id }
    let host = await kind.script([
      "tap": .merge(
        wait("load").cancellable(id: Load.id), wait("save").cancellable(id: Save.id),
        wait("8").cancellable(id: 8 as UInt8), wait("16").cancellable(id: 8 as UInt16),
        .cancel(id: Load.id), .cancel(id: 8 as UInt8))
    ])
    await host.send("tap")
    await host.perform { scheduler.run() }
    #expect(await host.state == ["tap", "save", "16"])
  }

  // R13
  @Test(arguments: HostKind.allCases)
  func idsAreEqualByTypeAndValue(kind: HostKind) async {
    let scheduler = scheduler
    enum Numbers: Int { case one = 1 }
    enum Others: Int { case one = 1 }
    let host = await kind.script([
      "tap": .merge(
        wait("number").cancellable(id: Numbers.one), wait("other").cancellable(id: Others.one)),
      "cancel": .cancel(id: Numbers.one),
    ])
    await host.send("tap")
    await host.send("cancel")
    await host.perform { scheduler.run() }
    #expect(await host.state == ["tap", "cancel", "other"])
  }

  // R13
  @Test(arguments: HostKind.allCases)
  func aParentsCancelReachesItsChildrenAndTheirChildren(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script([
      "tap": .merge(
        wait("parent").cancellable(id: 1),
        wait("child").cancellable(id: 1).scoped(to: "child"),
        wait("grandchild").cancellable(id: 1).scoped(to: "grandchild").scoped(to: "child"),
        wait("other").cancellable(id: 2).scoped(to: "child")),
      "cancel": .cancel(id: 1),
    ])
    await host.send("tap")
    await host.send("cancel")
    await host.perform { scheduler.run() }
    #expect(await host.state == ["tap", "cancel", "other"])
  }

  // R13
  @Test(arguments: HostKind.allCases)
  func childrenOfTheSameNameUnderDifferentParentsAreDifferent(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script([
      "tap": .merge(
        wait("a").cancellable(id: 1).scoped(to: "row").scoped(to: 1),
        wait("b").cancellable(id: 1).scoped(to: "row").scoped(to: 2)),
      "cancel": .cancel(id: 1).scoped(to: "row").scoped(to: 1),
    ])
    await host.send("tap")
    await host.send("cancel")
    await host.perform { scheduler.run() }
    #expect(await host.state == ["tap", "cancel", "b"])
  }

  // R13
  @Test(arguments: HostKind.allCases)
  func cancelInFlightOfAChildLeavesItsParentAndItsSiblingsAlone(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script([
      "tap": .merge(
        wait("parent").cancellable(id: 1), wait("sibling").cancellable(id: 1).scoped(to: "b")),
      "again": wait("child").cancellable(id: 1, cancelInFlight: true).scoped(to: "a"),
    ])
    await host.send("tap")
    await host.send("again")
    await host.perform { scheduler.run() }
    #expect(await host.state == ["tap", "again", "parent", "sibling", "child"])
  }

  // R13, R15
  @Test(arguments: HostKind.allCases)
  func theClosureOfAChildCancelsInTheChildsScope(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script([
      "tap": .merge(
        .run { _ in await suspendUntilCancelled() }.cancellable(id: 1).scoped(to: "child"),
        wait("parent").cancellable(id: 1)),
      "cancel": .run { _ in Task.cancel(id: 1) }.scoped(to: "child"),
    ])
    await host.send("tap")
    await host.finish(await host.send("cancel"))
    await host.perform { scheduler.run() }
    #expect(await host.state == ["tap", "cancel", "parent"])
  }

  // R14
  @Test(arguments: HostKind.allCases)
  func anEffectThatIsCancelledByItsOwnActionEmitsNothingMore(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script([
      "tap": Effect.timer(id: "timer", every: 1, on: scheduler).map { _ in "tick" },
      "tick": .cancel(id: "timer"),
    ])
    await host.send("tap")
    await host.perform { scheduler.advance(by: 10) }
    #expect(await host.state == ["tap", "tick"])
    #expect(scheduler.timeline.waiting.isEmpty)
  }

  // R14
  @Test(arguments: HostKind.allCases)
  func cancellingTakesWorkOffTheScheduler(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script([
      "tap": .merge(
        wait("a"), Effect.timer(id: 2, every: 1, on: scheduler).map { _ in "tick" },
        wait("b").debounce(id: 3, for: 1, scheduler: scheduler),
        .run { _ in await suspendUntilCancelled() }.timeout(1, scheduler: scheduler)
      ).cancellable(id: 1),
      "cancel": .cancel(id: 1),
    ])
    await host.send("tap")
    #expect(scheduler.timeline.waiting.count == 4)
    await host.send("cancel")
    #expect(scheduler.timeline.waiting.isEmpty)
  }

  // R14
  @Test(arguments: HostKind.allCases)
  func anActionThatWasQueuedBeforeTheCancelIsHandled(kind: HostKind) async {
    let host = await kind.script([
      "tap": .merge(.send("a").cancellable(id: 1), .cancel(id: 1), .send("b"))
    ])
    await host.send("tap")
    #expect(await host.state == ["tap", "a", "b"])
  }

  // R15
  @Test(arguments: HostKind.allCases)
  func aPieceReturnsWhatItsOperationReturns(kind: HostKind) async {
    let host = await kind.script([
      "tap": .run { send in
        await send(await withTaskCancellation(id: 1) { "value" })
        do {
          try await withTaskCancellation(id: 1) { throw CancellationError() }
        } catch {
          await send("\(type(of: error))")
        }
      }
    ])
    await host.finish(await host.send("tap"))
    #expect(await host.state == ["tap", "value", "CancellationError"])
  }

  // R14
  @Test(arguments: HostKind.allCases)
  func aCancelledClosureCancelsNothing(kind: HostKind) async {
    let (hasBegun, mayGoOn, isOver) = (Promise<Void>(), Promise<Void>(), Promise<Void>())
    let host = await kind.script([
      "old": .run { _ in
        hasBegun.fulfil()
        await mayGoOn.value
        await withTaskCancellation(id: 1, cancelInFlight: true) {}
        Task.cancel(id: 1)
        isOver.fulfil()
      }
      .cancellable(id: 1),
      "new": .run { send in
        await isOver.value
        await send("answer")
      }
      .cancellable(id: 1, cancelInFlight: true),
    ])
    await host.send("old")
    await hasBegun.value
    let task = await host.send("new")
    mayGoOn.fulfil()
    await host.finish(task)
    #expect(await host.state == ["old", "new", "answer"])
  }

  // R15
  @Test(arguments: HostKind.allCases)
  func aPieceThatIsStartedWithCancelInFlightCancelsTheOneUnderItsID(kind: HostKind) async {
    let hasBegun = Promise<Void>()
    let host = await kind.script([
      "one": .run { send in
        await withTaskCancellation(id: 1) {
          hasBegun.fulfil()
          await suspendUntilCancelled()
        }
        await send("one ended")
      },
      "two": .run { send in
        await withTaskCancellation(id: 1, cancelInFlight: true) {}
      },
    ])
    let one = await host.send("one")
    await hasBegun.value
    await host.finish(await host.send("two"))
    await host.finish(one)
    #expect(await host.state == ["one", "two", "one ended"])
  }

  // R15
  @Test(arguments: HostKind.allCases)
  func aPieceIsCancelledWithItsEffect(kind: HostKind) async {
    let hasBegun = Promise<Void>()
    let wasCancelled = Promise<Bool>()
    let host = await kind.script([
      "tap": .run { send in
        await withTaskCancellation(id: "piece") {
          hasBegun.fulfil()
          await suspendUntilCancelled()
          wasCancelled.fulfil(Task.isCancelled)
        }
        await send("never")
      }
      .cancellable(id: "effect"),
      "cancel": .cancel(id: "effect"),
    ])
    await host.send("tap")
    await hasBegun.value
    await host.send("cancel")
    #expect(await wasCancelled.value)
    #expect(await host.state == ["tap", "cancel"])
  }

  // R15
  @Test(arguments: HostKind.allCases)
  func taskCancelIsHandledInOrderWithWhatTheClosureSends(kind: HostKind) async {
    let scheduler = DispatchQueue.test
    let host = await kind.script([
      "tap": .run { send in
        await send("start")
        Task.cancel(id: 1)
        await send("end")
      },
      "start": .send("late").delay(for: 1, scheduler: scheduler).cancellable(id: 1),
    ])
    await host.finish(await host.send("tap"))
    await host.perform { scheduler.run() }
    #expect(await host.state == ["tap", "start", "end"])
  }
}
