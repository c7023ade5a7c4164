// R6: an effect of an earlier action is started again.

import RondoRuntimeTestSupport
import Testing

@testable import Rondo

@Suite struct RestartTests {
  // R6
  @Test func aRestartDropsWhatTheEffectAnswersAtOnceAndNothingOfOthers() {
    let answer = LockIsolated<(@Sendable (String) -> Void)?>(nil)
    let machine = Cell(
      initialState: [String](),
      reducer: Script {
        switch $0 {
        case "other": .future { callback in answer.setValue(callback) }
        case "first": .merge(.send("dropped"), .future { _ in answer.value?("kept") })
        default: .none
        }
      },
      isolation: Inline(), dropsLoops: true)
    _ = machine.send("other", Transaction())
    machine.restart("first", in: [])
    #expect(machine.state == ["other", "kept"])
    machine.checkInvariants()
    machine.hostWasReleased()
  }
}
