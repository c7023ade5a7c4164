// K23, K26: effects of what publishes values, and names of pipelines.

import Rondo
import RondoCompatibility
import Testing

@Suite struct OriginalEffectTests {
  // K23
  @Test func anEffectOfASequence() async {
    let effect = Effect<Int>.publisher {
      AsyncStream { continuation in
        continuation.yield(1)
        continuation.yield(2)
        continuation.finish()
      }
    }
    #expect(await effect.values.reduce(into: []) { $0.append($1) } == [1, 2])
  }

  // K23
  @Test func anEffectOfASequenceIsStartedAnewEachTime() async {
    let count = LockIsolated(0)
    let effect = Effect<Int>.publisher {
      count.withValue { $0 += 1 }
      return AsyncStream<Int>.finished
    }
    #expect(count.value == 0)
    for await _ in effect.values {}
    for await _ in effect.values {}
    #expect(count.value == 2)
  }

  // K23
  @Test func anEffectOfAnEffect() async {
    let numbers = Effect<Int>.concatenate(.send(1), .send(2))
    let effect = Effect<String>.publisher { numbers.map { "\($0)" } }
    #expect(await effect.values.reduce(into: []) { $0.append($1) } == ["1", "2"])
  }

  // K23
  @Test func anEffectOfTheValuesOfASharedValue() async {
    struct State {
      @Shared var number: Int
      mutating func effect() -> Effect<String> {
        .publisher { $number.publisher.map { "\($0)" }.prefix(1) }
      }
    }
    var state = State(number: Shared(value: 7))
    let effect = state.effect()
    #expect(await effect.values.reduce(into: []) { $0.append($1) } == ["7"])
    state.$number.withLock { $0 = 8 }
    #expect(await effect.values.reduce(into: []) { $0.append($1) } == ["8"])
  }

  // K23
  @Test func theValuesOfASharedValueAreAllKept() async {
    @Shared(value: 0) var number
    let all = $number.publisher.values
    let changes = $number.publisher.filter { $0 > 0 }.removeDuplicates().prefix(3).values
    let reader = SharedReader($number).publisher.prefix(2).values
    for value in [1, 1, 2, 2, 3] { $number.withLock { $0 = value } }
    #expect(await all.prefix(6).reduce(into: []) { $0.append($1) } == [0, 1, 1, 2, 2, 3])
    #expect(await changes.reduce(into: []) { $0.append($1) } == [1, 2, 3])
    #expect(await reader.reduce(into: []) { $0.append($1) } == [0, 1])
  }

  // K26
  // E6
  @MainActor @Test @available(*, deprecated) func theEarlierSpellingOfClosuresChangesNothing() {
    let store = Store(initialState: [Int]()) {
      Reduce<[Int], Int> { state, action in
        state.append(action)
        return action == 0 ? .run { send in await send(1) }.cooperative() : .none
      }
    }
    store.send(0)
    #expect(store.state == [0, 1])
  }

  @Test func theEndsOfPipelines() async {
    let effect = Effect<Int>.send(1).eraseToAnyPublisher().eraseToEffect()
    let text = effect.eraseToEffect { "\($0)" }
    #expect(await text.values.reduce(into: []) { $0.append($1) } == ["1"])
  }

  // K26
  @Test func valuesAreAssignedToASharedOne() async {
    @Shared(value: 0) var count
    Effect<Int>.concatenate(.send(1), .send(2)).assign(to: &$count)
    #expect(count == 2)
  }
}
