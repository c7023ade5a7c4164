// R30, PF5: effects without a store.

import Dispatch
import Foundation
import Rondo
import RondoRuntimeTestSupport
import RondoSeededRandomness
import Testing

@MainActor @Suite struct StandaloneTests {
  private let scheduler = DispatchQueue.test

  // MARK: Work outside of the lock

  // E8
  @Test nonisolated func aClosureMayWaitForThreadsThatSend() async {
    let effect = Effect<Int>.run { send in
      onOtherThread { send.post(1) }
      DispatchQueue.concurrentPerform(iterations: 8) { _ in send.post(1) }
    }
    var sum = 0
    for await value in effect.values { sum += value }
    #expect(sum == 9)
  }

  // E8
  @Test nonisolated func aCallbackMayComeFromAThreadThatIsWaitedFor() async {
    let effect = Effect<Int>.future { callback in onOtherThread { callback(1) } }
    var values: [Int] = []
    for await value in effect.values { values.append(value) }
    #expect(values == [1])
  }

  // R9, E8
  @Test nonisolated func valuesReachTheirThreadWhileAClosureBegins() async {
    let queue = DispatchQueue(label: "receiver")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let arrived = DispatchSemaphore(value: 0)
    let done = Promise<[Bool]>()
    let log = LockIsolated<[Bool]>([])
    @Sendable func waitForArrival() { arrived.wait() }
    let subscription = Effect<Int>.run { send in
      await send(1)
      waitForArrival()
      await send(2)
      waitForArrival()
    }
    .receive(on: queue)
    .sink(isolation: nil, receiveCompletion: { done.fulfil(log.value) }) { _ in
      log.withValue { $0.append(DispatchQueue.getSpecific(key: key) == true) }
      arrived.signal()
    }
    #expect(await done.value == [true, true])
    subscription.cancel()
  }

  // E2, E8
  @Test nonisolated func effectsBehindAClosureWaitUntilItHasBegun() {
    let log = LockIsolated<[Int]>([])
    let subscription = Effect<Int>.merge(
      .run { await $0(1) }, .send(2),
      .concatenate(.run { await $0(3) }, .send(4), .run { await $0(5) }), .send(6)
    ).sink(isolation: nil) { value in log.withValue { $0.append(value) } }
    #expect(log.value == [1, 2, 3, 4, 5, 6])
    subscription.cancel()
  }

  // E5, E8
  @Test nonisolated func manyClosuresOneBehindTheOtherTakeNoStack() async {
    let count = Soak.count(10_000, long: 100_000)
    var sum = 0
    let effects = (0..<count).map { _ in Effect<Int>.run { await $0(1) } }
    for await value in Effect.concatenate(effects).values { sum += value }
    #expect(sum == count)
  }

  // E5, E8
  @Test nonisolated func aClosureThatBeginsSeesThatAnotherThreadHasEndedIt() async {
    let effect = Effect<Int>.run { send in
      onOtherThread { send.post(1) }
      while !Task.isCancelled { sched_yield() }
    }
    .prefix(1)
    var values: [Int] = []
    for await value in effect.values { values.append(value) }
    #expect(values == [1])
  }

  // R30, E8
  @Test nonisolated func aHandlerOfACancellationMayWaitForAThreadThatSends() async {
    let other = LockIsolated<Send<Int>?>(nil)
    let (waiting, waits) = (Promise<Void>(), Promise<Void>())
    let subscription = Effect<Int>.merge(
      .run { _ in
        await withTaskCancellationHandler {
          waits.fulfil()
          await waiting.value
        } onCancel: {
          onOtherThread { other.value?.post(1) }
          waiting.fulfil()
        }
      },
      .run { send in
        other.setValue(send)
        await waiting.value
      }
    ).sink(isolation: nil) { _ in }
    await waits.value
    subscription.cancel()
    await waiting.value
  }

