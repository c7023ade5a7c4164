// R19: how effects under one id share it.

import Dispatch
import Rondo
import Testing
import RondoRuntimeTestSupport

@MainActor @Suite struct QueuePolicyTests {
  private let scheduler = DispatchQueue.test

  /// A store whose every action but `cancel` takes a second under one id, and answers with its end.
  private func uploads(_ policy: CancellationPolicy) -> Store<[String], String> {
    let scheduler = scheduler
    return script { action in
      guard action != "cancel" else { return .cancel(id: "upload") }
      guard !action.hasPrefix("end") else { return .none }
      return .send("end \(action)").delay(for: 1, scheduler: scheduler)
        .cancellable(id: "upload", policy: policy)
    }
  }

  // R19: work that emits is registered itself, without a frame around it.
  @Test func workThatCallsBackWaitsForItsTurn() {
    let callbacks = LockIsolated<[@Sendable (String) -> Void]>([])
    let store = script { action in
      guard !action.hasPrefix("end") else { return .none }
      return .future { callback in callbacks.withValue { $0.append(callback) } }
        .cancellable(id: "upload", policy: .atMost(1))
    }
    store.send("a")
    store.send("b")
    #expect(callbacks.value.count == 1)
    callbacks.value[0]("end a")
    #expect(callbacks.value.count == 2)
    callbacks.value[1]("end b")
    #expect(store.state == ["a", "b", "end a", "end b"])
  }

  // R19
  @Test(arguments: [CancellationPolicy.newest, .oldest, .atMost(1), .unlimited])
  func anEffectDoesNotStandInItsOwnWay(policy: CancellationPolicy) {
    let store = script([
      "tap": .send("end").delay(for: 1, scheduler: scheduler)
        .cancellable(id: "upload", policy: policy).cancellable(id: "upload", policy: policy)
    ])
    store.send("tap")
    scheduler.run()
    #expect(store.state == ["tap", "end"])
  }

  // R19
  @Test func thoseThatWaitInsideOfTheOneThatRunsHaveTheirTurn() {
    let store = script([
      "tap": .merge(
        .send("a").delay(for: 1, scheduler: scheduler)
          .cancellable(id: "upload", policy: .atMost(1)),
        .send("b").delay(for: 1, scheduler: scheduler)
          .cancellable(id: "upload", policy: .atMost(1))
      )
      .cancellable(id: "upload", policy: .atMost(1)),
      "other": .send("c").cancellable(id: "upload", policy: .atMost(1)),
    ])
    let task = store.send("tap")
    store.send("other")
    scheduler.run()
    #expect(task.isFinished)
    #expect(store.state == ["tap", "other", "a", "b", "c"])
  }

  // R19
  @Test func thoseThatWaitInsideArePassedThroughByOthersWhoWaitBeforeThem() {
    let store = script([
      "tap": .concatenate(
        .send("a").delay(for: 1, scheduler: scheduler),
        .merge(
          .send("b").delay(for: 1, scheduler: scheduler)
            .cancellable(id: "upload", policy: .atMost(1)),
          .send("c").delay(for: 1, scheduler: scheduler)
            .cancellable(id: "upload", policy: .atMost(1))
        )
      )
      .cancellable(id: "upload", policy: .atMost(1)),
      "other": .send("d").cancellable(id: "upload", policy: .atMost(1)),
    ])
    let task = store.send("tap")
    store.send("other")
    scheduler.run()
    #expect(task.isFinished)
    #expect(store.state == ["tap", "other", "a", "b", "c", "d"])
  }

  // R19
  @Test func newestWins() {
    let store = uploads(.newest)
    for word in ["a", "b", "c"] { store.send(word) }
    scheduler.run()
    #expect(store.state == ["a", "b", "c", "end c"])
  }

  // R19
  @Test func oldestWins() {
    let store = uploads(.oldest)
    store.send("a")
    #expect(store.send("b").isFinished)
    scheduler.run()
    store.send("c")
    scheduler.run()
    #expect(store.state == ["a", "b", "end a", "c", "end c"])
  }

