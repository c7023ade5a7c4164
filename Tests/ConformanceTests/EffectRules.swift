// R8 to R19: effects, their operators, cancelling and policies, on every host.

import Dispatch
import Rondo
import RondoRuntimeTestSupport
import Testing

@MainActor @Suite struct EffectRules {
  private let scheduler = DispatchQueue.test

  // R8
  @Test(arguments: HostKind.allCases)
  func R8_everyConstructorAnswers(kind: HostKind) async {
    struct Failure: Error {}
    let worked = Promise<Void>()
    let host = await kind.script([
      "tap": .concatenate(
        .none,
        .send("send"),
        .run { send in await send("run") },
        .run { _ in
          throw Failure()
        } catch: { error, send in
          await send("\(error)")
        },
        .future { "future" },
        .future { callback in DispatchQueue.global().async { callback("callback") } },
        .sequence(
          AsyncStream { continuation in
            for element in ["one", "two"] { continuation.yield(element) }
            continuation.finish()
          }),
        .fireAndForget { worked.fulfil() },
        .merge(.send("left"), .send("right")),
        .merge(
          .run { _ in await suspendUntilCancelled() }.cancellable(id: 1),
          .run { _ in await suspendUntilCancelled() }.cancellable(id: 2),
          .run { _ in await suspendUntilCancelled() }.cancellable(id: 3),
          .cancel(ids: [1, 2]), .cancel(id: 3)),
        .send("end"))
    ])
    let task = await host.send("tap")
    await host.finish(task)
    await worked.value
    #expect(
      host.actions == [
        "tap", "send", "run", "Failure()", "future", "callback", "one", "two", "left", "right",
        "end",
      ])
  }

  // R8
  @Test(arguments: HostKind.allCases)
  func R8_aTimerTicksUntilItIsCancelled(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script(stamp: { scheduler.milliseconds }) { action in
      switch action {
      case "start":
        Effect.timer(id: 1, every: .milliseconds(10), on: scheduler)
          .map { $0 == scheduler.now ? "tick" : "tick of another time" }
      case "stop": .cancel(id: 1)
      default: .none
      }
    }
    let task = await host.send("start")
    await host.perform { scheduler.advance(by: .milliseconds(35)) }
    await host.send("stop")
    await host.perform { scheduler.advance(by: .milliseconds(35)) }
    #expect(host.log.entries.map(\.stamp) == [0, 10, 20, 30, 35])
    #expect(host.actions == ["start", "tick", "tick", "tick", "stop"])
    #expect(task.isFinished && scheduler.timeline.waiting.isEmpty)
  }

  // R9
  @Test(arguments: HostKind.allCases)
  func R9_operatorsChangeWhatIsAnswered(kind: HostKind) async {
    let numbers = Effect<Int>.merge((1...4).map { .send($0) })
    let text: @Sendable (Int) -> String = { "\($0)" }
    // One statement each: the compiler takes long for the types of one large literal.
    var effects: [String: Effect<String>] = [:]
    effects["map"] = numbers.map { text($0 * 10) }
    effects["compactMap"] = numbers.compactMap { $0 > 2 ? text($0) : nil }
    effects["filter"] = numbers.filter { $0.isMultiple(of: 2) }.map(text)
    effects["flatMap"] = numbers.flatMap { .merge(.send(text($0)), .send(text(-$0))) }
    effects["scan"] = numbers.scan(0) { $0 + $1 }.map(text)
    effects["named"] = numbers.map(text).named("numbers")
    effects["prefix"] = numbers.prefix(2).map(text)
    effects["prepend"] = numbers.prepend(0).map(text)
    effects["merge"] = .send("1").merge(with: .send("2"))
    effects["concatenate"] = .send("1").concatenate(with: .send("2"))
    effects["fireAndForget"] = numbers.fireAndForget()
    let host = await kind.script(effects)
    let expected: [(String, [String])] = [
      ("map", ["10", "20", "30", "40"]), ("compactMap", ["3", "4"]), ("filter", ["2", "4"]),
      ("named", ["1", "2", "3", "4"]), ("flatMap", ["1", "-1", "2", "-2", "3", "-3", "4", "-4"]),
      ("scan", ["1", "3", "6", "10"]),
      ("prefix", ["1", "2"]), ("prepend", ["0", "1", "2", "3", "4"]), ("merge", ["1", "2"]),
      ("concatenate", ["1", "2"]), ("fireAndForget", []),
    ]
    var actions: [String] = []
    for (name, answers) in expected {
      await host.send(name)
      actions.append(name)
      actions.append(contentsOf: answers)
    }
    #expect(host.actions == actions)
  }

  // R9
  @Test(arguments: HostKind.allCases)
  func R9_operatorsOnASchedulerWaitForIt(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script(
      stamp: { scheduler.milliseconds },
      [
        "tap": .merge(
          .send("receive").receive(on: scheduler),
          .send("delay").delay(for: .milliseconds(20), scheduler: scheduler),
          .send("debounce").debounce(id: 1, for: .milliseconds(10), scheduler: scheduler),
          .send("never").debounce(id: 2, for: .milliseconds(50), scheduler: scheduler)
            .timeout(.milliseconds(30), scheduler: scheduler)
            .concatenate(with: .send("timeout")))
      ])
    await host.send("tap")
    await host.perform { scheduler.run() }
    #expect(host.actions == ["tap", "receive", "debounce", "delay", "timeout"])
    #expect(host.log.entries.map(\.stamp) == [0, 0, 10, 20, 30])
  }

  // R10
  @Test(arguments: HostKind.allCases)
  func R10_mergeStartsLeftToRightAndEndsWithTheLast(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script([
      "tap": .concatenate(
        .merge(
          .concatenate(.send("a"), .send("b")), .none,
          .send("late").delay(for: 2, scheduler: scheduler), .send("c")),
        .send("end"))
    ])
    let task = await host.send("tap")
    #expect(host.actions == ["tap", "a", "b", "c"])
    await host.perform { scheduler.advance(by: 2) }
    #expect(host.actions == ["tap", "a", "b", "c", "late", "end"])
    #expect(task.isFinished)
  }

  // R12
  @Test(arguments: HostKind.allCases)
  func R12_anIdIsRegisteredBeforeAnythingRuns(kind: HostKind) async {
    let host = await kind.script([
      "merged": .merge(
        .run { send in
          await suspendUntilCancelled()
          await send("a")
        }.cancellable(id: 1), .cancel(id: 1)),
      "start": .run { send in
        await suspendUntilCancelled()
        await send("a")
      }.cancellable(id: 2),
      "stop": .cancel(id: 2),
    ])
    await host.finish(await host.send("merged"))
    let task = await host.send("start")
    await host.send("stop")
    #expect(task.isFinished)
    #expect(host.actions == ["merged", "start", "stop"])
  }

  // R12
  @Test(arguments: HostKind.allCases)
  func R12_cancelInFlightSparesWhatTheNewOneIsPartOf(kind: HostKind) async {
    let scheduler = scheduler
    let host = await kind.script([
      "first": .send("one").delay(for: 5, scheduler: scheduler).cancellable(id: 1),
      "second": .concatenate(
        .send("two").delay(for: 1, scheduler: scheduler).cancellable(
          id: 1, cancelInFlight: true),
        .send("three")
      )
      .cancellable(id: 1, cancelInFlight: true),
    ])
    let first = await host.send("first")
    let second = await host.send("second")
    #expect(first.isFinished && !second.isFinished)
    await host.perform { scheduler.run() }
    #expect(host.actions == ["first", "second", "two", "three"])
  }

  // R14
  @Test(arguments: HostKind.allCases)
  func R14_aCancelledEffectEmitsNothingMore(kind: HostKind) async {
    let scheduler = scheduler
    let isDone = Promise<Void>()
    let host = await kind.script([
      "tap": .merge(
        .run { send in
          await send("begun")
          await suspendUntilCancelled()
          for _ in 0..<100 { await send("late") }
          isDone.fulfil()
        },
        .send("delayed").delay(for: 1, scheduler: scheduler),
        .send("received").receive(on: scheduler)
      ).cancellable(id: 1),
      "stop": .cancel(id: 1),
    ])
    let task = await host.send("tap")
    await host.wait(for: "begun")
    await host.send("stop")
    await host.finish(task)
    // A test store runs the rest of the closure when it is used.
    await host.perform {}
    await isDone.value
    await host.perform { scheduler.run() }
    #expect(host.actions == ["tap", "begun", "stop"])
    #expect(scheduler.timeline.waiting.isEmpty)
  }

  // R15
  @Test(arguments: HostKind.allCases)
  func R15_aPieceOfAClosureRunsUnderAnId(kind: HostKind) async {
    let host = await kind.script([
      "tap": .run { send in
        await withTaskCancellation(id: 1) {
          await send("begun")
          await suspendUntilCancelled()
          await send("dropped?")
        }
        await send("behind")
      },
      "stop": .cancel(id: 1),
      "other": .run { _ in Task.cancel(id: 1) },
    ])
    for stop in ["stop", "other"] {
      let count = host.actions.count { $0 == "begun" }
      let task = await host.send("tap")
      await host.wait { $0.count { $0 == "begun" } > count }
      await host.send(stop)
      await host.finish(task)
    }
    #expect(host.actions.filter { $0 == "behind" }.count == 2)
  }

  // R16
  @Test(arguments: HostKind.immediate)
  func R16_anErrorIsCaughtOrReportedAndACancellationIsQuiet(kind: HostKind) async {
    struct Failure: Error {}
    let messages = await issues {
      let host = await kind.script([
        "tap": .concatenate(
          // The first, because only what is started by the test is known to belong to it.
          .run(name: "refresh") { _ in throw Failure() },
          .run { _ in throw CancellationError() },
          .run { _ in
            throw Failure()
          } catch: { error, send in
            await send("caught")
          },
          .send("end"))
      ])
      await host.finish(await host.send("tap"))
      #expect(host.actions == ["tap", "caught", "end"])
    }
    #expect(messages.count == 1)
    #expect(messages.first?.contains(#"run "refresh" returned for "tap" threw"#) == true)
  }

  // R17
  @Test(arguments: HostKind.immediate)
  func R17_aSendAfterTheEndIsDroppedAndReported(kind: HostKind) async {
    let messages = await issues {
      let hasEnded = Promise<Void>()
      let late = Promise<Void>()
      let host = await kind.script([
        "tap": .run(name: "loose") { send in
          Task {
            await hasEnded.value
            await send("late")
            late.fulfil()
          }
        }
      ])
      await host.finish(await host.send("tap"))
      hasEnded.fulfil()
      await late.value
      #expect(host.actions == ["tap"])
    }
    #expect(messages.count == 1)
    #expect(
      messages.first?.contains(#"run "loose" returned for "tap" sent "late" after it had ended"#)
        == true)
  }

  // R18
  @Test(arguments: HostKind.allCases)
  func R18_debounceAndThrottleAreOneMachinesAndKeepTransactions(kind: HostKind) async {
    let scheduler = scheduler
    func make() async -> any Host<[String], String> {
      await kind.script(stamp: { scheduler.milliseconds }) { action in
        switch action.first {
        case "d":
          .send("-\(action)").transaction(Transaction(tag: action))
            .debounce(id: 1, for: .milliseconds(10), scheduler: scheduler)
        case "t":
          .send("-\(action)").transaction(Transaction(tag: action))
            .throttle(id: 2, for: .milliseconds(10), scheduler: scheduler, latest: true)
        default: .none
        }
      }
    }
    let (one, other) = (await make(), await make())
    for action in ["d1", "d2", "t1", "t2", "t3"] { await one.send(action) }
    await other.send("d9")
    await one.perform { scheduler.advance(by: .milliseconds(30)) }
    await other.perform { scheduler.advance(by: .milliseconds(30)) }
    await one.perform {}
    await other.perform {}
    #expect(one.lines.filter { $0.first == "-" } == ["-t1/t1", "-d2/d2", "-t3/t3"])
    #expect(other.lines.filter { $0.first == "-" } == ["-d9/d9"])
  }

  // R19, H18
  @Test(arguments: HostKind.allCases)
  func R19_anEffectInsideOfOneUnderTheSameIdTakesOverItsSlot(kind: HostKind) async {
    let scheduler = scheduler
    func piece(_ name: String) -> Effect<String> {
      .send(name).delay(for: .milliseconds(10), scheduler: scheduler)
        .cancellable(id: 1, policy: .atMost(2))
    }
    let nested = Effect.merge(piece("a"), piece("b"), piece("c"))
      .cancellable(id: 1, policy: .atMost(2))
    let host = await kind.script(
      stamp: { scheduler.milliseconds }, ["nested": nested, "other": piece("single")])
    await host.send("nested")
    await host.send("other")
    await host.perform { scheduler.run() }
    // "a" takes the slot of the whole, "b" the second one; "c" and "single" wait in order.
    let answers = host.log.entries.dropFirst(2)
    #expect(answers.map { "\($0.stamp) \($0.action)" } == ["10 a", "10 b", "20 c", "20 single"])
  }
}