  // E8
  @Test nonisolated func aSinkMayEndItsEffectWhileAClosureIsAboutToBegin() async {
    for _ in 0..<100 {
      let (start, ended) = (Promise<Void>(), Promise<Void>())
      let subscription = LockIsolated<AnyCancellable?>(nil)
      subscription.setValue(
        Effect<Int>.run { send in
          await start.value
          await send(1)
          ended.fulfil()
        }
        .flatMap { .merge(.send($0), .run { _ in }) }
        .sink(isolation: nil) { _ in subscription.value?.cancel() })
      start.fulfil()
      await ended.value
    }
  }

  // E8
  @Test nonisolated func aClosureThatBeginsLaterIsCancelledAtAnyTime() async {
    for _ in 0..<1_000 {
      let (started, ended) = (Promise<Void>(), Promise<Bool>())
      let inner = LockIsolated<AnyCancellable?>(nil)
      // Inside of the work of another effect a closure begins later.
      let outer = Effect<Int>.send(0).sink(isolation: nil) { _ in
        inner.setValue(
          Effect<Int>.run { send in
            await send(1)
            await started.value
            ended.fulfil(Task.isCancelled)
          }
          .prefix(1)
          .sink(isolation: nil) { _ in })
      }
      started.fulfil()
      #expect(await ended.value)
      outer.cancel()
    }
  }

  // R9, E8
  @Test func valuesOfOthersReachTheirThreadWhileACallbackBegins() async {
    let (jobs, clicks) = (LockIsolated<Send<Int>?>(nil), LockIsolated<Send<Int>?>(nil))
    let (begun, gate) = (Promise<Void>(), DispatchSemaphore(value: 0))
    let (clicked, ended) = (Promise<Void>(), Promise<Void>())
    let background = DispatchQueue(label: "background")
    var values: [Int] = []
    let subscription = Effect<Int>.merge(
      .run { send in
        jobs.setValue(send)
        try await Task.never()
      }
      .receive(on: background)
      .flatMap { number in
        .concatenate(
          .future { callback in
            begun.fulfil()
            gate.wait()
            callback(number)
          }, .send(number + 1))
      }
      .receive(on: DispatchQueue.main),
      .run { send in
        clicks.setValue(send)
        try await Task.never()
      }
      .receive(on: DispatchQueue.main)
      .flatMap { .concatenate(.send($0), .run { await $0(4) }) }
    )
    .sink { value in
      values.append(value)
      if value == 4 { clicked.fulfil() }
      if value == 2 { ended.fulfil() }
    }
    jobs.value?.post(1)
    await begun.value
    clicks.value?.post(3)
    await clicked.value
    #expect(values == [3, 4])
    gate.signal()
    await ended.value
    #expect(values == [3, 4, 1, 2])
    subscription.cancel()
  }

  // R9, E8
  @Test func aValueStaysOnItsThreadWhileItsCallbackBeginsOnAnother() async {
    let jobs = LockIsolated<Send<Int>?>(nil)
    let (background, ended) = (DispatchQueue(label: "background"), Promise<Void>())
    var values: [Int] = []
    let subscription = Effect<Int>.run { send in
      jobs.setValue(send)
      try await Task.never()
    }
    .receive(on: background)
    .flatMap { number in
      .concatenate(
        .future { callback in
          background.async { ended.fulfil() }
          let gate = DispatchSemaphore(value: 0)
          DispatchQueue.main.async {
            callback(number)
            gate.signal()
          }
          gate.wait()
        }
        .flatMap { .send($0) }, .send(number + 1))
    }
    .sink { values.append($0) }
    jobs.value?.post(1)
    await ended.value
    #expect(values == [1, 2])
    subscription.cancel()
  }

  // E2, E8
  @Test nonisolated func valuesOfSeveralThreadsStayInOrderWhileTheirClosureBegins() {
    let log = LockIsolated<[Int]>([])
    let subscription = Effect<Int>.run { send in
      send.post(1)
      onOtherThread { send.post(2) }
      send.post(3)
    }
    .flatMap { .send($0) }
    .sink(isolation: nil) { value in log.withValue { $0.append(value) } }
    #expect(log.value == [1, 2, 3])
    subscription.cancel()
  }