  // R19
  @Test func unlimitedRunsAll() {
    let store = uploads(.unlimited)
    for word in ["a", "b", "c"] { store.send(word) }
    scheduler.run()
    #expect(store.state == ["a", "b", "c", "end a", "end b", "end c"])
  }

  // R19
  @Test func atMostRunsSoManyAndTheRestInOrder() {
    let store = uploads(.atMost(2))
    for word in ["a", "b", "c", "d", "e"] { store.send(word) }
    scheduler.advance(by: 1)
    #expect(store.state == ["a", "b", "c", "d", "e", "end a", "end b"])
    scheduler.advance(by: 1)
    #expect(store.state.suffix(2) == ["end c", "end d"])
    scheduler.advance(by: 1)
    #expect(store.state.suffix(1) == ["end e"])
    #expect(scheduler.timeline.waiting.isEmpty)
  }

  // R19
  @Test func theHandleOfAnEffectThatWaitsForItsTurnIsNotFinished() {
    let store = uploads(.atMost(1))
    store.send("a")
    let task = store.send("b")
    #expect(!task.isFinished)
    scheduler.run()
    #expect(task.isFinished)
  }

  // R19
  @Test func cancellingReachesThoseThatWait() {
    let store = uploads(.atMost(1))
    for word in ["a", "b", "c", "cancel"] { store.send(word) }
    scheduler.run()
    #expect(store.state == ["a", "b", "c", "cancel"])
    store.send("d")
    scheduler.run()
    #expect(store.state.last == "end d")
  }

  // R19
  @Test func oneThatIsCancelledWhileItWaitsIsSkipped() {
    let store = uploads(.atMost(1))
    store.send("a")
    store.send("b").cancel()
    store.send("c")
    scheduler.run()
    #expect(store.state == ["a", "b", "c", "end a", "end c"])
  }

  // R19
  @Test func oneThatIsCancelledWhileItRunsMakesRoom() {
    let store = uploads(.atMost(1))
    let task = store.send("a")
    store.send("b")
    task.cancel()
    scheduler.run()
    #expect(store.state == ["a", "b", "end b"])
  }

  // R19
  @Test func thoseThatWaitAndEndAtOnceAreAllRun() {
    let store = script { [scheduler] action in
      switch action {
      case "slow":
        return .send("end slow").delay(for: 1, scheduler: scheduler)
          .cancellable(id: 1, policy: .atMost(1))
      case "quick":
        return .send("end quick").cancellable(id: 1, policy: .atMost(1))
      default: return .none
      }
    }
    for word in ["slow", "quick", "quick"] { store.send(word) }
    scheduler.run()
    #expect(store.state == ["slow", "quick", "quick", "end slow", "end quick", "end quick"])
  }

  // R13, R19
  @Test func siblingsDoNotWaitForEachOther() {
    let upload = Effect.send("end").delay(for: 1, scheduler: scheduler)
      .cancellable(id: 1, policy: .atMost(1))
    let store = script(["tap": .merge(upload.scoped(to: "a"), upload.scoped(to: "b"))])
    store.send("tap")
    scheduler.advance(by: 1)
    #expect(store.state == ["tap", "end", "end"])
  }

  // R19
  @Test func aDroppedEffectInAConcatenationLetsTheNextOneStart() {
    let busy = Effect.send("busy").delay(for: 1, scheduler: scheduler)
    let store = script([
      "tap": busy.cancellable(id: 1),
      "again": .concatenate(.send("dropped").cancellable(id: 1, policy: .oldest), .send("next")),
    ])
    store.send("tap")
    store.send("again")
    #expect(store.state == ["tap", "again", "next"])
  }

  // R19, R4
  @Test func oneThatWaitsBehindAnEffectOfAnotherPolicyIsStarted() {
    let busy = Effect.send("busy").delay(for: 1, scheduler: scheduler)
    let waiting = Effect.send("waited").cancellable(id: 1, policy: .atMost(1))
    let store = script(["tap": .merge(busy.cancellable(id: 1), waiting)])
    let task = store.send("tap")
    scheduler.advance(by: 1)
    #expect(store.state == ["tap", "busy", "waited"])
    #expect(task.isFinished)
  }
}
