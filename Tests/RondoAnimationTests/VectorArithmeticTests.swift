// Everything that can be animated adds, scales, and has a length.

import RondoAnimation
import Testing

@Suite struct VectorArithmeticTests {
  private func obeysTheLaws<V: VectorArithmetic>(_ a: V, _ b: V) -> Bool {
    a + b - b == a && a.scaled(by: 1) == a && a.scaled(by: 0) == .zero
      && a.scaled(by: 2) == a + a && a.interpolated(towards: b, amount: 0) == a
      && a.interpolated(towards: b, amount: 1) == b && V.zero.magnitudeSquared == 0
  }

  @Test func lawsHold() {
    #expect(obeysTheLaws(3.0, 4.0))
    #expect(obeysTheLaws(Float(3), 4))
    #expect(obeysTheLaws(AnimatablePair(1.0, Float(2)), AnimatablePair(3, 4)))
    #expect(obeysTheLaws(EmptyAnimatableData(), EmptyAnimatableData()))
    #expect(
      obeysTheLaws(
        AnimatableVector(SIMD4<Double>(1, 2, 3, 4)),
        AnimatableVector(SIMD4(5, 6, 7, 8))
      )
    )
  }

  @Test func magnitudesAddUp() {
    #expect(AnimatablePair(3.0, 4.0).magnitudeSquared == 25)
    #expect(AnimatablePair(1.0, AnimatablePair(2.0, 2.0)).magnitudeSquared == 9)
    #expect(AnimatableVector(SIMD2<Float>(3, 4)).magnitudeSquared == 25)
  }

  // CS12
  @Test func animatableDataIsTheMovingPart() {
    var pie = Pie(start: 1, end: 2, color: "red")
    pie.animatableData = AnimatablePair(3, 4)
    #expect(pie.start == 3 && pie.end == 4 && pie.color == "red")
    var still = Still(text: "a")
    still.animatableData = EmptyAnimatableData()
    #expect(still.text == "a")
  }
}

private struct Pie: Animatable {
  var start: Double
  var end: Double
  var color: String

  var animatableData: AnimatablePair<Double, Double> {
    get { AnimatablePair(start, end) }
    set { (start, end) = (newValue.first, newValue.second) }
  }
}

private struct Still: Animatable {
  var text: String

  typealias AnimatableData = EmptyAnimatableData
}
