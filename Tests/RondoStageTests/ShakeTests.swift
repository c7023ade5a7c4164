// The shake on the stage: SH1 to SH4.

import Dispatch
import Foundation
import RondoScheduling
import RondoStage
import Testing

@Suite struct ShakeTests {
  private func moved(_ x: Double) -> Node {
    Node.text("A").offset(x: x, y: 0).id("a")
  }

  // SH1
  @Test func printsAsTheReferenceDoes() {
    let stage = Stage()
    stage.commit(moved(0), at: .zero)
    withAnimation { stage.commit(moved(-2), at: .zero) }
    let printed = (1...21).map { "\(stage.x("a", at: .frame($0))!)" }
    #expect(
      printed == [
        "-0.008752822875976562", "-0.035709381103515625", "-0.08180809020996094",
        "-0.14772605895996094", "-0.2337169647216797", "-0.3394031524658203",
        "-0.4635505676269531", "-0.6038570404052734", "-0.7568626403808594",
        "-0.9180145263671875", "-1.0819854736328125", "-1.2431373596191406",
        "-1.3961429595947266", "-1.5364513397216797", "-1.6605968475341797",
        "-1.7662830352783203", "-1.852273941040039", "-1.918191909790039",
        "-1.9642906188964844", "-1.9912471771240234", "-2.0",
      ])
  }

  // SH2
  @Test(arguments: [(5, 35), (6, 42)])
  func repeatsEndSmoothlyOrJump(_ count: Int, _ last: Int) {
    let stage = Stage()
    stage.commit(moved(0), at: .zero)
    withAnimation(.default.repeatCount(count).speed(3)) { stage.commit(moved(-30), at: .zero) }
    let before = stage.x("a", at: .frame(last - 1))!
    #expect(count == 5 ? before < -28 : before > -2)
    #expect(stage.x("a", at: .frame(last)) == -30)
    stage.advance(to: .frame(last - 1))
    #expect(stage.isAnimating)
    stage.advance(to: .frame(last))
    #expect(!stage.isAnimating)
  }

  // SH3
  @Test func eachIncrementShakesAlikeAndOnlyTheChangeCounts() {
    let stage = Stage()
    func tree(_ attempts: Int) -> Node {
      Node.text("A").effect(Shake(shakes: attempts * 2))
        .animation(.linear(duration: 1), value: attempts).id("a")
    }
    stage.commit(tree(3), at: .zero)
    #expect(abs(stage.x("a", at: .zero)!) < 1e-9)
    stage.commit(tree(4), at: .seconds(1))
    stage.commit(tree(5), at: .seconds(3))
    for frame in 0..<60 {
      let first = stage.x("a", at: .seconds(3) + .frame(frame))!
      let expected = -30 * sin(2 * Double(frame) * 16_666_667e-9 * 2 * .pi)
      #expect(abs(first - expected) < 1e-6)
    }
  }

  // SH3
  @Test func retriggeredMidShakeThereIsNoJump() {
    let stage = Stage()
    func tree(_ attempts: Int) -> Node {
      Node.text("A").effect(Shake(shakes: attempts * 2))
        .animation(.linear(duration: 1), value: attempts).id("a")
    }
    stage.commit(tree(0), at: .zero)
    stage.commit(tree(1), at: .zero)
    let before = stage.x("a", at: .milliseconds(400))
    stage.commit(tree(2), at: .milliseconds(400))
    #expect(stage.x("a", at: .milliseconds(400)) == before)
    #expect(abs(stage.x("a", at: .milliseconds(401))! - before!) < 2)
  }

  // SH4
  @MainActor
  @Test func slowMotionShowsTheSameValuesAtMultiplesOfTheirTimes() {
    func shown(speed: Double, every interval: Duration) -> [Double] {
      let scheduler = DispatchQueue.test
      var shown: [Double] = []
      let player = StagePlayer(scheduler: scheduler, frameInterval: interval) {
        shown.append($0["a"]!.frame.x)
      }
      player.speed = speed
      player.commit(moved(0))
      withAnimation { player.commit(moved(-2)) }
      scheduler.advance(by: .seconds(10))
      return shown
    }
    let usual = shown(speed: 1, every: .nanoseconds(16_666_668))
    let slow = shown(speed: 0.5, every: .nanoseconds(33_333_336))
    #expect(usual == slow)
    #expect(usual.count == 23)
  }
}

private struct Shake: VisualEffect {
  var position: Double

  init(shakes: Int) {
    position = Double(shakes)
  }

  var animatableData: Double {
    get { position }
    set { position = newValue }
  }

  func apply(to appearance: inout Appearance) {
    appearance.move(x: -30 * sin(position * 2 * .pi), y: 0)
  }
}
