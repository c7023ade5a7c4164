// K23, K26: effects of what publishes values, and names of pipelines.

import Rondo
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

  // K26
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
