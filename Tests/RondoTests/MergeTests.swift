// R10: effects side by side.

import Dispatch
import Rondo
import Testing
import RondoRuntimeTestSupport

@MainActor @Suite struct MergeTests {
  // R10
  @Test func childrenAreStartedLeftToRight() {
    #expect(outputs(Effect.merge(.send(1), .send(2), .send(3))) == [1, 2, 3])
  }

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
  @Test func itEndsWhenAllChildrenHave() {
    let scheduler = DispatchQueue.test
    let both = Effect.merge(
      .send("late").delay(for: 2, scheduler: scheduler),
      .send("early").delay(for: 1, scheduler: scheduler))
    #expect(
      times(both.concatenate(with: .send("end")), scheduler) == ["1 early", "2 late", "2 end"])
  }

  // R10
  @Test func noneIsItsIdentity() {
    #expect("\(Effect.merge(.none, .send(1), .none))" == "send(1)")
    #expect("\(Effect.send(1).merge(with: .none))" == "send(1)")
    #expect("\(Effect.none.merge(with: .send(1)))" == "send(1)")
    #expect(Effect<Int>.merge().isNone)
    #expect(Effect<Int>.merge([]).isNone)
  }

  // R10
  @Test func itIsAssociative() {
    func log(_ make: (Effect<Int>, Effect<Int>, Effect<Int>) -> Effect<Int>) -> [String] {
      let scheduler = DispatchQueue.test
      func wait(_ seconds: Int) -> Effect<Int> {
        .merge(.send(0), .send(seconds).delay(for: .seconds(seconds), scheduler: scheduler))
      }
      return times(make(wait(2), wait(1), wait(2)), scheduler)
    }
    let flat = log { .merge($0, $1, $2) }
    #expect(flat == ["0 0", "0 0", "0 0", "1 1", "2 2", "2 2"])
    #expect(log { $0.merge(with: $1).merge(with: $2) } == flat)
    #expect(log { $0.merge(with: $1.merge(with: $2)) } == flat)
  }
}
