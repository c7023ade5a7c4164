// Checks of the numbers in the documentation.

import RondoSeededRandomness
import RondoAnimation
import Testing

@Suite struct DocumentationTests {
  @Test func animation() {
    let animation = Animation.easeInOut(duration: 0.2).delay(0.5)
    #expect("\(animation)" == ".easeInOut(duration: 0.2).delay(0.5)")
    #expect(animation.sample(at: 0.6).value == 0.5)
  }

  @Test func sample() {
    let sample = Animation.linear(duration: 2).sample(at: 0.5)
    #expect(sample.value == 0.25)
    #expect(sample.value(from: 10, to: 20) == 12.5)
  }

  @Test func unitCurve() {
    let curve = UnitCurve.bezier(
      startControlPoint: UnitPoint(x: 0.42, y: 0),
      endControlPoint: UnitPoint(x: 0.58, y: 1)
    )
    #expect(curve.value(at: 0.5) == 0.5)
    #expect(curve.velocity(at: 0.5).isClose(to: 1.724, within: 1e-3))
  }

  @Test func spring() {
    let value = Spring(duration: 0.5, bounce: 0.3).value(target: 100.0, time: 0.2)
    #expect((value * 100).rounded(.down) / 100 == 87.37)
    let springs = [
      Spring(duration: 0.5, bounce: 0.3), Spring(response: 0.5, dampingRatio: 0.7),
      Spring(mass: 1, stiffness: 157.9, damping: 17.59),
    ]
    for spring in springs {
      #expect(spring.value(target: 100.0, time: 0.2).isClose(to: value, within: 1e-3))
    }
  }

  @Test func interpolation() {
    var x = 10.0
    x.interpolate(towards: 20, amount: 0.25)
    #expect(x == 12.5)
  }

  @Test func binding() {
    final class Model {
      var isOpen = false
    }
    let model = Model()
    let isOpen = Binding(get: { model.isOpen }, set: { model.isOpen = $0 })
    isOpen.animation(.easeOut).wrappedValue = true
    #expect(model.isOpen)
  }
}
