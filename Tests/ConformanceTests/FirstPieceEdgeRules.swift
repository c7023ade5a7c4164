// E1, E2, E5: closures of effects that begin at once, where something else is in the way.

import Dispatch
import Foundation
import Rondo
import RondoRuntimeTestSupport
import RondoScheduling
import Synchronization
import Testing

@MainActor @Suite struct FirstPieceEdgeRules {
  /// A host that starts an effect by the action 0.
  private func make(
    _ kind: HostKind, _ effect: Effect<Int>
  ) async -> any Host<[Int], Int> {
    await kind.make([]) { Numbers { $0 == 0 ? effect : .none } }
  }

  /// A callback that a closure has set, for other code.
  private final class Callback: Sendable {
    private let callback = Mutex<(@Sendable (Int) -> Void)?>(nil)

    func set(_ callback: @escaping @Sendable (Int) -> Void) {
      self.callback.withLock { $0 = callback }
    }
    func call(_ number: Int) { callback.withLock(\.self)?(number) }

    /// An effect that answers with what others call the callback with, until it is cancelled.
    var answers: Effect<Int> {
      .run { send in
        self.set { send.post($0) }
        try await Task.never()
      }
    }
  }

  // MARK: Where

  // E1
  @Test func E1_withoutAStoreAClosureThatIsStartedElsewhereRunsOnTheMainActor() async {
    let places = Log<Bool>()
    let done = Promise<Void>()
    let next = Effect<Int>.run { send in
      places.append(isOnMainQueue())
      await send(1)
    }
    let effect = Effect<Int>.concatenate(.run { @concurrent _ in await elsewhere() }, next)
    let subscription = effect.sink(receiveCompletion: { done.fulfil(()) }, receiveValue: { _ in })
    await done.value
    #expect(places.entries == [true])
    subscription.cancel()
  }

  // E1
  @Test func E1_withoutAStoreAClosureBehindACallbackOfAThreadRunsOnTheMainActor() async {
    let places = Log<Bool>()
    let done = Promise<Void>()
    let end = LockIsolated<(@Sendable (Int) -> Void)?>(nil)
    let effect = Effect<Int>.concatenate(
      .future { callback in end.withValue { $0 = callback } },
      .run { send in places.append(isOnMainQueue()) }
    ).filter { _ in false }
    let subscription = effect.sink(receiveCompletion: { done.fulfil(()) }, receiveValue: { _ in })
    onOtherThread { end.value?(1) }
    await done.value
    #expect(places.entries == [true])
    subscription.cancel()
  }

  // MARK: Inside of something else

  // E2
  @Test(arguments: HostKind.live)
  func E2_aClosureThatIsStartedInItsOwnReducerBeginsLater(kind: HostKind) async {
    let log = Log<String>()
    let begun = Promise<Void>()
    let end = LockIsolated<(@Sendable (Int) -> Void)?>(nil)
    let effect = Effect<Int>.concatenate(
      .future { callback in end.withValue { $0 = callback } },
      .run { _ in
        log.append("closure")
        begun.fulfil(())
      })
    let host = await kind.make(0) {
      Reduce<Int, Int> { _, action in
        guard action != 0 else { return effect }
        if action == 2 {
          end.value?(1)
          log.append("reducer")
        }
        return .none
      }
    }
    await host.send(0)
    await host.send(2)
    await begun.value
    #expect(log.entries == ["reducer", "closure"])
  }

  // E2
  @Test func E2_anEffectThatAValueOfAnotherStartsTakesNoStackWithoutEnd() async {
    let chain = Chain(end: 8_000)
    chain.start(1)
    await eventually { chain.last == chain.end }
  }

  /// Effects without a store, each of which is started by the value of the one before.
  @MainActor private final class Chain {
    let end: Int
    private(set) var last = 0
    private var tokens: [AnyCancellable] = []

    init(end: Int) { self.end = end }

    func start(_ number: Int) {
      let effect = Effect<Int>.run { send in await send(number) }
      let token = effect.sink { [self] number in
        last = number
        if number < end { start(number + 1) }
      }
      tokens.append(token)
    }
  }

  // E2
  @Test func E2_aTaskOfAnObserverIsNoPartOfTheEffectWhoseAnswerItSees() async {
    let saved = Log<Bool>()
    let effect = Effect<Int>.run { send in
      await elsewhere()
      await send(1)
    }
    let store = makeStore(effect)
    let subscription = store.subscribe { commit in
      guard commit.actions == [1] else { return }
      Task {
        await withTaskCancellation(id: "save", cancelInFlight: true) {
          for _ in 0..<50 { await Task.yield() }
          saved.append(!Task.isCancelled)
        }
      }
    }
    store.send(0)
    await eventually { !saved.entries.isEmpty }
    #expect(saved.entries == [true])
    subscription.cancel()
  }

