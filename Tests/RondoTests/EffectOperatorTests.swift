// R9: operators on effects.

import Dispatch
import Rondo
import Testing
import RondoRuntimeTestSupport

@MainActor @Suite struct EffectOperatorTests {
  // R9
  @Test func mapChangesTheTypeMoreThanOnce() {
    #expect(outputs(Effect.send(1).map { "\($0)" }.map { [$0, "!"] }.map(\.count)) == [2])
  }

  // R9
  @Test func mapOfOptionalsKeepsNils() {
    #expect(outputs(Effect.merge(.send(1), .send(2)).map { $0 == 1 ? nil : $0 }) == [nil, 2])
  }

  // R9
  @Test func filterOfOptionalsKeepsNils() {
    let values = Effect<Int?>.merge(.send(nil), .send(1))
    #expect(outputs(values.filter { $0 == nil }) == [nil])
  }

  // R9
  @Test func flatMapRunsAnEffectForEachValueSideBySide() {
    let scheduler = DispatchQueue.test
    let effect = numbers(1...2).flatMap { number in
      Effect.concatenate(
        .send("\(number) begins"), .send("\(number) ends").delay(for: 1, scheduler: scheduler))
    }
    let log = Log<String>()
    let subscription = effect.sink { log.append($0) }
    scheduler.run()
    #expect(log.entries == ["1 begins", "2 begins", "1 ends", "2 ends"])
    subscription.cancel()
  }

  // R9
  @Test func flatMapEndsWhenTheEffectAndAllThatItHasStartedHave() {
    let scheduler = DispatchQueue.test
    let effect = numbers(1...2).flatMap { number in
      Effect.send(number).delay(for: .seconds(number), scheduler: scheduler)
    }
    #expect(times(effect.concatenate(with: .send(0)), scheduler) == ["1 1", "2 2", "2 0"])
  }

  // R9
  @Test func flatMapOfNoneDropsTheValue() {
    #expect(outputs(numbers(1...3).flatMap { $0 == 2 ? .none : .send($0) }) == [1, 3])
  }

  // R9
  @Test func scanBeginsAnewWithEveryStart() {
    let effect = numbers(1...3).scan(0, +)
    #expect(outputs(effect) == [1, 3, 6])
    #expect(outputs(effect) == [1, 3, 6])
  }

