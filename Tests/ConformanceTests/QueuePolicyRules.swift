// R19: how effects under one id share it, on every host.

import Dispatch
import Rondo
import RondoRuntimeTestSupport
import Testing

@MainActor @Suite struct QueuePolicyRules {
  private let scheduler = DispatchQueue.test

  /// A host whose every action but `cancel` takes a second under one id, and answers with its end.
  private func uploads(
    _ kind: HostKind, _ policy: CancellationPolicy
  ) async -> any Host<[String], String> {
    let scheduler = scheduler
    return await kind.script { action in
      guard action != "cancel" else { return .cancel(id: "upload") }
      guard !action.hasPrefix("end") else { return .none }
      return .send("end \(action)").delay(for: 1, scheduler: scheduler)
        .cancellable(id: "upload", policy: policy)
    }
  }

  // R19: work that emits is registered itself, without a frame around it.
  @Test(arguments: HostKind.allCases)
  func workThatCallsBackWaitsForItsTurn(kind: HostKind) async {
    let callbacks = LockIsolated<[@Sendable (String) -> Void]>([])
    let host = await kind.script { action in
      guard !action.hasPrefix("end") else { return .none }
      return .future { callback in callbacks.withValue { $0.append(callback) } }
        .cancellable(id: "upload", policy: .atMost(1))
    }
    await host.send("a")
    await host.send("b")
    #expect(callbacks.value.count == 1)
    await host.perform { callbacks.value[0]("end a") }
    #expect(callbacks.value.count == 2)
    await host.perform { callbacks.value[1]("end b") }
    #expect(await host.state == ["a", "b", "end a", "end b"])
  }

  // R19
  @Test(
    arguments: HostKind.allCases, [CancellationPolicy.newest, .oldest, .atMost(1), .unlimited])
  func anEffectDoesNotStandInItsOwnWay(kind: HostKind, policy: CancellationPolicy) async {
    let scheduler = scheduler
    let host = await kind.script([
      "tap": .send("end").delay(for: 1, scheduler: scheduler)
        .cancellable(id: "upload", policy: policy).cancellable(id: "upload", policy: policy)
    ])
    await host.send("tap")
    await host.perform { scheduler.run() }
    #expect(await host.state == ["tap", "end"])
  }

  // R19
  @Test(arguments: HostKind.allCases)
  func thoseThatWaitInsideOfTheOneThatRunsHaveTheirTurn(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script([
      "tap": .merge(
        .send("a").delay(for: 1, scheduler: scheduler)
          .cancellable(id: "upload", policy: .atMost(1)),
        .send("b").delay(for: 1, scheduler: scheduler)
          .cancellable(id: "upload", policy: .atMost(1))
      )
      .cancellable(id: "upload", policy: .atMost(1)),
      "other": .send("c").cancellable(id: "upload", policy: .atMost(1)),
    ])
    let task = await host.send("tap")
    await host.send("other")
    await host.perform { scheduler.run() }
    #expect(task.isFinished)
    #expect(await host.state == ["tap", "other", "a", "b", "c"])
  }

