// E1 to E8: closures of effects begin at once, on the isolation of their store.

import Dispatch
import Rondo
import RondoRuntimeTestSupport
import RondoScheduling
import RondoSeededRandomness
import Synchronization
import Testing

@MainActor @Suite struct FirstPieceRules {
  // MARK: Where and when

  // E1, E2
  @Test(arguments: HostKind.live)
  func E2_whatAClosureSendsBeforeItsFirstSuspensionIsHandledBeforeSendReturns(
    kind: HostKind
  ) async {
    let effect = Effect<Int>.run { send in
      await send(1)
      await send(2)
    }
    #expect(await handledAtOnce(kind, effect) == [0, 1, 2])
  }

  // E2
  @Test(arguments: HostKind.live)
  func E2_everyKindOfClosureBeginsAtOnce(kind: HostKind) async {
    let effects: [Effect<Int>] = [
      .future { 1 },
      .fireAndForget {}.merge(with: .send(1)),
      .sequence(One()),
      .run { _ in
        throw Failure()
      } catch: { _, send in
        await send(1)
      },
      .run { send in await withTaskCancellation(id: 1) { await send(1) } },
    ]
    for effect in effects { #expect(await handledAtOnce(kind, effect) == [0, 1]) }
  }

  #if DEBUG
    // E2. When this begins to pass, with a newer compiler, `Where-code-runs.md` and the comment of `run` have to change.
    @Test func E2_aClosureWithAListOfCapturesRunsOnThePool() async {
      let number = 1
      let store = makeStore(.run { [number] send in await send(number) })
      let task = store.send(0)
      withKnownIssue { #expect(store.state == [0, 1]) }
      await task.finish()
      #expect(store.state == [0, 1])
    }
  #endif

  // E1
  @Test func E1_itRunsOnTheMainActorAlsoAfterASuspension() async {
    let places = Log<Bool>()
    let store = makeStore(
      .run { _ in
        places.append(isOnMainQueue())
        await elsewhere()
        places.append(isOnMainQueue())
      })
    await store.send(0).finish()
    #expect(places.entries == [true, true])
  }

  // E1
  @Test func E1_itRunsOnAStoreActorAlsoAfterASuspension() async {
    let actor = LockIsolated<StoreActor<[Int], Int>?>(nil)
    let store = StoreActor(initialState: [Int]()) {
      Numbers { _ in
        .run { _ in
          actor.value!.assertIsolated()
          await elsewhere()
          actor.value!.assertIsolated()
        }
      }
    }
    actor.withValue { $0 = store }
    await store.send(0).finish()
    actor.withValue { $0 = nil }
  }

  // E3
  @Test(arguments: HostKind.live)
  func E3_aConcurrentClosureRunsElsewhere(kind: HostKind) async {
    let places = Log<Bool>()
    let effect = Effect<Int>.run { @concurrent _ in places.append(isOnMainQueue()) }
    let host = await kind.make(0) {
      Reduce<Int, Int> { _, _ in effect }
    }
    await host.finish(host.send(0))
    #expect(places.entries == [false])
  }

  // E2: the main queue may be served by another thread than the first, and a block there is no task.
  @Test func E2_itBeginsAtOnceInABlockOfTheMainQueue() async {
    let store = makeStore(.run { send in await send(1) })
    let state = await withCheckedContinuation { waiter in
      DispatchQueue.main.async {
        MainActor.assumeIsolated {
          store.send(0)
          waiter.resume(returning: store.state)
        }
      }
    }
    #expect(state == [0, 1])
  }

  // E2
  @Test func E2_observersSeeOneCommit() {
    let store = makeStore(.run { send in await send(1) })
    let commits = Log<[Int]>()
    let subscription = store.subscribe { commits.append($0.actions) }
    store.send(0)
    #expect(commits.entries == [[0, 1]])
    subscription.cancel()
  }

  // E8
  @Test func E8_withoutAStoreItBeginsAtOnceToo() {
    let values = Log<[Int]>()
    let effect = Effect.merge(.run { await $0([1]) }, .send([2])).scan([], +)
    let subscription = effect.sink { values.append($0) }
    #expect(values.entries == [[1], [1, 2]])
    subscription.cancel()
  }

  // MARK: The place of what it sends

  // E2
  @Test(arguments: HostKind.live)
  func E2_whatItSendsIsWhereTheAnswerOfASendWouldBe(kind: HostKind) async {
    let trees: [@Sendable ((Int) -> Effect<Int>) -> Effect<Int>] = [
      { .merge($0(1), .send(2), $0(3)) },
      { .concatenate($0(1), .send(2), $0(3)) },
      { .merge(.concatenate($0(1), .send(2)), .send(3)) },
      { .merge(.send(1), .concatenate(.merge($0(2), $0(3)), .send(4)), $0(5)) },
      { .merge($0(1), .send(2)).scan(10, +) },
      { .merge($0(1).flatMap { .merge(.send($0), .send($0 + 1)) }, .send(3)) },
      { .concatenate($0(1), $0(2)).prefix(1).prepend($0(3)) },
    ]
    for tree in trees {
      let run = await handledAtOnce(kind, tree { number in .run { await $0(number) } })
      #expect(await handledAtOnce(kind, tree { .send($0) }) == run)
    }
  }

  // E2
  @Test(arguments: HostKind.live)
  func E2_theNextEffectStartsWhenTheClosureHasComeToItsSuspension(kind: HostKind) async {
    let log = Log<String>()
    let first = Effect<Int>.concatenate(
      .run { _ in try await Task.never() }.cancellable(id: "id"),
      .run { _ in log.append("next") })
    let second = Effect<Int>.run { send in
      Task.cancel(id: "id")
      await send(1)
      log.append("suspends")
      try await Task.never()
    }
    #expect(await handledAtOnce(kind, .merge(first, second)) == [0, 1])
    #expect(log.entries == ["suspends", "next"])
  }

  // MARK: Cancellation inside of it

  // E5
  @Test(arguments: HostKind.live)
  func E5_anOperatorThatHasEnoughCancelsAClosureThatOnlySends(kind: HostKind) async {
    let effect = Effect<Int>.run { send in
      var number = 0
      while !Task.isCancelled {
        number += 1
        await send(number)
      }
    }
    #expect(await handledAtOnce(kind, effect.prefix(3)) == [0, 1, 2, 3])
  }

  // E5
  @Test(arguments: HostKind.live)
  func E5_aClosureThatCancelsItsOwnIdIsCancelledAtOnce(kind: HostKind) async {
    let isCancelled = Log<Bool>()
    let effect = Effect<Int>.run { send in
      Task.cancel(id: "own")
      isCancelled.append(Task.isCancelled)
      await send(1)
    }
    #expect(await handledAtOnce(kind, effect.cancellable(id: "own")) == [0])
    #expect(isCancelled.entries == [true])
  }

  // E5
  @Test(arguments: HostKind.live)
  func E5_anActionThatCancelsAClosureWhichOnlySendsIsHandledInTheEnd(kind: HostKind) async {
    let ended = Promise<Void>()
    let messages = await issues {
      let host = await withLoopLimit(actions: 1_000) {
        await kind.make(0) {
          Reduce<Int, Int> { state, action in
            state += 1
            guard action == 0 else { return action == 3 ? .cancel(id: "own") : .none }
            return .run { send in
              var number = 0
              while !Task.isCancelled {
                number += 1
                await send(number)
              }
              ended.fulfil()
            }
            .cancellable(id: "own")
          }
        }
      }
      await host.finish(host.send(0))
      await ended.value
      #expect(await host.state == 1_001)
    }
    #expect(messages.count == 1, "\(messages)")
    #expect(messages.first?.contains("very many actions") == true, "\(messages)")
  }

  // E5
  @Test func E5_aStoreThatIsReleasedByAClosureCancelsItAtOnce() async {
    let held = LockIsolated<Store<[Int], Int>?>(nil)
    let isCancelled = Log<Bool>()
    held.withValue {
      $0 = MainActor.assumeIsolated {
        makeStore(
          .run { _ in
            held.withValue { $0 = nil }
            isCancelled.append(Task.isCancelled)
          })
      }
    }
    weak let store = held.value
    held.value?.send(0)
    await eventually { store == nil }
    #expect(isCancelled.entries.count == 1)
  }

  // E5
  @Test func E5_aStoreActorThatIsReleasedWhileAClosureBeginsIsReleased() async {
    let held = LockIsolated<StoreActor<[Int], Int>?>(nil)
    let ended = Promise<Void>()
    held.withValue {
      $0 = StoreActor(initialState: [Int]()) {
        Numbers { _ in
          .run { _ in
            held.withValue { $0 = nil }
            try? await Task.never()
            ended.fulfil()
          }
        }
      }
    }
    weak let store = held.value
    await held.value?.send(0)
    await ended.value
    await eventually { store == nil }
  }

  // E5
  @Test(arguments: HostKind.live)
  func E5_aCancelledClosureThatWaitsEnds(kind: HostKind) async {
    let ended = Promise<Void>()
    let host = await kind.make(0) {
      Reduce<Int, Int> { _, action in
        guard action == 0 else { return .cancel(id: "id") }
        return .run { _ in
          try? await Task.never()
          ended.fulfil()
        }
        .cancellable(id: "id")
      }
    }
    let task = await host.send(0)
    await host.send(1)
    await host.finish(task)
    await ended.value
  }

  // E5
  @Test func E5_aClosureThatIsCancelledBeforeItBeginsDoesNotBegin() async {
    let begun = Count()
    let inner = makeStore(.run { _ in begun.add() })
    let outer = makeStore { _ in .none }
    let subscription = outer.subscribe { _ in inner.send(0).cancel() }
    outer.send(0)
    subscription.cancel()
    for _ in 0..<10 { await Task.yield() }
    #expect(begun.value == 0)
  }

  // MARK: Inside of something else

  // E2
  @Test func E2_aClosureThatIsStartedInAReducerBeginsLater() async {
    let log = Log<String>()
    let inner = makeStore(.run { _ in log.append("closure") })
    let outer = Store(initialState: 0) {
      Reduce<Int, Int> { _, _ in
        MainActor.assumeIsolated { _ = inner.send(0) }
        log.append("reducer")
        return .none
      }
    }
    outer.send(0)
    await eventually { log.entries.count == 2 }
    #expect(log.entries == ["reducer", "closure"])
  }

  // E2
  @Test func E2_withoutAStoreAClosureThatIsStartedInAReducerBeginsLater() async {
    let log = Log<String>()
    let outer = Store(initialState: 0) {
      Reduce<Int, Int> { _, _ in
        let effect = Effect<Int>.run { send in
          log.append("closure")
          await send(1)
        }
        MainActor.assumeIsolated { effect.assign(to: \.number, on: Model.shared) }
        log.append("reducer")
        return .none
      }
    }
    outer.send(0)
    await eventually { Model.shared.number == 1 }
    #expect(log.entries == ["reducer", "closure"])
  }

  // E2
  @Test func E2_aClosureThatIsStartedWhileAnotherStoreShowsACommitBeginsLater() async {
    let log = Log<String>()
    let first = makeStore(.run { _ in log.append("ran") })
    let second = makeStore { _ in .none }
    var task: StoreTask?
    let subscription = second.subscribe { _ in
      task = first.send(0)
      log.append("sent")
    }
    second.send(0)
    await task?.finish()
    #expect(log.entries == ["sent", "ran"])
    subscription.cancel()
  }

  // E2
  @Test func E2_anObservingClosureThatSendsIsNotWokenByWhatTheEffectReads() async {
    let store = makeStore(.run { send in await send(1) })
    let runs = Count()
    let token = observe {
      runs.add()
      if runs.value == 1 { store.send(0) }
    }
    await eventually { store.state == [0, 1] }
    #expect(runs.value == 1)
    token.cancel()
  }

  // E2
  @Test func E2_anEffectDoesNotSeeTheTransactionOfItsSender() {
    let isEmpty = Log<Bool>()
    let store = makeStore(.run { _ in isEmpty.append(Transaction.current.isEmpty) })
    withTransaction(Transaction(animation: .default)) { _ = store.send(0) }
    #expect(isEmpty.entries == [true])
  }

  // E2
  @Test(arguments: HostKind.live)
  func E2_operatorsDoNotSeeWhatAClosureHasOverridden(kind: HostKind) async {
    let seen = Log<Int>()
    let effect = withDependencies {
      $0[Favourite.self] = 1
    } operation: {
      Effect<Int>.run { send in
        withTransaction(Transaction(animation: .default)) {
          withDependencies {
            $0[Favourite.self] = 2
          } operation: {
            send.post(1)
          }
        }
      }
    }
    .filter { _ in
      @Dependency(Favourite.self) var number
      seen.append(number)
      return Transaction.current.isEmpty
    }
    #expect(await handledAtOnce(kind, effect) == [0, 1])
    #expect(seen.entries == [0])
  }

  // E2
  @Test(arguments: HostKind.live)
  func E2_aClosureSeesTheTaskLocalValuesOfItsSender(kind: HostKind) async {
    let seen = Log<Int>()
    let effect = Effect<Int>.run { _ in seen.append(Local.value) }
    await Local.$value.withValue(1) { _ = await handledAtOnce(kind, effect) }
    #expect(seen.entries == [1])
  }

  // MARK: Deep and many

  // E5
  @Test(arguments: HostKind.live)
  func E5_aHundredThousandClosuresSideBySideOrOneBehindTheOther(kind: HostKind) async {
    let one = Effect<Int>.run { send in await send(1) }
    let count = Scale.hundredThousand
    let many = repeatElement(one, count: count)
    let messages = await issues {
      #expect(await handledAtOnce(kind, .merge(many), actions: .max).count == count + 1)
      #expect(await handledAtOnce(kind, .concatenate(many), actions: .max).count == count + 1)
    }
    #expect(messages == [])
  }

  // E5
  @Test(arguments: HostKind.live)
  func E5_aLongChainOfClosuresIsHandledInConstantStack(kind: HostKind) async {
    let end = Scale.hundredThousand
    let host = await withLoopLimit(actions: .max) {
      await kind.make(0) {
        Reduce<Int, Int> { state, action in
          state = action
          return action < end ? .run { send in await send(action + 1) } : .none
        }
      }
    }
    await host.send(0)
    #expect(await host.state == end)
  }

  // E5
  @Test func E5_aLoopOfClosuresThatFansOutIsKnownAndTheRestGoesOn() async {
    let messages = await issues {
      let state = Count()
      let store = withLoopLimit(actions: 1_000) {
        Store(initialState: 0) {
          Reduce<Int, Int> { _, action in
            state.add()
            guard action < 12 else { return .none }
            let one = Effect<Int>.run { send in await send(action + 1) }
            return .merge(one, one)
          }
        }
      }
      let task = store.send(0)
      #expect(state.value <= 1_001)
      await task.finish()
      #expect(state.value == 8_191)
    }
    #expect(messages.count == 1, "\(messages)")
    #expect(messages.first?.contains("loop without end") == true, "\(messages)")
  }

  // E5
  @Test(arguments: HostKind.live)
  func E5_aClosureThatSendsVeryOftenComesToItsEnd(kind: HostKind) async {
    let count = Soak.count(9_000, long: 1_000_000)
    let messages = await issues {
      let host = await withLoopLimit(actions: count / 3) {
        await kind.make(0) {
          Reduce<Int, Int> { state, action in
            state = action
            return action == 0
              ? .run { send in for number in 1...count { await send(number) } } : .none
          }
        }
      }
      await host.finish(host.send(0))
      #expect(await host.state == count)
    }
    #expect(messages.count == 1, "\(messages)")
  }

  // E5
  @Test func E5_aClosureThatYieldsForEverLeavesTheStoreItsTurns() {
    let end = Count()
    let store = makeStore(.run { _ in while end.value == 0 { await Task.yield() } })
    store.send(0)
    store.send(2)
    #expect(store.state == [0, 2])
    end.add()
  }

  // MARK: Held up

  #if DEBUG
    // E4
    @Test func E4_aClosureThatHoldsTheMainActorUpIsReportedOnceForItsPlace() async {
      let elapsed = Mutex(Duration.zero)
      let messages = await issues {
        for _ in 0..<2 {
          let store = withDependencies {
            $0.effectTimeLimit = .milliseconds(50)
            $0.workTime = { elapsed.withLock(\.self) }
          } operation: {
            makeStore { number in
              .run(name: "decode") { _ in elapsed.withLock { $0 += .milliseconds(number) } }
            }
          }
          for number in [49, 50, 60] { store.send(number) }
        }
      }
      #expect(messages.count == 1)
      #expect(
        messages.first?.hasPrefix(
          #"run "decode" returned for 50 has held the main actor for 50 ms"#) == true, "\(messages)"
      )
      #expect(messages.first?.contains("@concurrent") == true)
    }

    // E4
    @Test func E4_withoutALimitNoTimeIsLookedAt() {
      let store = withDependencies {
        $0.effectTimeLimit = nil
        $0.workTime = { fatalError("It was looked at.") }
        $0.reducerTimeLimit = nil
      } operation: {
        makeStore(.run { _ in })
      }
      store.send(0)
    }
  #endif
}

@concurrent private func elsewhere() async {}

private struct Failure: Error {}

private enum Local {
  @TaskLocal static var value = 0
}

private enum Favourite: DependencyKey {
  static let liveValue = 0
  static let testValue = 0
}

@MainActor private final class Model {
  static let shared = Model()
  var number = 0
}

/// One element, which is there.
private struct One: AsyncSequence, AsyncIteratorProtocol, Sendable {
  private var element: Int? = 1
  func makeAsyncIterator() -> One { self }
  mutating func next() async -> Int? { element.take() }
  mutating func next(isolation: isolated (any Actor)?) async -> Int? { element.take() }
}