  // R5, E5
  @Test nonisolated func anEffectThatWasStartedBehindAClosureIsReleased() {
    final class Token: Sendable {}
    let isAlive = LockIsolated<[Bool]>([])
    let subscription = Effect<Int>.send(0).flatMap { _ in
      let token = Token()
      return .merge(
        .run { await $0(1) },
        .send(2).map { number in withExtendedLifetime(token) { number } },
        .send(3).map { [weak token] number in
          isAlive.withValue { $0.append(token != nil) }
          return number
        })
    }
    .sink(isolation: nil) { _ in }
    #expect(isAlive.value == [false])
    subscription.cancel()
  }

  // E2, E8
  @Test nonisolated func whatOperatorsMakeOfAClosureBeginsBehindItInOrder() {
    let log = LockIsolated<[Int]>([])
    let subscription = Effect<Int>.concatenate(
      .run { send in
        await send(1)
        await send(2)
        log.withValue { $0.append(0) }
      }
      .flatMap { number in .concatenate(.run { await $0(number * 10) }, .send(number * 10 + 1)) },
      .send(3)
    ).sink(isolation: nil) { value in log.withValue { $0.append(value) } }
    #expect(log.value == [0, 10, 11, 20, 21, 3])
    subscription.cancel()
  }

  // E8
  @Test nonisolated func whatACancellationStartsHasNothingOfTheTaskThatCancels() async {
    let (start, log) = (Promise<Void>(), LockIsolated<[Int]>([]))
    let logs = Effect<Int>.run { _ in log.withValue { $0.append(Ambient.number) } }
    let effect = Effect<Int>.merge(
      .concatenate(.run { _ in try await Task.never() }.cancellable(id: "x"), .merge(logs, logs)),
      .run { _ in
        await start.value
        Ambient.$number.withValue(1) { Task.cancel(id: "x") }
      })
    let values = effect.values
    start.fulfil()
    for await _ in values {}
    #expect(log.value == [0, 0])
  }

  // MARK: sink

  // R9, R30
  @Test func anEndThatComesOnAnotherThreadIsBroughtToTheMainActor() async {
    let done = Promise<[Int]>()
    var values: [Int] = []
    let subscription = Effect<Int>.run { send in
      await send(1)
      await Task.yield()
    }
    .receive(on: DispatchQueue.main)
    .sink(
      receiveCompletion: { done.fulfil(values) },
      receiveValue: { values.append($0) })
    #expect(await done.value == [1])
    subscription.cancel()
  }

  // R30
  @Test func sinkCallsItsClosureInsideTheTransactionOfEachValue() {
    var log: [String] = []
    let subscription = Effect.merge(.send("a"), .send("b").animation())
      .sink { log.append("\($0) \(Transaction.current)") }
    #expect(log == ["a untagged", "b .default"])
    subscription.cancel()
  }

  // R30
  @Test func sinkTellsOfTheEndOnceAfterTheLastValue() {
    var log: [String] = []
    let subscription = Effect.send("a").delay(for: 1, scheduler: scheduler).sink(
      receiveCompletion: { log.append("end") }, receiveValue: { log.append($0) })
    #expect(log.isEmpty)
    scheduler.run()
    #expect(log == ["a", "end"])
    subscription.cancel()
    #expect(log == ["a", "end"])
  }

  // R30
  @Test func aSinkOnAnActorIsNotCalledAfterItsCancellation() async {
    let reader = Reader()
    await reader.cancelBeforeTheValue()
    for _ in 0..<100 { await Task.yield() }
    #expect(await reader.values.isEmpty)
  }

