// R26 to R29 and H10: how actions are tagged, on every host that has it.

import Dispatch
import Rondo
import RondoRuntimeTestSupport
import Testing

@MainActor @Suite struct TransactionRules {
  private let scheduler = DispatchQueue.test
  private let x = Transaction(tag: "x")
  private let y = Transaction(tag: "y")
  private let z = Transaction(tag: "z")

  // R26
  @Test(arguments: HostKind.allCases)
  func R26_theCallWinsOverTheOperatorWinsOverTheAmbientOneSlotBySlot(kind: HostKind) async {
    let two = Marks(tag: "operator", duration: 2)
    let host = await kind.script([
      "tap": .concatenate(
        .send("a").transaction(two.transaction),
        .run { send in
          withTransaction(Marks(tag: "ambient", duration: 3).transaction) { send.post("b") }
          await send("c", transaction: Transaction(tag: "call"))
        }
        .animation(.linear(duration: 1)))
    ])
    let task = await host.send("tap", Marks(tag: "sent", duration: 1).transaction)
    await host.finish(task)
    #expect(host.lines == ["tap/sent+1", "a/operator+2", "b/ambient+1", "c/call+1"])
  }

  // R26
  @Test(arguments: HostKind.allCases)
  func R26_synchronousAnswersInheritWhatTheActionWasSentWith(kind: HostKind) async {
    let host = await kind.script([
      "tap": .merge(.send("a"), .concatenate(.send("b"), .send("c"))), "c": .send("d"),
    ])
    await host.send("tap", x)
    #expect(host.lines == ["tap/x", "a/x", "b/x", "c/x", "d/x"])
  }

  // R27
  @Test(arguments: HostKind.allCases)
  func R27_tagsSurviveOperators(kind: HostKind) async {
    let scheduler = scheduler
    let tagged = Effect.send("a").transaction(x)
    let host = await kind.script([
      "merge": .merge(tagged, .none), "concatenate": .concatenate(.none, tagged),
      "map": tagged.map { $0 }, "receive": tagged.receive(on: scheduler),
      "delay": tagged.delay(for: 1, scheduler: scheduler),
      "debounce": tagged.debounce(id: 1, for: 1, scheduler: scheduler),
      "throttle": tagged.throttle(id: 2, for: 1, scheduler: scheduler, latest: true),
      "flatMap": tagged.flatMap { .send($0) },
      "run": .run { send in await send("a") }.transaction(x),
      "scheduler": .send("a").receive(on: scheduler.transaction(x)),
    ])
    for name in [
      "merge", "concatenate", "map", "receive", "delay", "debounce", "throttle", "flatMap", "run",
      "scheduler",
    ] {
      let before = host.actions.count
      let task = await host.send(name)
      await host.perform { scheduler.advance(by: 2) }
      await host.finish(task)
      #expect(Array(host.lines[before...]) == [name, "a/x"])
    }
  }

