// Random springs, curves and animations.

import RondoSeededRandomness
import RondoAnimation

extension Randomness {
  mutating func spring() -> Spring {
    Spring(response: double(in: 0.1...2), dampingRatio: double(in: 0.1...3))
  }

  mutating func curve() -> UnitCurve {
    switch int(in: 0..<4) {
    case 0: .linear
    case 1: [.easeIn, .easeOut, .easeInOut].randomElement(using: &self)!
    case 2:
      [.circularEaseIn, .circularEaseOut, .circularEaseInOut].randomElement(using: &self)!
    default:
      .bezier(
        startControlPoint: UnitPoint(x: double(in: 0...1), y: double(in: -1...2)),
        endControlPoint: UnitPoint(x: double(in: 0...1), y: double(in: -1...2))
      )
    }
  }

  /// A curve or a spring, with some modifiers.
  mutating func animation() -> Animation {
    var animation: Animation =
      bool()
      ? .timingCurve(curve(), duration: double(in: 0.1...1))
      : .spring(spring())
    for _ in 0..<int(in: 0..<3) {
      switch int(in: 0..<3) {
      case 0: animation = animation.delay(double(in: 0...0.5))
      case 1: animation = animation.speed(double(in: 0.5...2))
      default: animation = animation.repeatCount(int(in: 1..<4), autoreverses: bool())
      }
    }
    return animation
  }
}
