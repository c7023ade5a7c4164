// R16, R17, R31: what is reported, in which words, and where.

import Dispatch
import Rondo
import Testing
import RondoRuntimeTestSupport

@MainActor @Suite struct MisuseTests {
  // R16
  @Test func aCancellationErrorEndsTheEffectQuietly() async {
    let issues = await captureIssues {
      let store = script([
        "tap": .concatenate(
          .run { _ in
            throw CancellationError()
          } catch: { _, send in
            await send("caught")
          },
          .future { throw CancellationError() },
          .fireAndForget { throw CancellationError() },
          .send("end"))
      ])
      await store.send("tap").finish()
      #expect(store.state == ["tap", "end"])
    }
    #expect(issues.isEmpty)
  }

  // R31, H5
  @Test func aSchedulerOfAnotherThreadIsReportedOnceAndTheStoreStaysOnTheMainActor() async {
    let line: UInt = #line + 2
    let issues = await captureIssues {
      let store = Store(
        initialState: [Int](), reducer: { Collector() }, scheduler: DispatchQueue(label: "other"))
      let task = store.send(0)
      for number in 2...100 { store.send(-number) }
      await task.finish()
      #expect(store.state.count == 200)
    }
    #expect(
      issues.map(\.message) == [
        """
        The scheduler of a store runs its work on another thread than the main one. The work is brought to the main \
        queue. Give the store a scheduler of the main loop, or none.
        """
      ])
    #expect(issues.map(\.position.line) == [line])
  }

  // R16
  @Test func anErrorThatNobodyCatchesIsReportedWithActionNameAndPlace() async {
    let line: UInt = #line + 3
    let issues = await captureIssues {
      let store = script([
        "tap": .concatenate(.run(name: "refresh") { _ in throw Failure() }, .send("end"))
      ])
      await store.send("tap").finish()
      #expect(store.state == ["tap", "end"])
    }
    #expect(
      issues.map(\.message) == [
        """
        run "refresh" returned for "tap" threw an error that nobody caught: Failure(). \
        Give the effect a `catch`, or handle the error inside its closure.
        """
      ])
    #expect(issues.first?.position.line == line)
    #expect("\(issues.first!.position.fileID)" == "RondoTests/MisuseTests.swift")
  }

  // R16
  @Test func futureAndFireAndForgetReportErrorsLikewise() async {
    let issues = await captureIssues {
      let store = script([
        "one": .future { throw Failure() }, "two": .fireAndForget { throw Failure() },
      ])
      await store.send("one").finish()
      await store.send("two").finish()
    }
    #expect(
      issues.map { $0.message.prefix { $0 != "." } } == [
        #"future returned for "one" threw an error that nobody caught: Failure()"#,
        #"fireAndForget returned for "two" threw an error that nobody caught: Failure()"#,
      ])
  }

  // R16
  @Test func anErrorOfACancelledEffectIsNotReported() async {
    let hasBegun = Promise<Void>()
    let hasEnded = Promise<Void>()
    let issues = await captureIssues {
      let store = script([
        "tap": .run { _ in
          defer { hasEnded.fulfil() }
          hasBegun.fulfil()
          await suspendUntilCancelled()
          throw Failure()
        }
      ])
      let task = store.send("tap")
      await hasBegun.value
      task.cancel()
      await hasEnded.value
    }
    #expect(issues.isEmpty)
  }

  // R17
  @Test func sendingAfterTheEndIsReportedAndDropped() async {
    let escaped = Promise<Send<String>>()
    let line: UInt = #line + 2
    let store = script([
      "tap": .run(name: "socket") { send in escaped.fulfil(send) }
    ])
    await store.send("tap").finish()
    let send = await escaped.value
    let issues = captureIssues { send.post("late") }
    #expect(store.state == ["tap"])
    #expect(
      issues.map(\.message) == [
        """
        run "socket" returned for "tap" sent "late" after it had ended, and the action was dropped. \
        Send before the effect's closure returns, or keep the closure waiting for the work that \
        sends.
        """
      ])
    #expect(issues.first?.position.line == line)
    #expect("\(issues.first!.position.fileID)" == "RondoTests/MisuseTests.swift")
  }

  // R17
  @Test func whatAnEndedEffectAsksForIsReported() async {
    let (mayGoOn, isOver) = (Promise<Void>(), Promise<Void>())
    let line: UInt = #line + 3
    let issues = await captureIssues {
      let store = script([
        "tap": .run(name: "upload") { _ in
          Task {
            await mayGoOn.value
            await withTaskCancellation(id: 1) {}
            Task.cancel(id: 1)
            @Dependency(\.dismiss) var dismiss
            await dismiss()
            isOver.fulfil()
          }
        }
      ])
      await store.send("tap").finish()
      mayGoOn.fulfil()
      await isOver.value
    }
    #expect(issues.count == 3)
    for (issue, call) in zip(
      issues, ["withTaskCancellation(id:)", "Task.cancel(id:)", "dismiss()"])
    {
      #expect(
        issue.message == """
          run "upload" returned for "tap" called \(call) after it had ended, so the call belongs to no \
          effect. Make it before the effect's closure returns, or keep the closure waiting for the work \
          that calls it.
          """)
    }
    #expect(issues.map(\.position.line) == [line, line, line])
  }

  // R17
  @Test func aCallbackThatIsCalledTwiceIsReported() {
    let store = script([
      "tap": .future { callback in
        callback("first")
        callback("second")
      }
    ])
    let issues = captureIssues { _ = store.send("tap") }
    #expect(store.state == ["tap", "first"])
    #expect(issues.count == 1)
    #expect(issues.first?.message.hasPrefix(#"future returned for "tap" sent "second""#) == true)
  }

  // R31
  @Test func negativeIntervalsAreReportedWhereTheyAreGivenAndTreatedAsZero() {
    let scheduler = DispatchQueue.test
    var effects: [Effect<String>] = []
    let line: UInt = #line + 2
    let issues = captureIssues {
      effects.append(.send("a").delay(for: -1, scheduler: scheduler))
      effects.append(.send("b").debounce(id: 1, for: -1, scheduler: scheduler))
      effects.append(.send("c").throttle(id: 1, for: -1, scheduler: scheduler, latest: true))
      effects.append(.run { _ in await suspendUntilCancelled() }.timeout(-1, scheduler: scheduler))
    }
    #expect(
      issues.map(\.message)
        == ["delay(for:)", "debounce(id:for:)", "throttle(id:for:)", "timeout(_:)"]
        .map {
          "\($0) was given a negative interval, -1.0 seconds. Use zero or more; zero is used now."
        })
    #expect(issues.map(\.position.line) == [line, line + 1, line + 2, line + 3])
    let store = script(["tap": .merge(effects)])
    let task = store.send("tap")
    scheduler.advance()
    #expect(store.state == ["tap", "c", "a", "b"])
    #expect(task.isFinished)
  }

  // R31
  @Test func aTimerThatWouldNeverStopToTickIsReportedAndDoesNothing() {
    let scheduler = DispatchQueue.test
    let line: UInt = #line + 2
    let issues = captureIssues {
      #expect(Effect.timer(id: 1, every: 0, on: scheduler).isNone)
      #expect(Effect.timer(id: 1, every: -2, on: scheduler).isNone)
    }
    #expect(
      issues.map(\.message)
        == ["0.0 seconds", "-2.0 seconds"].map {
          """
          A timer was made with an interval of \($0), at which it would never stop to tick. \
          Use an interval greater than zero. The timer does nothing.
          """
        })
    #expect(issues.map(\.position.line) == [line, line + 1])
  }

  // R31
  @Test func aPolicyUnderWhichNothingCouldRunIsReported() {
    let scheduler = DispatchQueue.test
    let issues = captureIssues {
      let upload = Effect.send("end").delay(for: 1, scheduler: scheduler)
        .cancellable(id: 1, policy: .atMost(0))
      let store = script(["tap": .merge(upload, upload)])
      store.send("tap")
      scheduler.advance(by: 1)
      #expect(store.state == ["tap", "end"])
    }
    #expect(
      issues.map(\.message) == [
        """
        An effect is cancellable with the policy .atMost(0), under which it could never run. \
        Use .atMost(1) or more; .atMost(1) is used now.
        """
      ])
  }

  // R18
  @Test func aLimitBelowZeroIsALimit() {
    let store = withDependencies {
      $0.loopLimit = LoopLimit(actions: .min)
    } operation: {
      script([:])
    }
    store.send("tap")
    #expect(store.state == ["tap"])
  }
}

/// Keeps what comes. For 0, an effect on the pool sends a hundred numbers.
private struct Collector: Reducer {
  func reduce(into state: inout [Int], action: Int) -> Effect<Int> {
    state.append(action)
    guard action == 0 else { return .none }
    return .run { @concurrent send in for number in 1...100 { await send(number) } }
  }
}