  // MARK: Order

  // E2
  @Test(arguments: HostKind.live)
  func E2_whatOtherEffectsAnswerWhileAClosureBeginsKeepsItsOrder(kind: HostKind) async {
    let player = Callback()
    let closure = Effect<Int>.run { _ in
      onOtherThread { player.call(1) }
      player.call(2)
    }
    let host = await make(kind, .merge(player.answers, closure))
    let task = await host.send(0)
    #expect(await host.state == [0, 1, 2])
    await task.cancel()
  }

  // E2
  @Test func E2_whatAClosureSendsByTheStoreKeepsItsOrderWhileMessagesWait() async {
    let player = Callback()
    let held = LockIsolated<Store<[Int], Int>?>(nil)
    let closure = Effect<Int>.run { send in
      onOtherThread { player.call(9) }
      await send(1)
      onMainActor { held.value?.send(2) }
      await send(3)
    }
    let store = makeStore(.merge(player.answers, closure))
    held.withValue { $0 = store }
    let task = store.send(0)
    #expect(store.state.filter { $0 != 9 } == [0, 1, 2, 3])
    task.cancel()
    held.withValue { $0 = nil }
  }

  // E5, R14
  @Test(arguments: HostKind.live)
  func E5_whatAClosureSendsBehindTheCancellationOfItsSendIsDropped(kind: HostKind) async {
    let task = LockIsolated<(@Sendable () -> Void)?>(nil)
    let isCancellable = Promise<Void>()
    let sent = Promise<Void>()
    let host = await kind.make([]) {
      Numbers { action in
        switch action {
        case 0:
          .run { send in
            await isCancellable.value
            await send(1)
          }
        case 1:
          .run { send in
            onOtherThread { task.value?() }
            await send(2)
            sent.fulfil(())
          }
          .map { $0 }
        default: .none
        }
      }
    }
    guard let handle = await host.send(0) as? StoreTask else { return }
    task.withValue { $0 = { handle.cancel() } }
    isCancellable.fulfil(())
    await sent.value
    await host.perform {}
    #expect(await host.state == [0, 1])
  }

  // MARK: Children

  // H26
  @Test(arguments: HostKind.live)
  func H26_aClosureOfARowThatItsParentRemovesDoesNotBegin(kind: HostKind) async {
    let messages = await issues {
      let host = await kind.make(Family.State(rows: [Child.State(id: 1)])) { Family() }
      await host.finish(host.send(.rows(.element(id: 1, action: .delete))))
      #expect(await host.state == Family.State(log: ["delete"]))
    }
    #expect(messages == [])
  }

  // R14
  @Test(arguments: HostKind.live)
  func R14_whatAClosureHasSentIsDroppedWhenItsChildHasGone(kind: HostKind) async {
    let messages = await issues {
      let host = await kind.make(Family.State(sheet: Child.State(id: 1))) { Family() }
      await host.finish(host.send(.sheet(.presented(.save))))
      #expect(await host.state == Family.State(log: ["saved"]))
    }
    #expect(messages == [])
  }

  // R14
  @Test(arguments: HostKind.live)
  func R14_whatAClosureHasSentArrivesWhileItsChildIsThere(kind: HostKind) async {
    let host = await kind.make(Family.State(rows: [Child.State(id: 1)])) { Family() }
    await host.finish(host.send(.rows(.element(id: 1, action: .save))))
    #expect(await host.state.log == ["saved", "closed"])
  }

  // MARK: Pieces

  // E5
  @Test(arguments: HostKind.live)
  func E5_aPieceThatOnlySendsIsCancelledByAnOperatorThatHasEnough(kind: HostKind) async {
    let effect = Effect<Int>.run { send in
      await withTaskCancellation(id: "piece") {
        var number = 0
        while !Task.isCancelled {
          number += 1
          await send(number)
        }
      }
    }
    #expect(await handledAtOnce(kind, effect.prefix(3)) == [0, 1, 2, 3])
  }

