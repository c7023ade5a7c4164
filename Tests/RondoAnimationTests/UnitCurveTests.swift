// Curves: their values, slopes and ends.

import RondoSeededRandomness
import RondoAnimation
import Testing

@Suite struct UnitCurveTests {
  static let named: [UnitCurve] = [
    .linear, .easeIn, .easeOut, .easeInOut, .circularEaseIn, .circularEaseOut,
    .circularEaseInOut, .circularEaseInOut.inverse,
  ]

  // Numbers: curves
  @Test func agreesWithTheReferenceTable() {
    for (x1, y1, x2, y2, x, y, slope) in bezierTable {
      let curve = UnitCurve.bezier(
        startControlPoint: UnitPoint(x: x1, y: y1),
        endControlPoint: UnitPoint(x: x2, y: y2)
      )
      #expect(curve.value(at: x).isClose(to: y, within: 2e-6), "\(curve) at \(x)")
      #expect(curve.velocity(at: x).isClose(to: slope, within: 1e-4), "\(curve) at \(x)")
    }
  }

  // Numbers: circular
  @Test func circularCurvesAreQuartersOfCircles() {
    #expect(UnitCurve.circularEaseIn.value(at: 0.6).isClose(to: 0.2))
    #expect(UnitCurve.circularEaseOut.value(at: 0.4).isClose(to: 0.8))
    #expect(UnitCurve.circularEaseInOut.value(at: 0.3).isClose(to: 0.1))
    #expect(UnitCurve.circularEaseInOut.value(at: 0.7).isClose(to: 0.9))
    #expect(UnitCurve.circularEaseIn.velocity(at: 0.6).isClose(to: 0.75))
  }

  @Test func startsAtZeroAndEndsAtOneExactly() {
    forEachSeed(200) { random in
      let curve = random.curve()
      #expect(curve.value(at: 0) == 0, "\(random) \(curve)")
      #expect(curve.value(at: 1) == 1, "\(random) \(curve)")
      #expect(curve.value(at: -3) == 0 && curve.value(at: 3) == 1, "\(random) \(curve)")
    }
  }

  @Test func isContinuous() {
    forEachSeed(50) { random in
      let curve = UnitCurve.bezier(
        startControlPoint: UnitPoint(x: random.double(in: 0.1...0.9), y: random.double(in: -1...2)),
        endControlPoint: UnitPoint(x: random.double(in: 0.1...0.9), y: random.double(in: -1...2))
      )
      for step in 0..<1_000 {
        let x = Double(step) / 1_000
        let rise = abs(curve.value(at: x + 0.001) - curve.value(at: x))
        let slope = max(abs(curve.velocity(at: x)), abs(curve.velocity(at: x + 0.001)))
        // At a cusp the slope is unbounded, but a cubic cannot rise faster than a cube root.
        #expect(rise <= slope * 0.001 + 0.05, "\(random) \(curve) at \(x)")
      }
    }
  }

  @Test func velocityIsTheSlope() {
    for curve in Self.named {
      for x in [0.1, 0.2, 0.35, 0.6, 0.85] {
        let slope = (curve.value(at: x + 0.001) - curve.value(at: x - 0.001)) / 0.002
        #expect(curve.velocity(at: x).isClose(to: slope, within: 2e-3), "\(curve) at \(x)")
      }
    }
  }

  @Test func isFiniteWhereItIsVertical() {
    for curve in Self.named {
      for x in [-1, 0, 0.5, 1, 2, .infinity, .nan] {
        #expect(curve.velocity(at: x).isFinite, "\(curve) at \(x)")
        #expect(curve.value(at: x).isFinite, "\(curve) at \(x)")
      }
    }
    #expect(UnitCurve.easeOut.velocity(at: 0).isClose(to: 1 / 0.58, within: 1e-4))
    #expect(UnitCurve.easeIn.velocity(at: 1).isClose(to: 1 / 0.58, within: 1e-4))
    #expect(UnitCurve.easeIn.velocity(at: 0) < 1e-5)
  }

  @Test func inverseUndoesIt() {
    for curve in Self.named {
      for step in 0...20 {
        let x = Double(step) / 20
        let back = curve.inverse.value(at: curve.value(at: x))
        #expect(abs(back - x) < 2e-3, "\(curve) at \(x)")
      }
      #expect(curve.inverse.inverse == curve)
    }
  }

  @Test(arguments: [(0.34, 1.56, 0.64, 1), (0.5, 1.8, 0.5, -0.8), (0.3, -0.5, 0.7, 1.5)])
  func theInverseOfACurveThatOvershootsSaysWhenItIsThereFirst(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double
  ) {
    let curve = UnitCurve.bezier(
      startControlPoint: UnitPoint(x: x1, y: y1), endControlPoint: UnitPoint(x: x2, y: y2))
    var reached = 0.0
    for step in 1..<1_000 {
      let x = Double(step) / 1_000
      let y = curve.value(at: x)
      guard y > reached + 1e-4, y < 1 else { continue }
      reached = y
      let back = curve.inverse.value(at: y)
      #expect(abs(back - x) < 2e-3, "\(curve) at \(x)")
      #expect(curve.inverse.velocity(at: y).isFinite)
    }
    #expect(curve.inverse.inverse == curve)
    #expect(curve.inverse.value(at: 1) == 1 && curve.inverse.value(at: 0) == 0)
    #expect(curve.inverse.description == "\(curve).inverse")
  }

  @Test func valuesAreMultiplesOfAMillionth() {
    forEachSeed(100) { random in
      let value = UnitCurve.easeInOut.value(at: random.double(in: 0...1)) * 0x1p20
      #expect(value == value.rounded(), "\(random)")
    }
  }

  @Test func clampsXAndIgnoresNonsense() {
    func curve(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> UnitCurve {
      .bezier(
        startControlPoint: UnitPoint(x: x1, y: y1),
        endControlPoint: UnitPoint(x: x2, y: y2)
      )
    }
    #expect(curve(-1, 0, 2, 1) == curve(0, 0, 1, 1))
    #expect(curve(.nan, .infinity, .infinity, 1) == curve(0, 0, 0, 1))
  }

  @Test func describesItself() {
    #expect(UnitCurve.easeIn.description == ".easeIn")
    #expect(UnitCurve.circularEaseInOut.inverse.description == ".circularEaseInOut.inverse")
  }
}
