// R11: the algebra of effects one after another.

import Dispatch
import Rondo
import Testing
import RondoRuntimeTestSupport

@MainActor @Suite struct ConcatenateTests {
  // R11
  @Test func noneIsItsIdentity() {
    #expect("\(Effect.concatenate(.none, .send(1), .none))" == "send(1)")
    #expect("\(Effect.send(1).concatenate(with: .none))" == "send(1)")
    #expect("\(Effect.none.concatenate(with: .send(1)))" == "send(1)")
    #expect(Effect<Int>.concatenate().isNone)
    #expect(Effect<Int>.concatenate([]).isNone)
  }

  // R11
  @Test func itIsAssociative() {
    func log(_ make: (Effect<Int>, Effect<Int>, Effect<Int>) -> Effect<Int>) -> [String] {
      let scheduler = DispatchQueue.test
      func wait(_ seconds: Int) -> Effect<Int> {
        .merge(.send(0), .send(seconds).delay(for: .seconds(seconds), scheduler: scheduler))
      }
      return times(make(wait(1), wait(2), wait(3)), scheduler)
    }
    let flat = log { .concatenate($0, $1, $2) }
    #expect(flat == ["0 0", "1 1", "1 0", "3 2", "3 0", "6 3"])
    #expect(log { $0.concatenate(with: $1).concatenate(with: $2) } == flat)
    #expect(log { $0.concatenate(with: $1.concatenate(with: $2)) } == flat)
  }
}
