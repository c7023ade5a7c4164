// A stage that runs by a scheduler, in no real time.

import Dispatch
import RondoScheduling
import RondoStage
import Testing

@MainActor
@Suite struct StagePlayerTests {
  private func leaf(_ x: Double) -> Node { Node.text("A").offset(x: x, y: 0).id("a") }

  @Test func presentsFramesWhileAnythingMovesAndNoLonger() {
    let scheduler = DispatchQueue.test
    var shown: [Double] = []
    let player = StagePlayer(scheduler: scheduler, frameInterval: .milliseconds(250)) {
      shown.append($0["a"]!.frame.x)
    }
    player.commit(leaf(0))
    scheduler.advance(by: .seconds(10))
    #expect(shown == [0])
    withAnimation(.linear(duration: 1)) { player.commit(leaf(8)) }
    scheduler.advance(by: .seconds(10))
    #expect(shown == [0, 0, 2, 4, 6, 8])
  }

  @Test func completionsRunOnTheirFrame() {
    let scheduler = DispatchQueue.test
    let log = Log()
    let player = StagePlayer(scheduler: scheduler, frameInterval: .milliseconds(100)) { _ in }
    player.commit(leaf(0))
    withAnimation(.linear(duration: 0.25)) {
      player.commit(leaf(8))
    } completion: {
      log.add("complete at \(player.now)")
    }
    scheduler.advance(by: .seconds(1))
    #expect(log.entries == ["complete at 0.3 seconds"])
  }

  @Test func changingTheSpeedDoesNotJump() {
    let scheduler = DispatchQueue.test
    let player = StagePlayer(scheduler: scheduler) { _ in }
    scheduler.advance(by: .seconds(2))
    player.speed = 0.5
    #expect(player.now == .seconds(2))
    scheduler.advance(by: .seconds(2))
    #expect(player.now == .seconds(3))
    player.speed = 0
    scheduler.advance(by: .seconds(2))
    #expect(player.now == .seconds(3))
  }

  @Test func stopsWhenToldTo() {
    let scheduler = DispatchQueue.test
    var count = 0
    let player = StagePlayer(scheduler: scheduler) { _ in count += 1 }
    player.commit(leaf(0))
    withAnimation(.linear(duration: 1).repeatForever()) { player.commit(leaf(8)) }
    scheduler.advance(by: .seconds(1))
    let before = count
    player.stop()
    scheduler.advance(by: .seconds(1))
    #expect(count == before && before > 55)
  }
}
