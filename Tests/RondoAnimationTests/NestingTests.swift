// Animations of very many modifiers: nothing that they are asked nests.

import RondoAnimation
import RondoSeededRandomness
import Testing

@Suite struct NestingTests {
  private static let count = Soak.count(100_000, long: 1_000_000)

  // S1
  @Test func anAnimationTakesManyModifiers() {
    var animation = Animation.linear(duration: 4)
    for number in 0..<Self.count {
      animation =
        switch number % 5 {
        case 0: animation.delay(10.0 / Double(Self.count))
        case 1: animation.speed(1)
        case 2: animation.repeatCount(1)
        case 3: animation.logicallyComplete(after: 100)
        default: number < 10 ? animation.repeatForever() : animation
        }
    }
    // Two seconds of delays, and a quarter of the way.
    #expect(abs(animation.sample(at: 3).value - 0.25) < 1e-6)
    #expect(animation != animation.delay(1))
    #expect(animation.description.count > Self.count)

    var x = AnimatedValue(0.0)
    x.set(4, animation: animation, at: .zero)
    x.set(8, animation: .spring.delay(1), at: .seconds(1))
    #expect(x.value(at: .seconds(3)).isFinite)
  }

  @Test func aChainIsWhatWasAppended() {
    var animation = Animation.linear
    var expected = ".linear"
    for number in 0..<200 {
      animation = number.isMultiple(of: 2) ? animation.delay(Double(number)) : animation.speed(2)
      expected += number.isMultiple(of: 2) ? ".delay(\(number))" : ".speed(2)"
      if number % 63 < 3 { #expect(animation.description == expected) }
    }
    #expect(animation.description == expected)
  }
}