  // R30
  @Test nonisolated func twoEffectsMayCancelEachOther() async {
    // Both closures and the test come together.
    let all = DispatchGroup()
    for _ in 0..<3 { all.enter() }
    let subscriptions = LockIsolated<[AnyCancellable]>([])
    let ends = [Promise<Void>(), Promise<Void>()]
    for index in 0..<2 {
      let queue = DispatchQueue(label: "\(index)")
      let subscription = Effect<Int>.send(1).receive(on: queue).sink(isolation: nil) { _ in
        all.leave()
        all.wait()
        subscriptions.value[1 - index].cancel()
        ends[index].fulfil()
      }
      subscriptions.withValue { $0.append(subscription) }
    }
    all.leave()
    for end in ends { await end.value }
  }

  // R30, R14
  @Test nonisolated func aCancellationThatHasReturnedLetsNothingThroughThatComesLater() async {
    let log = LockIsolated<[Int]>([])
    let subscriptions = LockIsolated<[AnyCancellable]>([])
    let hasBegun = Promise<Send<Int>>()
    let effect = Effect<Int>.run { send in
      hasBegun.fulfil(send)
      await suspendUntilCancelled()
    }
    .map { value in
      log.withValue { $0.append(value) }
      return value
    }
    let send = Later<Send<Int>>()
    let subscription = effect.sink(isolation: nil) { value in
      guard value == 1 else { return }
      // This thread holds the lock, so the other one leaves the cancellation to it.
      onOtherThread { subscriptions.value[0].cancel() }
      send.value?.post(2)
    }
    subscriptions.withValue { $0 = [subscription] }
    send.value = await hasBegun.value
    send.value?.post(1)
    #expect(log.value == [1])
  }

  // R30
  @Test func sinkOfNoneEndsAtOnce() {
    var hasEnded = false
    let subscription = Effect<Int>.none.sink(
      receiveCompletion: { hasEnded = true }, receiveValue: { _ in })
    #expect(hasEnded)
    subscription.cancel()
  }

  // R30
  @Test func aCancelledSinkHearsNothingMoreAndNoEnd() {
    var log: [String] = []
    let subscription = Effect.timer(id: 1, every: 1, on: scheduler).sink(
      receiveCompletion: { log.append("end") }, receiveValue: { _ in log.append("tick") })
    scheduler.advance(by: 2)
    subscription.cancel()
    scheduler.advance(by: 2)
    #expect(log == ["tick", "tick"])
    #expect(scheduler.timeline.waiting.isEmpty)
  }

  // R30
  @Test func aSinkThatIsReleasedIsCancelled() {
    var ticks = 0
    var subscription: AnyCancellable? = Effect.timer(id: 1, every: 1, on: scheduler)
      .sink { _ in ticks += 1 }
    scheduler.advance(by: 1)
    #expect(subscription != nil)
    subscription = nil
    scheduler.advance(by: 1)
    #expect(ticks == 1)
    #expect(scheduler.timeline.waiting.isEmpty)
  }

  // R30
  @Test func aSinkMayCancelItselfFromWithin() {
    let subscription = Later<AnyCancellable>()
    var ticks = 0
    subscription.value = Effect.timer(id: 1, every: 1, on: scheduler).sink { _ in
      ticks += 1
      subscription.value?.cancel()
    }
    scheduler.advance(by: 3)
    #expect(ticks == 1)
  }

  // R30
  @Test func aSinkOnAnotherActorGetsItsValuesInOrder() async {
    let reader = Reader()
    let scheduler = scheduler
    await reader.read(.merge((0..<10_000).map { .send($0) }).receive(on: scheduler))
    onOtherThread { scheduler.advance() }
    #expect(await reader.done.value == Array(0..<10_000))
  }

