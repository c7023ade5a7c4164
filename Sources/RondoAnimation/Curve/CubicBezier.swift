// A cubic Bézier curve from (0, 0) to (1, 1), as a function of x.

/// With the control points P₁ and P₂, each coordinate is the polynomial
/// 3(1 − t)²t·p₁ + 3(1 − t)t²·p₂ + t³ of a parameter t. To find y for a given x, t is solved for.
struct CubicBezier: Hashable, Sendable {
  let start: UnitPoint
  let end: UnitPoint

  init(start: UnitPoint, end: UnitPoint) {
    self.start = start.sane
    self.end = end.sane
  }

  /// The curve with x and y exchanged; `nil` where that is no function, because y leaves 0…1.
  var inverse: CubicBezier? {
    guard (0...1).contains(start.y), (0...1).contains(end.y) else { return nil }
    return CubicBezier(start: UnitPoint(x: start.y, y: start.x), end: UnitPoint(x: end.y, y: end.x))
  }

  /// The first x at which y is as given, for a y in 0…1.
  func firstTime(of y: Double) -> Double {
    let vertical = Polynomial(start.y, end.y)
    // Between two turns y only rises or falls.
    let ends = vertical.turns.filter { $0 > 0 && $0 < 1 } + [1]
    var low = 0.0
    for end in ends {
      if vertical.value(at: end) >= y || end == 1 {
        let t = bisected(vertical, at: y, in: low...end)
        return Polynomial(start.x, self.end.x).value(at: t)
      }
      low = end
    }
    return 1
  }

  /// The y for an x in 0…1, rounded to a multiple of 2⁻²⁰.
  func value(at x: Double) -> Double {
    let y = Polynomial(start.y, end.y).value(at: parameter(at: x))
    return (y * 0x1p20).rounded() * 0x1p-20
  }

  /// The slope dy/dx at an x in 0…1.
  func velocity(at x: Double) -> Double {
    let (horizontal, vertical) = (Polynomial(start.x, end.x), Polynomial(start.y, end.y))
    var t = parameter(at: x)
    if horizontal.slope(at: t) < Self.precision {
      // A cusp or a vertical tangent: the slope right beside it is finite.
      t = t < 0.5 ? t + Self.precision : t - Self.precision
    }
    return vertical.slope(at: t) / max(horizontal.slope(at: t), .ulpOfOne)
  }

  /// The parameter for an x in 0…1: Newton's method from t = x, at most 8 steps, then bisection.
  private func parameter(at x: Double) -> Double {
    let polynomial = Polynomial(start.x, end.x)
    var t = x
    for _ in 0..<8 {
      let error = polynomial.value(at: t) - x
      guard abs(error) >= Self.precision else { return t }
      let slope = polynomial.slope(at: t)
      guard abs(slope) >= Self.precision else { break }
      t -= error / slope
    }
    return bisected(polynomial, at: x, in: 0...1)
  }

  /// The place in a range in which a polynomial rises to a value.
  private func bisected(
    _ polynomial: Polynomial, at x: Double, in range: ClosedRange<Double>
  ) -> Double {
    var (low, high) = (range.lowerBound, range.upperBound)
    var t = range == 0...1 ? x : (low + high) / 2
    // 60 halvings exhaust the precision of t.
    for _ in 0..<60 {
      let error = polynomial.value(at: t) - x
      guard abs(error) >= Self.precision else { return t }
      if error < 0 { low = t } else { high = t }
      t = (low + high) / 2
    }
    return t
  }

  /// The precision with which x is met: 2⁻²⁰.
  private static let precision = 0x1p-20

  /// One coordinate, by powers of the parameter.
  private struct Polynomial {
    let linear, square, cube: Double

    init(_ p1: Double, _ p2: Double) {
      linear = 3 * p1
      square = 3 * (p2 - p1) - linear
      cube = 1 - linear - square
    }

    func value(at t: Double) -> Double {
      ((cube * t + square) * t + linear) * t
    }

    func slope(at t: Double) -> Double {
      (3 * cube * t + 2 * square) * t + linear
    }

    /// The places at which the slope is zero, in ascending order.
    var turns: [Double] {
      let (a, b, c) = (3 * cube, 2 * square, linear)
      guard abs(a) > .ulpOfOne else { return b == 0 ? [] : [-c / b] }
      let discriminant = b * b - 4 * a * c
      guard discriminant > 0 else { return [] }
      let root = discriminant.squareRoot()
      return [(-b - root) / (2 * a), (-b + root) / (2 * a)].sorted()
    }
  }
}

extension UnitPoint {
  /// The point with finite coordinates and an x in 0…1. A y is kept so small that no product of the
  /// polynomial overflows.
  fileprivate var sane: UnitPoint {
    let limit = 0x1p400
    return UnitPoint(
      x: x.isFinite ? min(max(x, 0), 1) : 0, y: y.isFinite ? min(max(y, -limit), limit) : 0)
  }
}
