// R10, R11: effects side by side, and none among others.

import Rondo
import Testing
import RondoRuntimeTestSupport

@MainActor @Suite struct MergeTests {
  // R10
  @Test func everyChildIsStartedFullyBeforeTheNext() {
    let log = Log<String>()
    func start(_ name: String) -> Effect<String> {
      .future { callback in
        log.append(name)
        callback(name)
      }
    }
    let deep = Effect.concatenate(start("a"), .merge(start("b"), start("c")), start("d"))
    #expect(outputs(.merge(deep, start("e"))) == ["a", "b", "c", "d", "e"])
    #expect(log.entries == ["a", "b", "c", "d", "e"])
  }

  // R10
  @Test func whatAChildAnswersWithThroughAFlatMapIsQueuedBeforeTheNextChildStarts() {
    let doubled = Effect.merge(.send(1), .send(2)).flatMap {
      Effect<Int>.merge(.send($0), .send(0 - $0))
    }
    #expect(outputs(.merge(doubled, .send(3))) == [1, -1, 2, -2, 3])
  }

  // R10
  @Test func noneIsTheIdentityOfMerge() {
    #expect("\(Effect.merge(.none, .send(1), .none))" == "send(1)")
    #expect("\(Effect.send(1).merge(with: .none))" == "send(1)")
    #expect("\(Effect.none.merge(with: .send(1)))" == "send(1)")
    #expect(Effect<Int>.merge().isNone)
    #expect(Effect<Int>.merge([]).isNone)
  }

  // R11
  @Test func noneIsTheIdentityOfConcatenate() {
    #expect("\(Effect.concatenate(.none, .send(1), .none))" == "send(1)")
    #expect("\(Effect.send(1).concatenate(with: .none))" == "send(1)")
    #expect("\(Effect.none.concatenate(with: .send(1)))" == "send(1)")
    #expect(Effect<Int>.concatenate().isNone)
    #expect(Effect<Int>.concatenate([]).isNone)
  }
}