  // E5
  @Test(arguments: HostKind.live)
  func E5_aPieceThatCancelsItselfIsCancelledAtOnce(kind: HostKind) async {
    let isCancelled = Log<Bool>()
    let effect = Effect<Int>.run { send in
      await withTaskCancellation(id: "piece") {
        Task.cancel(id: "piece")
        isCancelled.append(Task.isCancelled)
      }
      await send(1)
    }
    #expect(await handledAtOnce(kind, effect) == [0, 1])
    #expect(isCancelled.entries == [true])
  }

  // E5
  @Test func E5_aPieceOfATaskThatIsCancelledBeginsCancelled() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await withTaskCancellation(id: "piece") { Task.isCancelled }
    }
    #expect(await task.value)
  }

  // E5
  @Test func E5_piecesInsideOfPiecesTakeNoStackWithoutEnd() async {
    #expect(await nested(20_000) == 20_000)
  }

  // E5
  @Test(arguments: HostKind.live)
  func E5_aClosureCancelsWhatAnOperatorMakesOfWhatItHasSent(kind: HostKind) async {
    let host = await make(
      kind,
      .run { send in
        await send(1)
        Task.cancel(id: "load")
        await send(2)
      }
      .flatMap { number in
        number == 1
          ? .run { _ in try await Task.never() }.cancellable(id: "load") : .send(number)
      })
    await host.finish(host.send(0))
    #expect(await host.state == [0, 2])
  }

  // E5
  @Test(arguments: HostKind.live)
  func E5_aClosureCancelsNothingThatIsStartedBehindIt(kind: HostKind) async {
    let effect = Effect<Int>.merge(
      .run { _ in Task.cancel(id: "load") },
      .run { send in await send(1) }.cancellable(id: "load"))
    #expect(await handledAtOnce(kind, effect) == [0, 1])
  }

  // MARK: Very many

  // E5
  @Test(arguments: [true, false])
  func E5_aLoopOfClosuresWithTwoValuesIsKnown(drops: Bool) async {
    let messages = await issues {
      let store = withLoopLimit(actions: 1_000) {
        Store(initialState: 0) {
          Reduce<Int, Int> { state, action in
            state += 1
            // Each generation is twice as large as the one before, unless one of two values is dropped.
            guard action < (drops ? 5_000 : 12) else { return .none }
            let effect = Effect<Int>.run { send in
              await send(action + 1)
              await send(drops ? -1 : action + 1)
            }
            return effect.filter { $0 > 0 }
          }
        }
      }
      let task = store.send(0)
      #expect(store.state < 1_100)
      await task.finish()
      #expect(store.state == (drops ? 5_001 : 8_191))
    }
    #expect(messages.count == 1, "\(messages)")
    #expect(messages.first?.contains("loop without end") == true, "\(messages)")
  }

  // E5
  @Test func E5_aClosureThatSendsSoMuchThatItTakesLongIsNoLoop() async {
    let messages = await issues {
      let elapsed = Mutex(Duration.zero)
      let store = withDependencies {
        $0.loopLimit = LoopLimit(duration: .seconds(1))
        $0.loopLimit.time = { elapsed.withLock(\.self) }
      } operation: {
        Store(initialState: 0) {
          Reduce<Int, Int> { state, action in
            state = action
            elapsed.withLock { $0 += .milliseconds(1) }
            guard action == 0 else { return .none }
            return .run { send in for number in 1...5_000 { await send(number) } }
          }
        }
      }
      let task = store.send(0)
      #expect(store.state < 5_000)
      await task.finish()
      #expect(store.state == 5_000)
    }
    #expect(messages == [])
  }

  // E5
  @Test func E5_aClosureThatSendsOnAndOnLetsOthersGoOn() async {
    let end = Count()
    let elapsed = Mutex(Duration.zero)
    let store = withDependencies {
      $0.loopLimit.time = {
        elapsed.withLock {
          $0 += .milliseconds(1)
          return $0
        }
      }
    } operation: {
      Store(initialState: 0) {
        Reduce<Int, Int> { state, action in
          state += 1
          guard action == 0 else { return .none }
          return .run { send in
            await elsewhere()
            while end.value == 0 { await send(1) }
          }
        }
      }
    }
    let task = store.send(0)
    await eventually { store.state > 1 }
    #expect(store.state < 1_000)
    end.add()
    await task.finish()
  }

  // E2
  @Test func E2_whatAClosureHasPostedOnOtherThreadsComesBeforeItsEnd() async {
    let store = makeStore(
      .run { send in
        DispatchQueue.concurrentPerform(iterations: 8) { send.post($0 + 1) }
      })
    await store.send(0).finish()
    #expect(store.state.sorted() == Array(0...8))
  }

  // E2
  @Test func E2_whatAClosureSendsDoesNotOvertakeWhatItHasPostedElsewhere() async {
    let queue = DispatchQueue(label: "elsewhere")
    let store = makeStore(
      .run { send in
        for number in 1...3 { queue.sync { send.post(number) } }
        await send(4)
        await elsewhere()
      })
    await store.send(0).finish()
    #expect(store.state == [0, 1, 2, 3, 4])
  }

  // E2
  @Test func E2_whatAClosureSendsToItsStoreComesBehindWhatItHasPostedOnAnotherThread() async {
    let posted = DispatchSemaphore(value: 0)
    let callback = Callback()
    let store = makeStore(
      .run { send in
        DispatchQueue.global().async {
          send.post(1)
          posted.signal()
        }
        wait(for: posted)
        callback.call(2)
      })
    callback.set { [weak store] number in MainActor.assumeIsolated { _ = store?.send(number) } }
    await store.send(0).finish()
    #expect(store.state == [0, 1, 2])
  }

  // R13, E5
  @Test func R13_aCancellationThatHasReturnedLetsNothingThroughThatIsSentLater() async {
    let (begun, cancelled) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let store = makeStore(
      .merge(
        .run { @concurrent _ in
          wait(for: begun)
          Task.cancel(id: "x")
          cancelled.signal()
        },
        .run { send in
          await send(1)
          begun.signal()
          wait(for: cancelled)
          await send(2)
        }
        .cancellable(id: "x")))
    await store.send(0).finish()
    #expect(store.state == [0, 1])
  }

  // E2
  @Test func E2_whatAClosureSendsByAStoreIsNoPartOfItsEffect() async {
    let log = Log<Bool>()
    let other = Store(initialState: 0) {
      Reduce<Int, Int> { _, _ in
        log.append(WaitOrigin.current == nil)
        return .none
      }
    }
    let store = makeStore(
      .run { _ in
        await MainActor.run { _ = other.send(1) }
        await elsewhere()
        await MainActor.run { _ = other.send(2) }
      })
    await store.send(0).finish()
    #expect(log.entries == [true, true])
  }

  // E2
  @Test func E2_aClosureThatAMessageStartsHasThePriorityOfItsSender() async {
    let log = Log<TaskPriority?>()
    let store = Store(initialState: [Int]()) {
      Numbers { number in
        guard number == 0 else { return .run { _ in log.append(Task.basePriority) } }
        return .run(priority: .background) { send in
          await elsewhere()
          await send(1)
        }
      }
    }
    await store.send(0).finish()
    #expect(log.entries == [.background])
  }

  // E5
  @Test(arguments: [0, 1, 2])
  func E5_aClosureOfALaterActionThatSendsVeryMuchIsNoLoop(actionsBefore: Int) async {
    let messages = await issues {
      let store = withLoopLimit(actions: 1_000) {
        Store(initialState: 0) {
          Reduce<Int, Int> { state, action in
            state += 1
            guard action <= actionsBefore else { return .none }
            // The later action is the last value of the closure before.
            guard action == actionsBefore else {
              return .run { send in
                await send(10)
                await send(action + 1)
              }
            }
            return .run { send in for _ in 0..<999 { await send(10) } }
          }
        }
      }
      await store.send(0).finish()
      #expect(store.state == 1 + 2 * actionsBefore + 999)
    }
    // A chain of closures that send more than one value is what a loop begins with.
    #expect(messages.count == (actionsBefore < 2 ? 0 : 1), "\(messages)")
  }

  // E2
  @Test(arguments: [true, false])
  func E2_trackingSeesWhatAClosureReadsAsItSeesWhatAReducerReads(ofReducer: Bool) async {
    let model = Model()
    let store = Store(initialState: 0) {
      Reduce<Int, Int> { _, _ in
        guard ofReducer else { return .run { _ in _ = model.number } }
        _ = model.number
        return .none
      }
    }
    let count = Count()
    withObservationTracking {
      _ = store.send(0)
    } onChange: {
      count.add()
    }
    model.number = 1
    #expect(count.value == 1)
  }

  #if DEBUG
    // E4, E8
    @Test func E4_aHostSaysWhatAClosureHoldsUp() async {
      let elapsed = Mutex(Duration.zero)
      let messages = await issues {
        let cell = withDependencies {
          $0.effectTimeLimit = .milliseconds(50)
          $0.workTime = { elapsed.withLock(\.self) }
        } operation: {
          Cell(
            initialState: [Int](),
            reducer: Numbers { _ in
              .run(name: "wait") { _ in elapsed.withLock { $0 += .milliseconds(50) } }
            },
            isolation: MainThread(), home: "all matches")
        }
        _ = cell.send(0, Transaction())
        cell.hostWasReleased()
      }
      #expect(
        messages.first?.hasPrefix(#"run "wait" returned for 0 has held all matches for 50 ms"#)
          == true, "\(messages)")
    }

    private struct MainThread: HostIsolation {
      var actor: (any Actor)? { MainActor.shared }

      func runIfCurrent(_ work: () -> Void) -> Bool {
        work()
        return true
      }

      func hop(_ work: @escaping @Sendable () -> Void) { work() }
    }
  #endif

  // E5
  @Test func E5_aClosureThatSendsOnAlthoughItWasCancelledLetsOthersGoOn() async {
    let end = Count()
    let store = makeStore(
      .run { send in
        while end.value == 0 { await send(1) }
      }
      .prefix(3))
    let task = store.send(0)
    // The call has returned.
    end.add()
    await task.finish()
    #expect(store.state == [0, 1, 1, 1])
  }

  // E5, R13
  @Test func E5_aClosureThatSendsUntilAnotherThreadCancelsItEnds() async {
    let (begun, cancelled) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let messages = await issues {
      let store = withLoopLimit(actions: 1_000) {
        makeStore(
          .merge(
            .run { @concurrent _ in
              wait(for: begun)
              Task.cancel(id: "x")
              cancelled.signal()
            },
            .run { send in
              begun.signal()
              wait(for: cancelled)
              while !Task.isCancelled { await send(1) }
            }
            .cancellable(id: "x")))
      }
      await store.send(0).finish()
      #expect(store.state == [0])
    }
    // So many actions without a wait are reported.
    #expect(messages.count == 1, "\(messages)")
  }

  // E5, R13
  @Test func E5_aClosureWhoseHandleAnotherThreadCancelsLetsOthersGoOn() async {
    let (begun, cancelled) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let store = Store(initialState: [Int]()) {
      Numbers { number in
        switch number {
        case 0:
          .run { send in
            await elsewhere()
            await send(1)
          }
        case 1:
          .run { send in
            begun.signal()
            wait(for: cancelled)
            while !Task.isCancelled { await send(2) }
          }
        default: .none
        }
      }
    }
    let task = store.send(0)
    DispatchQueue.global().async {
      wait(for: begun)
      task.cancel()
      cancelled.signal()
    }
    await task.finish()
    #expect(store.state == [0, 1])
  }

  // E5
  @Test func E5_aClosureLetsOthersGoOnWhereItsMessagesWait() async {
    let messages = await issues {
      let posted = DispatchSemaphore(value: 0)
      let store = withLoopLimit(actions: 1_000) {
        makeStore(
          .run { send in
            DispatchQueue.global().async {
              send.post(1)
              posted.signal()
            }
            wait(for: posted)
            while !Task.isCancelled { await send(2) }
          }
          .prefix(1))
      }
      await store.send(0).finish()
      #expect(store.state == [0, 1])
    }
    #expect(messages.count == 1, "\(messages)")
  }

  // E5
  @Test func E5_aClosureBehindAnotherReportsToTheReportersOfItsStore() async {
    let issues = await captureIssues {
      let store = withLoopLimit(actions: 1_000) {
        makeStore(
          .concatenate(
            .run { _ in await elsewhere() },
            .run { send in for _ in 1...10_000 { await send(1) } },
            .run { _ in throw CocoaError(.fileNoSuchFile) }))
      }
      await store.send(0).finish()
    }
    #expect(issues.count == 2, "\(issues)")
  }

  // H25
  @Test func H25_aLoopBehindAMessageReportsToTheReportersOfItsStore() async {
    let issues = await captureIssues {
      let store = withLoopLimit(actions: 1_000) {
        Store(initialState: 0) {
          Reduce<Int, Int> { state, action in
            state += 1
            switch action {
            case 0: return .future { answer in DispatchQueue.global().async { answer(1) } }
            case 1: return state < 5_000 ? .send(1) : .none
            default: return .none
            }
          }
        }
      }
      await store.send(0).finish()
      #expect(store.state == 5_000)
    }
    #expect(issues.count == 1, "\(issues)")
  }

  // E2
  @Test(arguments: [HostKind.storeActor, .durableStore])
  func E2_aHopServesAllWhoPostWithTheUsualPriority(kind: HostKind) async {
    let handled = Promise<TaskPriority?>()
    let store = await kind.make([Int]()) {
      Numbers { number in
        guard number == 0 else {
          handled.fulfil(Task.basePriority)
          return .none
        }
        return .run(priority: .background) { @concurrent send in
          await send(1)
          // Its end would bring the action along.
          _ = await handled.value
        }
      }
    }
    await store.send(0)
    #expect(await handled.value == .medium)
  }

  // E5
  @Test func E5_aClosureThatHasSentCancelsNothingThatIsStartedBehindIt() async {
    let store = makeStore(
      .concatenate(
        .run { send in
          await send(1)
          Task.cancel(id: "timer")
        },
        .run { send in
          await elsewhere()
          await send(2)
        }
        .cancellable(id: "timer")))
    await store.send(0).finish()
    #expect(store.state == [0, 1, 2])
  }

  // E5, E8
  @Test func E8_valuesOfAClosureThatGoesOnUntilItIsCancelledArrive() async {
    let values = Effect<Int>.run { send in
      var number = 0
      // It ends, because on a busy machine the test comes to its turn after a minute.
      while !Task.isCancelled, number < 50_000 {
        number += 1
        await send(number)
      }
    }
    .values
    for await value in values {
      #expect(value == 1)
      break
    }
  }

  // E5, E8
  @Test func E8_aSinkOfAClosureThatGoesOnUntilItIsCancelledReturns() async {
    let count = Count()
    let ended = Promise<Void>()
    let subscription = Effect<Int>.run { send in
      while !Task.isCancelled { await send(1) }
      ended.fulfil(())
    }
    .sink { count.add($0) }
    #expect(count.value > 0)
    subscription.cancel()
    await ended.value
  }
}