  // R19
  @Test(arguments: HostKind.allCases)
  func thoseThatWaitInsideArePassedThroughByOthersWhoWaitBeforeThem(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script([
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
    let task = await host.send("tap")
    await host.send("other")
    await host.perform { scheduler.run() }
    #expect(task.isFinished)
    #expect(await host.state == ["tap", "other", "a", "b", "c", "d"])
  }

  // R19
  @Test(arguments: HostKind.allCases)
  func newestWins(kind: HostKind) async {
    let scheduler = scheduler
    let host = await uploads(kind, .newest)
    for word in ["a", "b", "c"] { await host.send(word) }
    await host.perform { scheduler.run() }
    #expect(await host.state == ["a", "b", "c", "end c"])
  }

  // R19
  @Test(arguments: HostKind.allCases)
  func oldestWins(kind: HostKind) async {
    let scheduler = scheduler
    let host = await uploads(kind, .oldest)
    await host.send("a")
    #expect(await host.send("b").isFinished)
    await host.perform { scheduler.run() }
    await host.send("c")
    await host.perform { scheduler.run() }
    #expect(await host.state == ["a", "b", "end a", "c", "end c"])
  }

  // R19
  @Test(arguments: HostKind.allCases)
  func unlimitedRunsAll(kind: HostKind) async {
    let scheduler = scheduler
    let host = await uploads(kind, .unlimited)
    for word in ["a", "b", "c"] { await host.send(word) }
    await host.perform { scheduler.run() }
    #expect(await host.state == ["a", "b", "c", "end a", "end b", "end c"])
  }

  // R19
  @Test(arguments: HostKind.allCases)
  func atMostRunsSoManyAndTheRestInOrder(kind: HostKind) async {
    let scheduler = scheduler
    let host = await uploads(kind, .atMost(2))
    for word in ["a", "b", "c", "d", "e"] { await host.send(word) }
    await host.perform { scheduler.advance(by: 1) }
    #expect(await host.state == ["a", "b", "c", "d", "e", "end a", "end b"])
    await host.perform { scheduler.advance(by: 1) }
    #expect(await host.state.suffix(2) == ["end c", "end d"])
    await host.perform { scheduler.advance(by: 1) }
    #expect(await host.state.suffix(1) == ["end e"])
    #expect(scheduler.timeline.waiting.isEmpty)
  }

  // R19
  @Test(arguments: HostKind.allCases)
  func theHandleOfAnEffectThatWaitsForItsTurnIsNotFinished(kind: HostKind) async {
    let scheduler = scheduler
    let host = await uploads(kind, .atMost(1))
    await host.send("a")
    let task = await host.send("b")
    #expect(!task.isFinished)
    await host.perform { scheduler.run() }
    #expect(task.isFinished)
  }

  // R19
  @Test(arguments: HostKind.allCases)
  func cancellingReachesThoseThatWait(kind: HostKind) async {
    let scheduler = scheduler
    let host = await uploads(kind, .atMost(1))
    for word in ["a", "b", "c", "cancel"] { await host.send(word) }
    await host.perform { scheduler.run() }
    #expect(await host.state == ["a", "b", "c", "cancel"])
    await host.send("d")
    await host.perform { scheduler.run() }
    #expect(await host.state.last == "end d")
  }

  // R19
  @Test(arguments: HostKind.allCases)
  func oneThatIsCancelledWhileItWaitsIsSkipped(kind: HostKind) async {
    let scheduler = scheduler
    let host = await uploads(kind, .atMost(1))
    await host.send("a")
    await host.send("b").cancel()
    await host.send("c")
    await host.perform { scheduler.run() }
    #expect(await host.state == ["a", "b", "c", "end a", "end c"])
  }

  // R19
  @Test(arguments: HostKind.allCases)
  func oneThatIsCancelledWhileItRunsMakesRoom(kind: HostKind) async {
    let scheduler = scheduler
    let host = await uploads(kind, .atMost(1))
    let task = await host.send("a")
    await host.send("b")
    await task.cancel()
    await host.perform { scheduler.run() }
    #expect(await host.state == ["a", "b", "end b"])
  }

  // R19
  @Test(arguments: HostKind.allCases)
  func thoseThatWaitAndEndAtOnceAreAllRun(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script { [scheduler] action in
      switch action {
      case "slow":
        return .send("end slow").delay(for: 1, scheduler: scheduler)
          .cancellable(id: 1, policy: .atMost(1))
      case "quick":
        return .send("end quick").cancellable(id: 1, policy: .atMost(1))
      default: return .none
      }
    }
    for word in ["slow", "quick", "quick"] { await host.send(word) }
    await host.perform { scheduler.run() }
    #expect(await host.state == ["slow", "quick", "quick", "end slow", "end quick", "end quick"])
  }

  // R13, R19
  @Test(arguments: HostKind.allCases)
  func siblingsDoNotWaitForEachOther(kind: HostKind) async {
    let scheduler = scheduler
    let upload = Effect.send("end").delay(for: 1, scheduler: scheduler)
      .cancellable(id: 1, policy: .atMost(1))
    let host = await kind.script(["tap": .merge(upload.scoped(to: "a"), upload.scoped(to: "b"))])
    await host.send("tap")
    await host.perform { scheduler.advance(by: 1) }
    #expect(await host.state == ["tap", "end", "end"])
  }

  // R19
  @Test(arguments: HostKind.allCases)
  func aDroppedEffectInAConcatenationLetsTheNextOneStart(kind: HostKind) async {
    let busy = Effect.send("busy").delay(for: 1, scheduler: scheduler)
    let host = await kind.script([
      "tap": busy.cancellable(id: 1),
      "again": .concatenate(.send("dropped").cancellable(id: 1, policy: .oldest), .send("next")),
    ])
    await host.send("tap")
    await host.send("again")
    #expect(await host.state == ["tap", "again", "next"])
  }

  // R19, R4
  @Test(arguments: HostKind.allCases)
  func oneThatWaitsBehindAnEffectOfAnotherPolicyIsStarted(kind: HostKind) async {
    let scheduler = scheduler
    let busy = Effect.send("busy").delay(for: 1, scheduler: scheduler)
    let waiting = Effect.send("waited").cancellable(id: 1, policy: .atMost(1))
    let host = await kind.script(["tap": .merge(busy.cancellable(id: 1), waiting)])
    let task = await host.send("tap")
    await host.perform { scheduler.advance(by: 1) }
    #expect(await host.state == ["tap", "busy", "waited"])
    #expect(task.isFinished)
  }
}