  // R28
  @Test(arguments: HostKind.stores)
  func R28_tagsDoNotLeak(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script([
      "tap": .merge(
        .send("sibling"), .send("tagged").transaction(y),
        .send("late").delay(for: 1, scheduler: scheduler),
        .concatenate(
          .send("once").delay(for: 1, scheduler: scheduler.transaction(z)), .send("behind"))),
      "tagged": .send("inner").receive(on: scheduler),
    ])
    await host.send("tap", x)
    await host.perform { scheduler.run() }
    #expect(
      host.lines == [
        "tap/x", "sibling/x", "tagged/y", "inner", "late", "once/z", "behind",
      ])
  }

  // R28
  @Test(arguments: HostKind.stores)
  func R28_whatATaskAnswersIsUntagged(kind: HostKind) async {
    let host = await kind.script([
      "tap": .concatenate(.run { send in await send("a") }, .future { $0("b") }, .send("c"))
    ])
    await host.finish(await host.send("tap", x))
    #expect(host.lines == ["tap/x", "a", "b", "c"])
  }

  // R29
  @Test(arguments: HostKind.stores)
  func R29_aTransactionAroundAReducerOrAnEffectTagsNothing(kind: HostKind) async {
    let x = x
    let host = await kind.script { action in
      withTransaction(x) { action == "tap" ? .merge(.send("a"), .run { await $0("b") }) : .none }
    }
    await host.finish(await host.send("tap"))
    #expect(host.lines == ["tap", "a", "b"])
  }

  // MARK: - H10

  /// An effect that goes on: one that is cancelled by id 1, and what comes behind it.
  private var goingOn: Effect<String> {
    .concatenate(.run { _ in await suspendUntilCancelled() }.cancellable(id: 1), .send("next"))
  }

  // H10
  @Test(arguments: HostKind.stores)
  func H10_behindACancelledIdTheActionsOwnTransactionIsKept(kind: HostKind) async {
    let cancels: [String: Effect<String>] = [
      "bare": .cancel(id: 1), "ids": .cancel(ids: [1, 2]), "merged": .merge(.none, .cancel(id: 1)),
      "two": .merge(.cancel(id: 7), .cancel(id: 1)),
      "concatenated": .concatenate(.send("before"), .cancel(id: 1), .send("after")),
      "newest": .send("new").cancellable(id: 1, cancelInFlight: true),
      "newest task": .run { _ in }.cancellable(id: 1, cancelInFlight: true),
      "debounce": .send("new").debounce(id: 1, for: 1, scheduler: scheduler),
    ]
    for (name, cancel) in cancels.sorted(by: { $0.key < $1.key }) {
      let host = await kind.script(["tagged": goingOn, "untagged": goingOn, name: cancel])
      await host.send("tagged", x)
      await host.send(name, y)
      #expect(host.lines.filter { $0.hasPrefix("next") } == ["next/x"], "\(name)")
      await host.send("untagged")
      await host.send(name, y)
      #expect(host.lines.filter { $0.hasPrefix("next") } == ["next/x", "next"], "\(name)")
    }
  }

  // H10
  @Test(arguments: HostKind.stores)
  func H10_alsoWhenTheCancellationIsLater(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script([
      "tap": goingOn,
      "stop": .concatenate(
        .send("late").delay(for: 1, scheduler: scheduler), .cancel(id: 1), .send("after")),
    ])
    await host.send("tap", x)
    await host.send("stop", y)
    await host.perform { scheduler.run() }
    #expect(host.lines == ["tap/x", "stop/y", "late", "next/x", "after"])
  }

  // H10
  @Test(arguments: HostKind.stores)
  func H10_throughMergeAndConcatenateAndOperators(kind: HostKind) async {
    let host = await kind.script([
      "tap": .concatenate(
        .merge(
          .concatenate(.run { _ in await suspendUntilCancelled() }.cancellable(id: 1), .send("a")),
          .run { _ in await suspendUntilCancelled() }.cancellable(id: 1)),
        .send("b").transaction(z), .send("c")),
      "stop": .cancel(id: 1),
    ])
    await host.send("tap", x)
    await host.send("stop", y)
    #expect(host.lines == ["tap/x", "stop/y", "a/x", "b/z", "c/x"])
  }

  // H10
  @Test(arguments: HostKind.stores)
  func H10_aTurnThatACancellationGivesKeepsTheOwnTransaction(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script([
      "hold": .run { _ in await suspendUntilCancelled() }
        .cancellable(id: 1, policy: .atMost(1)).cancellable(id: 2),
      "timed": .send("held").delay(for: 1, scheduler: scheduler)
        .cancellable(id: 1, policy: .atMost(1)),
      "wait": .send("turn").cancellable(id: 1, policy: .atMost(1)),
      "stop": .cancel(id: 2),
    ])
    await host.send("hold", x)
    await host.send("wait", y)
    await host.send("stop", z)
    #expect(host.lines == ["hold/x", "wait/y", "stop/z", "turn/y"])
    await host.send("timed", x)
    await host.send("wait", y)
    await host.perform { scheduler.run() }
    #expect(host.lines.dropFirst(4) == ["timed/x", "wait/y", "held", "turn"])
  }

  // H10
  @Test(arguments: HostKind.stores)
  func H10_aTurnThatACancelledHandleGivesKeepsTheOwnTransaction(kind: HostKind) async {
    let host = await kind.script([
      "hold": .run { _ in await suspendUntilCancelled() }.cancellable(id: 1, policy: .atMost(1)),
      "wait": .send("turn").cancellable(id: 1, policy: .atMost(1)),
    ])
    let task = await host.send("hold", x)
    await host.send("wait", y)
    await task.cancel()
    await host.wait(for: "turn")
    #expect(host.lines == ["hold/x", "wait/y", "turn/y"])
  }
}