  // R30
  @Test func completionsWaitUntilASinkOnAnotherActorHasTheValue() async {
    let log = LockIsolated<[String]>([])
    var transaction = Transaction(animation: .default)
    transaction.addAnimationCompletion(isolation: nil) { log.withValue { $0.append("complete") } }
    let reader = Reader()
    await reader.read(
      Effect.send(1).transaction(transaction).map { value in
        log.withValue { $0.append("sent") }
        return value
      },
      didRead: { log.withValue { $0.append("read") } })
    _ = await reader.done.value
    #expect(log.withValue { $0 } == ["sent", "read", "complete"])
  }

  // R30
  @Test func aSinkOnAnotherActorDoesNotSeeTheDependenciesOfTheEffects() async {
    let seen = Log<Int>()
    let effects = (1...2).map { number in
      withDependencies {
        $0[Favourite.self] = number
      } operation: {
        Effect<Int>.run { send in await send(number) }
      }
    }
    let reader = Reader()
    await reader.read(
      .merge(effects),
      didRead: {
        @Dependency(Favourite.self) var number
        seen.append(number)
      })
    #expect(await reader.done.value.sorted() == [1, 2])
    #expect(seen.entries == [0, 0])
  }

  // R30
  @Test func aSinkDoesNotRetainItsActor() async {
    var reader: Reader? = Reader()
    weak let weakReader = reader
    await reader!.wait(.send(1).delay(for: 1, scheduler: scheduler))
    reader = nil
    await untilReleased { weakReader }
    #expect(scheduler.timeline.waiting.isEmpty)
  }

  // R30
  @Test func aSinkOutsideOfAnyActorGetsOneValueAtATime() async {
    let values = await unisolatedSink()
    #expect(values.count == 4_000)
  }

  // MARK: assign

  // R30
  @Test func assignWritesEachValueInsideItsTransaction() {
    let model = Model()
    Effect.merge(.send(["a"]), .send(["b"]).animation()).assign(to: \.movies, on: model)
    #expect(model.log == ["1 untagged", "1 .default"])
  }

  // R30
  @Test func assignNeedsNothingKept() {
    let model = Model()
    Effect.send(["a"]).delay(for: 1, scheduler: scheduler).assign(to: \.movies, on: model)
    scheduler.run()
    #expect(model.movies == ["a"])
  }

  // R30
  @Test func assignEndsWhenItFindsTheActorOfItsObjectGone() async {
    var keeper: Keeper? = Keeper()
    await keeper?.assign(Effect.timer(id: 1, every: 1, on: scheduler).map { _ in 1 })
    keeper = nil
    await scheduler.advance(by: 1)
    #expect(scheduler.timeline.waiting.isEmpty)
  }

  // R30
  @Test func assignDoesNotRetainItsObjectAndEndsWhenItFindsItGone() {
    var model: Model? = Model()
    weak let weakModel = model
    Effect.timer(id: 1, every: 1, on: scheduler).map { _ in ["a"] }
      .assign(to: \.movies, on: model!)
    scheduler.advance(by: 1)
    #expect(model?.movies == ["a"])
    model = nil
    #expect(weakModel == nil)
    scheduler.advance(by: 1)
    #expect(scheduler.timeline.waiting.isEmpty)
  }