  // R9
  @Test func prefixEndsWithItsLastValue() {
    let scheduler = DispatchQueue.test
    let ticks = Effect.timer(id: 0, every: 1, on: scheduler).map { _ in "tick" }.prefix(2)
    #expect(
      times(ticks.concatenate(with: .send("end")), scheduler) == ["1 tick", "2 tick", "2 end"])
    #expect(scheduler.timeline.waiting.isEmpty)
  }

  // R9
  @Test func prefixDoesNotStartWhatComesAfterItsLastValue() {
    let later = Effect<Int>.future { callback in
      Issue.record("It was started.")
      callback(2)
    }
    #expect(outputs(Effect.concatenate(.send(1), later).prefix(1)) == [1])
    #expect(outputs(Effect.merge(.send(1), later).prefix(1)) == [1])
  }

  // R9
  @Test func prefixOfZeroOrLessDoesNothing() {
    #expect(numbers(1...3).prefix(0).isNone)
    #expect(numbers(1...3).prefix(-1).isNone)
  }

  // R9
  @Test func prefixesOfPrefixesLetTheShortestThrough() {
    #expect(outputs(numbers(1...9).prefix(3).prefix(5)) == [1, 2, 3])
    #expect(outputs(numbers(1...9).prefix(5).prefix(3)) == [1, 2, 3])
    #expect(outputs(numbers(1...9).prefix(3).prefix(3)) == [1, 2, 3])
  }

  // R9
  @Test func prependAnswersFirst() {
    #expect(outputs(numbers(3...4).prepend(1, 2)) == [1, 2, 3, 4])
    #expect(outputs(numbers(3...4).prepend(numbers(1...2))) == [1, 2, 3, 4])
  }

  // R9
  @Test func prependedEffectsEndBeforeTheOneThatTheyArePrependedToStarts() {
    let scheduler = DispatchQueue.test
    let effect = Effect.send("b").prepend(.send("a").delay(for: 1, scheduler: scheduler))
    #expect(times(effect, scheduler) == ["1 a", "1 b"])
  }

  // R9
  @Test func delayStartsTheEffectAtOnceAndDeliversItsValuesLater() {
    let scheduler = DispatchQueue.test
    let effect = Effect.concatenate(
      .send("a"), .send("b").delay(for: 1, scheduler: scheduler)
    ).delay(for: 2, scheduler: scheduler)
    #expect(times(effect, scheduler) == ["2 a", "3 b"])
  }

  // R9
  @Test func receiveEndsWhenItsLastValueHasArrived() {
    let scheduler = DispatchQueue.test
    let effect = numbers(1...2).delay(for: 1, scheduler: scheduler).concatenate(with: .send(3))
    #expect(times(effect, scheduler) == ["1 1", "1 2", "1 3"])
  }

  // R9
  @Test func timeoutEndsAnEffectThatIsSilentForTooLong() {
    let scheduler = DispatchQueue.test
    let effect = Effect.concatenate(
      .send("a").delay(for: 1, scheduler: scheduler),
      .send("b").delay(for: 3, scheduler: scheduler)
    ).timeout(2, scheduler: scheduler)
    #expect(times(effect.concatenate(with: .send("end")), scheduler) == ["1 a", "3 end"])
    #expect(scheduler.timeline.waiting.isEmpty)
  }

  // R9
  @Test func everyValueRestartsTheTimeout() {
    let scheduler = DispatchQueue.test
    let effect = Effect.timer(id: 0, every: 2, on: scheduler).map { _ in "tick" }.prefix(3)
      .timeout(3, scheduler: scheduler)
    #expect(times(effect, scheduler) == ["2 tick", "4 tick", "6 tick"])
    #expect(scheduler.timeline.waiting.isEmpty)
  }

  // R9
  @Test func aTimeoutThatPassesAtOnceAfterAValueEndsTheEffectWithThatValue() {
    let scheduler = DispatchQueue.test
    let effect = Effect.timer(id: 0, every: 1, on: scheduler).map { _ in "tick" }
      .timeout(2, scheduler: OnceSlowScheduler())
    #expect(times(effect.concatenate(with: .send("end")), scheduler) == ["1 tick", "1 end"])
    #expect(scheduler.timeline.waiting.isEmpty)
  }

  // R9
  @Test func fireAndForgetDropsAllValues() {
    #expect(outputs(numbers(1...3).fireAndForget() as Effect<String>).isEmpty)
    #expect(
      outputs(.concatenate(numbers(1...3).fireAndForget(), .send("end"))) == ["end"])
  }

  // R9
  @Test func operatorsOnNoneAreNone() {
    let none = Effect<Int>.none
    let scheduler = DispatchQueue.test
    #expect(none.map { $0 }.isNone)
    #expect(none.filter { _ in true }.isNone)
    #expect(none.scan(0, +).isNone)
    #expect(none.receive(on: scheduler).isNone)
    #expect(none.delay(for: 1, scheduler: scheduler).isNone)
    #expect(none.cancellable(id: 1).isNone)
    #expect(none.animation().isNone)
    #expect(none.merge(with: .none).isNone)
    #expect(none.concatenate(with: .none).isNone)
  }

  private func numbers(_ range: ClosedRange<Int>) -> Effect<Int> {
    .merge(range.map { .send($0) })
  }
}

/// The values that an effect answers with at once.
@MainActor
func outputs<Output>(_ effect: Effect<Output>) -> [Output] {
  var outputs: [Output] = []
  let subscription = effect.sink { outputs.append($0) }
  subscription.cancel()
  return outputs
}

/// The values that an effect answers with in the first hundred seconds, each after its second.
@MainActor
func times<Output>(
  _ effect: Effect<Output>, _ scheduler: TestSchedulerOf<DispatchQueue>
) -> [String] {
  var log: [String] = []
  let subscription = effect.sink { output in
    log.append("\(Int(scheduler.timeline.elapsed / .seconds(1))) \(output)")
  }
  scheduler.advance(by: 100)
  subscription.cancel()
  return log
}

/// A scheduler that never runs the first work that it is given, and runs all other work at once.
private final class OnceSlowScheduler: Scheduler {
  typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
  typealias SchedulerOptions = Never

  private let isInline = LockIsolated(false)

  var now: SchedulerTimeType { DispatchQueue.test.now }
  var minimumTolerance: SchedulerTimeType.Stride { .zero }

  func schedule(options: Never?, _ work: @escaping @Sendable () -> Void) {
    guard isInline.value else { return isInline.setValue(true) }
    work()
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
    _ work: @escaping @Sendable () -> Void
  ) {
    schedule(options: options, work)
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: Never?, _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    schedule(options: options, work)
    return AnyCancellable {}
  }
}