private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

/// Something that a closure of an effect reads. Used on the main actor.
@Observable private final class Model: @unchecked Sendable {
  var number = 0
}

/// Suspends its caller. A function that does nothing elsewhere would not.
@concurrent private func elsewhere() async { await Task.yield() }

/// Runs a body on the main actor, where the caller is.
private func onMainActor(_ body: @MainActor () -> Void) {
  MainActor.assumeIsolated { body() }
}

/// The number of pieces inside of one another.
private func nested(_ depth: Int) async -> Int {
  guard depth > 0 else { return 0 }
  return await withTaskCancellation(id: depth) { await nested(depth - 1) + 1 }
}

/// A parent that removes rows, and what it presents.
private struct Family: Reducer {
  struct State: Equatable, Carried, Sendable {
    var rows: IdentifiedArrayOf<Child.State> = []
    @PresentationState var sheet: Child.State?
    var log: [String] = []

    init(rows: IdentifiedArrayOf<Child.State> = [], sheet: Child.State? = nil, log: [String] = []) {
      self.rows = rows
      self.log = log
      self.sheet = sheet
    }
  }

  enum Action: CasePathable, Carried, Sendable {
    case rows(IdentifiedActionOf<Child>)
    case sheet(PresentationAction<Child.Action>)

    struct AllCasePaths: Sendable {
      let rows = AnyCasePath(Action.rows)
      let sheet = AnyCasePath(Action.sheet)
    }
    static let allCasePaths = AllCasePaths()
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .rows(.element(let id, .delete)):
        state.rows.remove(id: id)
        state.log.append("delete")
      case .rows(.element(_, .saved)): state.log.append("saved")
      case .rows(.element(let id, .closed)):
        state.rows.remove(id: id)
        state.log.append("closed")
      case .sheet(.presented(.saved)):
        state.sheet = nil
        state.log.append("saved")
      case .sheet(.dismiss): state.log.append("dismiss")
      default: break
      }
      return .none
    }
    .forEach(\.rows, action: \.rows) { Child() }
    .ifLet(\.$sheet, action: \.sheet) { Child() }
  }
}

private struct Child: Reducer {
  struct State: Equatable, Identifiable, Sendable { let id: Int }
  enum Action: Sendable { case delete, save, saved, closed }

  @Dependency(\.isPresented) var isPresented
  @Dependency(\.dismiss) var dismiss

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .delete: return .run { send in await send(.closed) }
    case .save:
      return .run { [isPresented] send in
        await send(.saved)
        if isPresented { await dismiss() } else { await send(.closed) }
      }
    case .saved, .closed: return .none
    }
  }
}