  // R30, R31
  @Test func aWriteToAMainActorModelFromABackgroundThreadIsReportedAndDropped() {
    let model = Model()
    let line: UInt = #line + 1
    Effect.send(["a"]).delay(for: 1, scheduler: scheduler).assign(to: \.movies, on: model)
    let scheduler = scheduler
    let issues = onOtherThread { captureIssues { scheduler.advance(by: 1) } }
    #expect(model.movies.isEmpty)
    #expect(
      issues.map(\.message) == [
        """
        A value reached 'assign(to:on:)' on a background thread, though it was called on the main \
        actor, and was dropped. Add 'receive(on: DispatchQueue.main)' in front of it.
        """
      ])
    #expect(issues.first?.position.line == line)
  }

  // MARK: values

  // R30
  @Test func valuesAreAnAsynchronousSequence() async {
    var values: [Int] = []
    for await value in Effect.merge(.send(1), .send(2)).values { values.append(value) }
    #expect(values == [1, 2])
  }

  // R30
  @Test func theEffectIsCancelledWhenTheReaderOfItsValuesStops() async {
    for await _ in Effect.merge(.send(1), .send(2).delay(for: 1, scheduler: scheduler)).values {
      break
    }
    #expect(scheduler.timeline.waiting.isEmpty)
  }

  // MARK: The movies

  // R30, PF5
  @Test func aReceiverOfEachTagsEachByItself() {
    let log = movies { cached, all, scheduler in
      all.receive(on: scheduler.animation()).prepend(cached.receive(on: scheduler)).scan([], +)
    }
    #expect(log == ["100 3 untagged", "1100 23 .default"])
  }

  // R30, PF5
  @Test func oneReceiverAfterTheConcatenationTagsBoth() {
    let log = movies { cached, all, scheduler in
      all.prepend(cached).scan([], +).receive(on: scheduler.animation())
    }
    #expect(log == ["100 3 .default", "1100 23 .default"])
  }

  private func movies(
    _ load: (Effect<[String]>, Effect<[String]>, TestSchedulerOf<DispatchQueue>) -> Effect<[String]>
  ) -> [String] {
    let cached = Effect.send(["a", "b", "c"]).delay(for: .milliseconds(100), scheduler: scheduler)
    let all = Effect.send((1...20).map { "\($0)" }).delay(for: .seconds(1), scheduler: scheduler)
    let model = Model(scheduler)
    load(cached, all, scheduler).assign(to: \.movies, on: model)
    scheduler.run()
    return model.log
  }

  @MainActor
  private final class Model {
    private let scheduler: TestSchedulerOf<DispatchQueue>?
    var log: [String] = []
    var movies: [String] = [] {
      didSet {
        let time = scheduler.map { "\(Int($0.timeline.elapsed / .milliseconds(1))) " }
        log.append("\(time ?? "")\(movies.count) \(Transaction.current)")
      }
    }

    init(_ scheduler: TestSchedulerOf<DispatchQueue>? = nil) {
      self.scheduler = scheduler
    }
  }
}

private enum Ambient {
  @TaskLocal static var number = 0
}

private enum Favourite: TestDependencyKey {
  static let testValue = 0
}

private actor Keeper {
  private final class Model {
    var value = 0
  }
  private let model = Model()

  func assign(_ effect: Effect<Int>) {
    effect.assign(to: \.value, on: model)
  }
}

private actor Reader {
  nonisolated let done = Promise<[Int]>()
  private(set) var values: [Int] = []
  private var subscription: AnyCancellable?

  func cancelBeforeTheValue() {
    let subscription = Effect<Int>.send(1).sink { value in
      self.assumeIsolated { $0.values.append(value) }
    }
    subscription.cancel()
  }

  func read(_ effect: Effect<Int>, didRead: @escaping @Sendable () -> Void = {}) {
    subscription = effect.sink(
      receiveCompletion: {
        self.assumeIsolated {
          $0.done.fulfil($0.values)
          $0.subscription = nil
        }
      },
      receiveValue: { value in
        self.assumeIsolated { $0.values.append(value) }
        didRead()
      })
  }

  func wait(_ effect: Effect<Int>) {
    subscription = effect.sink { [weak self] value in
      self?.assumeIsolated { $0.values.append(value) }
    }
  }
}

private nonisolated func unisolatedSink() async -> [Int] {
  let done = Promise<Void>()
  // nonisolated(unsafe): the effect delivers one value at a time, and the promise comes last.
  nonisolated(unsafe) var values: [Int] = []
  let subscription = Effect<Int>.merge(
    (0..<4).map { _ in
      .run { send in for number in 0..<1_000 { await send(number) } }
    }
  ).sink(
    isolation: nil, receiveCompletion: { done.fulfil() }, receiveValue: { values.append($0) })
  await done.value
  subscription.cancel()
  return values
}
